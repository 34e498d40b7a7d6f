/** `mutex`: each thread takes and frees mutexes, chosen at random, many times. */
import { integer, type ValuesOf } from '../base/options.ts';
import { createRandom, deriveSeed } from '../base/random.ts';
import type { EventRunner } from './event-loop.ts';
import { defineHostTest, type ThreadPlace } from './host-test.ts';
import { LOCK_BYTES, LOCK_WORDS, lockMutex, unlockMutex } from './lock.ts';

const OPTIONS = {
  mutex_num: integer({ default: 4_096, min: 1, max: 1_000_000, help: 'mutexes to choose from' }),
  mutex_locks: integer({ default: 50_000, min: 1, max: 2_000_000_000, help: 'mutexes that each thread takes' }),
  mutex_loops: integer({
    default: 10_000,
    min: 0,
    max: 2_000_000_000,
    help: 'turns of an empty loop before each of them',
  }),
} as const;
type MutexValues = ValuesOf<typeof OPTIONS>;

/** Beside its mutex, on the same cache line: a counter that nothing else protects. */
const COUNTER = 1;

export const mutex = defineHostTest({
  name: 'mutex',
  summary: 'how fast threads take and free mutexes that they share',
  details: [
    'Each thread has one event: --mutex-locks times it turns an empty loop, then takes one of the mutexes, counts in it, ' +
      'and frees it. At the end the counters must add up to what the threads did.',
  ],
  options: OPTIONS,
  comparison: () =>
    'Not comparable with the figure of sysbench: the mutexes are made of atomic operations on shared memory, and with the ' +
    'default options most of the time goes into the empty loops, which C and V8 compile differently. Compare only ' +
    "sqldyno's own figures.",
  threadNeeds: ({ mutex_num }) => ({ sharedBytes: mutex_num * LOCK_BYTES, eventsPerThread: 1 }),
  createRunner: createMutexRunner,
  measured: (_, { counts, shared }) => ({
    test: 'mutex',
    locks: counts['locks'] ?? 0,
    counted: shared === undefined ? 0 : countedIn(shared),
    lockWaits: counts['lockWaits'] ?? 0,
  }),
  findings: ({ measured, isWhole }) =>
    measured.test !== 'mutex' || !isWhole || measured.counted === measured.locks
      ? []
      : [
          {
            id: 'wrong-results',
            severity: 'invalid',
            is: 'The mutexes did not keep the threads apart.',
            because: `They were taken ${measured.locks} times, but the counters inside came to ${measured.counted}.`,
            remedy: 'Please report it, with the processor, the version of Node and the command.',
          },
        ],
});

export function createMutexRunner(
  { mutex_num, mutex_locks, mutex_loops }: MutexValues,
  { seed, thread, shared }: Omit<ThreadPlace, 'fileDescriptors'>,
): EventRunner {
  const words = new Int32Array(shared ?? new SharedArrayBuffer(mutex_num * LOCK_BYTES));
  const random = createRandom(deriveSeed(seed, 'mutex', thread));
  let locks = 0;
  let lockWaits = 0;
  let turns = spin(WARM_UP_TURNS);
  return {
    eventsTogetherMax: 1,
    run: (events) => {
      for (let left = events * mutex_locks; left > 0; left--) {
        const lock = random.integer(0, mutex_num - 1);
        turns += spin(mutex_loops);
        if (lockMutex(words, lock)) lockWaits++;
        words[lock * LOCK_WORDS + COUNTER]!++;
        unlockMutex(words, lock);
        locks++;
      }
    },
    // The turns are told so that V8 has to make them.
    counts: () => ({ locks, lockWaits, turns }),
  };
}

/** Enough for V8 to have compiled the loop. */
const WARM_UP_TURNS = 20_000_000;

/** Hot: the empty loop. */
function spin(turns: number): number {
  let turned = 0;
  for (let turn = 0; turn < turns; turn++) turned = (turned + 1) | 0;
  return turned;
}

function countedIn(shared: SharedArrayBuffer): number {
  const words = new Int32Array(shared);
  let counted = 0;
  for (let at = COUNTER; at < words.length; at += LOCK_WORDS) counted += words[at]!;
  return counted;
}
