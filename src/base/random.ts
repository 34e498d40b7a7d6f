/**
 * Random numbers that depend on (seed, index) alone, so that event number `index` draws the same values in whatever
 * thread it runs. The generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, 32-bit arithmetic only.
 */

/** A stream of random numbers. Equal seeds give equal streams on every machine. */
export interface Random {
  /** Uniform in [0, 1), 52 or 53 bits. */
  next(): number;
  /** Uniform integer in [from, to], both included; to - from < 2^52. */
  integer(from: number, to: number): number;
  /** Starts the stream of (seed, index): event number `index` draws the same values in whatever thread it runs. */
  restart(seed: number, index: number): void;
}

/** Seeds and indexes are integers from 0 to this. */
export const SEED_MAX = Number.MAX_SAFE_INTEGER;

const TWO_32 = 4_294_967_296;
const PER_TWO_32 = 1 / TWO_32;
const PER_TWO_53 = 1 / 9_007_199_254_740_992;
/** 2^26: what the upper 27 bits are worth when 53 bits are put together. */
const TWO_26 = 67_108_864;
/** 2^32 divided by the golden ratio, odd: the step of splitmix32, which keeps equal words at different places apart. */
const GOLDEN = 0x9e3779b9;
/** Draws thrown away after seeding: the state is well mixed already, these let every word meet every other. */
const WARM_UP_DRAWS = 4;

/** `seed` and `index` are integers from 0 to SEED_MAX. */
export function createRandom(seed: number, index = 0): Random {
  return new SmallFastCounting(seed, index);
}

/**
 * A seed of its own for one purpose, so that streams of one run share no values:
 * `deriveSeed(seed, 'prepare', table)` for data, `deriveSeed(seed, 'arrivals')` for the schedule.
 */
export function deriveSeed(seed: number, ...purpose: readonly (string | number)[]): number {
  let low = mix(seed >>> 0);
  let high = mix((seed * PER_TWO_32) ^ GOLDEN);
  for (const part of purpose) {
    const text = `${typeof part}:${part}`;
    for (let at = 0; at < text.length; at++) {
      low = mix((low ^ text.charCodeAt(at)) + GOLDEN);
      high = mix(high ^ low);
    }
    // Ends the part, so that ('ab', 'c') and ('a', 'bc') differ.
    high = mix(high + GOLDEN);
  }
  return (high >>> 11) * TWO_32 + (low >>> 0);
}

class SmallFastCounting implements Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 0;

  constructor(seed: number, index: number) {
    this.restart(seed, index);
  }

  /** Hot: once per event. */
  restart(seed: number, index: number): void {
    // Both are 53 bits: `| 0` of the number is its lower half, of the number divided by 2^32 its upper half.
    let a = mix((seed | 0) ^ GOLDEN);
    let b = mix(a + ((seed * PER_TWO_32) | 0));
    let c = mix(b + (index | 0));
    let counter = mix(c + ((index * PER_TWO_32) | 0) + GOLDEN);
    a = (a + counter) | 0;
    b = mix(b ^ counter);
    for (let draw = 0; draw < WARM_UP_DRAWS; draw++) {
      const sum = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  /** Hot: two steps of sfc32 give 27 and 26 bits. */
  next(): number {
    const a0 = this.#a;
    const b0 = this.#b;
    const c0 = this.#c;
    const counter = this.#counter;
    const high = (((a0 + b0) | 0) + counter) | 0;
    const a1 = b0 ^ (b0 >>> 9);
    const b1 = (c0 + (c0 << 3)) | 0;
    const c1 = (((c0 << 21) | (c0 >>> 11)) + high) | 0;
    const low = (((a1 + b1) | 0) + ((counter + 1) | 0)) | 0;
    this.#a = b1 ^ (b1 >>> 9);
    this.#b = (c1 + (c1 << 3)) | 0;
    this.#c = (((c1 << 21) | (c1 >>> 11)) + low) | 0;
    this.#counter = (counter + 2) | 0;
    return ((high >>> 5) * TWO_26 + (low >>> 6)) * PER_TWO_53;
  }

  /** Hot. */
  integer(from: number, to: number): number {
    const size = to - from + 1;
    // With 53 bits the bias of the multiplication is below size / 2^53; only above 2^32 would it show.
    if (size <= TWO_32) return from + Math.floor(this.next() * size);
    return from + this.#below(size);
  }

  /** Without bias for any size up to 2^53: draws below the next power of two until one fits. */
  #below(size: number): number {
    let powerOfTwo = TWO_32;
    while (powerOfTwo < size) powerOfTwo *= 2;
    for (;;) {
      const drawn = Math.floor(this.next() * powerOfTwo);
      if (drawn < size) return drawn;
    }
  }
}

/** Chris Wellons' lowbias32, a MurmurHash3 finaliser: every bit of the input flips half of those of the output. */
function mix(word: number): number {
  // `^` takes its operands modulo 2^32, so a sum of a few words may be passed.
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
