/**
 * Latencies of one thread since they were last taken. Unlike a `Histogram` it takes fractions of a microsecond: what is
 * faster than one, such as writing a kilobyte, still adds up to the right sum.
 */
import { BUCKETS, bucketOf, TRACKABLE_US_MAX } from '../stats/bucket-layout.ts';
import type { HistogramSnapshot } from '../stats/histogram.ts';

export class LatencyRecorder {
  readonly #counts = new Float64Array(BUCKETS);
  #count = 0;
  #sumUs = 0;
  #minUs = Number.POSITIVE_INFINITY;
  #maxUs = 0;

  get count(): number {
    return this.#count;
  }

  /** Hot: `count` events that took `us` each. Buckets are whole microseconds, rounded down; the sum is exact. */
  record(us: number, count: number): void {
    const whole = Math.floor(Math.min(Math.max(0, us), TRACKABLE_US_MAX));
    const bucket = bucketOf(whole);
    this.#counts[bucket] = this.#counts[bucket]! + count;
    this.#count += count;
    this.#sumUs += us * count;
    if (whole < this.#minUs) this.#minUs = whole;
    if (whole > this.#maxUs) this.#maxUs = whole;
  }

  /** What was recorded since the last time, which is then forgotten. */
  take(): HistogramSnapshot {
    const buckets: number[] = [];
    const counts: number[] = [];
    const first = this.#count === 0 ? 0 : bucketOf(this.#minUs);
    const end = this.#count === 0 ? 0 : bucketOf(this.#maxUs) + 1;
    for (let bucket = first; bucket < end; bucket++) {
      const count = this.#counts[bucket]!;
      if (count === 0) continue;
      buckets.push(bucket);
      counts.push(count);
    }
    const snapshot = {
      count: this.#count,
      minUs: this.#count === 0 ? 0 : this.#minUs,
      maxUs: this.#maxUs,
      sumUs: this.#sumUs,
      buckets: Uint16Array.from(buckets),
      counts: Float64Array.from(counts),
    };
    this.#counts.fill(0, first, end);
    this.#count = 0;
    this.#sumUs = 0;
    this.#minUs = Number.POSITIVE_INFINITY;
    this.#maxUs = 0;
    return snapshot;
  }
}
