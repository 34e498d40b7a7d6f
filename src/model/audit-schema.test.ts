import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AUDIT_FORMAT, type AuditReport } from './audit.ts';
import { auditJsonSchema, auditSchema } from './audit-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/audit.schema.json', import.meta.url));

const REPORT: AuditReport = {
  format: AUDIT_FORMAT,
  source: '-',
  verdict: 'The figures do not hold together: 1 rule fails (R8).',
  results: [{ name: 'Table 6, gp2', tool: 'sysbench', firstLine: 3, lastLine: 20, figures: 15 }],
  rules: [{ id: 'R8', title: 'a percentile is on its scale' }],
  checks: [
    {
      rule: 'R8',
      outcome: 'fails',
      of: 'Table 6, gp2',
      is: 'sysbench cannot print this percentile.',
      arithmetic: ['928.15 is none of its steps'],
      cells: [{ label: '95th percentile', column: 'gp2', line: 16, written: '928.15' }],
    },
  ],
  notes: [],
};

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(auditJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

test.each<{ because: string; report: unknown; accepted: boolean }>([
  { because: 'whole', report: REPORT, accepted: true },
  { because: 'of a later format', report: { ...REPORT, format: 'sqldyno.audit/2' }, accepted: false },
  { because: 'without a verdict', report: { ...REPORT, verdict: undefined }, accepted: false },
  {
    because: 'with an outcome that is none',
    report: { ...REPORT, checks: [{ ...REPORT.checks[0], outcome: 'maybe' }] },
    accepted: false,
  },
  { because: 'with a field of its own', report: { ...REPORT, score: 7 }, accepted: false },
])('a report $because', ({ report, accepted }) => {
  expect(auditSchema.safeParse(report).success).toBe(accepted);
  const published = z.fromJSONSchema(JSON.parse(JSON.stringify(auditJsonSchema())));
  expect(published.safeParse(JSON.parse(JSON.stringify(report))).success).toBe(accepted);
});
