import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Histogram } from '../stats/histogram.ts';
import { LatencyRecorder } from './recorder.ts';

test('events faster than a microsecond add up, although each is in bucket 0', () => {
  const recorder = new LatencyRecorder();
  recorder.record(0.25, 1_000);
  recorder.record(0.5, 1_000);
  expect(recorder.take()).toEqual({
    count: 2_000,
    minUs: 0,
    maxUs: 0,
    sumUs: 750,
    buckets: Uint16Array.of(0),
    counts: Float64Array.of(2_000),
  });
});

test('what is taken is forgotten', () => {
  const recorder = new LatencyRecorder();
  recorder.record(17.5, 3);
  recorder.take();
  expect(recorder.take()).toMatchObject({ count: 0, minUs: 0, maxUs: 0, sumUs: 0 });
  recorder.record(5, 1);
  expect(recorder.take()).toMatchObject({ count: 1, minUs: 5, maxUs: 5, counts: Float64Array.of(1) });
});

test('whatever is recorded, a histogram of it holds as many values, in order from min to max', () => {
  const events = fc.array(
    fc.record({ us: fc.double({ min: 0, max: 1e7, noNaN: true }), count: fc.integer({ min: 1, max: 50 }) }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(events, (recorded) => {
      const recorder = new LatencyRecorder();
      for (const { us, count } of recorded) recorder.record(us, count);
      const histogram = Histogram.fromSnapshot(recorder.take());
      let inBuckets = 0;
      histogram.forEachBucket((_, count) => {
        inBuckets += count;
      });
      const count = recorded.reduce((sum, each) => sum + each.count, 0);
      expect(histogram.count).toBe(count);
      expect(inBuckets).toBe(count);
      expect(histogram.sumUs).toBeCloseTo(
        recorded.reduce((sum, each) => sum + each.us * each.count, 0),
        3,
      );
      const [p0, p50, p99, p100] = [0, 50, 99, 100].map((percentile) => histogram.percentileUs(percentile)) as [
        number,
        number,
        number,
        number,
      ];
      expect(p0).toBe(Math.floor(Math.min(...recorded.map(({ us }) => us))));
      expect(p50).toBeGreaterThanOrEqual(p0);
      expect(p99).toBeGreaterThanOrEqual(p50);
      expect(p100).toBeGreaterThanOrEqual(p99);
    }),
  );
});
