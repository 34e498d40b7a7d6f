/** A variant by itself: its figures over all runs that count, what they cost, what set its pace, what it keeps. */
import type { VariantSummary } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import type { Metric } from '../../stats/metrics.ts';
import { medianOf } from '../../stats/sample.ts';
import { metricsOf } from './comparisons.ts';
import type { VariantRuns } from './placed-run.ts';

/** Beside those that are compared. What a run does not tell is absent. */
const ALWAYS = [
  'transactions/s',
  'p95(transaction)',
  'p99(transaction)',
  'errorShare',
  'serverCpuUs/transaction',
  'diskReads/transaction',
  'diskWrites/transaction',
  'fsyncs/transaction',
  'bytesRead/transaction',
  'bytesWritten/transaction',
  'rowsRead/transaction',
  'networkBytes/transaction',
  'cpuUsPerStatement',
];

/** What 1,000 transactions per second cost a month, in the currency of the plan. */
export const COST = 'cost of 1,000 transactions/s';

const DURABILITY_UNKNOWN = { is: 'unknown', because: 'The run does not tell how its commits were kept.' } as const;

export function summaryOfVariant(variant: VariantRuns, compared: readonly string[]): VariantSummary {
  const records = variant.runs.map(({ record }) => record);
  const metrics = metricsOf([...compared, ...ALWAYS]);
  const bottleneck = bottleneckOf(records);
  return {
    variant: variant.name,
    runs: records.map(({ id }) => id),
    durability: durabilityOf(records),
    metrics: Object.fromEntries([...metrics.flatMap((metric) => valuesOf(metric, records)), ...cost(variant)]),
    ...(bottleneck === undefined ? {} : { bottleneck }),
  };
}

type Values = VariantSummary['metrics'][string];

function valuesOf({ name, unit, of }: Metric, records: readonly RunRecord[]): (readonly [string, Values])[] {
  const values = records.map(of).filter((value) => value !== undefined);
  return values.length === 0 ? [] : [[name, { unit, values, median: medianOf(values) }]];
}

function cost({ pricePerMonth, runs }: VariantRuns): (readonly [string, Values])[] {
  if (pricePerMonth === undefined) return [];
  const rates = runs.map(({ record }) => record.rates.transactionsPerS).filter((rate) => rate > 0);
  const values = rates.map((rate) => (pricePerMonth / rate) * 1_000);
  return values.length === 0 ? [] : [[COST, { unit: 'per month', values, median: medianOf(values) }]];
}

/** The least that any of them promises. */
function durabilityOf(records: readonly RunRecord[]): VariantSummary['durability'] {
  const classes = records.map(({ durability }) => durability ?? DURABILITY_UNKNOWN);
  const unknown = classes.find(({ is }) => is === 'unknown');
  const [least] = [...classes].sort((one, other) => (one.is < other.is ? -1 : Number(one.is > other.is)));
  return unknown ?? least ?? DURABILITY_UNKNOWN;
}

/** What most of its runs name. */
function bottleneckOf(records: readonly RunRecord[]): string | undefined {
  const named = records.flatMap(({ diagnosis }) => {
    if (diagnosis === undefined) return [];
    const found = diagnosis.verdicts.find(({ role }) => role === 'bottleneck');
    return [found === undefined || !diagnosis.isDetermined ? 'undetermined' : found.id];
  });
  const counts = new Map<string, number>();
  for (const name of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (most === undefined) return undefined;
  const [name, count] = most;
  return count === named.length ? name : `${name} (${count} of ${named.length} runs)`;
}
