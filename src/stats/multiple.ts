/** Several questions asked of one experiment: p-values that allow for their number. */
import { assert } from '../base/assert.ts';

/**
 * With p_(1) <= … <= p_(m): adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j)). Whoever claims those below
 * 0.05 is wrong in any of them in at most 5 % of experiments. In the order given.
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6,
 * 1979.
 */
export function holm(ps: readonly number[]): number[] {
  const adjusted = new Array<number>(ps.length).fill(0);
  let highest = 0;
  for (const [rank, at] of ascending(ps).entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * ps[at]!));
    adjusted[at] = highest;
  }
  return adjusted;
}

/**
 * With p_(1) <= … <= p_(m): adjusted p_(i) = min over j >= i of min(1, m p_(j) / j). Of those below 0.05 at most one in
 * twenty is false, on average: for large tables, where Holm would leave nothing. In the order given.
 * Source: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
 * multiple testing", Journal of the Royal Statistical Society B 57, 1995.
 */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  const adjusted = new Array<number>(ps.length).fill(1);
  let lowest = 1;
  const order = ascending(ps);
  for (let rank = order.length; rank >= 1; rank--) {
    const at = order[rank - 1]!;
    lowest = Math.min(lowest, (ps.length * ps[at]!) / rank);
    adjusted[at] = lowest;
  }
  return adjusted;
}

/** Indexes, the smallest p first. */
function ascending(ps: readonly number[]): number[] {
  assert(
    ps.every((p) => p >= 0 && p <= 1),
    'a p-value lies between 0 and 1',
  );
  return ps.map((_, at) => at).sort((one, other) => ps[one]! - ps[other]!);
}
