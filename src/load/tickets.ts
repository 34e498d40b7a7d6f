/** Numbers for events, dealt over all sessions of all workers from shared memory. */

/** Two 32-bit counters. */
export const TICKETS_BYTES = 8;
const NEXT_INDEX = 0;
const CLAIMED = 1;
const TWO_32 = 2 ** 32;

export class Tickets {
  readonly #counters: Uint32Array<SharedArrayBuffer>;
  readonly #eventsMax: number;
  readonly #indexes = new WideCounter();
  readonly #claims = new WideCounter();

  /** `eventsMax` 0: no limit. */
  constructor(shared: SharedArrayBuffer, eventsMax: number) {
    this.#counters = new Uint32Array(shared);
    this.#eventsMax = eventsMax;
  }

  /** Hot: the number of the next event, from 0 and without gaps. */
  nextIndex(): number {
    return this.#indexes.widen(Atomics.add(this.#counters, NEXT_INDEX, 1));
  }

  /** Hot: false once the limit of events is reached. To be called once for every event of the measured part. */
  claim(): boolean {
    if (this.#eventsMax === 0) return true;
    return this.#claims.widen(Atomics.add(this.#counters, CLAIMED, 1)) < this.#eventsMax;
  }

  get isExhausted(): boolean {
    if (this.#eventsMax === 0) return false;
    return this.#claims.widen(Atomics.load(this.#counters, CLAIMED)) >= this.#eventsMax;
  }
}

/** A shared counter has 32 bits, which a long run overflows: each reader sees it wrap, and carries. */
class WideCounter {
  #low = 0;
  #high = 0;

  widen(low: number): number {
    if (low < this.#low) this.#high += TWO_32;
    this.#low = low;
    return this.#high + low;
  }
}
