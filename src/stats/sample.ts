/** What a few numbers have in the middle, and how far they scatter. */
import { assert } from '../base/assert.ts';

/** Standard deviation of a normal distribution by its median absolute deviation: 1 / normal quantile of 0.75. */
const MAD_TO_SD = 1.4826;
/** Farther than this many robust standard deviations from the median: Iglewicz and Hoaglin, 1993. */
const OUTLIER_DEVIATIONS = 3.5;
/** Logarithms that differ by less are equal: what rounding to a double leaves. */
export const ROUNDING = 1e-12;

export function meanOf(values: readonly number[]): number {
  assert(values.length > 0, 'a mean is of something');
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** With n - 1. 0 where rounding alone makes a difference. */
export function deviationOf(values: readonly number[]): number {
  assert(values.length > 1, 'one value does not scatter');
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (values.length - 1));
  return deviation < ROUNDING ? 0 : deviation;
}

export function medianOf(values: readonly number[]): number {
  assert(values.length > 0, 'a median is of something');
  return medianOfSorted([...values].sort((one, other) => one - other));
}

export function medianOfSorted(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/**
 * Which of them lie far from the others: |value - median| > 3.5 x 1.4826 x median(|value - median|).
 * Where more than half are equal, whatever differs from them lies far.
 */
export function outliersOf(values: readonly number[]): number[] {
  if (values.length === 0) return [];
  const median = medianOf(values);
  const distances = values.map((value) => Math.abs(value - median));
  const limit = Math.max(OUTLIER_DEVIATIONS * MAD_TO_SD * medianOf(distances), ROUNDING);
  return distances.flatMap((distance, index) => (distance > limit ? [index] : []));
}

/** A ratio needs figures above zero, and a logarithm finite ones. */
export function hasLogarithm(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
