/** `memory`: an event writes or reads one block, in words of eight bytes. */
import { monotonicMs } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { choice, text, type ValuesOf } from '../base/options.ts';
import type { Problem } from '../base/options-parse.ts';
import { createRandom, deriveSeed } from '../base/random.ts';
import type { EventRunner } from './event-loop.ts';
import { defineHostTest, type ThreadPlace } from './host-test.ts';
import { parseSize, sizeOf } from './size.ts';

const WORD_BYTES = 8;
/** Word numbers stay within 32 bits, and so does the arithmetic of the loops. */
const BLOCK_BYTES_MAX = 4 * 2 ** 30;

const OPTIONS = {
  memory_block_size: text({
    default: '1K',
    placeholder: 'SIZE',
    help: 'bytes that an event goes over: a power of two',
  }),
  memory_total_size: text({ default: '100G', placeholder: 'SIZE', help: 'bytes to go over in all; 0: no limit' }),
  memory_oper: choice({ default: 'write', choices: ['write', 'read', 'none'], help: 'what to do with each word' }),
  memory_access_mode: choice({
    default: 'seq',
    choices: ['seq', 'rnd'],
    help: 'word by word, or as many words at random places of the block',
  }),
  memory_scope: choice({
    default: 'global',
    choices: ['global', 'local'],
    help: 'one block for all threads, or one for each',
  }),
} as const;
type MemoryValues = ValuesOf<typeof OPTIONS>;

export const memory = defineHostTest({
  name: 'memory',
  summary: 'how fast memory, or the cache that holds the block, is written and read',
  details: [
    'An event goes once over a block. The default block of 1K never leaves the first cache of a processor; one that is ' +
      'larger than all caches, such as --memory-block-size=256M, measures memory itself.',
    'Blocks are so small that a look at the clock takes as long; several are timed together then, and each is counted ' +
      'with their mean.',
  ],
  options: OPTIONS,
  problems: sizeProblems,
  comparison: () =>
    'Not comparable with the figure of sysbench, which looks at the clock for every block: of small blocks that is most of ' +
    'what it measures. For larger ones the loops differ, compiled by V8 here and by a C compiler there. Compare only ' +
    "sqldyno's own figures, of one block size.",
  threadNeeds: (values) => {
    const blockBytes = sizeOf(values.memory_block_size);
    const totalBytes = sizeOf(values.memory_total_size);
    return {
      ...(values.memory_scope === 'global' ? { sharedBytes: blockBytes } : {}),
      ...(totalBytes === 0 ? {} : { eventsMax: Math.floor(totalBytes / blockBytes) }),
    };
  },
  createRunner: createMemoryRunner,
  measured: (values, { elapsedS, events }) => {
    const blockBytes = sizeOf(values.memory_block_size);
    const bytes = events * blockBytes;
    return {
      test: 'memory',
      operation: `${values.memory_oper} ${values.memory_access_mode}`,
      blockBytes,
      bytes,
      bytesPerS: elapsedS > 0 ? bytes / elapsedS : 0,
    };
  },
});

function sizeProblems(values: MemoryValues): Problem[] {
  const problems: Problem[] = [];
  const blockBytes = parseSize(values.memory_block_size);
  const isPowerOfTwo = blockBytes !== undefined && Number.isInteger(Math.log2(blockBytes));
  if (!isPowerOfTwo || blockBytes < WORD_BYTES || blockBytes > BLOCK_BYTES_MAX) {
    problems.push({
      is: `--memory-block-size must be a power of two from ${WORD_BYTES} bytes to 4G, not '${values.memory_block_size}'.`,
    });
  }
  const totalBytes = parseSize(values.memory_total_size);
  if (totalBytes === undefined) {
    problems.push({
      is: `--memory-total-size must be a size such as 512M or 100G, not '${values.memory_total_size}'.`,
    });
  } else if (isPowerOfTwo && totalBytes > 0 && totalBytes < blockBytes) {
    const remedy = 'Make the total larger, or the block smaller.';
    problems.push({ is: '--memory-total-size is less than one block of --memory-block-size.', remedy });
  }
  return problems;
}

/** Long enough for V8 to compile the loops. */
const WARM_UP_MS = 50;
const WARM_UP_WORDS_MAX = 4_096;
/** Blocks of 8 bytes take a nanosecond or two: as many as fit between two looks at the clock. */
const EVENTS_TOGETHER_MAX = 65_536;

export function createMemoryRunner(values: MemoryValues, place: Omit<ThreadPlace, 'fileDescriptors'>): EventRunner {
  const words = blockOf(values, place.shared);
  const random = createRandom(deriveSeed(place.seed, 'memory', place.thread));
  const access = new Access(random.integer(1, 2_147_483_647));
  // Pages that were never written all stand for one page of zeros, which would be read far too fast.
  if (place.shared === undefined || place.thread === 0) words.fill(1);
  const few = words.subarray(0, WARM_UP_WORDS_MAX);
  const go = goOver(values, access);
  const untilMs = monotonicMs() + WARM_UP_MS;
  while (monotonicMs() < untilMs) go(few);
  let blocks = 0;
  return {
    eventsTogetherMax: EVENTS_TOGETHER_MAX,
    run: (events) => {
      for (let event = 0; event < events; event++) go(words);
      blocks += events;
    },
    counts: () => ({ bytes: blocks * words.byteLength }),
  };
}

/** The sum of what is read is kept, or V8 would leave the reading out. */
class Access {
  sum = 0;
  /** Of the generator of random places. */
  state: number;

  constructor(state: number) {
    this.state = state;
  }
}

function goOver({ memory_oper: operation, memory_access_mode: mode }: MemoryValues, access: Access) {
  switch (`${operation} ${mode}` as const) {
    case 'write seq':
      return (words: Float64Array) => writeWords(words, access.sum++);
    case 'read seq':
      return (words: Float64Array) => {
        access.sum += readWords(words);
      };
    case 'write rnd':
      return (words: Float64Array) => {
        access.state = writeRandomWords(words, access.sum++, access.state);
      };
    case 'read rnd':
      return (words: Float64Array) => readRandomWords(words, access);
    default:
      return () => {
        access.sum++;
      };
  }
}

function blockOf({ memory_block_size, memory_scope }: MemoryValues, shared: SharedArrayBuffer | undefined) {
  if (memory_scope === 'global' && shared !== undefined) return new Float64Array(shared);
  try {
    return new Float64Array(sizeOf(memory_block_size) / WORD_BYTES);
  } catch (cause) {
    throw new UserError(`There is no memory for a block of ${memory_block_size} in every thread.`, {
      hint: 'Ask for less with --memory-block-size, --threads or --memory-scope=global.',
      cause,
    });
  }
}

/** Words at a time: V8 does not unroll loops, and their bookkeeping would be most of what is measured. */
const UNROLLED = 8;

/** Hot. Blocks are powers of two, so only those below 64 bytes have no whole group. */
export function writeWords(words: Float64Array, value: number): void {
  const { length } = words;
  if (length < UNROLLED) {
    for (let at = 0; at < length; at++) words[at] = value;
    return;
  }
  for (let at = 0; at < length - UNROLLED + 1; at += UNROLLED) {
    words[at] = value;
    words[at + 1] = value;
    words[at + 2] = value;
    words[at + 3] = value;
    words[at + 4] = value;
    words[at + 5] = value;
    words[at + 6] = value;
    words[at + 7] = value;
  }
}

/** Hot: four sums, since each addition waits for the one before it in the same sum. */
export function readWords(words: Float64Array): number {
  const { length } = words;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  if (length < UNROLLED) {
    for (let at = 0; at < length; at++) a += words[at]!;
    return a;
  }
  for (let at = 0; at < length - UNROLLED + 1; at += UNROLLED) {
    a += words[at]! + words[at + 4]!;
    b += words[at + 1]! + words[at + 5]!;
    c += words[at + 2]! + words[at + 6]!;
    d += words[at + 3]! + words[at + 7]!;
  }
  return a + b + c + d;
}

/** Hot: xorshift32 (Marsaglia 2003), which is far cheaper than a cache miss. Never 0. */
function nextPlace(state: number): number {
  let next = state;
  next ^= next << 13;
  next ^= next >>> 17;
  next ^= next << 5;
  return next | 0;
}

/** Hot. As many words as the block has. */
function writeRandomWords(words: Float64Array, value: number, from: number): number {
  const mask = words.length - 1;
  let state = from;
  for (let count = 0; count <= mask; count++) {
    state = nextPlace(state);
    words[state & mask] = value;
  }
  return state;
}

/** Hot. */
function readRandomWords(words: Float64Array, access: Access): void {
  const mask = words.length - 1;
  let state = access.state;
  let sum = 0;
  for (let count = 0; count <= mask; count++) {
    state = nextPlace(state);
    sum += words[state & mask]!;
  }
  access.state = state;
  access.sum += sum;
}
