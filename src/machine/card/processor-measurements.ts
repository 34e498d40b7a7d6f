/** Of the processors and of memory: by the tests `cpu` and `memory`, on one thread and on all that run at once. */
import { formatBytes } from '../../base/units.ts';
import type { HostTestName, HostTestWork } from '../../model/host-test.ts';
import { hostTest } from '../host-tests.ts';
import { runHostTest, sharedProcessorFindings } from '../run.ts';
import type { FigurePlan, Measurement } from './measurement.ts';

export interface ProcessorWorld {
  /** That this process may run at once. */
  readonly threads: number;
  /** That can be had without swapping. */
  readonly memoryBytes: number;
  readonly isQuick: boolean;
}

const MAX_PRIME = 10_000;
const MIB = 2 ** 20;
/** About what the last cache of a large processor holds. */
const SMALL_BLOCK_BYTES = 16 * MIB;
/** More than any cache holds. */
const LARGE_BLOCK_BYTES = 256 * MIB;
const LARGE_BLOCK_BYTES_MIN = 2 * SMALL_BLOCK_BYTES;
/** The rest is for what runs beside. */
const MEMORY_SHARE_MAX = 0.25;
const MEMORY_WEIGHT = 0.5;

interface ThreadChoice {
  readonly name: 'one_thread' | 'all_threads';
  readonly threads: number;
  readonly label: string;
}

export function processorMeasurements(world: ProcessorWorld): Measurement[] {
  const { threads } = world;
  const choices: readonly ThreadChoice[] = [
    { name: 'one_thread', threads: 1, label: 'one thread' },
    { name: 'all_threads', threads, label: 'all threads' },
  ];
  return [
    ...choices.map(cpuMeasurement),
    ...(['read', 'write'] as const).flatMap((operation) =>
      blocksOf(world).flatMap((block) => choices.map((choice) => memoryMeasurement(operation, block, choice))),
    ),
  ];
}

interface Block {
  readonly name: 'small' | 'large';
  bytesFor(threads: number): number;
}

function blocksOf({ memoryBytes, isQuick }: ProcessorWorld): Block[] {
  const large: Block = { name: 'large', bytesFor: (threads) => largeBlockBytes(memoryBytes, threads) };
  return isQuick ? [large] : [{ name: 'small', bytesFor: () => SMALL_BLOCK_BYTES }, large];
}

/** A power of two. Each thread has one of its own. */
export function largeBlockBytes(memoryBytes: number, threads: number): number {
  const roomBytes = (memoryBytes * MEMORY_SHARE_MAX) / threads;
  const fitting = 2 ** Math.floor(Math.log2(Math.max(1, roomBytes)));
  return Math.min(LARGE_BLOCK_BYTES, Math.max(LARGE_BLOCK_BYTES_MIN, fitting));
}

function cpuMeasurement(choice: ThreadChoice): Measurement {
  const figure: FigurePlan = {
    id: `cpu.${choice.name}`,
    group: 'cpu',
    label: choice.label,
    unit: 'events/s',
    better: 'higher',
    how: `An event finds the primes up to ${MAX_PRIME} by trial division (sqldyno cpu run), compiled by V8.`,
    settings: { threads: choice.threads, maxPrime: MAX_PRIME },
  };
  return testMeasurement('cpu', { cpu_max_prime: MAX_PRIME }, { figure, choice, weight: 1, perEvent: 1 });
}

function memoryMeasurement(operation: 'read' | 'write', block: Block, choice: ThreadChoice): Measurement {
  const blockBytes = block.bytesFor(choice.threads);
  const figure: FigurePlan = {
    id: `memory.${operation}.${block.name}.${choice.name}`,
    group: 'memory',
    label: `${operation} ${formatBytes(blockBytes)}, ${choice.label}`,
    unit: 'bytes/s',
    better: 'higher',
    how:
      'Each thread goes over a block of its own, in words of eight bytes, one after the other (sqldyno memory run); ' +
      'the smaller block may stay in a cache, the larger one does not.',
    settings: { threads: choice.threads, blockBytes, operation: `${operation} seq` },
  };
  const values = {
    memory_block_size: String(blockBytes),
    memory_total_size: '0',
    memory_oper: operation,
    memory_access_mode: 'seq',
    memory_scope: 'local',
  };
  return testMeasurement('memory', values, { figure, choice, weight: MEMORY_WEIGHT, perEvent: blockBytes });
}

/** Equal for all cards. */
const SEED = 1;
const NOBODY = { version: '', command: [], host: {} } as const;

function testMeasurement(
  name: HostTestName,
  values: Readonly<Record<string, unknown>>,
  about: {
    readonly figure: FigurePlan;
    readonly choice: ThreadChoice;
    readonly weight: number;
    /** By which events a second are multiplied. */
    readonly perEvent: number;
  },
): Measurement {
  const { figure, choice, weight, perEvent } = about;
  const test = hostTest(name);
  return {
    label: `${name === 'cpu' ? 'processors' : 'memory'}, ${figure.label}`,
    weight,
    figures: [figure],
    measure: async (timeS, stops) => {
      const { threads } = choice;
      const common = { test, values, threads, timeS, events: 0, intervalS: timeS, percentiles: [], seed: SEED };
      const { ending, work, client } = await runHostTest({ plan: common, hooks: {}, stops }, NOBODY);
      const perS = work === undefined ? 0 : eventsPerS(work);
      return {
        ending,
        values: perS === 0 ? {} : { [figure.id]: perS * perEvent },
        elapsedS: work?.elapsedS ?? 0,
        cpuS: client.cpuS,
      };
    },
    judge: ({ elapsedS, cpuS }) =>
      sharedProcessorFindings({ test, threads: choice.threads }, { ending: { kind: 'time' }, elapsedS, cpuS }),
  };
}

/**
 * Of each thread by its own time, then summed: one that has ended waits for others that are in the middle of a long
 * event, and that time is nobody's speed.
 */
export function eventsPerS({ perThread }: Pick<HostTestWork, 'perThread'>): number {
  const { events, latencyS } = perThread;
  return events.reduce((sum, count, thread) => {
    const ofThread = latencyS[thread] ?? 0;
    return ofThread > 0 ? sum + count / ofThread : sum;
  }, 0);
}
