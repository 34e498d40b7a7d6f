/**
 * Zipf's law over 1 … n, exactly, in constant time: rejection-inversion. W. Hörmann and G. Derflinger,
 * "Rejection-inversion to generate variates from monotone discrete distributions", ACM TOMACS 6 (1996).
 * The names h, H and s are the paper's: h(x) = x^-theta, H an integral of h with H(1) = 0.
 */
import { assert } from '../base/assert.ts';
import type { Random } from '../base/random.ts';

export interface Zipf {
  readonly size: number;
  readonly theta: number;
  /** H at the upper end of the last bar, and at the lower end of the first once that is cut to its height h(1) = 1. */
  readonly upper: number;
  readonly lower: number;
  /** Values drawn this close below their integer are accepted without another look. */
  readonly s: number;
}

/** Below this, the series of (e^x - 1) / x and ln(1 + x) / x are more exact than their quotients. */
const SERIES_BELOW = 1e-8;

/** `size` >= 1, `theta` >= 0; theta 0 is uniform. */
export function createZipf(size: number, theta: number): Zipf {
  assert(size >= 1 && theta >= 0, 'a Zipf distribution has at least one value and no negative exponent');
  const upper = integral(size + 0.5, theta);
  const lower = integral(1.5, theta) - 1;
  const s = 2 - inverseIntegral(integral(2.5, theta) - 2 ** -theta, theta);
  return { size, theta, upper, lower, s };
}

/** Hot: an integer from 1 to size. */
export function drawZipf(random: Random, { size, theta, upper, lower, s }: Zipf): number {
  for (;;) {
    const area = upper + random.next() * (lower - upper);
    const x = inverseIntegral(area, theta);
    const k = Math.min(size, Math.max(1, Math.floor(x + 0.5)));
    if (k - x <= s || area >= integral(k + 0.5, theta) - k ** -theta) return k;
  }
}

/** H(x) = (x^(1 - theta) - 1) / (1 - theta), which becomes ln x at theta = 1. */
function integral(x: number, theta: number): number {
  const logX = Math.log(x);
  const scaled = (1 - theta) * logX;
  const quotient = Math.abs(scaled) < SERIES_BELOW ? 1 + scaled / 2 : Math.expm1(scaled) / scaled;
  return quotient * logX;
}

function inverseIntegral(area: number, theta: number): number {
  // Rounding may leave it a hair below -1, where the logarithm ends.
  const scaled = Math.max(-1, area * (1 - theta));
  const quotient = Math.abs(scaled) < SERIES_BELOW ? 1 - scaled / 2 : Math.log1p(scaled) / scaled;
  return Math.exp(quotient * area);
}
