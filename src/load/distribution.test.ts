import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fits } from '../../test/support/chi-square.ts';
import { createRandom } from '../base/random.ts';
import { createKeyDistribution } from './distribution.ts';
import { RAND_TYPES, type RandSettings } from './plan.ts';

/** sysbench's defaults. */
const DEFAULTS: RandSettings = {
  type: 'uniform',
  scrambled: false,
  specIter: 12,
  specPct: 1,
  specRes: 75,
  paretoH: 0.2,
  zipfianExp: 0.8,
};

/** Made by key-distributions.py from closed forms. */
const expectedShares = JSON.parse(
  readFileSync(new URL('../../test/fixtures/key-distributions.json', import.meta.url), 'utf8'),
) as Record<string, number[]>;

function countKeys(settings: Partial<RandSettings>, keys: number, draws: number): Float64Array {
  const distribution = createKeyDistribution({ ...DEFAULTS, ...settings });
  const random = createRandom(20_261);
  const counts = new Float64Array(keys);
  for (let draw = 0; draw < draws; draw++) counts[distribution.draw(random, 1, keys) - 1]!++;
  return counts;
}

/** Bins of at least five expected draws, as the chi-square test wants them: neighbours are put together. */
function binned(counts: ArrayLike<number>, expected: readonly number[]): { observed: number[]; expected: number[] } {
  const bins = { observed: [0], expected: [0] };
  for (let key = 0; key < expected.length; key++) {
    if (bins.expected.at(-1)! >= 5) {
      bins.observed.push(0);
      bins.expected.push(0);
    }
    bins.observed[bins.observed.length - 1]! += counts[key]!;
    bins.expected[bins.expected.length - 1]! += expected[key]!;
  }
  // What is left over at the end joins its neighbour.
  if (bins.expected.at(-1)! < 5) {
    bins.observed.splice(-2, 2, bins.observed.at(-2)! + bins.observed.at(-1)!);
    bins.expected.splice(-2, 2, bins.expected.at(-2)! + bins.expected.at(-1)!);
  }
  return bins;
}

describe('100 keys are drawn with the shares of the closed forms', () => {
  test.each([
    { name: 'uniform', settings: { type: 'uniform' } },
    { name: 'gaussian', settings: { type: 'gaussian' } },
    { name: 'special', settings: { type: 'special' } },
    { name: 'pareto', settings: { type: 'pareto' } },
    { name: 'zipfian 0', settings: { type: 'zipfian', zipfianExp: 0 } },
    { name: 'zipfian 0.8', settings: { type: 'zipfian', zipfianExp: 0.8 } },
    { name: 'zipfian 1', settings: { type: 'zipfian', zipfianExp: 1 } },
    { name: 'zipfian 1.5', settings: { type: 'zipfian', zipfianExp: 1.5 } },
  ] as const)('$name', ({ name, settings }) => {
    const draws = 300_000;
    const expected = expectedShares[name]!.map((share) => share * draws);
    const bins = binned(countKeys(settings, 100, draws), expected);
    expect(bins.observed.length).toBeGreaterThan(10);
    expect(fits(bins.observed, bins.expected)).toBe(true);
  });
});

describe('100,000 keys are as hot as measured with sysbench', () => {
  const KEYS = 100_000;
  const DRAWS = 400_000;
  const shareOf = (counts: Float64Array, from: number, to: number): number =>
    counts.subarray(from, to).reduce((sum, count) => sum + count, 0) / DRAWS;

  test('pareto: a fifth of all draws hit key 1, half of them the first hundredth', () => {
    const counts = countKeys({ type: 'pareto' }, KEYS, DRAWS);
    expect(shareOf(counts, 0, 1)).toBeCloseTo(0.202, 2);
    expect(shareOf(counts, 0, KEYS / 100)).toBeCloseTo(0.528, 2);
  });

  test('special: 77 % of all draws hit 2 % of the keys, none of them by itself', () => {
    const counts = countKeys({ type: 'special' }, KEYS, DRAWS);
    expect(shareOf(counts, 0.49 * KEYS, 0.51 * KEYS)).toBeCloseTo(0.77, 2);
    expect(Math.max(...counts) / DRAWS).toBeLessThan(0.0015);
  });
});

/** Printed by sysbench 1.0.20 for a million draws of sysbench.rand.special(1, n). */
test.each([
  { keys: 2, shares: [0.5, 0.5] },
  { keys: 3, shares: [0.1249, 0.8652, 0.0098] },
  { keys: 4, shares: [0.0056, 0.4876, 0.5068, 0] },
  { keys: 5, shares: [0.0003, 0.1251, 0.8553, 0.0194, 0] },
])("special over $keys keys has sysbench's shares, quirks included", ({ keys, shares }) => {
  const draws = 200_000;
  const counts = countKeys({ type: 'special' }, keys, draws);
  for (const [key, share] of shares.entries()) expect(counts[key]! / draws).toBeCloseTo(share, 2);
});

describe('every type', () => {
  const settings = fc.record({
    type: fc.constantFrom(...RAND_TYPES),
    scrambled: fc.boolean(),
    specIter: fc.integer({ min: 1, max: 20 }),
    specPct: fc.integer({ min: 0, max: 100 }),
    specRes: fc.integer({ min: 0, max: 100 }),
    paretoH: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
    zipfianExp: fc.double({ min: 0, max: 5, noNaN: true }),
  });

  test('stays within its bounds, whatever its parameters', () => {
    fc.assert(
      fc.property(
        settings,
        fc.nat(),
        fc.nat(1_000),
        fc.oneof(fc.nat(20), fc.nat(2 ** 31 - 1)),
        (rand, seed, from, more) => {
          const distribution = createKeyDistribution(rand);
          const random = createRandom(seed);
          return Array.from({ length: 10 }, () => distribution.draw(random, from, from + more)).every(
            (key) => Number.isInteger(key) && key >= from && key <= from + more,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test('scrambled, draws the same shares for other keys', () => {
    fc.assert(
      fc.property(settings, fc.nat(), fc.integer({ min: 1, max: 500 }), (rand, seed, keys) => {
        const shares = [false, true].map((scrambled) => {
          const distribution = createKeyDistribution({ ...rand, scrambled });
          const random = createRandom(seed);
          const counts = new Map<number, number>();
          for (let draw = 0; draw < 200; draw++) {
            const key = distribution.draw(random, 1, keys);
            counts.set(key, (counts.get(key) ?? 0) + 1);
          }
          return [...counts.values()].sort((a, b) => a - b);
        });
        expect(shares[1]).toEqual(shares[0]);
      }),
    );
  });

  test('works on ranges that change from draw to draw', () => {
    const distribution = createKeyDistribution({ ...DEFAULTS, type: 'zipfian', scrambled: true });
    const alternating = [10, 1_000, 10, 1_000].map((to) => distribution.draw(createRandom(1), 1, to));
    const fresh = [10, 1_000, 10, 1_000].map((to) =>
      createKeyDistribution({ ...DEFAULTS, type: 'zipfian', scrambled: true }).draw(createRandom(1), 1, to),
    );
    expect(alternating).toEqual(fresh);
  });
});
