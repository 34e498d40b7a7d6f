/**
 * The statistics that sysbench 1.0 prints at the end, under its names, in its columns and units, so that scripts which
 * read them go on working. What is meant differs in two places, and docs/data.md says so: queries are those of
 * committed transactions, and a write that changed no row is still a write.
 */
import type { LatencyRecord, RunTotals } from '../model/run.ts';
import { percentilesMs } from './percentiles.ts';

export interface SysbenchStatistics {
  readonly totals: RunTotals;
  /** Of all transactions together. */
  readonly latency: LatencyRecord;
  /** As asked for with --percentile. */
  readonly percentiles: readonly number[];
}

export function sysbenchStatistics({ totals, latency, percentiles }: SysbenchStatistics): string {
  const { transactions, statements, elapsedS } = totals;
  const queries = statements.read + statements.write + statements.other;
  return [
    'SQL statistics:',
    '    queries performed:',
    countLine('read', statements.read),
    countLine('write', statements.write),
    countLine('other', statements.other),
    countLine('total', queries),
    rateLine('transactions', transactions.committed, elapsedS),
    rateLine('queries', queries, elapsedS),
    rateLine('ignored errors', ignoredErrors(totals), elapsedS),
    rateLine('reconnects', totals.reconnects, elapsedS),
    '',
    ...generalStatistics({
      elapsedS,
      events: transactions.committed,
      latency,
      percentiles,
      perThread: { events: totals.perSession.transactions, latencyS: totals.perSession.latencyS },
    }),
  ].join('\n');
}

export interface GeneralStatistics {
  readonly elapsedS: number;
  readonly events: number;
  readonly latency: LatencyRecord;
  readonly percentiles: readonly number[];
  readonly perThread: { readonly events: readonly number[]; readonly latencyS: readonly number[] };
}

/** The part that all tests of sysbench end with. */
export function generalStatistics(statistics: GeneralStatistics): string[] {
  const { elapsedS, events, latency, percentiles, perThread } = statistics;
  return [
    'General statistics:',
    `${'    total time:'.padEnd(41)}${elapsedS.toFixed(4)}s`,
    `${'    total number of events:'.padEnd(41)}${events}`,
    '',
    'Latency (ms):',
    ...latencyLines(latency, percentiles),
    '',
    'Threads fairness:',
    fairnessLine('events (avg/stddev)', perThread.events),
    fairnessLine('execution time (avg/stddev)', perThread.latencyS),
  ];
}

/** Errors after which sysbench would have gone on: those of --mysql-ignore-errors. */
function ignoredErrors({ errors }: RunTotals): number {
  const ignored = errors.filter(({ policy }) => policy === 'retried' || policy === 'skipped');
  return ignored.reduce((sum, { count }) => sum + count, 0);
}

function countLine(label: string, count: number): string {
  return `${`        ${label}:`.padEnd(41)}${count}`;
}

function rateLine(label: string, count: number, elapsedS: number): string {
  const perS = elapsedS > 0 ? count / elapsedS : 0;
  return `${`    ${label}:`.padEnd(41)}${String(count).padEnd(6)} (${perS.toFixed(2)} per sec.)`;
}

function latencyLines(latency: LatencyRecord, percentiles: readonly number[]): string[] {
  const shown = percentiles.filter((percentile) => percentile > 0);
  const valuesMs = percentilesMs(latency, shown);
  const percentileLines = shown.map((percentile, at) => latencyLine(`${percentile}th percentile`, valuesMs[at] ?? 0));
  return [
    latencyLine('min', latency.minUs / 1_000),
    latencyLine('avg', latency.meanUs / 1_000),
    latencyLine('max', latency.maxUs / 1_000),
    ...(shown.length === 0 ? ['         percentile stats:               disabled'] : percentileLines),
    latencyLine('sum', latency.sumUs / 1_000),
  ];
}

function latencyLine(label: string, ms: number): string {
  return `${`         ${label}:`.padEnd(43)}${ms.toFixed(2).padStart(10)}`;
}

function fairnessLine(label: string, values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return `${`    ${label}:`.padEnd(35)}${mean.toFixed(4)}/${Math.sqrt(variance).toFixed(2)}`;
}
