/** What the threads of one test share: the moment to begin, the order to stop, and how many events are left. */

const PHASE = 0;
/** The counter is 64 bits wide, and stands on its own cache line. */
const TAKEN = 8;
const WORDS = 16;

const WAITING = 0;
const GOING = 1;
const STOPPING = 2;

export const CONTROL_BYTES = WORDS * 8;

export class Control {
  readonly #phase: Int32Array<SharedArrayBuffer>;
  readonly #counters: BigInt64Array<SharedArrayBuffer>;
  readonly #eventsMax: number;

  /** `eventsMax` 0: no limit. */
  constructor(shared: SharedArrayBuffer, eventsMax: number) {
    this.#phase = new Int32Array(shared);
    this.#counters = new BigInt64Array(shared);
    this.#eventsMax = eventsMax;
  }

  /** All that wait begin. */
  go(): void {
    Atomics.compareExchange(this.#phase, PHASE, WAITING, GOING);
    Atomics.notify(this.#phase, PHASE);
  }

  /** No event is begun any more. */
  stop(): void {
    Atomics.store(this.#phase, PHASE, STOPPING);
    Atomics.notify(this.#phase, PHASE);
  }

  /** Blocks the thread until `go` or `stop`. */
  waitForGo(): void {
    Atomics.wait(this.#phase, PHASE, WAITING);
  }

  /** Hot. */
  get isStopping(): boolean {
    return Atomics.load(this.#phase, PHASE) === STOPPING;
  }

  /** Hot: the right to run that many events, or as many as are left; 0 at the end. */
  take(wanted: number): number {
    if (this.#eventsMax === 0) return wanted;
    const before = Number(Atomics.add(this.#counters, TAKEN, BigInt(wanted)));
    return Math.min(wanted, Math.max(0, this.#eventsMax - before));
  }
}
