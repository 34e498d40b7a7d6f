/**
 * The contract of a workload: one file in `catalog/` with `export default defineWorkload({ … })`.
 * A workload says WHAT is done to the database. The engine (load/) owns when, how often, timing, counting,
 * retry, rollback, reconnect and pacing.
 */
import type { OptionsSchema, ValuesOf } from '../base/options.ts';
import type { Random } from '../base/random.ts';
import type { Connection, Outcome, SqlParameter, SqlValue } from '../wire/types.ts';

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
  /** Runs once, whole. Throwing is left to the engine's policy: it sends ROLLBACK, then retries, skips or stops. */
  run(event: TransactionEvent): Promise<void>;
  /**
   * True where `run` wraps its statements in BEGIN … COMMIT: the engine sends ROLLBACK before a retry. A rollback is
   * sent also where the server's status flags say that a transaction is open.
   */
  readonly transactional?: boolean;
}

export interface TransactionEvent {
  /** Number of this event over all threads, from 0. A retry keeps it. */
  readonly index: number;
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
}

/** A statement of one transaction and how often it is sent; with several transaction types, their weighted mean. */
export interface MixLine {
  readonly name: string;
  readonly kind: StatementKind;
  readonly perTransaction: number;
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
  /** More than the summary, for `help`: paragraphs. */
  readonly details?: readonly string[];
  readonly options: S;
  /** Problems of the combination of options, each a sentence with a remedy. */
  validate?(options: ValuesOf<S>): readonly string[];
  /** `threads`: how many sessions there will be; 1 where not given. */
  needs(options: ValuesOf<S>, threads?: number): Needs;
  /** What one transaction sends, told before the run. */
  mix?(options: ValuesOf<S>): readonly MixLine[];
  /** Checks of its own on the server, before a run. */
  inspect?(connection: Connection, options: ValuesOf<S>): Promise<readonly TargetProblem[]>;
  prepare?(context: MaintenanceContext<S>): Promise<void>;
  prewarm?(context: MaintenanceContext<S>): Promise<void>;
  cleanup?(context: MaintenanceContext<S>): Promise<void>;
  /** Once per connection, before the clock starts; again after a reconnect. */
  session(context: SessionContext<S>): Promise<Session>;
}

export function defineWorkload<const S extends OptionsSchema>(workload: Workload<S>): Workload<S> {
  return workload;
}
