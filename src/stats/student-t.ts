/**
 * Student's t distribution and the normal one: how likely, and how far out. Pure arithmetic; compared with scipy to
 * 1e-10 in test/fixtures/statistics.json.
 */
import { assert } from '../base/assert.ts';

/** The beta function's ratio is reckoned by its series from here on, by recurrence below. */
const SERIES_FROM = 64;
/** The continued fraction takes about sqrt(degrees of freedom) steps; this is enough for 10^9 of them. */
const FRACTION_STEPS_MAX = 100_000;
const FRACTION_PRECISION = 1e-16;
/** Instead of zero in a denominator of the continued fraction. */
const TINY = 1e-300;
/** Newton's steps double the digits, halving gains one bit: more are never needed. */
const SOLVE_STEPS_MAX = 2_000;
const SOLVE_PRECISION = 4e-16;

/**
 * P(T > t) for Student's T of `freedom` degrees (> 0, whole or not).
 *
 *     P(T > t) = I_x(freedom / 2, 1 / 2) / 2 for t >= 0, x = freedom / (freedom + t^2);  P(T > -t) = 1 - P(T > t)
 *
 * Source: NIST Digital Library of Mathematical Functions 8.17; Abramowitz and Stegun 26.7.1.
 */
export function studentTAbove(t: number, freedom: number): number {
  assert(freedom > 0, 'degrees of freedom are positive');
  assert(!Number.isNaN(t), 't is a number');
  const tail = tailOf(Math.abs(t), freedom);
  return t >= 0 ? tail : 1 - tail;
}

/** 2 P(T > |t|): the two-sided p of a t. Source: as `studentTAbove`. */
export function studentTTwoSided(t: number, freedom: number): number {
  return 2 * studentTAbove(Math.abs(t), freedom);
}

/**
 * The t with P(T < t) = `probability`, by Newton's method inside a bracket that is halved where a step leaves it.
 * Source of the distribution: as `studentTAbove`; density: Abramowitz and Stegun 26.7.1, differentiated.
 */
export function studentTQuantile(probability: number, freedom: number): number {
  assert(probability > 0 && probability < 1, 'a quantile is of a probability between 0 and 1');
  assert(freedom > 0, 'degrees of freedom are positive');
  if (probability === 0.5) return 0;
  const tail = Math.min(probability, 1 - probability);
  const size = solveTail(tail, freedom);
  return probability < 0.5 ? -size : size;
}

/**
 * The z with P(Z < z) = `probability`, for a standard normal Z; relative error about 1e-16.
 * Source: M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37,
 * 1988, function PPND16: ratios of polynomials in three ranges.
 */
export function normalQuantile(probability: number): number {
  assert(probability > 0 && probability < 1, 'a quantile is of a probability between 0 and 1');
  const fromMiddle = probability - 0.5;
  if (Math.abs(fromMiddle) <= 0.425) {
    const r = 0.180625 - fromMiddle * fromMiddle;
    return (fromMiddle * polynomial(MIDDLE_ABOVE, r)) / polynomial(MIDDLE_BELOW, r);
  }
  const r = Math.sqrt(-Math.log(fromMiddle < 0 ? probability : 1 - probability));
  const size =
    r <= 5
      ? polynomial(NEAR_ABOVE, r - 1.6) / polynomial(NEAR_BELOW, r - 1.6)
      : polynomial(FAR_ABOVE, r - 5) / polynomial(FAR_BELOW, r - 5);
  return fromMiddle < 0 ? -size : size;
}

/** P(T > t), t >= 0. The smaller of x and 1 - x is never got by subtracting from 1. */
function tailOf(t: number, freedom: number): number {
  if (t === Number.POSITIVE_INFINITY) return 0;
  // Divided before it is squared, so that a huge t does not overflow.
  const scaled = t / Math.sqrt(freedom);
  const squared = scaled * scaled;
  if (squared === Number.POSITIVE_INFINITY) return 0;
  const x = 1 / (1 + squared);
  const rest = squared / (1 + squared);
  return betaShare({ x, rest, freedom }) / 2;
}

/** I_x(freedom / 2, 1 / 2), where rest = 1 - x. DLMF 8.17.4 mirrors it to where the fraction converges quickly. */
function betaShare({ x, rest, freedom }: { x: number; rest: number; freedom: number }): number {
  const a = freedom / 2;
  if (rest === 0) return 1;
  // x^a (1 - x)^(1/2) / B(a, 1/2), with B(a, 1/2) = sqrt(pi) Gamma(a) / Gamma(a + 1/2). Where x is near 1, its
  // logarithm comes from 1 - x.
  const logX = x > 0.5 ? Math.log1p(-rest) : Math.log(x);
  const front = (Math.exp(a * logX) * Math.sqrt(rest) * gammaRatio(a)) / Math.sqrt(Math.PI);
  if (x < (a + 1) / (a + 2.5)) return (front * fraction(a, 0.5, x)) / a;
  return 1 - (front * fraction(0.5, a, rest)) / 0.5;
}

/** Gamma(a + 1/2) / Gamma(a): DLMF 5.11.13 for large a; below, Gamma(a + 1) = a Gamma(a) leads there. */
function gammaRatio(a: number): number {
  let factor = 1;
  let at = a;
  while (at < SERIES_FROM) {
    factor *= at / (at + 0.5);
    at++;
  }
  const r = 1 / at;
  const series = 1 + r * (-1 / 8 + r * (1 / 128 + r * (5 / 1_024 + r * (-21 / 32_768 + r * (-399 / 262_144)))));
  return factor * Math.sqrt(at) * series;
}

/** The continued fraction of the incomplete beta function, DLMF 8.17.22, by Lentz's method in Thompson's form. */
function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= FRACTION_STEPS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) <= FRACTION_PRECISION) break;
  }
  return value;
}

function notZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** The t > 0 with P(T > t) = tail. */
function solveTail(tail: number, freedom: number): number {
  let low = 0;
  let high = Math.max(1, -normalQuantile(tail));
  while (tailOf(high, freedom) > tail) {
    low = high;
    high *= 2;
  }
  let t = (low + high) / 2;
  for (let step = 0; step < SOLVE_STEPS_MAX; step++) {
    const excess = tailOf(t, freedom) - tail;
    if (excess === 0) return t;
    if (excess > 0) low = t;
    else high = t;
    const newton = t + excess / density(t, freedom);
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - t) <= SOLVE_PRECISION * t) return next;
    t = next;
  }
  return t;
}

function density(t: number, freedom: number): number {
  const power = Math.exp((-(freedom + 1) / 2) * Math.log1p((t * t) / freedom));
  return (gammaRatio(freedom / 2) / Math.sqrt(Math.PI * freedom)) * power;
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

/* Wichura's coefficients, lowest power first: a and b for the middle, c and d nearer, e and f farther out. */
const MIDDLE_ABOVE = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const MIDDLE_BELOW = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852854,
];
const NEAR_ABOVE = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const NEAR_BELOW = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const FAR_ABOVE = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const FAR_BELOW = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
  1.421511758316446e-7, 2.0442631033899397e-15,
];
