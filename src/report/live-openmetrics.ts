/** A run while it runs, in OpenMetrics: what has been done so far, and how the last interval went. */
import type { Interval } from '../model/run.ts';
import type { Histogram } from '../stats/histogram.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';
import {
  counter,
  gauge,
  info,
  type Labels,
  latencySamples,
  type MetricFamily,
  openMetricsText,
  type Sample,
} from './openmetrics.ts';

export const LIVE_PHASES = ['checking', 'connecting', 'warming up', 'measuring', 'stopping', 'saving'] as const;
export type LivePhase = (typeof LIVE_PHASES)[number];

/** Warm-up is counted apart: it is no part of a result. */
export interface LiveTotals {
  readonly part: 'warm-up' | 'measured';
  readonly transactions: number;
  readonly statements: Interval['statements'];
  readonly errors: number;
  readonly retries: number;
  readonly reconnects: number;
  readonly dropped: number;
  readonly latency: Histogram;
}

export interface LiveState {
  /** What is run: workload, threads, tags. */
  readonly facts: Labels;
  readonly phase: LivePhase;
  readonly totals: readonly LiveTotals[];
  /** The last one; absent before the first has ended. */
  readonly interval: Interval | undefined;
  readonly percentiles: readonly number[];
}

export function liveOpenMetrics({ facts, phase, totals, interval, percentiles }: LiveState): string {
  return openMetricsText([
    { name: 'sqldyno_live_run', type: 'info', help: 'What is being run.', samples: [info(facts)] },
    {
      name: 'sqldyno_live_phase',
      type: 'stateset',
      help: 'What the run is doing.',
      samples: LIVE_PHASES.map((each) => gauge(each === phase ? 1 : 0, { sqldyno_live_phase: each })),
    },
    ...totalFamilies(totals),
    ...(interval === undefined ? [] : intervalFamilies(interval, percentiles)),
  ]);
}

function totalFamilies(totals: readonly LiveTotals[]): MetricFamily[] {
  const each = (of: (total: LiveTotals) => number): Sample[] =>
    totals.map((total) => counter(of(total), { part: total.part }));
  const family = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
    name: `sqldyno_live_${name}`,
    type: 'counter',
    help,
    samples,
  });
  return [
    family(
      'transactions',
      'Committed transactions.',
      each(({ transactions }) => transactions),
    ),
    family(
      'statements',
      'Statements of committed transactions.',
      totals.flatMap(({ part, statements }) =>
        (['read', 'write', 'other'] as const).map((kind) => counter(statements[kind], { part, kind })),
      ),
    ),
    family(
      'errors',
      'Errors, those that were tried again included.',
      each(({ errors }) => errors),
    ),
    family(
      'retries',
      'Attempts made again after an error.',
      each(({ retries }) => retries),
    ),
    family(
      'reconnects',
      'Connections opened again.',
      each(({ reconnects }) => reconnects),
    ),
    family(
      'dropped',
      'Transactions that were due and found the queue full.',
      each(({ dropped }) => dropped),
    ),
    {
      name: 'sqldyno_live_latency_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Latency of all transactions: response in the open loop, service in the closed.',
      samples: totals.flatMap(({ part, latency }) => latencySamples(latency, { part })),
    },
  ];
}

/** Of the last interval, for a look without a history. */
function intervalFamilies(interval: Interval, percentiles: readonly number[]): MetricFamily[] {
  const { startS, endS, transactions, statements, errors, sessionsActive, latency } = interval;
  const { queueLength, concurrency } = interval;
  const perS = (count: number): Sample[] => (endS > startS ? [gauge(count / (endS - startS))] : []);
  const family = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
    name: `sqldyno_live_${name}`,
    type: 'gauge',
    help,
    samples,
  });
  const histogram = fromLatencyRecord(latency);
  const shown = latency.count === 0 ? [] : percentiles;
  return [
    family('interval_end_seconds', 'End of the last interval; 0: the measured part began.', [gauge(endS)]),
    family('sessions', 'Sessions that were active when the last interval ended.', [gauge(sessionsActive)]),
    family('transactions_per_second', 'Over the last interval.', perS(transactions)),
    family(
      'statements_per_second',
      'Over the last interval.',
      perS(statements.read + statements.write + statements.other),
    ),
    family('errors_per_second', 'Over the last interval.', perS(errors)),
    family(
      'queue_length',
      'Open loop: due, and not yet taken up.',
      queueLength === undefined ? [] : [gauge(queueLength)],
    ),
    family('concurrency', 'Open loop: sessions busy.', concurrency === undefined ? [] : [gauge(concurrency)]),
    family(
      'latency_percentile_seconds',
      'Of the last interval.',
      shown.map((percentile) =>
        gauge(histogram.percentileUs(percentile) / 1_000_000, { percentile: String(percentile) }),
      ),
    ),
  ].map((each) => (each.name.endsWith('_seconds') ? { ...each, unit: 'seconds' as const } : each));
}
