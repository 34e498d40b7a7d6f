import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fits } from '../../../test/support/chi-square.ts';
import { createRandom, SEED_MAX } from '../../base/random.ts';
import type { DeviationName } from './deviations.ts';
import {
  CUSTOMER_A,
  drawConstants,
  ITEM_A,
  isLastNameDistanceRight,
  LAST_NAME_A,
  LAST_NAMES,
  lastName,
  nuRand,
} from './nurand.ts';

const NONE: ReadonlySet<DeviationName> = new Set();

/** Shares of all values, by going through every pair of draws. */
function sharesOf(a: number, c: number, from: number, to: number): number[] {
  const size = to - from + 1;
  const shares = Array<number>(size).fill(0);
  const share = 1 / ((a + 1) * size);
  for (let x = 0; x <= a; x++) for (let y = from; y <= to; y++) shares[((x | y) + c) % size]! += share;
  return shares;
}

describe('NURand', () => {
  test.each([
    { field: 'last names', a: LAST_NAME_A, c: 223, from: 0, to: 999 },
    { field: 'customers', a: CUSTOMER_A, c: 259, from: 1, to: 3_000 },
  ])('draws $field as the formula says', ({ a, c, from, to }) => {
    const random = createRandom(7);
    const draws = 400_000;
    const counts = Array<number>(to - from + 1).fill(0);
    for (let draw = 0; draw < draws; draw++) counts[nuRand(random, { a, c }, from, to) - from]!++;
    const expected = sharesOf(a, c, from, to).map((share) => share * draws);
    // Values that hardly ever come, such as 0, are counted together: the test wants five of each.
    const pooled = pool(counts, expected);
    expect(fits(pooled.counts, pooled.expected)).toBe(true);
  });

  test('favours some values far above others', () => {
    const shares = sharesOf(LAST_NAME_A, 0, 0, 999);
    expect(Math.max(...shares) * LAST_NAMES).toBeGreaterThan(20);
    expect(Math.min(...shares) * LAST_NAMES).toBeLessThan(0.1);
  });

  test('stays within its range, whatever the constant', () => {
    const cases = fc.record({ seed: fc.nat(), c: fc.integer({ min: 0, max: ITEM_A }) });
    fc.assert(
      fc.property(cases, ({ seed, c }) => {
        const drawn = nuRand(createRandom(seed), { a: ITEM_A, c }, 1, 100_000);
        return Number.isInteger(drawn) && drawn >= 1 && drawn <= 100_000;
      }),
    );
  });
});

function pool(counts: readonly number[], expected: readonly number[]) {
  const few = { count: 0, expected: 0 };
  const result = { counts: [] as number[], expected: [] as number[] };
  for (const [bin, wanted] of expected.entries()) {
    if (wanted >= 5) {
      result.counts.push(counts[bin]!);
      result.expected.push(wanted);
    } else {
      few.count += counts[bin]!;
      few.expected += wanted;
    }
  }
  result.counts.push(few.count);
  result.expected.push(few.expected);
  return result;
}

describe('the constants', () => {
  test('of last names are at the right distance, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: SEED_MAX }), (seed) => {
        const { lastNameLoad, lastNameRun, customer, item } = drawConstants(seed, NONE);
        const distance = Math.abs(lastNameRun - lastNameLoad);
        return (
          distance >= 65 &&
          distance <= 119 &&
          distance !== 96 &&
          distance !== 112 &&
          [lastNameLoad, lastNameRun].every((c) => c >= 0 && c <= 255) &&
          customer >= 0 &&
          customer <= 1_023 &&
          item >= 0 &&
          item <= 8_191
        );
      }),
    );
  });

  test.each([
    { load: 0, run: 65, right: true, because: '65 is the least distance' },
    { load: 0, run: 64, right: false, because: '64 is too near' },
    { load: 119, run: 0, right: true, because: '119 is the greatest, downwards too' },
    { load: 120, run: 0, right: false, because: '120 is too far' },
    { load: 10, run: 106, right: false, because: '96 is excluded' },
    { load: 10, run: 122, right: false, because: '112 is excluded' },
  ])('$load and $run: $because', ({ load, run, right }) => {
    expect(isLastNameDistanceRight(load, run)).toBe(right);
  });

  test('fit what was loaded before, whatever that was', () => {
    for (let load = 0; load <= LAST_NAME_A; load++) {
      const { lastNameLoad, lastNameRun } = drawConstants(load * 31, NONE, load);
      expect(lastNameLoad).toBe(load);
      expect(isLastNameDistanceRight(load, lastNameRun)).toBe(true);
    }
  });

  test('are all drawn, over many seeds', () => {
    const loads = new Set<number>();
    for (let seed = 1; seed <= 5_000; seed++) loads.add(drawConstants(seed, NONE).lastNameLoad);
    expect(loads.size).toBe(LAST_NAME_A + 1);
  });

  test('are 123 twice, or unrelated, where a profile wants it so', () => {
    expect(drawConstants(1, new Set(['last_name_c_same']))).toMatchObject({ lastNameLoad: 123, lastNameRun: 123 });
    const wrong = Array.from({ length: 200 }, (_, seed) => drawConstants(seed, new Set(['last_name_c_unrelated'])));
    expect(wrong.some((one) => !isLastNameDistanceRight(one.lastNameLoad, one.lastNameRun))).toBe(true);
  });
});

test.each([
  [0, 'BARBARBAR'],
  [371, 'PRICALLYOUGHT'],
  [40, 'BARPRESBAR'],
  [999, 'EINGEINGEING'],
])('last name %i is %s', (number, name) => {
  expect(lastName(number)).toBe(name);
});
