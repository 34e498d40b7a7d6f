/** What the engine is asked to do, and what it gives back. All of it survives structured cloning to a worker thread. */
import type {
  Checkpoint,
  ClientRecord,
  Ending,
  Finding,
  Interval,
  LatencyRecord,
  LoadSettings,
  RunTotals,
  TransactionLatency,
} from '../model/run.ts';
import type { ConnectOptions } from '../wire/types.ts';
import type { SequencePart } from '../workload/workload.ts';
import type { ClientState } from './messages.ts';

export const RAND_TYPES = ['uniform', 'gaussian', 'special', 'pareto', 'zipfian'] as const;
export type RandType = (typeof RAND_TYPES)[number];

/** Parameters of `--rand-type`, by sysbench's names and defaults. */
export interface RandSettings {
  readonly type: RandType;
  /** Spreads hot keys over the whole table instead of leaving them adjacent. */
  readonly scrambled: boolean;
  readonly specIter: number;
  readonly specPct: number;
  readonly specRes: number;
  readonly paretoH: number;
  readonly zipfianExp: number;
}

export interface ErrorPolicy {
  /** Error codes after which the event is rolled back and tried again; 'all' for any server error. */
  readonly ignore: readonly number[] | 'all';
  /** Attempts of one event, the first included; then it is skipped and counted. */
  readonly attemptsMax: number;
  /**
   * On a lost connection: 'stop' ends the run, 'resume' reconnects (paced, with a deadline) and goes on.
   * `reconnectEveryEvents` > 0 also reconnects after that many events, as sysbench 1.1's --reconnect=N.
   */
  readonly lostConnection: 'stop' | 'resume';
  readonly reconnectDeadlineS: number;
  readonly reconnectEveryEvents: number;
}

/** Most events of the measured part; 0: no limit. */
export function eventsMaxOf({ events, eventsPerThread, threads }: LoadPlan): number {
  return eventsPerThread > 0 ? eventsPerThread * threads : events;
}

/** Events that become due by a clock, and may wait: there is a response time beside the service time. */
export function hasDueTimes({ ratePerS, terminals }: Pick<LoadPlan, 'ratePerS' | 'terminals'>): boolean {
  return ratePerS > 0 || terminals > 0;
}

export interface LoadPlan {
  readonly workload: {
    readonly name: string;
    readonly path?: string;
    readonly options: Readonly<Record<string, unknown>>;
  };
  /** Several: connections take them in turn. */
  readonly targets: readonly ConnectOptions[];
  readonly threads: number;
  readonly workers: number;
  /** 0: no limit. */
  readonly timeS: number;
  /** 0: no limit. */
  readonly events: number;
  /** Of every session; 0: no limit. Not together with `events`. */
  readonly eventsPerThread: number;
  /** In place of a choice by weight; empty: none. */
  readonly sequence: readonly SequencePart[];
  /** Users who key in and think, over all workers; 0: none. Not together with `ratePerS`. */
  readonly terminals: number;
  /** Keying and thinking times are multiplied by it. */
  readonly terminalTimeFactor: number;
  readonly warmupS: number;
  /** `warmupS` is the longest it may be: measuring begins when the load is steady. */
  readonly isWarmupAuto: boolean;
  readonly ratePerS: number;
  readonly arrivals: 'poisson' | 'even';
  readonly queueMax: number;
  readonly intervalS: number;
  readonly checkpointsS: readonly number[];
  readonly percentiles: readonly number[];
  /** Seconds after the end of time at which what still runs is cut off; undefined: wait for it. */
  readonly forcedShutdownS: number | undefined;
  readonly threadInitTimeoutS: number;
  readonly rand: RandSettings;
  readonly seed: number;
  readonly validate: boolean;
  readonly preparedStatements: boolean;
  readonly errors: ErrorPolicy;
}

/** Statements by what the protocol and the server's counters see of them, from connect to disconnect. */
export interface SentCounts {
  readonly connects: number;
  readonly prepares: number;
  readonly executes: number;
  /** COM_QUERY packets. */
  readonly queries: number;
  /**
   * By the counter that the server raises, prepared and text together: select, insert, update, delete, begin, commit,
   * rollback, other. Statements over several tables and INSERT … SELECT have counters of their own: they are 'other'.
   */
  readonly byVerb: Readonly<Record<string, number>>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly errors: number;
}

/** Where the lab can look at the server while the engine waits for it. */
export interface LoadHooks {
  /** Aborted after `signal`, by a second Ctrl-C: what is under way is not waited for any more. */
  readonly atOnce?: AbortSignal;
  onPhase?(phase: 'connecting' | 'warming up' | 'measuring' | 'stopping'): void;
  /** All sessions are connected and prepared; nothing of the load has been sent. */
  onReady?(setup: SentCounts): Promise<void>;
  /** The last reply has arrived; connections are still open. `sent` counts from onReady on, warm-up included. */
  onFinished?(sent: SentCounts): Promise<void>;
  onInterval?(interval: Interval): void;
  /** What a worker's thread has cost so far, once every interval. */
  onClient?(worker: number, state: ClientState): void;
  /** The first event of this part of a sequence is about to begin, or has begun just now. */
  onPart?(part: string): void;
  onCheckpoint?(checkpoint: Checkpoint): void;
  /** A line worth showing now: an error that stops the run, a reconnect, a second Ctrl-C that is needed. */
  onNote?(line: string): void;
}

export interface LoadResult {
  readonly ending: Ending;
  /** Wall clock, when the measured part began and when it ended: `elapsedS` apart unless the clock was set. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly settings: LoadSettings;
  readonly totals: RunTotals;
  readonly latency: {
    readonly transactions: Readonly<Record<string, TransactionLatency>>;
    readonly statements: Readonly<Record<string, LatencyRecord>>;
  };
  readonly intervals: readonly Interval[];
  readonly checkpoints: readonly Checkpoint[];
  readonly client: ClientRecord;
  readonly findings: readonly Finding[];
  readonly setup: SentCounts;
  readonly sent: SentCounts;
}

/**
 * The engine: `applyLoad` in `engine.ts`. Aborting the signal ends the run in good order: ending `interrupted`. Rejects
 * where no connection worked (a `UserError`) and for mistakes in our code or a hook; otherwise it resolves, whatever
 * happens.
 */
export type ApplyLoad = (plan: LoadPlan, hooks: LoadHooks, signal: AbortSignal) => Promise<LoadResult>;
