/**
 * Random whole numbers between two bounds, both included, by the formulas of the PostgreSQL manual ("pgbench", "Random
 * Functions"). With n = to - from + 1 values:
 *   gaussian     P(i) = F(i + 1/2) - F(i - 1/2), F(x) = Phi(2 parameter (x - middle) / n) / (2 Phi(parameter) - 1),
 *                Phi the standard normal distribution: what lies beyond +-parameter deviations is cut off.
 *   exponential  P(i) = f(i) - f(i + 1), f(x) = exp(-parameter (x - from) / n) / (1 - exp(-parameter))
 *   zipfian      P(k) proportional to 1 / k^parameter for k = 1 … n, k counted from `from`
 */
import type { Random } from '../../base/random.ts';
import { createZipf, drawZipf } from '../../base/zipf.ts';
import { ValueFault } from './values.ts';

/** Of three whole numbers, of which a function may take fewer. */
export type Draw = (random: Random, from: number, to: number, parameter: number) => number;

/** What `Random.integer` can tell apart. */
const RANGE_MAX = 2 ** 52;
/** Below two deviations little is left of the bell, and most draws would be thrown away. */
const GAUSSIAN_PARAMETER_MIN = 2;

export const drawUniform: Draw = (random, from, to) => {
  checkBounds(from, to);
  return random.integer(from, to);
};

/** Box and Muller's transform ("A note on the generation of random normal deviates", 1958), until it lies within. */
export const drawGaussian: Draw = (random, from, to, parameter) => {
  checkBounds(from, to);
  if (!(parameter >= GAUSSIAN_PARAMETER_MIN)) {
    throw new ValueFault(`The parameter of random_gaussian is ${parameter}, and must be 2.0 or more.`);
  }
  for (;;) {
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    const deviate = radius * Math.sin(2 * Math.PI * random.next());
    if (deviate >= -parameter && deviate < parameter) return atShare(from, to, (deviate / parameter + 1) / 2);
  }
};

/** By the inverse of its distribution function. */
export const drawExponential: Draw = (random, from, to, parameter) => {
  checkBounds(from, to);
  if (!(parameter > 0)) {
    throw new ValueFault(`The parameter of random_exponential is ${parameter}, and must lie above 0.`);
  }
  const cut = Math.exp(-parameter);
  return atShare(from, to, -Math.log(1 - random.next() * (1 - cut)) / parameter);
};

/** One for each place in a script: what the last size and parameter needed is kept. */
export function createZipfianDraw(): Draw {
  let zipf = createZipf(1, 1);
  return (random, from, to, parameter) => {
    checkBounds(from, to);
    if (!(parameter > 0))
      throw new ValueFault(`The parameter of random_zipfian is ${parameter}, and must lie above 0.`);
    const size = to - from + 1;
    if (zipf.size !== size || zipf.theta !== parameter) zipf = createZipf(size, parameter);
    return from + drawZipf(random, zipf) - 1;
  };
}

function checkBounds(from: number, to: number): void {
  if (to < from) throw new ValueFault(`The bounds of a random number are ${from} and ${to}: the first is the larger.`);
  if (to - from >= RANGE_MAX) throw new ValueFault(`Between ${from} and ${to} lie more than 2^52 numbers.`);
}

/** `share` in [0, 1]; rounding may bring it to 1 itself. */
function atShare(from: number, to: number, share: number): number {
  return Math.min(to, from + Math.floor((to - from + 1) * share));
}
