/**
 * A thread that only answers another one. JavaScript has no way to tell the system "run somebody else"; handing over to
 * a partner, and waiting until it has handed back, makes the system do so: the thread sleeps, and its partner runs.
 */

const IDLE = 0;
const ASKED = 1;

/** Each pair has a cache line of its own. */
export const PARTNER_WORDS = 16;
export const PARTNER_BYTES = PARTNER_WORDS * 4;

/** Hot: sleeps until the partner has run. `at` is the pair's word. */
export function handOver(words: Int32Array, at: number): void {
  Atomics.store(words, at, ASKED);
  Atomics.notify(words, at, 1);
  while (Atomics.load(words, at) === ASKED) Atomics.wait(words, at, ASKED);
}

/** The partner's whole life: its thread is ended from outside. */
export function answerForever(words: Int32Array, at: number): never {
  for (;;) {
    while (Atomics.load(words, at) === IDLE) Atomics.wait(words, at, IDLE);
    Atomics.store(words, at, IDLE);
    Atomics.notify(words, at, 1);
  }
}
