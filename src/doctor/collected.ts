/**
 * What the checks are made of: everything that was collected, as plain values, so that a check is a function and a test
 * writes its facts by hand. What could not be had says why.
 */
import type { FlushLook } from '../machine/fileio/flush-probe.ts';
import type { HostFacts, Room } from '../observe/host-sample.ts';
import type { ReplicaState } from '../observe/replica.ts';
import type { TargetProblem } from '../workload/workload.ts';

/** How long hosts are watched before a run: with everything else it stays under two seconds. */
export const AUTOMATIC_IDLE_S = 1;
/** And by a doctor who is asked for: steal and load in the background come in bursts. */
export const DOCTOR_IDLE_S = 10;

export type Seen<T> =
  | { readonly is: 'seen'; readonly value: T }
  /** A sentence. */
  | { readonly is: 'unseen'; readonly because: string };

export function seen<T>(value: T): Seen<T> {
  return { is: 'seen', value };
}

export function unseenBecause(because: string): { readonly is: 'unseen'; readonly because: string } {
  return { is: 'unseen', because };
}

export interface Collected {
  readonly server: Seen<ServerLook>;
  readonly serverHost: Seen<HostLook>;
  /** The same object where it is one machine. */
  readonly clientHost: Seen<HostLook>;
  /** Client and server run on one machine; undefined where that cannot be told. */
  readonly isOneHost?: boolean;
  /** What stands in the way of the plan on the server; unseen where there is no plan. */
  readonly problems: Seen<readonly TargetProblem[]>;
  /** What collecting took. */
  readonly tookS: number;
}

export interface HostLook {
  /** `this machine`, `ssh dba@db1`. */
  readonly description: string;
  /** By the names of docs/probes.md. */
  readonly facts: HostFacts;
  readonly idle: Seen<IdleLook>;
  readonly room: Seen<Room>;
  readonly flush: Seen<FlushLook>;
  /** Of this program's own process, where it runs there. */
  readonly client?: ClientLook;
}

/** A host over some seconds without our load. */
export interface IdleLook {
  readonly elapsedS: number;
  /** Figures of the probes, by the names of docs/probes.md: `cpu.steal`. */
  readonly figures: ReadonlyMap<string, number>;
  readonly cores: number;
  /** Share of all processors that this program itself used meanwhile. */
  readonly ownCpuRatio: number;
  /** Names of processes that have used most. */
  readonly processes: readonly string[];
  /** Of a graphical session. */
  readonly desktop: readonly string[];
  /** Database servers besides the one that is examined. */
  readonly otherServers: readonly string[];
}

export interface ClientLook {
  readonly openFilesMax?: number;
  /** TCP connections that are over, and keep their port for a minute. */
  readonly timeWaitSockets?: number;
}

export interface ServerLook {
  readonly flavor: 'mysql' | 'mariadb';
  readonly version: string;
  /** All global ones, names in small letters. */
  readonly variables: ReadonlyMap<string, string>;
  /** Twice, some time apart; names in small letters, values as the server writes them. */
  readonly status: { readonly earlier: Status; readonly later: Status; readonly elapsedS: number };
  /** Variables that were set while it ran, with their values. */
  readonly setAtRuntime: Seen<ReadonlyMap<string, string>>;
  /** What those have that nobody sets, as far as the server tells; it writes both alike. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Values of variables when it was started, where somebody else knows them: an experiment puts back what it sets. */
  readonly startedWith?: ReadonlyMap<string, string>;
  /** Of the plan, or without one of the database. */
  readonly tables: Seen<readonly TableLook[]>;
  readonly roundTripUs: Seen<RoundTripLook>;
  readonly clock: Seen<ClockLook>;
  readonly replication: Seen<ReplicationLook>;
  /** Over TCP, and not a Unix socket. */
  readonly isOverTcp: boolean;
}

export type Status = ReadonlyMap<string, string>;

export interface TableLook {
  readonly name: string;
  /** Data and indexes, by the server's statistics or, where it may be read, the size of the file. */
  readonly bytes: number;
  /** By the server's statistics. */
  readonly rowsEstimate: number;
}

export interface RoundTripLook {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
}

export interface ClockLook {
  /** How far the server's clock is ahead of this one's. */
  readonly aheadMs: number;
  /** It may be off by as much. */
  readonly uncertaintyMs: number;
}

export interface ReplicationLook {
  /** Absent where it is no replica. */
  readonly replica?: ReplicaState;
  /** That read from this server now. */
  readonly replicas: number;
  /** Of Galera; absent where it is in none. */
  readonly cluster?: { readonly size: number; readonly status: string; readonly state: string };
}

/** The load that is meant to run. */
export interface PlanFacts {
  readonly workload: string;
  readonly threads: number;
  /** 0: no limit. */
  readonly timeS: number;
  readonly warmupS: number;
  /** Transactions that are due per second; 0: as fast as possible. */
  readonly ratePerS: number;
  /** 0: no limit. */
  readonly events: number;
  readonly reconnectEveryEvents: number;
  /** `--rand-type` */
  readonly keys: string;
  readonly writes: boolean;
  readonly tables: readonly { readonly name: string; readonly rowsMin: number }[];
  /** Per transaction; absent where the workload does not tell. */
  readonly mix?: Mix;
  /** What the options leave out of the workload's usual mix, each a sentence. */
  readonly mixNotes: readonly string[];
  readonly dryRun?: DryRun;
  /** What the volume is allowed, as the user says. */
  readonly disk?: DiskFacts;
}

export interface Mix {
  readonly reads: number;
  readonly writes: number;
  readonly others: number;
}

/** What the server counted while the load ran for a moment. */
export interface DryRun {
  readonly elapsedS: number;
  /** Committed, rolled back on purpose, and failed. */
  readonly transactions: number;
  readonly reads: number;
  readonly writes: number;
}

export const DISK_TYPES = ['gp2', 'gp3', 'io1', 'io2', 'st1', 'sc1', 'other'] as const;
export interface DiskFacts {
  /** Operations per second; absent: not known. */
  readonly iops?: number;
  readonly type?: (typeof DISK_TYPES)[number];
}
