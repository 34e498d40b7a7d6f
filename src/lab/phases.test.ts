import { expect, test } from 'vitest';
import { PhaseBook, type Prepared } from './phases.ts';

/** Two clocks that go alike, from zeros of their own. */
function bookAt(prepared?: Prepared) {
  let ms = 500;
  const book = new PhaseBook({ now: () => ms, wallNow: () => ms + 1_000_000 }, prepared);
  const at = (toMs: number, what: () => void) => {
    ms = toMs;
    what();
  };
  return { book, at };
}

test('phases follow one another, counted from the measured part', () => {
  const { book, at } = bookAt();
  at(1_000, () => book.begin('connect'));
  at(3_000, () => book.begin('warm-up'));
  at(8_000, () => book.begin('measure'));
  at(18_000, () => book.begin('drain'));
  at(18_500, () => book.end());
  expect(book.inS).toEqual([
    { name: 'connect', startS: -7, endS: -5 },
    { name: 'warm-up', startS: -5, endS: 0 },
    { name: 'measure', startS: 0, endS: 10 },
    { name: 'drain', startS: 10, endS: 10.5 },
  ]);
  expect(book.has('warm-up')).toBe(true);
});

test('the making of the data stands before them, by the wall clock', () => {
  const { book, at } = bookAt({ startedAtMs: 990_000, endedAtMs: 1_000_500 });
  at(1_000, () => book.begin('connect'));
  at(2_000, () => book.begin('measure'));
  at(4_000, () => book.end());
  expect(book.inS[0]).toEqual({ name: 'prepare', startS: -12, endS: -1.5 });
  expect(book.inS.map(({ name }) => name)).toEqual(['prepare', 'connect', 'measure']);
});

test('of a run that was never measured all of it lies before its end', () => {
  const { book, at } = bookAt({ startedAtMs: 1_000_000, endedAtMs: 1_000_500 });
  at(1_000, () => book.begin('connect'));
  at(3_000, () => book.end());
  at(9_000, () => {});
  expect(book.inS).toEqual([
    { name: 'prepare', startS: -3, endS: -2.5 },
    { name: 'connect', startS: -2, endS: 0 },
  ]);
});
