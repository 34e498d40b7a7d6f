/**
 * At a given rate, whatever the server does: arrivals come by a schedule, wait in a bounded queue, and are begun oldest
 * first as sessions become free. A stall of the server makes the queue grow and shows in the response times.
 */
import { assert } from '../base/assert.ts';
import type { Alarm } from './alarm.ts';
import type { Pacer } from './pacer.ts';
import { type EventSource, OVER, type SourceParts, type Taker, WAIT } from './source.ts';
import { Waiting } from './waiting.ts';

export interface OpenLoopParts extends SourceParts {
  readonly pacer: Pacer;
  /** Arrivals of this worker: those whose number, modulo `sessionsOfAll`, is one of its sessions' numbers. */
  readonly sessions: readonly number[];
  readonly sessionsOfAll: number;
  readonly queueMax: number;
  readonly alarm: Alarm;
}

export class OpenLoop implements EventSource {
  readonly #parts: OpenLoopParts;
  readonly #waiting: Waiting;
  #round = 0;
  #place = -1;
  /** Infinite where no arrival is left before the end of time. */
  #nextDueMs = 0;
  /** Stopped, or the limit of events is reached. */
  #isOver = false;

  constructor(parts: OpenLoopParts) {
    assert(parts.sessions.length > 0, 'a worker has sessions');
    this.#parts = parts;
    this.#waiting = new Waiting(parts.schedule, parts.phases, parts.queueMax);
    this.#advanceDue();
  }

  get queueLength(): number {
    return this.#waiting.length;
  }

  take(session: Taker): number {
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
    while (this.#nextDueMs <= nowMs) {
      const dueMs = this.#nextDueMs;
      this.#advanceDue();
      this.#arrive(dueMs, nowMs);
    }
    if (this.#waiting.hasIdle) this.#setAlarm();
  }

  stop(untilMs: number): void {
    // What was due by then and not yet looked at counts as well: the schedule does not depend on us.
    const lastMs = Math.min(untilMs, this.#parts.schedule.endMs);
    while (this.#nextDueMs < lastMs) {
      const dueMs = this.#nextDueMs;
      this.#advanceDue();
      this.#enqueue(dueMs);
    }
    this.#endArrivals();
    this.#waiting.giveUp();
  }

  #arrive(dueMs: number, nowMs: number): void {
    const idle = this.#waiting.takeIdle();
    if (idle === undefined) {
      this.#enqueue(dueMs);
      return;
    }
    const index = this.#admit(dueMs);
    if (index === OVER) {
      idle.wake(OVER);
      return;
    }
    // Only a free session can be kept waiting by us; where none is free, it is the server that keeps it waiting.
    this.#waiting.recorderAt(dueMs).lag.record((nowMs - dueMs) * 1000);
    idle.wake(this.#hand(idle.session, dueMs, index));
  }

  #enqueue(dueMs: number): void {
    if (this.#waiting.isFull) {
      this.#waiting.recorderAt(dueMs).counts.dropped++;
      return;
    }
    const index = this.#admit(dueMs);
    if (index === OVER) return;
    this.#waiting.enqueue(dueMs, index);
  }

  /** The event's number, or `OVER` where the limit of events is reached: then no more arrive. */
  #admit(dueMs: number): number {
    const { schedule, tickets } = this.#parts;
    if (dueMs >= schedule.measureStartMs && !tickets.claim()) {
      this.#endArrivals();
      return OVER;
    }
    return tickets.nextIndex();
  }

  #hand(session: Taker, dueMs: number, index: number): number {
    session.dueMs = dueMs;
    session.recorder = this.#waiting.recorderAt(dueMs);
    return index;
  }

  #advanceDue(): void {
    const { pacer, schedule, sessions, sessionsOfAll } = this.#parts;
    this.#place++;
    if (this.#place === sessions.length) {
      this.#place = 0;
      this.#round++;
    }
    const arrival = this.#round * sessionsOfAll + sessions[this.#place]!;
    const dueMs = schedule.startMs + pacer.dueAtMs(arrival);
    this.#nextDueMs = dueMs < schedule.endMs ? dueMs : Number.POSITIVE_INFINITY;
  }

  #endArrivals(): void {
    this.#isOver = true;
    this.#nextDueMs = Number.POSITIVE_INFINITY;
    this.#parts.alarm.cancel();
    this.#waiting.sendHome();
  }

  #setAlarm(): void {
    if (this.#nextDueMs !== Number.POSITIVE_INFINITY) this.#parts.alarm.set(this.#nextDueMs);
  }
}
