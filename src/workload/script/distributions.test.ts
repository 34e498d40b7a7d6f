/** Drawn values against the formulas of the PostgreSQL manual, computed here on their own. */
import { describe, expect, test } from 'vitest';
import { fits, isUniform } from '../../../test/support/chi-square.ts';
import { createRandom } from '../../base/random.ts';
import { createZipfianDraw, type Draw, drawExponential, drawGaussian, drawUniform } from './distributions.ts';

const DRAWS = 200_000;
const FROM = -10;
const TO = 29;
const SIZE = TO - FROM + 1;
/** Fewer expected than this in a bin, and chi-square is no longer chi-square: such bins are put together. */
const EXPECTED_MIN = 5;

function drawn(draw: Draw, parameter: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  const counts = new Float64Array(SIZE);
  for (let index = 0; index < DRAWS; index++) {
    const value = draw(random, FROM, TO, parameter);
    // What lies without, or between, would be no element, and missing in the sum.
    if (value >= FROM && value <= TO && Number.isInteger(value)) counts[value - FROM]!++;
  }
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(DRAWS);
  return counts;
}

/** Puts neighbours together until enough is expected of each. */
function binned(observed: Float64Array, shares: readonly number[]): { observed: number[]; expected: number[] } {
  const bins = { observed: [0], expected: [0] };
  for (const [index, share] of shares.entries()) {
    const last = bins.observed.length - 1;
    bins.observed[last]! += observed[index]!;
    bins.expected[last]! += share * DRAWS;
    const isLast = index === shares.length - 1;
    if (bins.expected[last]! >= EXPECTED_MIN && !isLast) {
      bins.observed.push(0);
      bins.expected.push(0);
    }
  }
  if (bins.expected.at(-1)! < EXPECTED_MIN) {
    const [observedRest, expectedRest] = [bins.observed.pop()!, bins.expected.pop()!];
    bins.observed[bins.observed.length - 1]! += observedRest;
    bins.expected[bins.expected.length - 1]! += expectedRest;
  }
  return bins;
}

/** Simpson's rule: the standard normal distribution from the middle to x. */
function phiFromMiddle(x: number): number {
  const steps = 2_000;
  const width = x / steps;
  const density = (z: number) => Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(x);
  for (let step = 1; step < steps; step++) sum += density(step * width) * (step % 2 === 1 ? 4 : 2);
  return (sum * width) / 3;
}

test('uniform', () => {
  expect(isUniform(drawn(drawUniform, 0))).toBe(true);
});

describe.each([2, 2.5, 5, 20])('gaussian, parameter %f', (parameter) => {
  const middle = (FROM + TO) / 2;
  const distribution = (x: number) =>
    phiFromMiddle((2 * parameter * (x - middle)) / SIZE) / (2 * phiFromMiddle(parameter));
  const shares = Array.from(
    { length: SIZE },
    (_, index) => distribution(FROM + index + 0.5) - distribution(FROM + index - 0.5),
  );

  test('the shares are all there is', () => {
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  test('fits', () => {
    const { observed, expected } = binned(drawn(drawGaussian, parameter), shares);
    expect(fits(observed, expected)).toBe(true);
  });
});

describe.each([0.1, 1, 5, 50])('exponential, parameter %f', (parameter) => {
  const distribution = (x: number) => Math.exp((-parameter * (x - FROM)) / SIZE) / (1 - Math.exp(-parameter));
  const shares = Array.from(
    { length: SIZE },
    (_, index) => distribution(FROM + index) - distribution(FROM + index + 1),
  );

  test('fits', () => {
    const { observed, expected } = binned(drawn(drawExponential, parameter), shares);
    expect(fits(observed, expected)).toBe(true);
  });
});

describe.each([0.3, 1, 1.07, 2.5])('zipfian, parameter %f', (parameter) => {
  const weights = Array.from({ length: SIZE }, (_, index) => (index + 1) ** -parameter);
  const total = weights.reduce((sum, weight) => sum + weight, 0);

  test('fits', () => {
    const shares = weights.map((weight) => weight / total);
    const { observed, expected } = binned(drawn(createZipfianDraw(), parameter), shares);
    expect(fits(observed, expected)).toBe(true);
  });
});

test('the wrong parameter does not fit', () => {
  const weights = Array.from({ length: SIZE }, (_, index) => (index + 1) ** -1.07);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const { observed, expected } = binned(
    drawn(createZipfianDraw(), 1),
    weights.map((weight) => weight / total),
  );
  expect(fits(observed, expected)).toBe(false);
});

test('a place in a script may change its size and parameter from one draw to the next', () => {
  const draw = createZipfianDraw();
  const random = createRandom(1);
  for (const size of [1, 10, 1, 1000]) {
    const value = draw(random, 1, size, 1 + size / 1000);
    expect(value).toBeGreaterThanOrEqual(1);
    expect(value).toBeLessThanOrEqual(size);
  }
});
