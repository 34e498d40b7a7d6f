/** Percentiles of a stored histogram without building it: an hour of intervals is thousands of them. */
import type { LatencyRecord } from '../model/run.ts';
import { bucketHighestUs } from './bucket-layout.ts';
import { decodeHdr } from './hdr-encoding.ts';
import { rankOf } from './histogram.ts';

/** As `Histogram.percentileUs` gives them, of percentiles that rise. Zeros where nothing was recorded. */
export function recordPercentilesUs(record: LatencyRecord, percentiles: readonly number[]): number[] {
  const { count, minUs, maxUs, histogram } = record;
  if (count === 0) return percentiles.map(() => 0);
  const { buckets, counts } = decodeHdr(histogram);
  let at = -1;
  let seen = 0;
  return percentiles.map((percentile) => {
    if (percentile === 0) return minUs;
    const rank = rankOf(percentile, count);
    if (rank === count) return maxUs;
    while (seen < rank && at < buckets.length - 1) seen += counts[++at]!;
    return Math.max(minUs, Math.min(bucketHighestUs(buckets[at]!), maxUs));
  });
}
