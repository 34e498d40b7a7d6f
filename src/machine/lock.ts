/**
 * A mutex in shared memory, for threads that may block. Three states, after Ulrich Drepper's "Futexes Are Tricky"
 * (2011): whoever frees a mutex that nobody waits for need not wake anybody.
 */

const FREE = 0;
const TAKEN = 1;
/** Taken, and somebody may be waiting. */
const WANTED = 2;

/** A cache line each: threads that use different ones do not slow each other down. */
export const LOCK_WORDS = 16;
export const LOCK_BYTES = LOCK_WORDS * 4;

/** Hot: takes lock number `lock`. True where it was not free. */
export function lockMutex(words: Int32Array, lock: number): boolean {
  const at = lock * LOCK_WORDS;
  if (Atomics.compareExchange(words, at, FREE, TAKEN) === FREE) return false;
  while (Atomics.exchange(words, at, WANTED) !== FREE) Atomics.wait(words, at, WANTED);
  return true;
}

/** Hot. */
export function unlockMutex(words: Int32Array, lock: number): void {
  const at = lock * LOCK_WORDS;
  if (Atomics.exchange(words, at, FREE) === WANTED) Atomics.notify(words, at, 1);
}
