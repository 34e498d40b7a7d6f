/** Tells the sessions of one worker that the load is over, and wakes those that sleep between two attempts. */
import type { LoadClock } from './world.ts';

export class StopSignal {
  isStopping = false;
  readonly #clock: LoadClock;
  readonly #wakes = new Set<() => void>();

  constructor(clock: LoadClock) {
    this.#clock = clock;
  }

  stop(): void {
    this.isStopping = true;
    for (const wake of this.#wakes) wake();
  }

  /** Resolves after `delayMs`, or as soon as the load is over. */
  sleep(delayMs: number): Promise<void> {
    if (this.isStopping) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#wakes.delete(wake);
        callOff();
        resolve();
      };
      const callOff = this.#clock.after(delayMs, wake);
      this.#wakes.add(wake);
    });
  }
}
