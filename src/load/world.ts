/** What the engine needs of the world, handed in: tests turn the clock and answer in place of a server. */
import { monotonicMs, monotonicNs } from '../base/clock.ts';
import type { Connection, ConnectOptions } from '../wire/types.ts';
import type { Workload } from '../workload/workload.ts';

export interface LoadClock {
  /** Fractional milliseconds, monotonic and the same in all threads. Hot. */
  now(): number;
  /** Calls `fire` once, no earlier than after `delayMs` (up to a millisecond late). Returns what calls it off. */
  after(delayMs: number, fire: () => void): () => void;
  /** Resolves when timers and sockets have had their turn. */
  turn(): Promise<void>;
}

export interface LoadWorld {
  readonly clock: LoadClock;
  connect(options: ConnectOptions): Promise<Connection>;
  loadWorkload(nameOrPath: string): Promise<Workload>;
}

/** The thread may be preempted between two readings; of several tries the narrowest is right to microseconds. */
const OFFSET_TRIES = 10;
/** Longest delay that a timer of Node takes; a longer one would fire at once. */
const TIMER_MS_MAX = 2_147_483_647;

/** The clock of this thread. `performance.now` has another zero in every thread, hence the offset. */
export function threadClock(): LoadClock {
  const offsetMs = sharedOffsetMs();
  return {
    now: () => monotonicMs() + offsetMs,
    after: (delayMs, fire) => {
      const timer = setTimeout(fire, Math.min(delayMs, TIMER_MS_MAX));
      return () => clearTimeout(timer);
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function sharedOffsetMs(): number {
  let offsetMs = 0;
  let narrowestMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < OFFSET_TRIES; attempt++) {
    const beforeMs = monotonicMs();
    const sharedMs = Number(monotonicNs()) / 1e6;
    const afterMs = monotonicMs();
    if (afterMs - beforeMs >= narrowestMs) continue;
    narrowestMs = afterMs - beforeMs;
    offsetMs = sharedMs - (beforeMs + afterMs) / 2;
  }
  return offsetMs;
}
