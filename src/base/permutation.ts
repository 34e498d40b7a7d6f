/**
 * A fixed one-to-one mapping of 0 … size - 1 onto itself that sends neighbours far apart: keys that are hot together
 * come to lie on different pages. It depends on the size alone, so the same keys are hot in every run on a table.
 * A Feistel network on the next power of two; where that leaves the range, it is applied again (cycle walking: Black
 * and Rogaway, "Ciphers with arbitrary finite domains", 2002), less than twice on average.
 */
import { assert } from '../base/assert.ts';

export interface Permutation {
  readonly size: number;
  /** Hot: `position` and the result are integers from 0 to size - 1. */
  at(position: number): number;
}

/** Four rounds make a Feistel network look random (Luby and Rackoff, 1988). */
const ROUND_KEYS = [0x3c6ef372, 0x78dde6e4, 0x1715609d, 0x54ffbe56] as const;
/** Two halves of at most 26 bits, each well within 32-bit arithmetic. */
const SIZE_MAX = 2 ** 52;

export function createPermutation(size: number): Permutation {
  assert(Number.isInteger(size) && size >= 1 && size <= SIZE_MAX, 'a permutation has 1 … 2^52 members');
  let bits = 0;
  while (2 ** bits < size) bits++;
  const lowBits = bits >> 1;
  const lowSize = 2 ** lowBits;
  const lowMask = lowSize - 1;
  const highMask = 2 ** (bits - lowBits) - 1;

  function shuffled(position: number): number {
    let high = Math.floor(position / lowSize);
    let low = position % lowSize;
    high ^= mix(low ^ ROUND_KEYS[0]) & highMask;
    low ^= mix(high ^ ROUND_KEYS[1]) & lowMask;
    high ^= mix(low ^ ROUND_KEYS[2]) & highMask;
    low ^= mix(high ^ ROUND_KEYS[3]) & lowMask;
    return high * lowSize + low;
  }

  function at(position: number): number {
    let walked = shuffled(position);
    while (walked >= size) walked = shuffled(walked);
    return walked;
  }

  return { size, at };
}

/** The finaliser of MurmurHash3 (Austin Appleby, public domain). */
function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
