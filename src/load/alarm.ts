/**
 * Wakes a worker when the next arrival is due. A timer of the event loop is up to a millisecond or two late, and
 * turning the loop meanwhile would burn a core that the server may need. So the timer is only the safety net: where
 * there is a ticker (a thread that sleeps to the microsecond, `ticker.ts`), it is the ticker that wakes the worker.
 */
import type { MessagePort } from 'node:worker_threads';
import { TickerDue } from './ticker-due.ts';
import type { LoadClock } from './world.ts';

export interface Alarm {
  /** Wakes at `dueMs`; what was set before is forgotten. Hot. */
  set(dueMs: number): void;
  cancel(): void;
}

/** Where the ticker reads the due time, and through which port it wakes us. */
export interface TickerLink {
  readonly due: SharedArrayBuffer;
  readonly port: MessagePort;
}

export class TimerAlarm implements Alarm {
  readonly #clock: LoadClock;
  readonly #ring: () => void;
  readonly #ticker: TickerDue | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #callOff: (() => void) | undefined;

  constructor(clock: LoadClock, ring: () => void, ticker?: TickerLink) {
    this.#clock = clock;
    this.#ring = ring;
    this.#ticker = ticker === undefined ? undefined : new TickerDue(ticker.due);
    ticker?.port.on('message', () => this.#check());
  }

  set(dueMs: number): void {
    if (dueMs === this.#dueMs) return;
    // A timer that is already running and fires too early is then set again.
    const isTooLate = dueMs < this.#dueMs;
    this.#dueMs = dueMs;
    this.#ticker?.set(dueMs);
    if (isTooLate) this.#callOffTimer();
    if (this.#callOff === undefined) this.#setTimer();
  }

  cancel(): void {
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#ticker?.set(Number.POSITIVE_INFINITY);
    this.#callOffTimer();
  }

  #callOffTimer(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #setTimer(): void {
    this.#callOff = this.#clock.after(Math.max(0, this.#dueMs - this.#clock.now()), () => {
      this.#callOff = undefined;
      this.#check();
      if (this.#callOff === undefined && this.#dueMs !== Number.POSITIVE_INFINITY) this.#setTimer();
    });
  }

  #check(): void {
    if (this.#dueMs > this.#clock.now()) {
      // The threads' clocks may differ by a microsecond: the ticker must not think that its work is done.
      this.#ticker?.set(this.#dueMs);
      return;
    }
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#ring();
  }
}
