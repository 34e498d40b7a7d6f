import fc from 'fast-check';
import { expect, test } from 'vitest';
import { driftOfHalves, isTooShort } from './steady.ts';

function intervalsOf(transactions: readonly number[], options: { lengthS?: number; isWarmup?: boolean } = {}) {
  const { lengthS = 1, isWarmup = false } = options;
  return transactions.map((count, at) => ({
    startS: at * lengthS,
    endS: (at + 1) * lengthS,
    isWarmup,
    transactions: count,
  }));
}

test.each([
  { elapsedS: 60, transactions: 1_000, tooShort: false, because: 'just enough of both' },
  { elapsedS: 59.9, transactions: 1e6, tooShort: true, because: 'many, but too quickly over' },
  { elapsedS: 3_600, transactions: 999, tooShort: true, because: 'long, but hardly anything happened' },
])('$elapsedS s, $transactions transactions: $because', ({ elapsedS, transactions, tooShort }) => {
  expect(isTooShort(elapsedS, transactions)).toBe(tooShort);
});

test.each([
  { counts: [100, 100, 100, 90, 90, 90], change: -0.1, isDrifting: true, because: 'a tenth slower, without scatter' },
  { counts: [100, 100, 100, 95, 95, 95], change: -0.05, isDrifting: false, because: 'less than what matters' },
  { counts: [50, 100, 150, 60, 110, 160], change: 0.1, isDrifting: false, because: 'less than the scatter explains' },
  {
    counts: [100, 100, 100, 7, 120, 120, 120],
    change: 0.2,
    isDrifting: true,
    because: 'the odd one belongs to neither',
  },
  { counts: [100, 100, 100, 0, 0, 0], change: -1, isDrifting: true, because: 'a server that died' },
])('$counts: $because', ({ counts, change, isDrifting }) => {
  const drift = driftOfHalves(intervalsOf(counts));
  expect(drift?.change).toBeCloseTo(change, 12);
  expect(drift?.isDrifting).toBe(isDrifting);
});

test('warm-up is left out, and so are intervals without length', () => {
  const measured = intervalsOf([100, 100, 100, 100, 100, 100]);
  const warmup = intervalsOf([1, 1, 1, 1, 1, 1], { isWarmup: true });
  const empty = { startS: 6, endS: 6, isWarmup: false, transactions: 3 };
  expect(driftOfHalves([...warmup, ...measured, empty])).toEqual({ change: 0, isDrifting: false });
});

test.each([
  { counts: [], because: 'nothing' },
  { counts: [1, 2, 3, 4, 5], because: 'too few' },
  { counts: [0, 0, 0, 5, 5, 5], because: 'nothing to compare with' },
])('no answer for $counts: $because', ({ counts }) => {
  expect(driftOfHalves(intervalsOf(counts))).toBeUndefined();
});

test('the length of the intervals does not matter, nor does the unit of the counts', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 6, maxLength: 60 });
  fc.assert(
    fc.property(counts, fc.double({ min: 0.1, max: 60, noNaN: true }), (values, lengthS) => {
      const asMeasured = driftOfHalves(intervalsOf(values))!;
      const scaled = driftOfHalves(intervalsOf(values, { lengthS }))!;
      expect(scaled.change).toBeCloseTo(asMeasured.change, 9);
    }),
  );
});
