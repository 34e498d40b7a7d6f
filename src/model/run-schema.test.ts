import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { closedRun, emptyRun, failedRun, openRun, terminalsRun } from '../../test/fixtures/sample-runs.ts';
import type { RunRecord } from './run.ts';
import { runJsonSchema, runSchema } from './run-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/run.schema.json', import.meta.url));

/** Changes a record anywhere: what comes in from outside has no type. */
type Change = (run: Record<string, never> & { [path: string]: Record<string, unknown> }) => void;

function changed(change: Change): unknown {
  const run = structuredClone(closedRun());
  change(run as never);
  return run;
}

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(runJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

const published = z.fromJSONSchema(JSON.parse(readFileSync(PUBLISHED, 'utf8')));
const readers = [
  { name: 'the check in the program', accepts: (run: unknown) => runSchema.safeParse(run).success },
  {
    name: 'the published JSON Schema',
    accepts: (run: unknown) => published.safeParse(run).success,
  },
];

describe.each(readers)('$name', ({ accepts }) => {
  test.each([
    { kind: 'closed', run: closedRun() },
    { kind: 'open', run: openRun() },
    { kind: 'terminals', run: terminalsRun() },
    { kind: 'failed', run: failedRun() },
    { kind: 'empty', run: emptyRun() },
  ])('accepts the $kind run, also after a journey through JSON', ({ run }) => {
    expect(accepts(run)).toBe(true);
    expect(accepts(JSON.parse(JSON.stringify(run)))).toBe(true);
  });

  test.each<{ because: string; change: Change }>([
    { because: 'a field is missing', change: (run) => delete run['totals']?.['elapsedS'] },
    { because: 'a whole part is missing', change: (run) => delete run['latency'] },
    { because: 'a number is a text', change: (run) => Object.assign(run['totals']!, { retries: '26' }) },
    { because: 'a count is a fraction', change: (run) => Object.assign(run['totals']!, { retries: 2.5 }) },
    { because: 'a count is below zero', change: (run) => Object.assign(run['totals']!, { retries: -1 }) },
    { because: 'a field is misspelt', change: (run) => Object.assign(run['load']!, { ratePerSecond: 5 }) },
    { because: 'the format is another', change: (run) => Object.assign(run, { format: 'sqldyno.run/2' }) },
    { because: 'a failure has no cause', change: (run) => Object.assign(run, { ending: { kind: 'failed' } }) },
    { because: 'the time is no UTC time', change: (run) => Object.assign(run, { startedAt: 'yesterday' }) },
    { because: 'a severity is unknown', change: (run) => Object.assign(run, { findings: [{ severity: 'bad' }] }) },
  ])('refuses a record where $because', ({ change }) => {
    expect(accepts(changed(change))).toBe(false);
  });
});

test('every field of the samples is described: nothing is lost in the check', () => {
  for (const run of [closedRun(), openRun(), terminalsRun(), failedRun(), emptyRun()]) {
    const checked: RunRecord = runSchema.parse(run);
    expect(checked).toEqual(run);
  }
});
