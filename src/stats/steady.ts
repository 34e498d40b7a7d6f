/**
 * Two plain questions about one run: was it long enough, and was its second half as fast as its first? Neither proves
 * that a run was steady; both find runs that were not.
 */
import type { Interval } from '../model/run.ts';

/** Caches, checkpoints and flushing need this long to show; and rarer things than one in a thousand stay unseen. */
export const MEASURED_S_MIN = 60;
export const TRANSACTIONS_MIN = 1_000;

/** A change of throughput that matters: twice what good runs differ by. */
export const DRIFT_MAX = 0.06;
/** And one that the intervals' own scatter does not explain, at two standard errors. */
const STANDARD_ERRORS_MIN = 2;
/** Halves of fewer intervals have no scatter worth the name. */
const INTERVALS_PER_HALF_MIN = 3;

export function isTooShort(elapsedS: number, transactions: number): boolean {
  return elapsedS < MEASURED_S_MIN || transactions < TRANSACTIONS_MIN;
}

/**
 * `change` = transactions per second of the second half / that of the first - 1, so -0.1 says: ten per cent slower.
 * A half is half of the measured intervals; an odd one in the middle belongs to neither.
 */
export interface HalvesDrift {
  readonly change: number;
  /** More than DRIFT_MAX, and more than two standard errors of the difference between the halves' means. */
  readonly isDrifting: boolean;
}

type Throughput = Pick<Interval, 'startS' | 'endS' | 'isWarmup' | 'transactions'>;

/** Undefined where too few intervals were measured, or nothing was done in the first half. */
export function driftOfHalves(intervals: readonly Throughput[]): HalvesDrift | undefined {
  const measured = intervals.filter((interval) => !interval.isWarmup && interval.endS > interval.startS);
  const size = Math.floor(measured.length / 2);
  if (size < INTERVALS_PER_HALF_MIN) return undefined;
  const first = rateOf(measured.slice(0, size));
  const second = rateOf(measured.slice(-size));
  if (first.meanPerS === 0) return undefined;
  const difference = second.meanPerS - first.meanPerS;
  const change = difference / first.meanPerS;
  const standardError = Math.hypot(first.standardErrorPerS, second.standardErrorPerS);
  const isDrifting = Math.abs(change) > DRIFT_MAX && Math.abs(difference) > STANDARD_ERRORS_MIN * standardError;
  return { change, isDrifting };
}

/** Means are over time, so that a last interval cut short weighs what it lasted. */
function rateOf(half: readonly Throughput[]): { readonly meanPerS: number; readonly standardErrorPerS: number } {
  const elapsedS = half.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
  const meanPerS = half.reduce((sum, { transactions }) => sum + transactions, 0) / elapsedS;
  const squares = half.reduce((sum, { startS, endS, transactions }) => {
    const deviationPerS = transactions / (endS - startS) - meanPerS;
    return sum + ((endS - startS) / elapsedS) * deviationPerS ** 2;
  }, 0);
  return { meanPerS, standardErrorPerS: Math.sqrt(squares / (half.length - 1)) };
}
