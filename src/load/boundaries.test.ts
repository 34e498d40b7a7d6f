import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Boundaries, type BoundarySettings } from './boundaries.ts';

function first(count: number, settings: BoundarySettings): number[] {
  const boundaries = new Boundaries(settings);
  return Array.from({ length: count }, () => {
    const { nextS } = boundaries;
    boundaries.advance();
    return nextS;
  });
}

const none = Number.POSITIVE_INFINITY;

test.each([
  { warmupS: 0, intervalS: 1, checkpointsS: [], ends: [1, 2, 3], because: 'multiples of the interval' },
  { warmupS: 0, intervalS: 0.1, checkpointsS: [], ends: [0.1, 0.2, 0.3], because: 'fractions are exact as written' },
  { warmupS: 2.5, intervalS: 1, checkpointsS: [], ends: [-2, -1, 0, 1], because: 'the first of the warm-up is short' },
  { warmupS: 2, intervalS: 1, checkpointsS: [], ends: [-1, 0, 1], because: 'the warm-up itself begins no interval' },
  { warmupS: 1, intervalS: 0, checkpointsS: [], ends: [0, none, none], because: 'the warm-up ends in any case' },
  {
    warmupS: 1,
    intervalS: 3,
    checkpointsS: [],
    ends: [0, 3, 6],
    because: 'the warm-up may be shorter than an interval',
  },
  { warmupS: 0, intervalS: 0, checkpointsS: [], ends: [none, none], because: 'nothing was asked for' },
  { warmupS: 0, intervalS: 2, checkpointsS: [3, 4], ends: [2, 3, 4, 6], because: 'checkpoints cut intervals' },
  { warmupS: 0, intervalS: 0, checkpointsS: [3, 5], ends: [3, 5, none], because: 'also where there are none' },
])('warm-up $warmupS s, interval $intervalS s, checkpoints $checkpointsS: $because', ({ ends, ...settings }) => {
  expect(first(ends.length, settings)).toEqual(ends);
});

test('boundaries rise, whatever the settings', () => {
  const settings = fc.record({
    warmupS: fc.double({ min: 0, max: 100, noNaN: true }),
    intervalS: fc.double({ min: 0.01, max: 10, noNaN: true }),
    checkpointsS: fc
      .uniqueArray(fc.integer({ min: 1, max: 50 }), { maxLength: 5 })
      .map((list) => list.sort((one, other) => one - other)),
  });
  fc.assert(
    fc.property(settings, (given) => {
      const ends = first(50, given);
      expect(ends.every((end, at) => at === 0 || end > ends[at - 1]!)).toBe(true);
      expect(ends[0]).toBeGreaterThan(-given.warmupS);
      expect(given.warmupS === 0 || ends[0]! > 0 || ends.includes(0) || ends.at(-1)! < 0).toBe(true);
    }),
  );
});
