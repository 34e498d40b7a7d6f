/**
 * Puts the workers' pieces together: intervals as soon as every worker has reported them, checkpoints, and the totals.
 * A worker that died stays in the totals with what it had reported.
 */
import { assert } from '../base/assert.ts';
import type { Checkpoint, Interval } from '../model/run.ts';
import { Aggregate } from './aggregate.ts';
import type { Delta, WorkerState } from './messages.ts';
import { hasDueTimes, type LoadPlan } from './plan.ts';
import type { Tally } from './recorder.ts';

interface Open {
  readonly endS: number;
  readonly isWarmup: boolean;
  readonly aggregate: Aggregate;
  readonly pieces: { readonly tally: Tally; readonly sessions: readonly number[] }[];
  sessionsActive: number;
  queueLength: number;
}

export interface TimelineHooks {
  onInterval(interval: Interval): void;
  onCheckpoint(checkpoint: Checkpoint): void;
}

export class Timeline {
  readonly measured: Aggregate;
  readonly warmup: Aggregate;
  readonly checkpoints: Checkpoint[] = [];
  readonly #plan: LoadPlan;
  readonly #hooks: TimelineHooks;
  readonly #sessionsOf: readonly (readonly number[])[];
  readonly #open = new Map<number, Open>();
  /** Up to where each worker has reported; infinite once it has ended or died. */
  readonly #reportedS: number[];
  readonly #intervals: Interval[] = [];
  /** Where the measured part begins, in seconds from where it was to begin: negative where it became steady earlier. */
  zeroS = 0;
  /** That of the last interval: what is left at the end may be added to it. */
  #lastAggregate: Aggregate | undefined;
  #section: Aggregate;
  #sectionStartS = 0;
  #startS: number;

  constructor(plan: LoadPlan, sessionsOf: readonly (readonly number[])[], hooks: TimelineHooks) {
    this.#plan = plan;
    this.#hooks = hooks;
    this.#sessionsOf = sessionsOf;
    this.#reportedS = sessionsOf.map(() => Number.NEGATIVE_INFINITY);
    this.#startS = 0 - plan.warmupS;
    this.measured = this.#newAggregate();
    this.warmup = this.#newAggregate();
    this.#section = this.#newAggregate();
  }

  get intervals(): readonly Interval[] {
    return this.#intervals.map((interval) => this.#fromZero(interval));
  }

  #fromZero(interval: Interval): Interval {
    if (this.zeroS === 0) return interval;
    return { ...interval, startS: rounded(interval.startS - this.zeroS), endS: rounded(interval.endS - this.zeroS) };
  }

  /** A worker's interval has ended. */
  addInterval(worker: number, delta: Delta, state: WorkerState): void {
    this.#add(worker, delta, state);
    this.#reportedS[worker] = delta.endS;
    this.#emitComplete();
  }

  /** A worker has ended: nothing more comes from it. */
  addLast(worker: number, delta: Delta, late: Tally, state: WorkerState): void {
    this.#add(worker, delta, state);
    if (!delta.isWarmup) this.warmup.add(late, this.#sessionsOf[worker]!);
    this.leaveOut(worker);
  }

  /** Nothing more is awaited from this worker. */
  leaveOut(worker: number): void {
    this.#reportedS[worker] = Number.POSITIVE_INFINITY;
    if (this.#reportedS.some(Number.isFinite)) this.#emitComplete();
  }

  /** The load has ended `endS` seconds after the measured part began (negative: in the warm-up). */
  finish(endS: number): void {
    const left = [...this.#open.values()].sort((one, other) => one.endS - other.endS);
    for (const [at, open] of left.entries()) {
      const isLast = at === left.length - 1;
      if (isLast && this.#isRest(open, endS)) this.#extendLast(open, endS);
      else this.#emit(open, isLast ? Math.max(endS, this.#startS) : open.endS);
    }
    this.#open.clear();
  }

  #newAggregate(): Aggregate {
    return new Aggregate(this.#plan.threads, hasDueTimes(this.#plan));
  }

  #add(worker: number, { endS, isWarmup, tally }: Delta, state: WorkerState): void {
    const sessions = this.#sessionsOf[worker]!;
    (isWarmup ? this.warmup : this.measured).add(tally, sessions);
    if (!isWarmup) this.#section.add(tally, sessions);
    let open = this.#open.get(endS);
    if (open === undefined) {
      open = { endS, isWarmup, aggregate: this.#newAggregate(), pieces: [], sessionsActive: 0, queueLength: 0 };
      this.#open.set(endS, open);
    }
    open.aggregate.add(tally, sessions);
    open.pieces.push({ tally, sessions });
    open.sessionsActive += state.sessionsActive;
    open.queueLength += state.queueLength;
  }

  #emitComplete(): void {
    const reportedS = Math.min(...this.#reportedS);
    const complete = [...this.#open.values()].filter((open) => open.endS <= reportedS && Number.isFinite(open.endS));
    complete.sort((one, other) => one.endS - other.endS);
    for (const open of complete) {
      this.#open.delete(open.endS);
      this.#emit(open, open.endS);
    }
  }

  #emit(open: Open, endS: number): void {
    assert(endS >= this.#startS, 'intervals follow each other');
    const interval = this.#toInterval(open, this.#startS, endS);
    this.#startS = endS;
    this.#lastAggregate = open.aggregate;
    this.#intervals.push(interval);
    this.#hooks.onInterval(this.#fromZero(interval));
    if (this.#plan.checkpointsS.includes(endS)) this.#emitCheckpoint(endS);
  }

  #emitCheckpoint(atS: number): void {
    const elapsedS = atS - this.#sectionStartS;
    const checkpoint = { atS, totals: this.#section.toTotals(elapsedS), latency: this.#section.latency() };
    this.#section = this.#newAggregate();
    this.#sectionStartS = atS;
    this.checkpoints.push(checkpoint);
    this.#hooks.onCheckpoint(checkpoint);
  }

  /** A rest of a few milliseconds has no rate worth showing. */
  #isRest(open: Open, endS: number): boolean {
    const last = this.#intervals.at(-1);
    return last !== undefined && last.isWarmup === open.isWarmup && endS - this.#startS < this.#plan.intervalS / 2;
  }

  #extendLast(rest: Open, endS: number): void {
    const last = this.#intervals.at(-1)!;
    const whole = this.#lastAggregate!;
    for (const { tally, sessions } of rest.pieces) whole.add(tally, sessions);
    const open = { ...rest, aggregate: whole, sessionsActive: last.sessionsActive };
    this.#intervals[this.#intervals.length - 1] = this.#toInterval(open, last.startS, Math.max(last.endS, endS));
  }

  #toInterval(open: Open, startS: number, endS: number): Interval {
    const { aggregate } = open;
    const { errors, retries, reconnects, dropped } = aggregate.counts;
    return {
      startS,
      endS,
      isWarmup: open.isWarmup,
      sessionsActive: open.sessionsActive,
      transactions: aggregate.committed,
      statements: {
        read: aggregate.committedOf('read'),
        write: aggregate.committedOf('write'),
        other: aggregate.committedOf('other'),
      },
      errors,
      retries,
      reconnects,
      ...(hasDueTimes(this.#plan) ? { queueLength: open.queueLength, dropped } : {}),
      latency: aggregate.latency(),
    };
  }
}

/** To the microsecond, as boundaries are. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
