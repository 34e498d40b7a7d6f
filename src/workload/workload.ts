/**
 * The contract of a workload: one file in `catalog/` with `export default defineWorkload({ … })`.
 * A workload says WHAT is done to the database. The engine (load/) owns when, how often, timing, counting,
 * retry, rollback, reconnect and pacing.
 */
import type { OptionsSchema, ValuesOf } from '../base/options.ts';
import type { Random } from '../base/random.ts';
import type { ConformanceLine, RunRecord } from '../model/run.ts';
import type { Connection, Outcome, SqlParameter, SqlValue } from '../wire/types.ts';
import type { Rounds, RoundsContext } from './rounds.ts';

/** read: SELECT and kin. write: changes rows. other: BEGIN, COMMIT, SET, DDL … */
export type StatementKind = 'read' | 'write' | 'other';

/** A statement of a session: prepared, or sent as text with `--db-ps-mode=disable`. Timed and counted by name. */
export interface LoadStatement {
  readonly name: string;
  readonly kind: StatementKind;
  /** Hot: rows are counted, not decoded. The outcome is valid until the next statement of this session. */
  run(parameters?: readonly SqlParameter[]): Promise<Outcome>;
  /** Like run, with decoded rows. */
  rows(parameters?: readonly SqlParameter[]): Promise<readonly (readonly SqlValue[])[]>;
}

export interface SessionConnection {
  /** `name` is what the report shows ('point_select'); statements of one name are one line, whatever their table. */
  statement(name: string, kind: StatementKind, sql: string, options?: StatementOptions): Promise<LoadStatement>;
}

export interface StatementOptions {
  /** Always as text, as sysbench sends the INSERT of oltp_insert. */
  readonly text?: boolean;
}

/** Draws keys by `--rand-type`. */
export interface KeyDistribution {
  /** An integer in [from, to], both included. */
  draw(random: Random, from: number, to: number): number;
}

/** One transaction type: the engine picks by weight and times each name apart. */
export interface Transaction {
  readonly weight: number;
  /**
   * Runs once, whole. Throwing is left to the engine's policy: it sends ROLLBACK, then retries, skips or stops. Where
   * the transaction was meant to be undone, and `run` has sent the ROLLBACK itself, it resolves with 'rolled back':
   * that is counted apart, and is no committed work.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an async function that returns nothing has this type.
  run(event: TransactionEvent): Promise<'rolled back' | void>;
  /**
   * True where `run` wraps its statements in BEGIN … COMMIT: the engine sends ROLLBACK before a retry. A rollback is
   * sent also where the server's status flags say that a transaction is open.
   */
  readonly transactional?: boolean;
  /** With `--terminals`: seconds a user takes to key the input in. The transaction is due when they are over. */
  readonly keyingS?: number;
  /** With `--terminals`: the mean of the exponential time for which a user thinks after the reply, seconds. */
  readonly thinkMeanS?: number;
  /** With `--terminals`: the user does not wait for it, but begins to think as soon as it is queued. */
  readonly isDeferred?: boolean;
}

export interface TransactionEvent {
  /** Number of this event over all threads, from 0. A retry keeps it. */
  readonly index: number;
  /** With `--terminals`: number of the user, from 0; -1 without. */
  readonly terminal: number;
}

/**
 * Counts something of the workload's own, such as order lines from another warehouse. What an attempt has added counts
 * when the transaction is committed, or rolled back on purpose; of a failed attempt nothing does.
 */
export interface TallyCounter {
  /** Hot: whole numbers; 1 where none is given. */
  add(count?: number): void;
}

export type Session = Readonly<Record<string, Transaction>>;

export interface SessionContext<S extends OptionsSchema> {
  /** Statements run before `session` returns are set-up: the engine counts them apart, as it does connecting. */
  readonly connection: SessionConnection;
  /** One object for all sessions of a run in one worker, after a reconnect too: a key for what belongs to the run. */
  readonly options: ValuesOf<S>;
  /** Restarted by the engine for every event: draw nothing from it outside `run`. */
  readonly random: Random;
  readonly keys: KeyDistribution;
  /** 0 … threads - 1. */
  readonly sessionIndex: number;
  readonly threads: number;
  /** Number of users that key in and think, by `--terminals`; 0: none, every session works flat out. */
  readonly terminals: number;
  /** The counter of this name, in the record under `totals.tallies`. To be asked for before `session` returns. */
  tally(name: string): TallyCounter;
  /** Resolves after so many milliseconds, or as soon as the load is over: for pauses that belong to a transaction. */
  pause(ms: number): Promise<void>;
  /** `--validate`: check what is read, and throw a `ValidationError` with what was expected. */
  readonly validate: boolean;
  readonly seed: number;
}

/** A wrong result found by `--validate`: the run goes on, is invalid, and exits 4. */
export class ValidationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ValidationError';
  }
}

/** For prepare, prewarm, check and cleanup: many plain connections, work dealt over them. */
export interface MaintenanceContext<S extends OptionsSchema> {
  /** Opens one more connection to the target; the caller closes it. */
  connect(): Promise<Connection>;
  readonly options: ValuesOf<S>;
  /** How many connections to work with at once. */
  readonly threads: number;
  readonly seed: number;
  readonly keys: KeyDistribution;
  /** Aborted on Ctrl-C: stop at the next safe point, so that a later prepare can go on from there. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export interface Progress {
  /** A line worth keeping: "Creating table 'sbtest1'...". */
  note(line: string): void;
  /** Steps of one activity, such as rows loaded. Time left is derived from it. */
  advance(activity: string, done: number, total: number): void;
}

/** For data as SQL, without a server. */
export interface SqlContext<S extends OptionsSchema> {
  readonly options: ValuesOf<S>;
  readonly seed: number;
  /** To be created where it is not there, and used. */
  readonly database: string;
}

/** What a run will need of the server: checked before it starts. */
export interface Needs {
  /** Prepared statements each session holds, as counted against max_prepared_stmt_count. */
  readonly statementsPerSession: number;
  readonly writes: boolean;
  readonly tables: readonly TableNeed[];
  /** One statement of each kind: preparing them (never executing) shows which privilege is missing. */
  readonly probes?: readonly string[];
  /** Length of the longest statement, as counted against max_allowed_packet; absent: ordinary. */
  readonly statementBytesMax?: number;
}
export interface TableNeed {
  readonly name: string;
  /** Columns that must exist with these base types: `{ id: 'int', c: 'char(120)' }`. */
  readonly columns: Readonly<Record<string, string>>;
  /** Fewest rows for which the workload's keys all exist; 0 where any number will do. */
  readonly rowsMin: number;
  /** The column whose values are 1, 2 and so on; absent: `id`, where there is one. */
  readonly key?: string;
  /** Absent: `--table-size`. */
  readonly size?: TableSize;
}

/** Which option decides how many rows a table has. */
export interface TableSize {
  /** `--scale` */
  readonly option: string;
  readonly rowsPerUnit: number;
}

/** A statement of one transaction and how often it is sent; with several transaction types, their weighted mean. */
export interface MixLine {
  readonly name: string;
  readonly kind: StatementKind;
  readonly perTransaction: number;
}

/** How much there is to do, where it is the workload that knows. */
export interface Work {
  /** Transactions over all sessions, unless `--events` says otherwise. */
  readonly events?: number;
  /** Transactions of every session, unless `--events-per-thread` says otherwise. */
  readonly eventsPerThread?: number;
  /** How many sessions there are, where an option of the workload says it, unless `--threads` says otherwise. */
  readonly threads?: number;
  /**
   * Which transactions come, in this order, in place of a choice by weight; `events` is then their sum. A run with one
   * session keeps the order strictly.
   */
  readonly sequence?: readonly SequencePart[];
}
export interface SequencePart {
  readonly transaction: string;
  readonly events: number;
  /** It cannot share its time with other sessions: a run on more than one is refused. */
  readonly isAlone?: boolean;
}

/** One consistency check of the data, and what came out. */
export interface CheckResult {
  /** What must hold, as a sentence. */
  readonly is: string;
  readonly ok: boolean;
  /** What was found, with an example, where it does not hold; or why it was not checked. */
  readonly because?: string;
  /** It does not apply now, such as a condition that holds right after loading only. */
  readonly skipped?: boolean;
}

/** What stands in the way of a run or a prepare, found by looking at the server before it starts. */
export interface TargetProblem {
  /** Stable, for programs: `max-connections`. */
  readonly id: string;
  /** `stop`: it would fail or prove nothing. `warning`: it goes, and may not be what was meant. */
  readonly severity: 'stop' | 'warning';
  readonly is: string;
  /** What to do, with the exact command or SQL. */
  readonly remedy: string;
}

export interface Workload<S extends OptionsSchema = OptionsSchema> {
  readonly summary: string;
  /** More than the summary, for `help`: paragraphs, whose line breaks are kept. */
  readonly details?: readonly string[];
  readonly options: S;
  /** Defaults of options that every workload takes, where others suit this one better: `{ rand_type: 'uniform' }`. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** Problems of the combination of options, each a sentence with a remedy. */
  validate?(options: ValuesOf<S>): readonly string[];
  /**
   * Where options name files: the same options with the files' text in them. Called once, before everything else, so
   * that every worker and the record have the same text, whatever becomes of the file. `read` throws a `UserError`.
   */
  readFiles?(options: ValuesOf<S>, read: (path: string) => string): ValuesOf<S>;
  /** `threads`: how many sessions there will be; 1 where not given. */
  needs(options: ValuesOf<S>, threads?: number): Needs;
  /** What one transaction sends, told before the run. */
  mix?(options: ValuesOf<S>): readonly MixLine[];
  /** Checks of its own on the server, before a run. */
  inspect?(connection: Connection, options: ValuesOf<S>): Promise<readonly TargetProblem[]>;
  /**
   * Where given, and the user has written none of --time, --events and --events-per-thread, the run ends when this work
   * is done, whatever time it takes.
   */
  work?(options: ValuesOf<S>): Work | undefined;
  /** Where given, `run` consists of these rounds, and makes and removes the data itself. */
  rounds?(options: ValuesOf<S>, context: RoundsContext): Rounds<S>;
  prepare?(context: MaintenanceContext<S>): Promise<void>;
  /** The options on which depends what `prepare` makes, by name: runs that agree in them can share it. Absent: all. */
  readonly dataOptions?: readonly string[];
  /** What prepare would do, as statements for a client program, each with its semicolon: for `print-sql`. */
  sql?(context: SqlContext<S>): Iterable<string>;
  prewarm?(context: MaintenanceContext<S>): Promise<void>;
  cleanup?(context: MaintenanceContext<S>): Promise<void>;
  /** Is the data what it must be? For `check`, after the look at server and tables that every run begins with. */
  check?(context: MaintenanceContext<S>): Promise<readonly CheckResult[]>;
  /** What the run did, against what its rules ask for. Part of the record. */
  conformance?(run: RunRecord, options: ValuesOf<S>): readonly ConformanceLine[];
  /** The result as the tool for which this workload stands prints it, line by line. Part of the record. */
  ownTerms?(run: RunRecord, options: ValuesOf<S>): readonly string[];
  /** Once per connection, before the clock starts; again after a reconnect. */
  session(context: SessionContext<S>): Promise<Session>;
}

export function defineWorkload<const S extends OptionsSchema>(workload: Workload<S>): Workload<S> {
  return workload;
}
