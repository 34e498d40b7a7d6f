/** `SweepResult` as a JSON Schema, and as the check of one that comes from outside. */
import { z } from 'zod';
import { runSchema } from './run-schema.ts';
import { SWEEP_FORMAT, type SweepResult } from './sweep.ts';

const { startedAt: moment } = runSchema.shape;

const count = z.int().min(0);
const amount = z.number().min(0);
const interval = z.strictObject({ low: z.number(), high: z.number() });
const withInterval = z.strictObject({ value: z.number(), interval });

const ending = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done') }),
  z.strictObject({ kind: z.literal('early'), blocks: count }),
  z.strictObject({ kind: z.literal('interrupted'), cause: z.string() }),
  z.strictObject({ kind: z.literal('failed'), cause: z.string() }),
]);

const value = z.strictObject({
  value: z.string(),
  number: z.exactOptional(z.number()),
  runs: z.array(z.string()).describe('Their records in the store, by block.'),
  ratesPerS: z.array(amount),
  ratePerS: z.exactOptional(z.strictObject({ median: amount, min: amount, max: amount })),
  metrics: z.record(z.string(), z.strictObject({ unit: z.string(), median: z.number() })),
  bottleneck: z.exactOptional(z.string()),
  durability: z.enum(['D0', 'D1', 'D2', 'D3', 'D4', 'unknown']),
  curvePerS: z.exactOptional(amount.describe('By the curve.')),
});

const curve = z
  .discriminatedUnion('is', [
    z.strictObject({
      is: z.literal('fitted'),
      lambda: withInterval,
      sigma: withInterval,
      kappa: withInterval,
      peak: z.exactOptional(z.strictObject({ n: withInterval, x: withInterval, isBeyondData: z.boolean() })),
      misfit: z.strictObject({ rms: amount, largest: amount, atN: z.number(), isPoor: z.boolean() }),
      trustedTo: z.number(),
      statements: z.array(z.string()),
    }),
    z.strictObject({ is: z.literal('not-fitted'), because: z.string() }),
  ])
  .describe('Universal Scalability Law: X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)).');

const knee = z.strictObject({
  value: z.string(),
  reference: z.string(),
  marginShare: amount,
  sureFrom: z.exactOptional(z.string()),
  isAtEnd: z.boolean(),
  comparisons: z.array(
    z.strictObject({
      value: z.string(),
      pairs: count,
      effect: z.number().describe('Of the rate beside that of the reference, as a share.'),
      interval90: z.exactOptional(interval),
    }),
  ),
});

export const sweepSchema: z.ZodType<SweepResult> = z.strictObject({
  format: z.literal(SWEEP_FORMAT),
  id: z.string().describe('Of the experiment.'),
  startedAt: moment,
  ending: z.exactOptional(ending),
  workload: z.string(),
  over: z.string(),
  of: z.enum(['load', 'workload', 'settings', 'global']),
  repeats: count,
  values: z.array(value),
  curve: z.exactOptional(curve),
  knee: z.exactOptional(knee),
  is: z.string(),
  notes: z.array(z.string()),
});

/** The JSON Schema (draft 2020-12), as published in schema/sweep.schema.json. */
export function sweepJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:sweep:1',
    title: 'A sweep of sqldyno over values of one thing (sqldyno.sweep/1)',
    ...z.toJSONSchema(sweepSchema, { target: 'draft-2020-12' }),
  };
}
