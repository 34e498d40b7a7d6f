/** `SearchResult` as a JSON Schema, and as the check of one that comes from outside. */
import { z } from 'zod';
import { runSchema } from './run-schema.ts';
import { SEARCH_FORMAT, type SearchResult } from './search.ts';

const { startedAt: moment, sqldyno, command } = runSchema.shape;

const count = z.int().min(0);
const amount = z.number().min(0);

const limit = z.strictObject({
  metric: z.string(),
  unit: z.string(),
  below: z.number().describe('A run keeps it where the metric stays below this.'),
  is: z.string(),
});

const trial = z.strictObject({
  run: z.string().describe('Its record in the store.'),
  ratePerS: amount,
  outcome: z.enum(['passed', 'failed']),
  cause: z.exactOptional(z.enum(['limit', 'backlog', 'client', 'invalid'])),
  is: z.string(),
  value: z.exactOptional(z.number()),
  achievedPerS: amount,
  dropped: count,
  unfinished: count,
  scheduleLagP99Ms: z.exactOptional(amount),
});

const level = z.strictObject({
  ratePerS: amount,
  outcome: z.enum(['passed', 'failed', 'open']),
  passed: count,
  failed: count,
  value: z.exactOptional(z.number().describe('Median of the metric over its runs.')),
});

const ending = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('found') }),
  z.strictObject({ kind: z.literal('all passed') }),
  z.strictObject({ kind: z.literal('none passed') }),
  z.strictObject({ kind: z.literal('unsettled') }),
  z.strictObject({ kind: z.literal('interrupted'), cause: z.string() }),
  z.strictObject({ kind: z.literal('failed'), cause: z.string() }),
]);

export const searchSchema: z.ZodType<SearchResult> = z.strictObject({
  format: z.literal(SEARCH_FORMAT),
  id: z.string(),
  startedAt: moment,
  endedAt: moment,
  ending,
  sqldyno,
  command,
  workload: z.string(),
  load: z.strictObject({ threads: count, timeS: amount, warmupS: amount }),
  limit,
  settings: z.strictObject({
    repeats: count,
    precisionShare: amount,
    rateMinPerS: amount,
    rateMaxPerS: amount,
  }),
  estimate: z.exactOptional(z.strictObject({ run: z.string(), transactionsPerS: amount })),
  trials: z.array(trial).describe('In the order in which they were done.'),
  levels: z.array(level).describe('By rate, lowest first.'),
  passedPerS: z.exactOptional(amount.describe('The highest rate that passes and is below all that fail.')),
  failedPerS: z.exactOptional(amount.describe('The lowest rate that fails.')),
  pace: z.exactOptional(z.strictObject({ verdict: z.string(), is: z.string(), runs: z.array(z.string()) })),
  is: z.string(),
  notes: z.array(z.string()),
});

/** The JSON Schema (draft 2020-12), as published in schema/search.schema.json. */
export function searchJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:search:1',
    title: 'A search of sqldyno for the highest rate that keeps a limit (sqldyno.search/1)',
    ...z.toJSONSchema(searchSchema, { target: 'draft-2020-12' }),
  };
}
