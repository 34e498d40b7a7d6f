import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SAMPLE_EXPERIMENTS } from '../../test/fixtures/sample-experiments.ts';
import type { JournalEntry } from './experiment.ts';
import { experimentRecordJsonSchema, experimentRecordSchema, journalEntrySchema } from './experiment-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/experiment-record.schema.json', import.meta.url));

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(experimentRecordJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

const readers = [
  { name: 'the check in the program', accepts: (it: unknown) => experimentRecordSchema.safeParse(it).success },
  {
    name: 'the published JSON Schema',
    accepts: (it: unknown) => z.fromJSONSchema(JSON.parse(readFileSync(PUBLISHED, 'utf8'))).safeParse(it).success,
  },
];

type Change = (record: Record<string, never> & { [part: string]: Record<string, unknown> }) => void;

describe.each(readers)('$name', ({ accepts }) => {
  test.each(Object.entries(SAMPLE_EXPERIMENTS))(
    'accepts the experiment %s, also after a journey through JSON',
    (_, it) => {
      expect(accepts(it)).toBe(true);
      expect(accepts(JSON.parse(JSON.stringify(it)))).toBe(true);
    },
  );

  test.each<{ because: string; change: Change }>([
    { because: 'a field is missing', change: (it) => delete it['plan']?.['baseline'] },
    { because: 'the plan is missing', change: (it) => delete it['plan'] },
    { because: 'a number is a text', change: (it) => Object.assign(it['plan']!, { blocks: '8' }) },
    { because: 'a setting is a number', change: (it) => Object.assign(it['plan']!, { settings: { a: 1 } }) },
    { because: 'a field is misspelt', change: (it) => Object.assign(it['plan']!, { margin: 0.02 }) },
    { because: 'the format is another', change: (it) => Object.assign(it, { format: 'sqldyno.experiment/2' }) },
    { because: 'a failure has no cause', change: (it) => Object.assign(it, { ending: { kind: 'failed' } }) },
    { because: 'the time is no UTC time', change: (it) => Object.assign(it, { startedAt: 'yesterday' }) },
    {
      because: 'a verdict is none',
      change: (it) => Object.assign(it['result']!, { comparisons: [{ verdict: 'MAYBE' }] }),
    },
  ])('refuses an experiment where $because', ({ change }) => {
    const it = structuredClone(SAMPLE_EXPERIMENTS['whole']);
    change(it as never);
    expect(accepts(it)).toBe(false);
  });
});

describe('a line of the journal', () => {
  const at = '2026-11-30T20:00:00.000Z';
  const entered = {
    adjusted: [{ name: 'innodb_buffer_pool_size', asked: '9G', effective: '10737418240' }],
    drift: [],
    data: { how: 'reflink', elapsedS: 0.2, fingerprint: 'ab12' },
    drainedS: 1.5,
    notes: [],
  } as const;

  test.each<JournalEntry>([
    { at, is: 'begun', number: 1, attempt: 1 },
    { at, is: 'done', number: 1, run: 'r1', entered },
    { at, is: 'invalid', number: 1, because: 'The host swapped.' },
    { at, is: 'invalid', number: 1, run: 'r1', because: 'The host swapped.' },
    { at, is: 'resumed' },
    { at, is: 'ended', ending: { kind: 'early', blocks: 6 } },
  ])('$is is taken whole', (entry) => {
    expect(journalEntrySchema.parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
  });

  test.each([
    { because: 'it is of no kind', line: { at, is: 'stopped' } },
    { because: 'a number is missing', line: { at, is: 'begun', attempt: 1 } },
    { because: 'it has no time', line: { is: 'resumed' } },
  ])('is refused where $because', ({ line }) => {
    expect(journalEntrySchema.safeParse(line).success).toBe(false);
  });
});
