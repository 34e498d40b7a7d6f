import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { GATE_FORMAT, type GateReport } from './gate.ts';
import { gateJsonSchema, gateSchema } from './gate-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/gate.schema.json', import.meta.url));

const REPORT: GateReport = {
  format: GATE_FORMAT,
  isMet: false,
  is: 'The gate is not met: errors == 0.',
  runs: [{ run: 'a', isValid: true }],
  checks: [
    {
      requirement: { is: 'errors == 0', metric: 'errors', operator: '==', limit: 0, unit: 'count' },
      run: 'a',
      measured: 1,
      isMet: false,
      because: '1 was measured.',
    },
  ],
  comparisons: [
    {
      metric: 'transactions/s',
      of: 'a',
      baseline: 'b',
      runs: 4,
      baselineRuns: 4,
      pairing: 'in turn',
      effect: -0.1,
      interval: { low: -0.12, high: -0.08 },
      marginShare: 0.02,
      verdict: 'SLOWER',
      isMet: false,
      because: 'a is 10.0 % slower than b.',
    },
  ],
  isStrict: false,
  notes: [],
};

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(gateJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

test.each<{ because: string; report: unknown; accepted: boolean }>([
  { because: 'whole', report: REPORT, accepted: true },
  { because: 'of a later format', report: { ...REPORT, format: 'sqldyno.gate/2' }, accepted: false },
  { because: 'without an answer', report: { ...REPORT, isMet: undefined }, accepted: false },
  {
    because: 'with a comparison that is none',
    report: { ...REPORT, comparisons: [{ ...REPORT.comparisons[0], verdict: 'MAYBE' }] },
    accepted: false,
  },
  { because: 'with a field of its own', report: { ...REPORT, score: 7 }, accepted: false },
])('a gate $because', ({ report, accepted }) => {
  expect(gateSchema.safeParse(report).success).toBe(accepted);
  const published = z.fromJSONSchema(JSON.parse(JSON.stringify(gateJsonSchema())));
  expect(published.safeParse(JSON.parse(JSON.stringify(report))).success).toBe(accepted);
});
