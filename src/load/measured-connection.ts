/**
 * A session's connection as the workload sees it: every statement is timed and counted here. What an attempt has sent
 * stays pending until the session says whether the attempt was committed or wasted.
 */
import { ServerError } from '../wire/errors.ts';
import type { Connection, Outcome, ReplyHandler, SqlParameter, SqlValue, Statement } from '../wire/types.ts';
import type { LoadStatement, SessionConnection, StatementKind, StatementOptions } from '../workload/workload.ts';
import type { Names, Recorder } from './recorder.ts';
import type { Sent } from './sent.ts';
import { cutAtPlaceholders, type ServerStatus, type SqlPieces, withLiterals } from './sql-text.ts';
import { type Verb, verbId, verbOf } from './verb.ts';
import type { LoadClock } from './world.ts';

/** ER_UNSUPPORTED_PS: the statement cannot be prepared on this server, as BEGIN on MySQL. */
const UNSUPPORTED_PS = 1295;
/** SERVER_STATUS_IN_TRANS of the protocol manual, "SERVER_STATUS_flags_enum". */
const IN_TRANSACTION = 1;
/** Under which the report shows the ROLLBACKs that the engine itself sends. */
const ROLLBACK_NAME = 'rollback';

/** Enough to know it by. */
const SQL_SHOWN = 60;

const NO_PARAMETERS: readonly SqlParameter[] = [];

export interface MeasuredConnectionParts {
  readonly connection: Connection;
  readonly clock: LoadClock;
  readonly names: Names;
  readonly sent: Sent;
  /** Takes what is sent before the first event. */
  readonly recorder: Recorder;
  readonly preparedStatements: boolean;
  /** Called when new names were registered. */
  onNames(): void;
}

export class MeasuredConnection implements SessionConnection, ReplyHandler {
  readonly connection: Connection;
  /** That of the phase of the current event. */
  recorder: Recorder;
  /** When the first statement of the event was sent; 0 before. */
  firstSendMs = 0;
  /** Errors that the server answered in this attempt. */
  failures = 0;
  lastReplyMs = 0;
  #status: ServerStatus;
  readonly #parts: MeasuredConnectionParts;
  readonly #clock: LoadClock;
  readonly #sent: Sent;
  #inFlight: MeasuredStatement | undefined;
  #sentMs = 0;
  /** Sent in this attempt, by statement id. */
  readonly #pending: number[] = [];
  #pendingWithoutEffect = 0;
  #pendingRows = 0;
  #bytesSentMark: number;
  #bytesReceivedMark: number;
  #rollback: LoadStatement | undefined;
  #resolve!: (outcome: Outcome) => void;
  #reject!: (error: Error) => void;
  /** One executor for all promises of the connection: nothing but the promise itself is made per statement. */
  readonly #settle = (resolve: (outcome: Outcome) => void, reject: (error: Error) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
  };

  constructor(parts: MeasuredConnectionParts) {
    this.connection = parts.connection;
    this.recorder = parts.recorder;
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#sent = parts.sent;
    this.#bytesSentMark = parts.connection.bytesSent;
    this.#bytesReceivedMark = parts.connection.bytesReceived;
  }

  async statement(
    name: string,
    kind: StatementKind,
    sql: string,
    options: StatementOptions = {},
  ): Promise<LoadStatement> {
    assertKind(name, kind, sql);
    const id = this.#register(name, kind);
    const isText = options.text === true || !this.#parts.preparedStatements;
    const prepared = isText ? undefined : await this.#prepare(sql);
    if (prepared !== undefined) this.#parts.names.statements[id]!.isPrepared = true;
    return new MeasuredStatement({ connection: this, name, kind, id, sql, prepared });
  }

  #register(name: string, kind: StatementKind): number {
    const { names } = this.#parts;
    const id = names.statementId(name, kind);
    while (this.#pending.length < names.statements.length) this.#pending.push(0);
    this.#parts.onNames();
    return id;
  }

  /** Undefined where the server cannot prepare this statement. */
  async #prepare(sql: string): Promise<Statement | undefined> {
    this.#sent.prepares++;
    try {
      return await this.connection.prepare(sql);
    } catch (error) {
      if (error instanceof ServerError) this.#sent.errors++;
      if (error instanceof ServerError && error.code === UNSUPPORTED_PS) return undefined;
      throw error;
    }
  }

  get isInTransaction(): boolean {
    return this.#status !== undefined && (this.#status & IN_TRANSACTION) !== 0;
  }

  async rollBack(): Promise<void> {
    this.#rollback ??= await this.statement(ROLLBACK_NAME, 'other', 'ROLLBACK', { text: true });
    await this.#rollback.run();
  }

  /** Hot: once per event. `firstSendMs` is given where the event began on a connection that was lost. */
  begin(recorder: Recorder, firstSendMs = 0): void {
    this.recorder = recorder;
    this.firstSendMs = firstSendMs;
  }

  /** Hot: once per statement. Cost: bench/null.ts. */
  send(statement: MeasuredStatement, parameters: readonly SqlParameter[]): Promise<Outcome> {
    if (this.#inFlight !== undefined) return Promise.reject(this.#overlap(statement));
    const outcome = new Promise(this.#settle);
    this.#inFlight = statement;
    try {
      const { prepared } = statement;
      if (prepared === undefined) {
        const sql = withLiterals(statement.pieces, parameters, this.#status);
        this.#noteTime();
        this.connection.send(sql, this);
      } else {
        this.#noteTime();
        prepared.send(parameters, this);
      }
      // Counted last: values that do not fit the statement are refused before anything is sent.
      this.#countSent(statement);
    } catch (error) {
      this.#inFlight = undefined;
      this.#reject(error as Error);
    }
    return outcome;
  }

  async read(
    statement: MeasuredStatement,
    parameters: readonly SqlParameter[],
  ): Promise<readonly (readonly SqlValue[])[]> {
    if (this.#inFlight !== undefined) throw this.#overlap(statement);
    this.#inFlight = statement;
    try {
      const { prepared } = statement;
      const sql = prepared === undefined ? withLiterals(statement.pieces, parameters, this.#status) : '';
      this.#noteTime();
      const reply = prepared === undefined ? this.connection.read(sql) : prepared.read(parameters);
      this.#countSent(statement);
      const result = await reply;
      this.#noteReply(result);
      return result.rows;
    } catch (error) {
      this.#noteFailure(error as Error);
      throw error;
    }
  }

  #noteTime(): void {
    this.#sentMs = this.#clock.now();
    if (this.firstSendMs === 0) this.firstSendMs = this.#sentMs;
  }

  #countSent(statement: MeasuredStatement): void {
    if (statement.prepared === undefined) this.#sent.queries++;
    else this.#sent.executes++;
    this.#sent.byVerb[statement.verb]!++;
    this.#pending[statement.id]!++;
  }

  /** Hot: once per statement, from the socket's callback. */
  onReply(outcome: Outcome): void {
    this.#noteReply(outcome);
    this.#resolve(outcome);
  }

  onFailure(error: Error): void {
    this.#noteFailure(error);
    this.#reject(error);
  }

  #noteReply(outcome: Outcome): void {
    const nowMs = this.#clock.now();
    const statement = this.#inFlight!;
    this.#inFlight = undefined;
    this.lastReplyMs = nowMs;
    this.#status = outcome.status;
    this.#pendingRows += outcome.rowCount;
    if (statement.isWrite && outcome.affectedRows === 0) this.#pendingWithoutEffect++;
    this.recorder.statements[statement.id]!.latency.record((nowMs - this.#sentMs) * 1000);
  }

  #noteFailure(error: Error): void {
    const statement = this.#inFlight;
    this.#inFlight = undefined;
    if (statement === undefined) return;
    this.lastReplyMs = this.#clock.now();
    if (!(error instanceof ServerError)) return;
    this.failures++;
    this.#sent.errors++;
    this.recorder.statements[statement.id]!.latency.record((this.lastReplyMs - this.#sentMs) * 1000);
  }

  /** Hot: once per event. */
  commit(): void {
    const { statements, counts } = this.recorder;
    for (let id = 0; id < this.#pending.length; id++) {
      statements[id]!.committed += this.#pending[id]!;
      this.#pending[id] = 0;
    }
    counts.rowsRead += this.#pendingRows;
    counts.writesWithoutEffect += this.#pendingWithoutEffect;
    this.#closeAttempt();
  }

  waste(): void {
    const { statements } = this.recorder;
    for (let id = 0; id < this.#pending.length; id++) {
      statements[id]!.wasted += this.#pending[id]!;
      this.#pending[id] = 0;
    }
    this.#closeAttempt();
  }

  #closeAttempt(): void {
    this.failures = 0;
    const { bytesSent, bytesReceived } = this.connection;
    this.recorder.counts.bytesSent += bytesSent - this.#bytesSentMark;
    this.recorder.counts.bytesReceived += bytesReceived - this.#bytesReceivedMark;
    this.#bytesSentMark = bytesSent;
    this.#bytesReceivedMark = bytesReceived;
    this.#pendingRows = 0;
    this.#pendingWithoutEffect = 0;
  }

  #overlap(statement: MeasuredStatement): Error {
    return new Error(
      `The workload runs '${statement.name}' while '${this.#inFlight?.name}' of the same session awaits its reply: await each statement.`,
    );
  }
}

const KINDS: Readonly<Partial<Record<Verb, StatementKind>>> = {
  select: 'read',
  insert: 'write',
  update: 'write',
  delete: 'write',
  begin: 'other',
  commit: 'other',
  rollback: 'other',
};

/** A kind is what a statement is: one that is called otherwise would make reads of writes in every report. */
function assertKind(name: string, kind: StatementKind, sql: string): void {
  const wanted = KINDS[verbOf(sql)];
  if (wanted === undefined || wanted === kind) return;
  throw new Error(`The workload calls statement '${name}' ${kind}, and it is ${wanted}: ${sql.slice(0, SQL_SHOWN)}`);
}

interface MeasuredStatementParts {
  readonly connection: MeasuredConnection;
  readonly name: string;
  readonly kind: StatementKind;
  readonly id: number;
  readonly sql: string;
  readonly prepared: Statement | undefined;
}

class MeasuredStatement implements LoadStatement {
  readonly name: string;
  readonly kind: StatementKind;
  readonly isWrite: boolean;
  readonly id: number;
  readonly verb: number;
  readonly prepared: Statement | undefined;
  readonly pieces: SqlPieces;
  readonly #connection: MeasuredConnection;

  constructor({ connection, name, kind, id, sql, prepared }: MeasuredStatementParts) {
    this.name = name;
    this.kind = kind;
    this.isWrite = kind === 'write';
    this.id = id;
    this.verb = verbId(sql);
    this.prepared = prepared;
    this.pieces = prepared === undefined ? cutAtPlaceholders(sql) : [];
    this.#connection = connection;
  }

  run(parameters: readonly SqlParameter[] = NO_PARAMETERS): Promise<Outcome> {
    return this.#connection.send(this, parameters);
  }

  rows(parameters: readonly SqlParameter[] = NO_PARAMETERS): Promise<readonly (readonly SqlValue[])[]> {
    return this.#connection.read(this, parameters);
  }
}
