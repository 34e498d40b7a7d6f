/** The time that a worker and its ticker share: when to wake next. */

/** Due time in nanoseconds, and a counter that changes with it. */
export const TICKER_BYTES = 16;
const NEVER_NS = 2n ** 63n - 1n;
/** The 32-bit word after the due time. */
const CHANGES = 2;

export class TickerDue {
  readonly #dueNs: BigInt64Array<SharedArrayBuffer>;
  readonly #words: Int32Array<SharedArrayBuffer>;

  constructor(shared: SharedArrayBuffer) {
    this.#dueNs = new BigInt64Array(shared, 0, 1);
    this.#words = new Int32Array(shared);
  }

  /** On the worker's side; `dueMs` is time of the shared clock, infinite for never. */
  set(dueMs: number): void {
    Atomics.store(this.#dueNs, 0, dueMs === Number.POSITIVE_INFINITY ? NEVER_NS : BigInt(Math.round(dueMs * 1e6)));
    Atomics.add(this.#words, CHANGES, 1);
    Atomics.notify(this.#words, CHANGES, 1);
  }

  /** On the ticker's side: blocks its thread until a time that was set has come. */
  sleep(nowNs: () => bigint): void {
    for (;;) {
      const changes = Atomics.load(this.#words, CHANGES);
      const dueNs = Atomics.load(this.#dueNs, 0);
      const leftNs = dueNs - nowNs();
      if (dueNs !== NEVER_NS && leftNs <= 0n) {
        // Waking once is enough: until the worker sets another time there is nothing to wake it for.
        Atomics.compareExchange(this.#dueNs, 0, dueNs, NEVER_NS);
        return;
      }
      const timeoutMs = dueNs === NEVER_NS ? Number.POSITIVE_INFINITY : Number(leftNs) / 1e6;
      Atomics.wait(this.#words, CHANGES, changes, timeoutMs);
    }
  }
}
