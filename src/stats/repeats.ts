/** A few repeats of one measurement, in short. */
import { assert } from '../base/assert.ts';

export interface RepeatsSummary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** From the lowest to the highest, as a share of the median. Absent where that is 0. */
  readonly scatter?: number;
}

export function summaryOf(repeats: readonly number[]): RepeatsSummary {
  const sorted = [...repeats].sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  assert(min !== undefined && max !== undefined, 'there is a repeat');
  const half = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  return { median, min, max, ...(median === 0 ? {} : { scatter: (max - min) / median }) };
}
