/**
 * What a run IS: `sqldyno.run/1`. Plain data, as stored in run.json and as printed by --json.
 * Units are in the names. A `LatencyRecord` carries its whole histogram, so any percentile can be computed later.
 */

import type { Imported } from './imported.ts';
import type { Diagnosis, Durability, Grade, Steadiness } from './judgement.ts';
import type { Environment, Observation, Phase, RunEvent, Series, ServerAccount } from './observed.ts';

export const RUN_FORMAT = 'sqldyno.run/1';

/** HDR V2 compressed, base64; values in microseconds, three significant digits. Count 0 gives zeros elsewhere. */
export interface LatencyRecord {
  readonly count: number;
  readonly minUs: number;
  readonly meanUs: number;
  readonly maxUs: number;
  readonly sumUs: number;
  readonly histogram: string;
}

/**
 * Closed loop: service only. Open loop and terminals: response = intended start -> done; queue = response - service.
 */
export interface TransactionLatency {
  readonly service: LatencyRecord;
  readonly response?: LatencyRecord;
  readonly queue?: LatencyRecord;
}

export type Severity = 'invalid' | 'warning' | 'info';
/** Something the reader must know to judge the figures. `invalid`: the run proves nothing; exit 3. */
export interface Finding {
  /** Stable, for programs: `client-saturated`. */
  readonly id: string;
  readonly severity: Severity;
  readonly is: string;
  readonly because: string;
  readonly remedy: string;
}

export type Ending =
  | { readonly kind: 'time' | 'events' }
  | { readonly kind: 'interrupted'; readonly cause: string }
  | { readonly kind: 'forced'; readonly cause: string }
  | { readonly kind: 'failed'; readonly cause: string };

export interface ErrorCount {
  /** Server error code; 0 for errors of the connection itself. */
  readonly code: number;
  readonly sqlState: string;
  readonly symbol: string;
  readonly count: number;
  /** What was done about it. */
  readonly policy: 'retried' | 'skipped' | 'reconnected' | 'fatal' | 'validation';
  /** The first message seen, secrets removed. */
  readonly example: string;
}

export interface StatementCounts {
  /** Of committed transactions only. */
  readonly read: number;
  readonly write: number;
  readonly other: number;
  /** Sent in attempts that were rolled back or failed, the engine's ROLLBACKs included: work done, never a rate. */
  readonly wasted: number;
  /** Writes (counted above) that changed no row. */
  readonly writesWithoutEffect: number;
  /** All sent, by name: committed and wasted. */
  readonly byName: Readonly<Record<string, StatementCount>>;
}
export interface StatementCount {
  readonly kind: 'read' | 'write' | 'other';
  readonly committed: number;
  readonly wasted: number;
}

export interface TransactionCounts {
  readonly committed: number;
  readonly byName: Readonly<Record<string, number>>;
  /** Undone on purpose, by name: work done that is neither committed nor failed. Absent where there is none. */
  readonly rolledBack?: Readonly<Record<string, number>>;
}

export interface RunTotals {
  /** Measured part only: warm-up is counted apart. */
  readonly elapsedS: number;
  /** Before it: from the first connect until all sessions were ready. Absent where they never were. */
  readonly setupS?: number;
  readonly transactions: TransactionCounts;
  readonly statements: StatementCounts;
  readonly rowsRead: number;
  readonly bytes: { readonly sent: number; readonly received: number };
  readonly errors: readonly ErrorCount[];
  readonly retries: number;
  readonly rollbacks: number;
  readonly reconnects: number;
  /** Open loop: events that were due and found the queue full. */
  readonly dropped: number;
  /** Events begun or queued, and not done at the end. */
  readonly unfinished: number;
  /** What the workload itself counted, such as order lines from another warehouse. Absent where it counts nothing. */
  readonly tallies?: Readonly<Record<string, number>>;
  /** Per session: committed transactions and the sum of their latencies; for sysbench's fairness lines. */
  readonly perSession: { readonly transactions: readonly number[]; readonly latencyS: readonly number[] };
}

export interface Interval {
  /** Seconds since the measured part began (negative during warm-up). */
  readonly startS: number;
  readonly endS: number;
  readonly isWarmup: boolean;
  readonly sessionsActive: number;
  readonly transactions: number;
  readonly statements: { readonly read: number; readonly write: number; readonly other: number };
  readonly errors: number;
  readonly retries: number;
  readonly reconnects: number;
  /** Open loop only: events waiting, and sessions busy with one, when the interval ended. */
  readonly queueLength?: number;
  readonly concurrency?: number;
  readonly dropped?: number;
  /** Of all transactions of the interval: response in the open loop, service in the closed. */
  readonly latency: LatencyRecord;
}

export interface ClientRecord {
  readonly cpuS: number;
  readonly cpuUsPerStatement: number;
  /** Highest of the workers, 0 … 1. */
  readonly eventLoopUtilizationMax: number;
  /** 99th percentile of event-loop delay, milliseconds; highest of the workers. */
  readonly eventLoopDelayP99Ms: number;
  /** Open loop: how late the generator itself was. */
  readonly scheduleLagP99Ms?: number;
  readonly memoryPeakBytes: number;
  readonly workers: number;
  readonly node: string;
}

/** One row: what was sent against what the server counted. */
export interface CrossCheckRow {
  /** The server's counter, such as `Com_select`, or a sum of some. */
  readonly counter: string;
  /** While the sessions connected and prepared, or under load (absent). */
  readonly during?: 'set-up';
  readonly client: number;
  readonly server: number;
}
export type CrossCheck =
  | { readonly is: 'done'; readonly ok: boolean; readonly rows: readonly CrossCheckRow[]; readonly note?: string }
  | { readonly is: 'impossible'; readonly because: string };

export interface LoadSettings {
  /** terminals: users who key in and think; each begins again when it has its reply. */
  readonly mode: 'closed' | 'open' | 'terminals';
  readonly threads: number;
  readonly workers: number;
  /** 0: no limit. */
  readonly timeS: number;
  readonly events: number;
  /** Of every session; absent: no limit. */
  readonly eventsPerThread?: number;
  readonly warmupS: number;
  /** It ended when the load was steady, or at its limit. */
  readonly isWarmupAuto?: boolean;
  readonly terminals?: number;
  /** By which keying and thinking times were multiplied. */
  readonly terminalTimeFactor?: number;
  readonly ratePerS?: number;
  readonly arrivals?: 'poisson' | 'even';
  readonly percentiles: readonly number[];
  readonly randType: string;
  /** Parameters of `--rand-type`, by the options' names: `rand_pareto_h`. */
  readonly rand: Readonly<Record<string, number>>;
  /** What was to be done about errors. */
  readonly errorPolicy: {
    readonly ignore: readonly number[] | 'all';
    readonly attemptsMax: number;
    readonly lostConnection: 'stop' | 'resume';
    readonly reconnectEveryEvents: number;
  };
  readonly preparedStatements: boolean;
}

/** One line of the sheet that says how far a run kept the rules of its workload. */
export interface ConformanceLine {
  readonly is: string;
  /** As measured, with its unit: '1.02 %'. */
  readonly measured: string;
  /** What the rules ask for: '1 %'. */
  readonly wanted: string;
  /** deviates: known, by the profile or option chosen; no: it should have held and did not. */
  readonly conforms: 'yes' | 'no' | 'deviates' | 'unknown';
  /** Why, where that is known. */
  readonly note?: string;
}

export interface TargetRecord {
  readonly flavor: string;
  readonly version: string;
  /** `host:port` or a socket's path; never a password. */
  readonly address: string;
  readonly user: string;
  readonly database: string;
  readonly tls: string | null;
  readonly isPrivate: boolean;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * What one part of a run cost, where transactions come in a fixed order, part by part. Looked at when a part begins, so
 * that a few statements at the seam may be counted with the part before.
 */
export interface PartCost {
  /** Name of its transactions. */
  readonly part: string;
  readonly elapsedS: number;
  /** Of the server's process, in steps of 10 ms; absent where it does not run on this machine. */
  readonly cpuS?: number;
  /** Of this program, observation included. */
  readonly clientCpuS: number;
  /** Times that InnoDB made the disk keep what was written, its log included; absent where it is not told. */
  readonly fsyncs?: number;
}

/** The place of a run in an experiment. */
export interface ExperimentPlace {
  readonly id: string;
  readonly name: string;
  readonly variant: string;
  /** From 1. */
  readonly block: number;
  /** Of the planned runs, from 1. */
  readonly number: number;
  /** From 1: an invalid run is done again. */
  readonly attempt: number;
}

export interface RunRecord {
  readonly format: typeof RUN_FORMAT;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly ending: Ending;
  readonly tags: readonly string[];
  readonly experiment?: ExperimentPlace;
  readonly seed: number;
  readonly sqldyno: { readonly version: string };
  /** As typed, secrets removed. */
  readonly command: readonly string[];
  readonly workload: { readonly name: string; readonly options: Readonly<Record<string, unknown>> };
  readonly load: LoadSettings;
  readonly target: TargetRecord;
  readonly totals: RunTotals;
  readonly rates: { readonly transactionsPerS: number; readonly statementsPerS: number };
  readonly latency: {
    /** All transactions together under the key `all`. */
    readonly transactions: Readonly<Record<string, TransactionLatency>>;
    readonly statements: Readonly<Record<string, LatencyRecord>>;
  };
  readonly intervals: readonly Interval[];
  /** At `--report-checkpoints`: totals and latency since the checkpoint before. */
  readonly checkpoints: readonly Checkpoint[];
  readonly client: ClientRecord;
  readonly host: Readonly<Record<string, string | number>>;
  readonly crossCheck: CrossCheck;
  readonly findings: readonly Finding[];
  /** Absent where the transactions come in no fixed order. */
  readonly serverCost?: { readonly parts: readonly PartCost[] };
  /** By probe. Absent where nothing was watched. */
  readonly series?: Readonly<Record<string, Series>>;
  readonly observation?: Observation;
  /** Absent where the server's performance_schema is off or may not be read. */
  readonly serverAccount?: ServerAccount;
  readonly environment?: Environment;
  readonly phases?: readonly Phase[];
  readonly events?: readonly RunEvent[];
  readonly steadiness?: Steadiness;
  readonly diagnosis?: Diagnosis;
  readonly grade?: Grade;
  readonly durability?: { readonly is: Durability; readonly because: string };
  /** Absent where the workload has no rules of its own. */
  readonly conformance?: readonly ConformanceLine[];
  /** The result in the terms of the tool for which the workload stands, line by line. */
  readonly ownTerms?: readonly string[];
  /** Present where another tool measured it; its `unknown` says which fields of this record hold nothing. */
  readonly imported?: Imported;
}

export interface Checkpoint {
  readonly atS: number;
  readonly totals: RunTotals;
  readonly latency: LatencyRecord;
}
