/** Which percentiles are shown, how they are called, and the figures of one histogram. */
import { formatSignificant } from '../base/units.ts';
import type { LatencyRecord, RunRecord, TransactionLatency } from '../model/run.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';

const ALWAYS_SHOWN = [50, 95, 99, 99.9] as const;
/** Under this name all transactions are recorded together. */
export const ALL_TRANSACTIONS = 'all';

const NOTHING: LatencyRecord = { count: 0, minUs: 0, meanUs: 0, maxUs: 0, sumUs: 0, histogram: '' };

/** Those that are always shown and those asked for, rising. `--percentile=0` asks for none. */
export function percentilesShown(asked: readonly number[]): number[] {
  return [...new Set([...ALWAYS_SHOWN, ...asked.filter((percentile) => percentile > 0)])].sort((a, b) => a - b);
}

export function percentilesMs(record: LatencyRecord, percentiles: readonly number[]): number[] {
  const histogram = fromLatencyRecord(record);
  return percentiles.map((percentile) => histogram.percentileUs(percentile) / 1_000);
}

/** Milliseconds as text; a dash where nothing was measured, since 0 would be a lie. */
export function percentileCells(record: LatencyRecord, percentiles: readonly number[]): string[] {
  if (record.count === 0) return percentiles.map(() => '-');
  return percentilesMs(record, percentiles).map(formatSignificant);
}

export function millisecondCell(us: number, count: number): string {
  return count === 0 ? '-' : formatSignificant(us / 1_000);
}

/** What a client waits for: response in the open loop, service in the closed. */
export function latencyOf(transaction: TransactionLatency | undefined): LatencyRecord {
  return transaction?.response ?? transaction?.service ?? NOTHING;
}

export function latencyOfAll(run: RunRecord): LatencyRecord {
  return latencyOf(run.latency.transactions[ALL_TRANSACTIONS]);
}
