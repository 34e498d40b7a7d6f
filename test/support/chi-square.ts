/** Goodness of fit for tests with fixed seeds. */

/** A healthy generator is farther than four standard deviations from what is expected once in 16,000 tests. */
const Z_LIMIT = 4;

/**
 * The chi-square statistic as a standard normal deviate (Wilson and Hilferty): far above 0 is a bad fit, far below too
 * good a one.
 */
export function chiSquareZ(observed: ArrayLike<number>, expected: ArrayLike<number>): number {
  let statistic = 0;
  for (let bin = 0; bin < observed.length; bin++) {
    statistic += (observed[bin]! - expected[bin]!) ** 2 / expected[bin]!;
  }
  const freedom = observed.length - 1;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
}

export function fits(observed: ArrayLike<number>, expected: ArrayLike<number>): boolean {
  return Math.abs(chiSquareZ(observed, expected)) < Z_LIMIT;
}

export function isUniform(observed: ArrayLike<number>): boolean {
  const total = Array.from(observed).reduce((sum, count) => sum + count, 0);
  return fits(observed, Array<number>(observed.length).fill(total / observed.length));
}
