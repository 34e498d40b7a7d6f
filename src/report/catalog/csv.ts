/** The intervals of runs, one a row, for spreadsheets and plots. */
import type { Interval, RunRecord } from '../../model/run.ts';
import { fromLatencyRecord } from '../../stats/latency-record.ts';
import { percentilesShown } from '../percentiles.ts';
import { defineReport } from '../report.ts';

type Cell = string | number | undefined;

export default defineReport({
  summary: 'CSV for spreadsheets and plots: one row an interval, warm-up included and marked.',
  extension: 'csv',
  render: ({ runs }) => {
    const percentiles = percentilesShown(runs.flatMap((run) => run.load.percentiles));
    const rows = runs.flatMap((run) => run.intervals.map((interval) => rowOf(run, interval, percentiles)));
    return [headings(percentiles), ...rows].map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
  },
});

function headings(percentiles: readonly number[]): string[] {
  return [
    ...['run', 'start_s', 'end_s', 'is_warmup', 'sessions'],
    ...['transactions', 'transactions_per_s', 'reads', 'writes', 'others'],
    ...['errors', 'retries', 'reconnects', 'queue_length', 'concurrency', 'dropped'],
    ...['latency_min_us', 'latency_mean_us'],
    ...percentiles.map((percentile) => `latency_p${String(percentile).replace('.', '_')}_us`),
    'latency_max_us',
  ];
}

function rowOf({ id }: RunRecord, interval: Interval, percentiles: readonly number[]): Cell[] {
  const { startS, endS, isWarmup, sessionsActive, transactions, statements, latency } = interval;
  const perS = endS > startS ? transactions / (endS - startS) : 0;
  const histogram = fromLatencyRecord(latency);
  // Where nothing was measured, cells stay empty: 0 would be plotted as the best of all latencies.
  const measured = (us: number): Cell => (latency.count === 0 ? undefined : rounded(us));
  return [
    ...[id, rounded(startS), rounded(endS), isWarmup ? 1 : 0, sessionsActive],
    ...[transactions, rounded(perS), statements.read, statements.write, statements.other],
    ...[interval.errors, interval.retries, interval.reconnects],
    ...[interval.queueLength, interval.concurrency, interval.dropped],
    ...[measured(latency.minUs), measured(latency.meanUs)],
    ...percentiles.map((percentile) => measured(histogram.percentileUs(percentile))),
    measured(latency.maxUs),
  ];
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** RFC 4180. */
function quoted(cell: Cell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
