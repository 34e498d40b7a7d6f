import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fits } from '../../test/support/chi-square.ts';
import { asFastAsPossible, createPacer, evenArrivals, type Pace } from './pacer.ts';

const paces = fc.record({
  ratePerS: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
  arrivals: fc.constantFrom('poisson', 'even'),
  seed: fc.nat(),
}) satisfies fc.Arbitrary<Pace>;

test('without a rate everything is due at once', () => {
  const pacer = createPacer({ ratePerS: 0, arrivals: 'poisson', seed: 1 });
  expect(pacer).toBe(asFastAsPossible);
  expect(pacer.dueAtMs(1_000_000)).toBe(0);
});

test.each([
  { ratePerS: 1_000, index: 5, dueAtMs: 5, because: 'one a millisecond' },
  { ratePerS: 0.5, index: 3, dueAtMs: 6_000, because: 'half an event a second' },
  { ratePerS: 3, index: 3 * 3_600 * 24, dueAtMs: 86_400_000, because: 'no drift after a day' },
])('even at $ratePerS/s, event $index: $because', ({ ratePerS, index, dueAtMs }) => {
  expect(evenArrivals(ratePerS).dueAtMs(index)).toBe(dueAtMs);
});

test('due times never fall, and equal seeds give equal schedules', () => {
  fc.assert(
    fc.property(paces, (pace) => {
      const [one, other] = [createPacer(pace), createPacer(pace)];
      const dueAtMs = Array.from({ length: 100 }, (_, index) => one.dueAtMs(index));
      expect(dueAtMs.every((due, index) => due >= (dueAtMs[index - 1] ?? 0))).toBe(true);
      expect(Array.from({ length: 100 }, (_, index) => other.dueAtMs(index))).toEqual(dueAtMs);
    }),
  );
});

test('the workers together keep the schedule of one', () => {
  fc.assert(
    fc.property(paces, fc.integer({ min: 1, max: 16 }), (pace, workers) => {
      const alone = createPacer(pace);
      const shared = Array.from({ length: workers }, () => createPacer(pace));
      for (let index = 0; index < 100; index++) {
        expect(shared[index % workers]!.dueAtMs(index)).toBe(alone.dueAtMs(index));
      }
    }),
  );
});

describe('poisson arrivals', () => {
  const EVENTS = 400_000;

  test.each([0.3, 100, 123.456, 50_000])('keep their rate: %d/s', (ratePerS) => {
    const pacer = createPacer({ ratePerS, arrivals: 'poisson', seed: 3 });
    const meanGapMs = pacer.dueAtMs(EVENTS - 1) / EVENTS;
    // The mean of n exponential gaps has a relative standard deviation of 1 / sqrt(n).
    expect(Math.abs((meanGapMs * ratePerS) / 1_000 - 1)).toBeLessThan(4 / Math.sqrt(EVENTS));
  });

  test('come with exponential gaps, one independent of the other', () => {
    const pacer = createPacer({ ratePerS: 1_000, arrivals: 'poisson', seed: 4 });
    const BINS = 20;
    const binOf = (gapMs: number): number => Math.floor((1 - Math.exp(-gapMs)) * BINS);
    const single = new Float64Array(BINS);
    const pairs = new Float64Array(BINS * BINS);
    let [dueBeforeMs, binBefore] = [0, 0];
    for (let index = 0; index < EVENTS; index++) {
      const dueMs = pacer.dueAtMs(index);
      const bin = binOf(dueMs - dueBeforeMs);
      single[bin]!++;
      if (index % 2 === 1) pairs[binBefore * BINS + bin]!++;
      [dueBeforeMs, binBefore] = [dueMs, bin];
    }
    expect(fits(single, Array<number>(BINS).fill(EVENTS / BINS))).toBe(true);
    expect(fits(pairs, Array<number>(BINS * BINS).fill(EVENTS / 2 / BINS / BINS))).toBe(true);
  });

  test('fall into seconds with the variance of a Poisson count', () => {
    const ratePerS = 200;
    const pacer = createPacer({ ratePerS, arrivals: 'poisson', seed: 5 });
    const counts = new Float64Array(EVENTS / ratePerS);
    for (let index = 0; index < EVENTS; index++) {
      const second = Math.floor(pacer.dueAtMs(index) / 1_000);
      if (second < counts.length) counts[second]!++;
    }
    const variance = counts.reduce((sum, count) => sum + (count - ratePerS) ** 2, 0) / counts.length;
    expect(variance / ratePerS).toBeGreaterThan(0.87);
    expect(variance / ratePerS).toBeLessThan(1.13);
  });

  test('cannot be asked for backwards', () => {
    const pacer = createPacer({ ratePerS: 10, arrivals: 'poisson', seed: 6 });
    pacer.dueAtMs(5);
    expect(() => pacer.dueAtMs(4)).toThrow('order');
  });
});
