/**
 * The Hodges-Lehmann estimate: a middle of the pairs' differences that one wild pair cannot move far, with an interval
 * that supposes nothing but symmetry. Shown beside the mean, where a pair lies far from the others above all.
 */
import { assert } from '../base/assert.ts';
import { medianOfSorted } from './sample.ts';

export interface HodgesLehmann {
  readonly estimate: number;
  /** Absent where so few values allow none: below 6 for 95 %. */
  readonly interval?: { readonly low: number; readonly high: number };
}

/**
 * Median of the averages (d_i + d_j) / 2, i <= j. With these sorted as A_1 … A_M, M = n(n+1)/2, the interval is
 * A_k … A_(M+1-k), k the largest with P(W <= k - 1) <= (1 - confidence) / 2, W Wilcoxon's signed-rank statistic, exact.
 * Source: J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical
 * Statistics 34, 1963; M. Hollander, D. A. Wolfe, E. Chicken, "Nonparametric Statistical Methods", section 3.3.
 */
export function hodgesLehmann(values: readonly number[], confidence = 0.95): HodgesLehmann {
  assert(values.length > 0, 'an estimate is of something');
  const averages: number[] = [];
  for (let one = 0; one < values.length; one++) {
    for (let other = one; other < values.length; other++) averages.push((values[one]! + values[other]!) / 2);
  }
  averages.sort((one, other) => one - other);
  const estimate = medianOfSorted(averages);
  const cut = cutOf(values.length, (1 - confidence) / 2);
  if (cut === 0) return { estimate };
  return { estimate, interval: { low: averages[cut - 1]!, high: averages[averages.length - cut]! } };
}

/**
 * P(W <= rankSum), W the sum of those of the ranks 1 … n that carry a plus, each with probability 1/2: exact, by
 * adding one rank at a time. Source: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics 1, 1945.
 */
export function signedRankBelow(rankSum: number, count: number): number {
  let below = 0;
  for (const [sum, probability] of signedRankProbabilities(count).entries()) {
    if (sum <= rankSum) below += probability;
  }
  return below;
}

function cutOf(count: number, tail: number): number {
  let below = 0;
  let cut = 0;
  for (const probability of signedRankProbabilities(count)) {
    below += probability;
    if (below > tail) break;
    cut++;
  }
  return cut;
}

/** By rank sum, from 0 to n(n+1)/2. */
function signedRankProbabilities(count: number): Float64Array {
  const probabilities = new Float64Array((count * (count + 1)) / 2 + 1);
  probabilities[0] = 1;
  let highest = 0;
  for (let rank = 1; rank <= count; rank++) {
    highest += rank;
    for (let sum = highest; sum >= 0; sum--) {
      probabilities[sum] = ((probabilities[sum] ?? 0) + (sum >= rank ? (probabilities[sum - rank] ?? 0) : 0)) / 2;
    }
  }
  return probabilities;
}
