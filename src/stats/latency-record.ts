/** A histogram as it is stored and printed: a `LatencyRecord`. */
import { UserError } from '../base/errors.ts';
import type { LatencyRecord } from '../model/run.ts';
import { decodeHdr, encodeHdr } from './hdr-encoding.ts';
import { Histogram } from './histogram.ts';

export function toLatencyRecord(histogram: Histogram): LatencyRecord {
  const { count, minUs, meanUs, maxUs, sumUs } = histogram;
  return { count, minUs, meanUs, maxUs, sumUs, histogram: encodeHdr(histogram.toSnapshot()) };
}

/** Throws a `UserError` where the record's histogram cannot be read, or does not belong to its count. */
export function fromLatencyRecord(record: LatencyRecord): Histogram {
  if (record.count === 0) return new Histogram();
  const { buckets, counts } = decodeHdr(record.histogram);
  const total = Array.from(counts).reduce((sum, count) => sum + count, 0);
  if (total !== record.count) {
    throw new UserError(`A latency histogram holds ${total} values, but its record says ${record.count}.`, {
      hint: 'The record was changed or damaged: take it again from where it was written.',
    });
  }
  const { count, minUs, maxUs, sumUs } = record;
  return Histogram.fromSnapshot({
    count,
    minUs,
    maxUs,
    sumUs,
    buckets: Uint16Array.from(buckets),
    counts: Float64Array.from(counts),
  });
}
