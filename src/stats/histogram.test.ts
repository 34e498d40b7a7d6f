import fc from 'fast-check';
import { build } from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { TRACKABLE_US_MAX } from './bucket-layout.ts';
import { Histogram } from './histogram.ts';

const latencyUs = fc.oneof(fc.nat(3_000), fc.nat(5_000_000), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
const latenciesUs = fc.array(latencyUs, { minLength: 1, maxLength: 300 });
const percentile = fc.oneof(
  fc.constantFrom(0, 50, 95, 99, 99.9, 99.99, 100),
  fc.double({ min: 0, max: 100, noNaN: true }),
);

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

/** All that can be seen of a histogram. */
function contentOf(histogram: Histogram): unknown {
  const { counts, buckets, ...totals } = histogram.toSnapshot();
  return { ...totals, buckets: [...buckets], counts: [...counts] };
}

/** Nearest rank by its definition, in exact arithmetic on the percentile's decimal digits. */
function nearestRank(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = sorted.findIndex((_, at) => (at + 1) * 100 >= percent * sorted.length * (1 - 1e-14));
  return sorted[rank]!;
}

describe('one value', () => {
  test.each([
    { us: 0, recorded: 0, because: 'zero is a value' },
    { us: 12.4, recorded: 12, because: 'rounded to whole microseconds' },
    { us: 12.5, recorded: 13, because: 'rounded to whole microseconds' },
    { us: -3, recorded: 0, because: 'a clock that steps back counts as no time' },
    { us: Number.NaN, recorded: 0, because: 'what is no number must not spoil the sum' },
    { us: 9e9, recorded: 9e9, because: 'beyond the buckets minimum, maximum and sum stay exact' },
  ])('$us: $because', ({ us, recorded }) => {
    const histogram = histogramOf([us]);
    const { count, minUs, maxUs, sumUs, meanUs } = histogram;
    expect({ count, minUs, maxUs, sumUs, meanUs }).toEqual({
      count: 1,
      minUs: recorded,
      maxUs: recorded,
      sumUs: recorded,
      meanUs: recorded,
    });
    expect([0, 50, 100].map((p) => histogram.percentileUs(p))).toEqual([recorded, recorded, recorded]);
  });
});

test('nothing recorded gives zeros', () => {
  const { count, minUs, maxUs, sumUs, meanUs } = new Histogram();
  expect([count, minUs, maxUs, sumUs, meanUs, new Histogram().percentileUs(99)]).toEqual([0, 0, 0, 0, 0, 0]);
});

test('count, minimum, maximum, sum and mean are exact', () => {
  fc.assert(
    fc.property(latenciesUs, (values) => {
      const histogram = histogramOf(values);
      const sumUs = values.reduce((sum, value) => sum + value, 0);
      expect(histogram.count).toBe(values.length);
      expect(histogram.minUs).toBe(Math.min(...values));
      expect(histogram.maxUs).toBe(Math.max(...values));
      expect(histogram.sumUs).toBe(sumUs);
      expect(histogram.meanUs).toBe(sumUs / values.length);
    }),
  );
});

test('a percentile is the sorted sample at the nearest rank, up to a thousandth', () => {
  fc.assert(
    fc.property(latenciesUs, percentile, (values, percent) => {
      const exactUs = nearestRank(values, percent);
      const foundUs = histogramOf(values).percentileUs(percent);
      return foundUs >= exactUs && foundUs - exactUs <= exactUs / 1_000;
    }),
  );
});

test.each([
  { percent: 99.9, us: 999 },
  { percent: 99.95, us: 1_000 },
  { percent: 0.1, us: 1 },
  { percent: 50, us: 500 },
  { percent: 99.91, us: 1_000 },
])('of 1 … 1000, $percent per cent is $us: binary fractions do not shift the rank', ({ percent, us }) => {
  expect(histogramOf(Array.from({ length: 1_000 }, (_, at) => at + 1)).percentileUs(percent)).toBe(us);
});

test('minimum <= p50 <= p99 <= maximum, and percentiles never fall', () => {
  fc.assert(
    fc.property(latenciesUs, percentile, percentile, (values, one, other) => {
      const histogram = histogramOf(values);
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const found = [histogram.minUs, histogram.percentileUs(low), histogram.percentileUs(high), histogram.maxUs];
      return found.every((value, at) => at === 0 || value >= found[at - 1]!);
    }),
  );
});

test('percentiles agree with hdr-histogram-js, clamped to the exact minimum and maximum', () => {
  fc.assert(
    fc.property(latenciesUs, percentile, (values, percent) => {
      const peer = build({ highestTrackableValue: TRACKABLE_US_MAX, useWebAssembly: false });
      for (const value of values) peer.recordValue(value);
      const clamped = Math.max(Math.min(...values), Math.min(peer.getValueAtPercentile(percent), Math.max(...values)));
      // The peer answers the lowest value of the first bucket for 0, and counts ranks with one unit in the last place.
      fc.pre(percent > 1e-9);
      expect(histogramOf(values).percentileUs(percent)).toBe(clamped);
    }),
  );
});

test('merging is recording together, in any order and by way of snapshots', () => {
  fc.assert(
    fc.property(fc.array(latenciesUs, { maxLength: 4 }), (parts) => {
      const together = contentOf(histogramOf(parts.flat()));
      const merged = new Histogram();
      for (const part of parts) merged.merge(histogramOf(part));
      const mergedBackwards = new Histogram();
      for (const part of parts.toReversed()) mergedBackwards.mergeSnapshot(histogramOf(part).toSnapshot());
      expect(contentOf(merged)).toEqual(together);
      expect(contentOf(mergedBackwards)).toEqual(together);
      expect(contentOf(Histogram.fromSnapshot(merged.toSnapshot()))).toEqual(together);
    }),
  );
});

test('after a reset a histogram is as new', () => {
  fc.assert(
    fc.property(latenciesUs, latenciesUs, (before, after) => {
      const histogram = histogramOf(before);
      histogram.reset();
      expect(contentOf(histogram)).toEqual(contentOf(new Histogram()));
      for (const value of after) histogram.record(value);
      expect(contentOf(histogram)).toEqual(contentOf(histogramOf(after)));
    }),
  );
});

test('counts beyond 32 bits neither wrap nor lose a value', () => {
  const histogram = histogramOf([7, 7, 9]);
  // 2^31 times three values: a month of load in a moment.
  for (let doubling = 0; doubling < 31; doubling++) histogram.merge(Histogram.fromSnapshot(histogram.toSnapshot()));
  histogram.record(7);
  expect(contentOf(histogram)).toEqual({
    count: 3 * 2 ** 31 + 1,
    minUs: 7,
    maxUs: 9,
    sumUs: 23 * 2 ** 31 + 7,
    buckets: [7, 9],
    counts: [2 ** 32 + 1, 2 ** 31],
  });
});

test('recording alone crosses the 32-bit limit too', () => {
  const histogram = Histogram.fromSnapshot({
    count: 2 ** 32 - 2,
    minUs: 5,
    maxUs: 5,
    sumUs: 5 * (2 ** 32 - 2),
    buckets: Uint16Array.of(5),
    counts: Uint32Array.of(2 ** 32 - 2),
  });
  for (let more = 0; more < 4; more++) histogram.record(5);
  expect([...histogram.toSnapshot().counts]).toEqual([2 ** 32 + 2]);
});

test('a percentile outside 0 … 100 is a mistake in the code', () => {
  expect(() => histogramOf([1]).percentileUs(101)).toThrow('percentile');
});

test('a snapshot survives structured cloning', () => {
  const snapshot = histogramOf([3, 500, 70_000]).toSnapshot();
  const transfer = [snapshot.buckets.buffer, snapshot.counts.buffer];
  expect(contentOf(Histogram.fromSnapshot(structuredClone(snapshot, { transfer })))).toEqual(
    contentOf(histogramOf([3, 500, 70_000])),
  );
});
