/**
 * Users at terminals: each keys a transaction in, waits for the reply, thinks, and begins again. They are data, in the
 * order in which they are due, and share the sessions; one that is due while no session is free waits, and its response
 * time contains the waiting, for it counts from the due time.
 */
import { assert } from '../base/assert.ts';
import { createRandom, deriveSeed, type Random } from '../base/random.ts';
import type { Transaction } from '../workload/workload.ts';
import type { Alarm } from './alarm.ts';
import { type Choice, choose } from './choices.ts';
import { DueHeap } from './due-heap.ts';
import { type EventSource, NO_TERMINAL, OVER, type SourceParts, type Taker, WAIT } from './source.ts';
import { Waiting } from './waiting.ts';

export interface TerminalLoopParts extends SourceParts {
  readonly choices: readonly Choice[];
  /** Over all workers. */
  readonly terminals: number;
  /** This one's number: its terminals are those whose number, modulo `workers`, is this. */
  readonly worker: number;
  readonly workers: number;
  readonly timeFactor: number;
  readonly seed: number;
  /** Deferred transactions that may wait; more are counted as dropped. */
  readonly queueMax: number;
  readonly alarm: Alarm;
}

/** Clause 5.2.5.4 of TPC-C allows to cut thinking times at ten times their mean. */
const THINK_MAX_MEANS = 10;

export class TerminalLoop implements EventSource {
  readonly #parts: TerminalLoopParts;
  /** By place: this worker's terminals, numbered from 0. */
  readonly #heap: DueHeap;
  readonly #cycles: Uint32Array;
  readonly #waiting: Waiting;
  readonly #draws: Random = createRandom(0);
  readonly #thoughts: Random = createRandom(0);
  readonly #thoughtsSeed: number;
  readonly #firstThoughtsSeed: number;
  #deferredWaiting = 0;
  /** Nothing more becomes due: stopped, or the limit of events is reached. */
  #isOver = false;

  constructor(parts: TerminalLoopParts) {
    assert(parts.choices.length > 0, 'there are transactions to choose from');
    const { terminals, worker, workers, queueMax, schedule } = parts;
    this.#parts = parts;
    const own = Math.ceil((terminals - worker) / workers);
    this.#heap = new DueHeap(own);
    this.#cycles = new Uint32Array(own);
    this.#waiting = new Waiting(schedule, parts.phases, own + queueMax);
    this.#thoughtsSeed = deriveSeed(parts.seed, 'thinking');
    this.#firstThoughtsSeed = deriveSeed(parts.seed, 'first thinking');
    // All begin with thinking, as if they had just had a reply: else all would be due at once.
    for (let place = 0; place < own; place++) this.#begin(place, schedule.startMs);
  }

  get queueLength(): number {
    return this.#waiting.length;
  }

  /** Hot: once per event. */
  take(session: Taker): number {
    this.#release(session);
    this.advance(session.nowMs);
    const { schedule, signal } = this.#parts;
    if (signal.isStopping || session.nowMs >= schedule.endMs) return OVER;
    if (this.#waiting.length > 0) return this.#hand(session, this.#waiting.shiftDueMs(), this.#waiting.shiftIndex());
    return this.#isOver ? OVER : WAIT;
  }

  arrival(session: Taker): Promise<number> {
    if (this.#isOver || this.#parts.signal.isStopping) return Promise.resolve(OVER);
    const arrival = this.#waiting.idle(session);
    this.#setAlarm();
    return arrival;
  }

  /** Hot: once per event, and when the alarm goes off. */
  advance(nowMs: number): void {
    const { endMs } = this.#parts.schedule;
    while (!this.#isOver && this.#heap.nextDueMs <= nowMs && this.#heap.nextDueMs < endMs) this.#becomeDue(nowMs);
    if (this.#waiting.hasIdle) this.#setAlarm();
  }

  stop(untilMs: number): void {
    // What was due by then and not yet looked at counts as well.
    const lastMs = Math.min(untilMs, this.#parts.schedule.endMs);
    while (!this.#isOver && this.#heap.nextDueMs < lastMs) {
      this.#waiting.recorderAt(this.#heap.nextDueMs).counts.unfinished++;
      this.#heap.shift();
    }
    this.#endArrivals();
    this.#waiting.giveUp();
  }

  /** The next one's keying time is over. */
  #becomeDue(nowMs: number): void {
    const dueMs = this.#heap.nextDueMs;
    const place = this.#heap.shift();
    const index = this.#indexOf(place);
    const { transaction } = this.#choiceOf(index);
    const { schedule, tickets, queueMax } = this.#parts;
    if (dueMs >= schedule.measureStartMs && !tickets.claim()) {
      this.#endArrivals();
      return;
    }
    if (transaction.isDeferred === true) {
      // The user has been told that it is queued, and goes on.
      this.#think(place, dueMs);
      if (this.#deferredWaiting >= queueMax) {
        this.#waiting.recorderAt(dueMs).counts.dropped++;
        return;
      }
      this.#deferredWaiting++;
    }
    const idle = this.#waiting.takeIdle();
    if (idle === undefined) {
      this.#waiting.enqueue(dueMs, index);
      return;
    }
    // Only a free session can be kept waiting by us; where none is free, it is the server that keeps it waiting.
    this.#waiting.recorderAt(dueMs).lag.record((nowMs - dueMs) * 1000);
    idle.wake(this.#hand(idle.session, dueMs, index));
  }

  #endArrivals(): void {
    this.#isOver = true;
    this.#parts.alarm.cancel();
    this.#waiting.sendHome();
  }

  #hand(session: Taker, dueMs: number, index: number): number {
    const isDeferred = this.#choiceOf(index).transaction.isDeferred === true;
    if (isDeferred) this.#deferredWaiting--;
    session.dueMs = dueMs;
    session.recorder = this.#waiting.recorderAt(dueMs);
    session.terminal = index % this.#parts.terminals;
    session.isAwaited = !isDeferred;
    return index;
  }

  /** The user for whom the session worked has the reply. */
  #release(session: Taker): void {
    if (session.terminal === NO_TERMINAL) return;
    if (session.isAwaited) this.#think(this.#placeOf(session.terminal), session.nowMs);
    session.terminal = NO_TERMINAL;
  }

  /** After a transaction: its thinking time, then the keying time of the next one. */
  #think(place: number, fromMs: number): void {
    const { transaction } = this.#choiceOf(this.#indexOf(place));
    const thinkingMs = this.#thinkingMs(transaction, this.#thoughtsSeed, this.#indexOf(place));
    this.#cycles[place]!++;
    const next = this.#choiceOf(this.#indexOf(place));
    this.#heap.push(place, fromMs + thinkingMs + this.#keyingMs(next.transaction));
  }

  /** Before the first one. */
  #begin(place: number, fromMs: number): void {
    const { transaction } = this.#choiceOf(this.#indexOf(place));
    const thinkingMs = this.#thinkingMs(transaction, this.#firstThoughtsSeed, this.#terminalOf(place));
    this.#heap.push(place, fromMs + thinkingMs + this.#keyingMs(transaction));
  }

  /** Negative exponential, cut. */
  #thinkingMs({ thinkMeanS = 0 }: Transaction, seed: number, index: number): number {
    if (thinkMeanS === 0) return 0;
    this.#thoughts.restart(seed, index);
    const means = Math.min(THINK_MAX_MEANS, -Math.log1p(-this.#thoughts.next()));
    return means * thinkMeanS * 1000 * this.#parts.timeFactor;
  }

  #keyingMs({ keyingS = 0 }: Transaction): number {
    return keyingS * 1000 * this.#parts.timeFactor;
  }

  /** As the session will choose: from the event's own stream. Hot. */
  #choiceOf(index: number): Choice {
    this.#draws.restart(this.#parts.seed, index);
    return choose(this.#parts.choices, this.#draws);
  }

  /** The number of the terminal's current event: every terminal has its own numbers, whatever the workers. */
  #indexOf(place: number): number {
    return this.#cycles[place]! * this.#parts.terminals + this.#terminalOf(place);
  }

  #terminalOf(place: number): number {
    return place * this.#parts.workers + this.#parts.worker;
  }

  #placeOf(terminal: number): number {
    return (terminal - this.#parts.worker) / this.#parts.workers;
  }

  #setAlarm(): void {
    const { nextDueMs } = this.#heap;
    if (nextDueMs < this.#parts.schedule.endMs) this.#parts.alarm.set(nextDueMs);
  }
}
