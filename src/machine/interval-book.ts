/** Puts the threads' tallies together: intervals over all threads, and the totals. */
import type { HostTestInterval } from '../model/host-test.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import type { Counts, Tally } from './event-loop.ts';

/** A last interval shorter than this share of the others, and without an event, is nothing but rounding. */
const LENGTH_SHARE_MIN = 0.5;

export class IntervalBook {
  readonly latency = new Histogram();
  readonly intervals: HostTestInterval[] = [];
  readonly #intervalS: number;
  readonly #threads: ThreadSums[];
  readonly #open = new Map<number, IntervalSums>();
  readonly #onInterval: (interval: HostTestInterval) => void;

  constructor(threads: number, intervalS: number, onInterval: (interval: HostTestInterval) => void) {
    this.#intervalS = intervalS;
    this.#threads = Array.from({ length: threads }, () => ({ intervals: 0, hasEnded: false, events: 0, latencyS: 0 }));
    this.#onInterval = onInterval;
  }

  get perThread(): { events: number[]; latencyS: number[] } {
    return {
      events: this.#threads.map(({ events }) => events),
      latencyS: this.#threads.map(({ latencyS }) => latencyS),
    };
  }

  /** Of all threads, over the whole test. */
  readonly counts: Record<string, number> = {};

  /** The thread's next whole interval. */
  add(thread: number, tally: Tally): void {
    const sums = this.#threads[thread]!;
    this.#note(sums, tally);
    sums.intervals++;
    this.#closeWhole();
  }

  /** What the thread did after its last whole interval. */
  end(thread: number, rest: Tally): void {
    const sums = this.#threads[thread]!;
    this.#note(sums, rest);
    sums.hasEnded = true;
    this.#closeWhole();
  }

  /** All threads are over; the last interval ends here. */
  close(elapsedS: number): void {
    for (const sums of this.#threads) sums.hasEnded = true;
    this.#closeWhole();
    const index = this.intervals.length;
    const lengthS = elapsedS - index * this.#intervalS;
    const events = this.#open.get(index)?.latency.count ?? 0;
    if (events > 0 || lengthS > this.#intervalS * LENGTH_SHARE_MIN) this.#emit(index, elapsedS);
  }

  #note(thread: ThreadSums, { latency, counts }: Tally): void {
    const index = thread.intervals;
    const interval = this.#open.get(index) ?? { latency: new Histogram(), counts: {} };
    this.#open.set(index, interval);
    interval.latency.mergeSnapshot(latency);
    this.latency.mergeSnapshot(latency);
    addCounts(interval.counts, counts);
    addCounts(this.counts, counts);
    thread.events += latency.count;
    thread.latencyS += latency.sumUs / 1e6;
  }

  /** Intervals that every thread has behind it. */
  #closeWhole(): void {
    const most = Math.max(...this.#threads.map(({ intervals }) => intervals));
    for (let index = this.intervals.length; index < most; index++) {
      if (!this.#threads.every(({ intervals, hasEnded }) => intervals > index || hasEnded)) return;
      this.#emit(index, (index + 1) * this.#intervalS);
    }
  }

  #emit(index: number, endS: number): void {
    const sums = this.#open.get(index) ?? { latency: new Histogram(), counts: {} };
    this.#open.delete(index);
    const interval = {
      startS: index * this.#intervalS,
      endS,
      threads: this.#threads.filter(({ intervals, hasEnded }) => !hasEnded || intervals >= index).length,
      events: sums.latency.count,
      latency: toLatencyRecord(sums.latency),
      counts: sums.counts,
    };
    this.intervals.push(interval);
    this.#onInterval(interval);
  }
}

interface ThreadSums {
  /** Whole ones. */
  intervals: number;
  hasEnded: boolean;
  events: number;
  latencyS: number;
}

interface IntervalSums {
  readonly latency: Histogram;
  readonly counts: Record<string, number>;
}

function addCounts(sums: Record<string, number>, counts: Counts): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}
