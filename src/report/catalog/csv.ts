/** The intervals of runs, one a row, for spreadsheets and plots. */
import { tells } from '../../model/imported.ts';
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

function rowOf(run: RunRecord, interval: Interval, percentiles: readonly number[]): Cell[] {
  // What another tool does not tell is left out: 0 would be a measurement.
  const told = (path: string, value: Cell): Cell => (tells(run, `intervals.${path}`) ? value : undefined);
  const { startS, endS, isWarmup, sessionsActive, transactions, statements, latency } = interval;
  const perS = endS > startS ? transactions / (endS - startS) : 0;
  const histogram = fromLatencyRecord(latency);
  // Where nothing was measured, cells stay empty: 0 would be plotted as the best of all latencies.
  const measured = (us: number): Cell => (latency.count === 0 ? undefined : rounded(us));
  return [
    ...[run.id, rounded(startS), rounded(endS), isWarmup ? 1 : 0, told('sessionsActive', sessionsActive)],
    ...[transactions, rounded(perS)],
    ...(['read', 'write', 'other'] as const).map((kind) => told(`statements.${kind}`, statements[kind])),
    ...(['errors', 'retries', 'reconnects'] as const).map((name) => told(name, interval[name])),
    ...[interval.queueLength, interval.concurrency, interval.dropped],
    ...[measured(latency.minUs), measured(latency.meanUs)],
    ...percentiles.map((percentile) => measured(histogram.percentileUs(percentile))),
    measured(latency.maxUs),
  ];
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** With these a spreadsheet begins a formula, whatever a program meant. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n]/;

/** RFC 4180. Numbers stay numbers, the negative ones too; text that would be a formula gets an apostrophe before it. */
function quoted(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = BEGINS_FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
