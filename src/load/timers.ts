/** Timers that are called off together when a step of the load is over. */
import type { LoadClock } from './world.ts';

export class Timers {
  readonly #clock: Pick<LoadClock, 'after'>;
  readonly #callOffs = new Set<() => void>();

  constructor(clock: Pick<LoadClock, 'after'>) {
    this.#clock = clock;
  }

  /** At once where the time has passed. Returns what calls it off. */
  after(delayMs: number, fire: () => void): () => void {
    const callOff = this.#clock.after(Math.max(0, delayMs), () => {
      this.#callOffs.delete(callOff);
      fire();
    });
    this.#callOffs.add(callOff);
    return callOff;
  }

  callOffAll(): void {
    for (const callOff of this.#callOffs) callOff();
    this.#callOffs.clear();
  }
}
