/**
 * The contract of a test of the machine: its options, what its threads share, its events, and what to make of them. How
 * the events are timed, counted and ended is `event-loop.ts`'s and `crew.ts`'s, the same for all.
 */
import type { OptionsSchema, ValuesOf } from '../base/options.ts';
import type { Problem } from '../base/options-parse.ts';
import type { HostTestMeasured, HostTestName } from '../model/host-test.ts';
import type { Finding } from '../model/run.ts';
import type { Counts, EventRunner } from './event-loop.ts';

export interface HostTest<S extends OptionsSchema = OptionsSchema> {
  readonly name: HostTestName;
  /** What it tells: the end of a sentence, without a full stop. */
  readonly summary: string;
  /** Paragraphs of the help. */
  readonly details: readonly string[];
  readonly options: S;
  /** What is wrong with the values together, or with a size that is written as text. */
  readonly problems?: (values: ValuesOf<S>) => readonly Problem[];
  /** How far its figures compare with those of sysbench: a sentence or two, without a number of any machine. */
  readonly comparison: (values: ValuesOf<S>) => string;
  readonly threadNeeds: (values: ValuesOf<S>, threads: number) => ThreadNeeds;
  /** Called in the thread itself. Warms up: the clock starts when all threads have their runners. */
  readonly createRunner: (values: ValuesOf<S>, place: ThreadPlace) => EventRunner;
  readonly measured: (values: ValuesOf<S>, sums: TestSums) => HostTestMeasured;
  readonly findings?: (result: TestResult) => readonly Finding[];
}

/** What a test needs beside its events. */
export interface ThreadNeeds {
  /** Memory that all threads see. */
  readonly sharedBytes?: number;
  /** More events than these make no sense, of all threads or of each; absent: no limit of the test's own. */
  readonly eventsMax?: number;
  readonly eventsPerThread?: number;
  /** Every thread has another one beside it, which runs `partner.ts`; where their words begin in the shared memory. */
  readonly partnersAtByte?: number;
}

export interface ThreadPlace {
  readonly thread: number;
  readonly seed: number;
  /** Absent where none was asked for. */
  readonly shared: SharedArrayBuffer | undefined;
  /** Open files, for tests of the disk. Numbers are good in all threads. */
  readonly fileDescriptors: readonly number[];
}

/** Over all threads. */
export interface TestSums {
  readonly elapsedS: number;
  readonly events: number;
  readonly counts: Counts;
  readonly shared: SharedArrayBuffer | undefined;
}

export interface TestResult {
  readonly measured: HostTestMeasured;
  /** Every event that was begun has ended and is in the figures. */
  readonly isWhole: boolean;
}

/** Types in, nothing hidden; what varies in its options is forgotten, since each test only ever meets its own. */
export function defineHostTest<const S extends OptionsSchema>(test: HostTest<S>): HostTest {
  return test as unknown as HostTest;
}
