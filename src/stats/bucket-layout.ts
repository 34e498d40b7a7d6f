/**
 * HdrHistogram's bucket layout for lowest value 1 and three significant digits: values below 2,048 have a bucket each,
 * then every doubling shares 1,024 buckets, so a bucket is never wider than a thousandth of its values.
 * https://github.com/HdrHistogram/HdrHistogram (its formulas; values here are whole microseconds).
 */

export const SIGNIFICANT_DIGITS = 3;
/** 71 minutes: all that an unsigned 32-bit integer holds, so bucket arithmetic needs no wider numbers. */
export const TRACKABLE_US_MAX = 4_294_967_295;

const SUB_BUCKETS_LOG2 = 11;
const SUB_BUCKETS = 1 << SUB_BUCKETS_LOG2;
export const HALF_LOG2 = SUB_BUCKETS_LOG2 - 1;
const HALF = SUB_BUCKETS / 2;
/** Doublings from 2,048 to 2^32, and the two halves that the first 2,048 values take. */
export const BUCKETS = (32 - SUB_BUCKETS_LOG2 + 2) * HALF;

/** Hot: `valueUs` is an integer from 0 to TRACKABLE_US_MAX. */
export function bucketOf(valueUs: number): number {
  // The position of the highest bit, with everything below 2,048 alike.
  const doubling = 32 - SUB_BUCKETS_LOG2 - Math.clz32(valueUs | (SUB_BUCKETS - 1));
  return (doubling << HALF_LOG2) + (valueUs >>> doubling);
}

/** The lowest value that the bucket holds. */
export function bucketLowestUs(bucket: number): number {
  if (bucket < SUB_BUCKETS) return bucket;
  const doubling = (bucket >> HALF_LOG2) - 1;
  return ((bucket & (HALF - 1)) + HALF) * 2 ** doubling;
}

/** The highest value that the bucket holds: what HdrHistogram answers for a percentile. */
export function bucketHighestUs(bucket: number): number {
  return bucketLowestUs(bucket + 1) - 1;
}
