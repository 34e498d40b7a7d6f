/**
 * `ExperimentRecord` and the lines of its journal as a check at run time, for those that come from outside, and as the
 * published JSON Schema. The types in experiment.ts are the definition: this does not compile where it says more or
 * less.
 */
import { z } from 'zod';
import { EXPERIMENT_FORMAT, type ExperimentRecord, type JournalEntry } from './experiment.ts';
import { exactly, runSchema } from './run-schema.ts';

const { startedAt: moment, sqldyno, command } = runSchema.shape;

const count = z.int().min(0);
const positive = z.int().min(1);
const amount = z.number().min(0);
const share = z.number().min(0).max(1);
const byName = <T extends z.ZodType>(value: T) => z.record(z.string(), value);

const settings = byName(z.string()).describe("By the server's names; values as an option file takes them.");
const optionValues = byName(z.union([z.string(), z.number(), z.boolean()]));

const variant = z.strictObject({
  name: z.string(),
  is: z.exactOptional(z.string()),
  levels: z.exactOptional(byName(z.string()).describe('By factor, its level.')),
  pricePerMonth: z.exactOptional(amount),
  settings: z.exactOptional(settings),
  global: z.exactOptional(settings),
  persist: z.exactOptional(settings),
  server: z.exactOptional(z.string()),
  dataDirectory: z.exactOptional(z.string()),
  target: z.exactOptional(z.string()),
  connect: z.exactOptional(z.enum(['socket', 'tcp'])),
  engine: z.exactOptional(z.string()),
  workload: z.exactOptional(optionValues),
  load: z.exactOptional(optionValues),
  enter: z.exactOptional(z.string()),
  leave: z.exactOptional(z.string()),
});

const design = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('blocks') }),
  z.strictObject({
    is: z.enum(['factorial', 'one-at-a-time']),
    factors: z.array(
      z.strictObject({ name: z.string(), levels: z.array(z.string()).describe("In order, the baseline's first.") }),
    ),
  }),
]);

const plan = z.strictObject({
  name: z.string(),
  question: z.exactOptional(z.string()),
  target: z.string(),
  workload: z.string(),
  workloadOptions: optionValues,
  loadOptions: optionValues,
  settings,
  variants: z.array(variant),
  baseline: z.string(),
  design,
  blocks: positive.describe('Each variant runs once in each.'),
  stop: z.discriminatedUnion('is', [
    z.strictObject({ is: z.literal('fixed') }),
    z.strictObject({ is: z.literal('sequential') }),
  ]),
  start: z.strictObject({
    data: z.enum(['restored', 'prepared', 'kept']),
    cache: z.enum(['warm', 'cold', 'as it is']),
  }),
  metric: z.string(),
  secondary: z.array(z.string()),
  marginShare: share.describe('A difference smaller than this does not matter.'),
  seed: count,
  dataSeed: count.exactOptional(),
  invalid: z.strictObject({
    stealShareMax: share,
    errorShareMax: amount,
    swap: z.boolean(),
    throttle: z.boolean(),
    attemptsMax: positive,
  }),
  notes: z.array(z.string()),
});

const plannedRun = z.strictObject({ number: positive, block: positive, variant: z.string(), seed: count });

const ending = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done') }),
  z.strictObject({ kind: z.literal('early'), blocks: positive }),
  z.strictObject({ kind: z.literal('interrupted'), cause: z.string() }),
  z.strictObject({ kind: z.literal('failed'), cause: z.string() }),
]);

const entered = z.strictObject({
  adjusted: z.array(z.strictObject({ name: z.string(), asked: z.string(), effective: z.string() })),
  drift: z.array(z.string()),
  data: z.strictObject({
    how: z.enum(['reflink', 'copy', 'prepared', 'kept']),
    elapsedS: amount,
    fingerprint: z.string(),
  }),
  drainedS: amount,
  notes: z.array(z.string()),
});

const interval = z.strictObject({ low: z.number(), high: z.number() }).meta({ id: 'Interval95' });

const comparison = z.strictObject({
  variant: z.string(),
  baseline: z.string(),
  metric: z.string(),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
  isPrimary: z.boolean(),
  pairs: z.array(z.strictObject({ block: positive, baseline: z.number(), variant: z.number(), ratio: z.number() })),
  effect: z.number().describe('Of the metric, variant against baseline: 0.065 is 6.5 % more.'),
  interval,
  pT: share,
  pSignFlip: share,
  pHolm: z.exactOptional(share),
  sure: share.describe('That the variant is better.'),
  hodgesLehmann: z.strictObject({ effect: z.number(), interval: z.exactOptional(interval) }),
  outliers: z.array(positive),
  verdict: z.enum(['FASTER', 'SLOWER', 'SAME', 'UNDECIDED']),
  isMeaningful: z.boolean(),
  pairsNeeded: z.exactOptional(count),
  is: z.string(),
});

const variantSummary = z.strictObject({
  variant: z.string(),
  runs: z.array(z.string()),
  durability: z.strictObject({ is: z.enum(['D0', 'D1', 'D2', 'D3', 'D4', 'unknown']), because: z.string() }),
  metrics: byName(z.strictObject({ unit: z.string(), values: z.array(z.number()), median: z.number() })),
  bottleneck: z.exactOptional(z.string()),
});

const factorEffect = z.strictObject({
  of: z.string(),
  from: z.string(),
  to: z.string(),
  effect: z.number(),
  interval,
  p: share,
  pHolm: share,
  is: z.string(),
});

const result = z.strictObject({
  is: z.string().describe('The answer, in one sentence.'),
  blocks: count,
  variants: z.array(variantSummary),
  comparisons: z.array(comparison),
  effects: z.exactOptional(z.array(factorEffect)),
  noiseFloor: z.exactOptional(amount),
  notes: z.array(z.string()),
});

export const experimentRecordSchema = exactly<ExperimentRecord>()(
  z.strictObject({
    format: z.literal(EXPERIMENT_FORMAT),
    id: z.string(),
    startedAt: moment,
    endedAt: z.exactOptional(moment),
    ending: z.exactOptional(ending),
    sqldyno,
    command,
    plan,
    runs: z.array(plannedRun),
    result: z.exactOptional(result),
  }),
);

export const journalEntrySchema = exactly<JournalEntry>()(
  z.discriminatedUnion('is', [
    z.strictObject({ at: moment, is: z.literal('begun'), number: positive, attempt: positive }),
    z.strictObject({ at: moment, is: z.literal('done'), number: positive, run: z.string(), entered }),
    z.strictObject({
      at: moment,
      is: z.literal('invalid'),
      number: positive,
      run: z.exactOptional(z.string()),
      because: z.string(),
    }),
    z.strictObject({ at: moment, is: z.literal('resumed') }),
    z.strictObject({ at: moment, is: z.literal('ended'), ending }),
  ]),
);

/** The JSON Schema (draft 2020-12) of experiment.json, as published in schema/experiment-record.schema.json. */
export function experimentRecordJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:experiment:1',
    title: 'An experiment of sqldyno and its result (sqldyno.experiment/1)',
    ...z.toJSONSchema(experimentRecordSchema, { target: 'draft-2020-12' }),
  };
}
