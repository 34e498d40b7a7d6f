/**
 * The contract of a probe: one file in `catalog/` with `export default defineProbe({ … })`. Sources are sampled once a
 * tick; a probe makes figures of two moments. The same arithmetic over the first and the last moment of the measured
 * part gives its exact mean, so a mean is never a mean of means.
 */
import type { HostSample } from './host-sample.ts';
import type { ReplicaState } from './replica.ts';

/** What was read at one moment; a source that failed is absent. */
export interface Moment {
  /** Time of the shared clock. */
  readonly atMs: number;
  readonly host?: HostSample;
  readonly server?: ServerSample;
  readonly client?: ClientSample;
}

export interface ServerSample {
  /** SHOW GLOBAL STATUS, numbers only, names as the server writes them. */
  readonly status: ReadonlyMap<string, number>;
  /** INNODB_METRICS that are enabled, by name. */
  readonly metrics?: ReadonlyMap<string, number>;
  /** Absent where the server is no replica. */
  readonly replica?: ReplicaState;
}

/** The load generator's own process. */
export interface ClientSample {
  readonly cpuS: number;
  /** Of each worker thread since the measured part began, 0 … 1. */
  readonly eventLoopUtilizations: readonly number[];
  readonly garbageCollectionMs?: number;
  /** Of all its threads, ready to run and waiting for a processor; Linux tells. */
  readonly runDelayS?: number;
  readonly residentBytes?: number;
}

/** What does not change during a run, and probes need to know. */
export interface ProbeFacts {
  readonly variables: ReadonlyMap<string, string>;
  readonly flavor: 'mysql' | 'mariadb';
  /** The block device that holds the data directory, as in `HostSample.disks`. */
  readonly dataDisk?: string;
  /** The disks below it, where it is a volume or an array: flushes are counted there. */
  readonly dataDiskSlaves?: readonly string[];
  /** CPUs that the server may use: online, cpuset and quota. */
  readonly serverCores?: number;
}

export interface Reading {
  readonly value: number;
  /** 's', 'ms', 'bytes/s', '1/s', 'ratio', 'bytes', 'count' … */
  readonly unit: string;
}

export interface Probe {
  readonly summary: string;
  readonly source: 'host' | 'server' | 'client';
  /**
   * Figures by name for the time between two moments; a name stands for one thing for ever. A string says why there are
   * none, as a sentence: it is told once.
   */
  between(
    earlier: Moment,
    later: Moment,
    elapsedS: number,
    facts: ProbeFacts,
  ): Readonly<Record<string, Reading>> | string;
}

export function defineProbe(probe: Probe): Probe {
  return probe;
}
