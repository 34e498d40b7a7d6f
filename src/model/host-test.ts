/**
 * What a test of the machine itself has measured: `sqldyno.host-test/1`, as `--json` prints it. No database is in it,
 * so it is no run and not in the store: who wants to keep it keeps the JSON.
 */
import type { Ending, Finding, LatencyRecord } from './run.ts';

export const HOST_TEST_FORMAT = 'sqldyno.host-test/1';

export const HOST_TEST_NAMES = ['cpu', 'memory', 'fileio', 'threads', 'mutex'] as const;
export type HostTestName = (typeof HOST_TEST_NAMES)[number];

export type HostTestOption = string | number | boolean | readonly string[];

export interface HostTestRecord {
  readonly format: typeof HOST_TEST_FORMAT;
  readonly test: HostTestName;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly ending: Ending;
  readonly seed: number;
  readonly sqldyno: { readonly version: string };
  readonly command: readonly string[];
  /** Of the test itself, defaults included. */
  readonly options: Readonly<Record<string, HostTestOption>>;
  readonly load: {
    readonly threads: number;
    /** 0: no limit. */
    readonly timeS: number;
    readonly events: number;
    readonly percentiles: readonly number[];
  };
  /** Absent for `fileio` without a test mode, which measures commits only. */
  readonly work?: HostTestWork;
  /** `fileio` only. */
  readonly commits?: CommitProbe;
  /** How far the figures compare with those of sysbench. */
  readonly comparison: string;
  readonly client: { readonly node: string; readonly cpuS: number };
  readonly host: Readonly<Record<string, string | number>>;
  readonly findings: readonly Finding[];
}

export interface HostTestWork {
  readonly elapsedS: number;
  readonly events: number;
  readonly eventsPerS: number;
  readonly perThread: { readonly events: readonly number[]; readonly latencyS: readonly number[] };
  /** Whole microseconds; the sum is exact, and so is the mean. */
  readonly latency: LatencyRecord;
  /** Empty where fio did the work. */
  readonly intervals: readonly HostTestInterval[];
  readonly measured: HostTestMeasured;
}

export interface HostTestInterval {
  readonly startS: number;
  readonly endS: number;
  /** Threads that had not ended when the interval began. */
  readonly threads: number;
  readonly events: number;
  readonly latency: LatencyRecord;
  /** Counters of the test itself during the interval: bytes moved, reads, writes, syncs. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What each test tells beside its events. */
export type HostTestMeasured =
  | {
      readonly test: 'cpu';
      readonly maxPrime: number;
      /** Every event has found as many. */
      readonly primesPerEvent: number;
    }
  | {
      readonly test: 'memory';
      readonly operation: string;
      readonly blockBytes: number;
      readonly bytes: number;
      readonly bytesPerS: number;
    }
  | {
      readonly test: 'threads';
      readonly yields: number;
      /** Locks that were not free when they were asked for. */
      readonly lockWaits: number;
    }
  | {
      readonly test: 'mutex';
      /** Times that a mutex was taken, by the threads' own count. */
      readonly locks: number;
      /** The same by counters that only the mutexes protect: less, if ever two threads were inside at once. */
      readonly counted: number;
      readonly lockWaits: number;
    }
  | {
      readonly test: 'fileio';
      /** Who did the reading and writing: this program itself, or fio. */
      readonly engine: 'sqldyno' | 'fio';
      /** Of fio. */
      readonly engineVersion?: string;
      readonly mode: string;
      readonly files: number;
      readonly fileBytes: number;
      readonly blockBytes: number;
      readonly reads: number;
      readonly writes: number;
      readonly syncs: number;
      readonly bytesRead: number;
      readonly bytesWritten: number;
      /** Synchronizing all files after the last event; in no other figure. Absent where it was not done. */
      readonly endSyncS?: number;
    };

/** Small writes, each followed by fdatasync: what a durable commit waits for. */
export interface CommitProbe {
  readonly directory: string;
  /** Such as `ext4`; `unknown` where the system does not say. */
  readonly fileSystem: string;
  readonly recordBytes: number;
  /** Writing over a file of fixed size, as InnoDB does with its redo log. */
  readonly overwrite: LatencyRecord;
  /** Making a file longer, as the binary log is written. */
  readonly append: LatencyRecord;
}
