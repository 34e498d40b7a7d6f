/**
 * Latencies of one kind: counts by HdrHistogram's buckets, beside them the exact count, sum, minimum and maximum.
 * Values are recorded in whole microseconds, so merging in any order gives the same histogram to the last bit.
 */
import { assert } from '../base/assert.ts';
import { BUCKETS, bucketHighestUs, bucketOf, HALF_LOG2, TRACKABLE_US_MAX } from './bucket-layout.ts';

/** A histogram on its way between threads: only buckets that are not empty. All arrays may be transferred. */
export interface HistogramSnapshot {
  readonly count: number;
  readonly minUs: number;
  readonly maxUs: number;
  readonly sumUs: number;
  readonly buckets: Uint16Array<ArrayBuffer>;
  readonly counts: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
}

/** A 32-bit counter cannot overflow before as many values were recorded. */
const COUNT_32_MAX = 4_294_967_295;
/** Enough for latencies up to 2 ms: a point select's histogram never grows. */
const BUCKETS_AT_FIRST = 2_048;

export class Histogram {
  /** Grows with the highest value; 64-bit only once a 32-bit counter could overflow. */
  #counts: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer> = new Uint32Array(0);
  #count = 0;
  #sumUs = 0;
  #minUs = Number.POSITIVE_INFINITY;
  #maxUs = 0;

  /** Hot: once per statement. Rounds to a whole microsecond; below zero counts as zero. */
  record(us: number): void {
    const whole = us > 0 ? Math.floor(us + 0.5) : 0;
    const bucket = bucketOf(Math.min(whole, TRACKABLE_US_MAX));
    if (bucket >= this.#counts.length || this.#count === COUNT_32_MAX) this.#makeRoom(bucket, this.#count + 1);
    this.#counts[bucket]!++;
    this.#count++;
    this.#sumUs += whole;
    if (whole < this.#minUs) this.#minUs = whole;
    if (whole > this.#maxUs) this.#maxUs = whole;
  }

  get count(): number {
    return this.#count;
  }
  /** 0 where nothing was recorded; so are the others. */
  get minUs(): number {
    return this.#count === 0 ? 0 : this.#minUs;
  }
  get maxUs(): number {
    return this.#maxUs;
  }
  get sumUs(): number {
    return this.#sumUs;
  }
  get meanUs(): number {
    return this.#count === 0 ? 0 : this.#sumUs / this.#count;
  }

  /**
   * The smallest recorded value that at least `percentile` per cent of all values do not exceed (nearest rank), up to
   * the bucket's width of a thousandth. Never below minUs, never above maxUs; 0 gives the minimum, 100 the maximum.
   */
  percentileUs(percentile: number): number {
    assert(percentile >= 0 && percentile <= 100, 'a percentile lies from 0 to 100');
    if (this.#count === 0) return 0;
    if (percentile === 0) return this.#minUs;
    const rank = rankOf(percentile, this.#count);
    if (rank === this.#count) return this.#maxUs;
    let seen = 0;
    for (let bucket = this.#bucketMin; bucket < this.#bucketEnd; bucket++) {
      seen += this.#counts[bucket]!;
      if (seen >= rank) return Math.max(this.#minUs, Math.min(bucketHighestUs(bucket), this.#maxUs));
    }
    return this.#maxUs;
  }

  merge(other: Histogram): void {
    if (other.#count === 0) return;
    this.#makeRoom(other.#bucketEnd - 1, this.#count + other.#count);
    const counts = this.#counts;
    const added = other.#counts;
    for (let bucket = other.#bucketMin; bucket < other.#bucketEnd; bucket++) {
      counts[bucket] = counts[bucket]! + added[bucket]!;
    }
    this.#addTotals(other);
  }

  mergeSnapshot(snapshot: HistogramSnapshot): void {
    if (snapshot.count === 0) return;
    this.#makeRoom(snapshot.buckets.at(-1)!, this.#count + snapshot.count);
    for (let at = 0; at < snapshot.buckets.length; at++) {
      const bucket = snapshot.buckets[at]!;
      this.#counts[bucket] = this.#counts[bucket]! + snapshot.counts[at]!;
    }
    this.#addTotals(snapshot);
  }

  static fromSnapshot(snapshot: HistogramSnapshot): Histogram {
    const histogram = new Histogram();
    histogram.mergeSnapshot(snapshot);
    return histogram;
  }

  toSnapshot(): HistogramSnapshot {
    let used = 0;
    this.forEachBucket(() => used++);
    const buckets = new Uint16Array(used);
    const counts = this.#count > COUNT_32_MAX ? new Float64Array(used) : new Uint32Array(used);
    let at = 0;
    this.forEachBucket((bucket, count) => {
      buckets[at] = bucket;
      counts[at++] = count;
    });
    return { count: this.#count, minUs: this.minUs, maxUs: this.#maxUs, sumUs: this.#sumUs, buckets, counts };
  }

  /** Visits the buckets that are not empty, lowest first. */
  forEachBucket(visit: (bucket: number, count: number) => void): void {
    for (let bucket = this.#bucketMin; bucket < this.#bucketEnd; bucket++) {
      const count = this.#counts[bucket]!;
      if (count > 0) visit(bucket, count);
    }
  }

  /** Forgets what was recorded and keeps the memory. */
  reset(): void {
    this.#counts.fill(0, this.#bucketMin, this.#bucketEnd);
    this.#count = 0;
    this.#sumUs = 0;
    this.#minUs = Number.POSITIVE_INFINITY;
    this.#maxUs = 0;
  }

  get #bucketMin(): number {
    return this.#count === 0 ? 0 : bucketOf(Math.min(this.#minUs, TRACKABLE_US_MAX));
  }
  get #bucketEnd(): number {
    return this.#count === 0 ? 0 : bucketOf(Math.min(this.#maxUs, TRACKABLE_US_MAX)) + 1;
  }

  #addTotals(added: {
    readonly count: number;
    readonly sumUs: number;
    readonly minUs: number;
    readonly maxUs: number;
  }) {
    this.#count += added.count;
    this.#sumUs += added.sumUs;
    this.#minUs = Math.min(this.#minUs, added.minUs);
    this.#maxUs = Math.max(this.#maxUs, added.maxUs);
  }

  /** Makes `bucket` exist, with counters that can hold `count` values. */
  #makeRoom(bucket: number, count: number): void {
    assert(bucket < BUCKETS, 'a bucket lies within the layout');
    const before = this.#counts;
    const isWide = before instanceof Float64Array || count > COUNT_32_MAX;
    if (bucket < before.length && isWide === before instanceof Float64Array) return;
    // Whole doublings, so that a histogram grows at most twenty times.
    const wholeDoublings = ((bucket >> HALF_LOG2) + 1) << HALF_LOG2;
    const length = Math.max(before.length, wholeDoublings, BUCKETS_AT_FIRST);
    this.#counts = isWide ? new Float64Array(length) : new Uint32Array(length);
    this.#counts.set(before);
  }
}

/** Which value in order is the percentile, from 1. */
export function rankOf(percentile: number, count: number): number {
  const exact = (percentile * count) / 100;
  // 99.9 per cent of 1,000 must be 999, although binary fractions may put it a hair above.
  const nearest = Math.round(exact);
  const isWhole = Math.abs(exact - nearest) <= exact * Number.EPSILON * 4;
  return Math.max(1, isWhole ? nearest : Math.ceil(exact));
}
