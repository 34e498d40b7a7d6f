/** What is due and has not begun, and the sessions that wait for something to become due: one of the two is empty. */
import { NumberQueue } from './number-queue.ts';
import type { Recorder } from './recorder.ts';
import { OVER, type Phases, type Schedule, type Taker } from './source.ts';

interface Idle {
  readonly session: Taker;
  readonly wake: (index: number) => void;
}

export class Waiting {
  readonly #schedule: Schedule;
  readonly #phases: Phases;
  /** Due times and events' numbers, oldest first. */
  readonly #dues: NumberQueue;
  readonly #indexes: NumberQueue;
  /** Longest idle first. */
  readonly #idle: Idle[] = [];

  constructor(schedule: Schedule, phases: Phases, capacity: number) {
    this.#schedule = schedule;
    this.#phases = phases;
    this.#dues = new NumberQueue(capacity);
    this.#indexes = new NumberQueue(capacity);
  }

  get length(): number {
    return this.#dues.length;
  }

  get isFull(): boolean {
    return this.#dues.length === this.#dues.capacity;
  }

  get hasIdle(): boolean {
    return this.#idle.length > 0;
  }

  enqueue(dueMs: number, index: number): void {
    this.#dues.push(dueMs);
    this.#indexes.push(index);
  }

  /** Hot: when the oldest event that waits was due; there is one. Its number is to be taken next. */
  shiftDueMs(): number {
    return this.#dues.shift();
  }

  shiftIndex(): number {
    return this.#indexes.shift();
  }

  /** Resolves with the number of an event, or `OVER`. */
  idle(session: Taker): Promise<number> {
    return new Promise((wake) => this.#idle.push({ session, wake }));
  }

  takeIdle(): Idle | undefined {
    return this.#idle.shift();
  }

  sendHome(): void {
    for (const idle of this.#idle.splice(0)) idle.wake(OVER);
  }

  /** What waits will not begin any more. */
  giveUp(): void {
    while (this.length > 0) {
      this.recorderAt(this.shiftDueMs()).counts.unfinished++;
      this.shiftIndex();
    }
  }

  /** Of the phase in which an event is due. */
  recorderAt(dueMs: number): Recorder {
    return dueMs >= this.#schedule.measureStartMs ? this.#phases.measured : this.#phases.warmup;
  }
}
