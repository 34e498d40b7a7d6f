import fc from 'fast-check';
import { build } from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { BUCKETS, bucketHighestUs, bucketLowestUs, bucketOf, TRACKABLE_US_MAX } from './bucket-layout.ts';

const values = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }),
  fc.integer({ min: 0, max: TRACKABLE_US_MAX }),
  fc.integer({ min: 0, max: 31 }).map((power) => 2 ** power),
  fc.integer({ min: 1, max: 32 }).map((power) => 2 ** power - 1),
);

test.each([
  { valueUs: 0, bucket: 0, because: 'the first' },
  { valueUs: 2_047, bucket: 2_047, because: 'below 2,048 every value has its own' },
  { valueUs: 2_048, bucket: 2_048, because: 'then two share one' },
  { valueUs: 2_049, bucket: 2_048, because: 'then two share one' },
  { valueUs: 4_096, bucket: 3_072, because: 'each doubling takes 1,024' },
  { valueUs: 3_600_000_000, bucket: 23_220, because: 'an hour fits' },
  { valueUs: TRACKABLE_US_MAX, bucket: BUCKETS - 1, because: 'the last' },
])('$valueUs us: $because', ({ valueUs, bucket }) => {
  expect(bucketOf(valueUs)).toBe(bucket);
});

test('every value lies within its bucket, and no bucket is wider than a thousandth of what it holds', () => {
  fc.assert(
    fc.property(values, (valueUs) => {
      const bucket = bucketOf(valueUs);
      const lowestUs = bucketLowestUs(bucket);
      const highestUs = bucketHighestUs(bucket);
      return lowestUs <= valueUs && valueUs <= highestUs && highestUs - lowestUs <= lowestUs / 1_000;
    }),
  );
});

test('the layout is that of hdr-histogram-js', () => {
  const peer = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: TRACKABLE_US_MAX,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  }) as unknown as {
    countsArrayIndex(value: number): number;
    countsArrayLength: number;
    highestEquivalentValue(v: number): number;
  };
  expect(peer.countsArrayLength).toBe(BUCKETS);
  fc.assert(
    fc.property(
      values.filter((valueUs) => valueUs < 2 ** 31),
      (valueUs) => {
        expect(bucketOf(valueUs)).toBe(peer.countsArrayIndex(valueUs));
        expect(bucketHighestUs(bucketOf(valueUs))).toBe(peer.highestEquivalentValue(valueUs));
      },
    ),
  );
});
