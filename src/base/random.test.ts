import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUniform } from '../../test/support/chi-square.ts';
import { createRandom, deriveSeed, SEED_MAX } from './random.ts';

const seeds = fc.integer({ min: 0, max: SEED_MAX });

// Draws computed by a second implementation (Python).
describe('known answers, frozen: data prepared with one version must come out the same in the next', () => {
  test.each([
    { seed: 0, index: 0, draws: [0.169923534907374, 0.47974467790195063, 0.4471588817486394] },
    { seed: 1, index: 0, draws: [0.5564052979990396, 0.24626309483817743, 0.6539427450016089] },
    { seed: 1, index: 1, draws: [0.8998840555332727, 0.21244300803829963, 0.374100754364622] },
    { seed: SEED_MAX, index: SEED_MAX, draws: [0.3814716613982363, 0.9323777232564325, 0.2744491018710611] },
  ])('seed $seed, index $index', ({ seed, index, draws }) => {
    const random = createRandom(seed, index);
    expect(draws.map(() => random.next())).toEqual(draws);
  });

  test('derived seeds', () => {
    expect([deriveSeed(1), deriveSeed(1, 'prepare', 3), deriveSeed(2, 'prepare', 3)]).toEqual([
      69941001294016, 2215546575021815, 3423000128637043,
    ]);
  });
});

test('a restart gives what a new stream gives, whatever was drawn before', () => {
  fc.assert(
    fc.property(seeds, seeds, fc.nat(20), (seed, index, drawn) => {
      const used = createRandom(3, 4);
      for (let draw = 0; draw < drawn; draw++) used.next();
      used.restart(seed, index);
      const fresh = createRandom(seed, index);
      for (let draw = 0; draw < 5; draw++) expect(used.next()).toBe(fresh.next());
    }),
  );
});

test('values lie in [0, 1), integers within their bounds, both included', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: -(2 ** 51), max: 2 ** 51 }), fc.nat(2 ** 51), (seed, from, more) => {
      const random = createRandom(seed);
      const value = random.next();
      const whole = random.integer(from, from + more);
      return value >= 0 && value < 1 && Number.isInteger(whole) && whole >= from && whole <= from + more;
    }),
  );
});

describe('uniformity', () => {
  const DRAWS = 200_000;
  const BINS = 256;

  test.each([0, 1, 42, SEED_MAX])('of one stream, high and low bits, seed %i', (seed) => {
    const random = createRandom(seed);
    const high = new Float64Array(BINS);
    const low = new Float64Array(BINS);
    for (let draw = 0; draw < DRAWS; draw++) {
      const value = random.next();
      high[Math.floor(value * BINS)]!++;
      low[(value * 2 ** 53) % BINS]!++;
    }
    expect([isUniform(high), isUniform(low)]).toEqual([true, true]);
  });

  test.each([0, 1, 42, SEED_MAX])(
    'of the first draw over neighbouring indexes, alone and in pairs, seed %i',
    (seed) => {
      const single = new Float64Array(BINS);
      const pairs = new Float64Array(BINS);
      const random = createRandom(seed);
      let before = 0;
      for (let index = 0; index < DRAWS; index++) {
        random.restart(seed, index);
        const value = random.next();
        single[Math.floor(value * BINS)]!++;
        pairs[Math.floor(before * 16) * 16 + Math.floor(value * 16)]!++;
        before = value;
      }
      expect([isUniform(single), isUniform(pairs)]).toEqual([true, true]);
    },
  );

  test('of the first draw over neighbouring seeds, and over multiples of 2^32', () => {
    const near = new Float64Array(BINS);
    const far = new Float64Array(BINS);
    for (let seed = 0; seed < DRAWS; seed++) {
      near[Math.floor(createRandom(seed).next() * BINS)]!++;
      far[Math.floor(createRandom(seed * 2 ** 32, 5).next() * BINS)]!++;
    }
    expect([isUniform(near), isUniform(far)]).toEqual([true, true]);
  });

  test.each([
    { from: 1, to: 10, because: 'small' },
    { from: -50, to: 49, because: 'below zero' },
    { from: 1, to: 3 * 2 ** 50, because: 'above 2^32, where multiplying alone would favour some values' },
  ])('of integers $from … $to: $because', ({ from, to }) => {
    const random = createRandom(11);
    const size = to - from + 1;
    const bins = new Float64Array(size <= 100 ? size : 96);
    const residues = new Float64Array(3);
    for (let draw = 0; draw < DRAWS; draw++) {
      const value = random.integer(from, to);
      bins[Math.floor(((value - from) * bins.length) / size)]!++;
      residues[(value - from) % 3]!++;
    }
    expect(isUniform(bins)).toBe(true);
    if (size % 3 === 0) expect(isUniform(residues)).toBe(true);
  });
});

test('each bit of seed and index changes about half of the bits drawn first', () => {
  const drawnBits = (seed: number, index: number): number => Math.floor(createRandom(seed, index).next() * 2 ** 32);
  const onesIn = (word: number): number => (word >>> 0).toString(2).replaceAll('0', '').length;
  const TRIALS = 400;
  for (let bit = 0; bit < 53; bit++) {
    let flippedBySeed = 0;
    let flippedByIndex = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const base = trial * 7_919;
      const flipped = Number(BigInt(base) ^ (1n << BigInt(bit)));
      flippedBySeed += onesIn(drawnBits(base, trial) ^ drawnBits(flipped, trial));
      flippedByIndex += onesIn(drawnBits(trial, base) ^ drawnBits(trial, flipped));
    }
    // Binomial with 32 * 400 coins: the standard deviation of the share is 0.0044.
    expect(Math.abs(flippedBySeed / (32 * TRIALS) - 0.5)).toBeLessThan(0.02);
    expect(Math.abs(flippedByIndex / (32 * TRIALS) - 0.5)).toBeLessThan(0.02);
  }
});

test('derived seeds are valid seeds, and differ by every part and by where parts end', () => {
  fc.assert(
    fc.property(seeds, fc.string(), fc.nat(), (seed, text, number) => {
      const derived = deriveSeed(seed, text, number);
      return Number.isSafeInteger(derived) && derived >= 0;
    }),
  );
  const all = [
    deriveSeed(1, 'ab', 'c'),
    deriveSeed(1, 'a', 'bc'),
    deriveSeed(1, 'abc'),
    deriveSeed(1, 1),
    deriveSeed(1, '1'),
  ];
  expect(new Set(all).size).toBe(all.length);
  const many = Array.from({ length: 100_000 }, (_, table) => deriveSeed(1, 'prepare', table));
  expect(new Set(many).size).toBe(many.length);
});
