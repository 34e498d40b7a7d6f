import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ID_MAX } from './options.ts';
import { UniqueIds, WINDOW_IDS } from './unique-ids.ts';

/** Enough that a shuffle which maps two places to one would hardly pass, and still quick. */
const PLACES = 500_000;

test('no two places of a window get the same id', () => {
  const ids = new UniqueIds(12_345, 1);
  const isTaken = new Uint8Array(WINDOW_IDS + 1);
  for (let index = 0; index < PLACES; index++) isTaken[ids.at(index)] = 1;
  expect(isTaken.reduce((sum, taken) => sum + taken, 0)).toBe(PLACES);
});

test('ids stay within the windows above the first free id, whatever the seed', () => {
  const cases = fc.record({
    seed: fc.maxSafeNat(),
    first: fc.integer({ min: 1, max: 2 ** 30 }),
    index: fc.integer({ min: 0, max: 3 * WINDOW_IDS }),
  });
  fc.assert(
    fc.property(cases, ({ seed, first, index }) => {
      const from = first + Math.floor(index / WINDOW_IDS) * WINDOW_IDS;
      const id = new UniqueIds(seed, first).at(index);
      return Number.isInteger(id) && id >= from && id < from + WINDOW_IDS;
    }),
  );
});

test('neighbours in time are far apart in the table', () => {
  const ids = new UniqueIds(1, 1);
  let near = 0;
  for (let index = 1; index <= 1_000; index++) if (Math.abs(ids.at(index) - ids.at(index - 1)) < 1_000) near++;
  expect(near).toBeLessThan(10);
});

test('different seeds give different orders', () => {
  const first = (seed: number) => [0, 1, 2, 3].map((index) => new UniqueIds(seed, 1).at(index));
  expect(first(1)).not.toEqual(first(2));
});

test('the end of INTEGER is told, at the start and on the way', () => {
  expect(() => new UniqueIds(1, ID_MAX - WINDOW_IDS + 2)).toThrow(/do not fit/);
  const last = new UniqueIds(1, ID_MAX - WINDOW_IDS + 1);
  expect(last.at(0)).toBeLessThanOrEqual(ID_MAX);
  expect(() => last.at(WINDOW_IDS)).toThrow(/do not fit/);
});
