import { expect, test } from 'vitest';
import { createRandom } from '../base/random.ts';
import { noiseFloorOfPairs, noiseFloorOfRepeats } from './noise-floor.ts';
import { comparePaired } from './paired.ts';
import { normalQuantile } from './student-t.ts';

/** A simulation takes half a second; a machine that is busy with other things must not make it fail. */
const PATIENCE_MS = 60_000;

test('of A/A pairs: the farther end of their 95 % interval, whichever side it lies on', () => {
  const one = [100, 102, 98, 101, 99, 100];
  const other = [99, 100, 97, 101, 97, 98];
  const { interval } = comparePaired({ baseline: one, variant: other, better: 'higher', marginShare: 0.02 });
  const floor = noiseFloorOfPairs(one, other)!;
  // The interval lies below 0; as a difference of either sign, its lower end is the mirror image.
  expect(floor.smallestShare).toBeCloseTo(1 / (1 + interval.low) - 1, 12);
  expect(noiseFloorOfPairs(other, one)!.smallestShare).toBeCloseTo(floor.smallestShare, 12);
  expect(floor.from).toEqual({ is: 'pairs', count: 6 });
});

test('of repeats: by hand', () => {
  // Logarithms -0.01, 0, 0.01: s = 0.01; t(0.975, 2) = 4.3027; 8 pairs: 4.3027 x 0.01 x sqrt(2 / 8) = 0.0215.
  const values = [-0.01, 0, 0.01].map((log) => 500 * Math.exp(log));
  const floor = noiseFloorOfRepeats(values, 8)!;
  expect(floor.smallestShare).toBeCloseTo(Math.expm1(0.021513), 5);
  expect(floor.cvShare).toBeCloseTo(0.01, 6);
  expect(floor.is).toContain('3 runs of one configuration');
});

test('what never scattered has no floor, and what ran less than three times none that is known', () => {
  expect(noiseFloorOfRepeats([7, 7, 7], 8)?.smallestShare).toBe(0);
  expect(noiseFloorOfRepeats([7, 7], 8)).toBeUndefined();
  expect(noiseFloorOfPairs([7, 7, 0, 7], [7, Number.NaN, 7, 7])).toBeUndefined();
});

test('by simulation: of further A/A experiments of as many pairs, hardly any shows a difference beyond it', {
  timeout: PATIENCE_MS,
}, () => {
  const random = createRandom(5);
  const run = () => 1_000 * Math.exp(0.03 * normalQuantile(random.next() || 0.5));
  const runs = (count: number) => Array.from({ length: count }, run);
  let beyond = 0;
  for (let trial = 0; trial < 1_000; trial++) {
    const floor = noiseFloorOfRepeats(runs(10), 8)!;
    const input = { baseline: runs(8), variant: runs(8), better: 'higher', marginShare: 0.02 } as const;
    if (Math.abs(Math.log1p(comparePaired(input).effect)) > Math.log1p(floor.smallestShare)) beyond++;
  }
  // 5 % and three standard errors.
  expect(beyond / 1_000).toBeLessThan(0.071);
  expect(beyond).toBeGreaterThan(10);
});
