/** `threads`: how fast the system switches between threads that take locks from one another. */
import { integer, type ValuesOf } from '../base/options.ts';
import type { EventRunner } from './event-loop.ts';
import { defineHostTest, type ThreadPlace } from './host-test.ts';
import { LOCK_BYTES, lockMutex, unlockMutex } from './lock.ts';
import { handOver, PARTNER_BYTES } from './partner.ts';

const OPTIONS = {
  thread_yields: integer({ default: 1_000, min: 1, max: 1_000_000, help: 'hand-overs in each event' }),
  thread_locks: integer({ default: 8, min: 1, max: 1_000_000, help: 'locks that the threads share' }),
} as const;
type ThreadsValues = ValuesOf<typeof OPTIONS>;

export const threads = defineHostTest({
  name: 'threads',
  summary: 'how fast the system lets one thread sleep and another one run',
  details: [
    'An event takes the locks in turn, --thread-yields times: with the lock taken, the thread wakes a partner that it has ' +
      'for this alone, sleeps until the partner has woken it, and frees the lock. So each hand-over is two wake-ups, and with ' +
      'more threads than locks they also wait for one another.',
  ],
  options: OPTIONS,
  comparison: () =>
    'Not comparable with the figure of sysbench, which yields the processor by a system call that returns at once where ' +
    'nobody waits for it. JavaScript has no such call: here the thread really sleeps and is woken by another one, which takes ' +
    "many times as long. Compare only sqldyno's own figures.",
  threadNeeds: ({ thread_locks }, count) => ({
    sharedBytes: thread_locks * LOCK_BYTES + count * PARTNER_BYTES,
    partnersAtByte: thread_locks * LOCK_BYTES,
  }),
  createRunner: createThreadsRunner,
  measured: (_, { counts }) => ({
    test: 'threads',
    yields: counts['yields'] ?? 0,
    lockWaits: counts['lockWaits'] ?? 0,
  }),
});

function createThreadsRunner(
  { thread_yields, thread_locks }: ThreadsValues,
  { thread, shared }: Omit<ThreadPlace, 'fileDescriptors'>,
): EventRunner {
  const words = new Int32Array(shared ?? new SharedArrayBuffer(0));
  const partnerAt = (thread_locks * LOCK_BYTES + thread * PARTNER_BYTES) / 4;
  let yields = 0;
  let lockWaits = 0;
  for (let turn = 0; turn < WARM_UP_YIELDS; turn++) handOver(words, partnerAt);
  return {
    eventsTogetherMax: 1,
    run: (events) => {
      for (let left = events; left > 0; left--) {
        for (let turn = 0; turn < thread_yields; turn++) {
          const lock = turn % thread_locks;
          if (lockMutex(words, lock)) lockWaits++;
          handOver(words, partnerAt);
          unlockMutex(words, lock);
        }
        yields += thread_yields;
      }
    },
    counts: () => ({ yields, lockWaits }),
  };
}

/** The partner has begun by then. */
const WARM_UP_YIELDS = 100;
