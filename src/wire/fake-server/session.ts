/** The command phase of one connection: what is asked, what is counted, what is answered. */
import { unreachable } from '../../base/assert.ts';
import { PacketReader } from '../bytes/reader.ts';
import { CAPABILITY, COMMAND, SERVER_STATUS } from '../constants.ts';
import type { SqlValue } from '../types.ts';
import { SessionCounters } from './counters.ts';
import { type ParameterType, readParameters } from './decode.ts';
import { type AnswerSource, defaultAnswer, isFixedAnswer } from './default-answers.ts';
import { localInfilePayload, preparePayloads, type ReplyForm } from './encode.ts';
import { encodedReply, type PlainReply, replyPayloads } from './encoded-replies.ts';
import type { Agreed } from './handshake.ts';
import type { InboxPacket } from './inbox.ts';
import type { Link } from './link.ts';
import { type Answer, type AnswerContext, error, ok, type Reply, type ReplyColumn } from './reply.ts';
import { countParameters, kindOf, type StatementKind, splitStatements } from './statement-kind.ts';

/** ER_LOCK_DEADLOCK: the server has rolled the transaction back. */
const LOCK_DEADLOCK = 1213;
/** In COM_STMT_EXECUTE: command, statement, flags, iteration count. */
const EXECUTE_HEAD_LENGTH = 10;
/** MariaDB: the statement prepared last, so that both requests can be sent at once. */
const LAST_PREPARED = 0xffff_ffff;
const OK = ok();

export interface RecordedStatement {
  readonly connectionId: number;
  readonly command: 'query' | 'prepare' | 'execute';
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** What the sessions of a server have in common. */
export interface SessionServer {
  readonly version: string;
  readonly answer: Answer | undefined;
  readonly skipsMetadata: boolean;
  /** Undefined: nothing is recorded. */
  readonly record: ((statement: RecordedStatement) => void) | undefined;
  readonly variables: ReadonlyMap<string, string>;
  globalStatus(): ReadonlyMap<string, number>;
}

interface PreparedStatement {
  readonly id: number;
  readonly sql: string;
  readonly kind: StatementKind;
  readonly parameterCount: number;
  /** As the client knows them. */
  columns: readonly ReplyColumn[];
  parameterTypes: readonly ParameterType[];
  /** The one reply there is, where nobody needs to be asked. */
  readonly fixedReply: PlainReply | undefined;
}

export class Session implements AnswerSource {
  readonly connectionId: number;
  database: string;
  readonly #counters = new SessionCounters();
  readonly #link: Link;
  readonly #agreed: Agreed;
  readonly #server: SessionServer;
  readonly #statements = new Map<number, PreparedStatement>();
  #statementIdNext = 1;
  #isInTransaction = false;
  #isAutocommit = true;

  constructor(connectionId: number, link: Link, agreed: Agreed, server: SessionServer) {
    this.connectionId = connectionId;
    this.database = agreed.response.database;
    this.#link = link;
    this.#agreed = agreed;
    this.#server = server;
  }

  get version(): string {
    return this.#server.version;
  }

  variables(): ReadonlyMap<string, string> {
    return this.#server.variables;
  }

  globalStatus(): ReadonlyMap<string, number> {
    return this.#server.globalStatus();
  }

  sessionStatus(): Map<string, number> {
    return this.#counters.snapshot(this.#link.bytesReceived, this.#link.bytesSent);
  }

  /** Hot: once a request. */
  handle({ payload, sequenceNext }: InboxPacket): Promise<void> | undefined {
    switch (payload[0]) {
      case COMMAND.STMT_EXECUTE:
        return this.#execute(payload, sequenceNext);
      case COMMAND.QUERY:
        return this.#query(payload.toString('utf8', 1), sequenceNext);
      case COMMAND.STMT_PREPARE:
        return this.#prepare(payload.toString('utf8', 1));
      case COMMAND.STMT_CLOSE:
        this.#counters.count('Com_stmt_close');
        this.#statements.delete(payload.readUInt32LE(1));
        return undefined;
      case COMMAND.STMT_RESET:
        this.#counters.count('Com_stmt_reset');
        return this.#sendPlain(OK);
      case COMMAND.PING:
        this.#counters.count('Com_admin_commands');
        return this.#sendPlain(OK);
      case COMMAND.INIT_DB:
        this.#counters.count('Com_change_db');
        this.#counters.questions++;
        this.database = payload.toString('utf8', 1);
        return this.#sendPlain(OK);
      case COMMAND.RESET_CONNECTION:
        this.#statements.clear();
        this.#isInTransaction = false;
        this.#isAutocommit = true;
        return this.#sendPlain(OK);
      case COMMAND.QUIT:
        this.#link.end();
        return undefined;
      default:
        return this.#sendPlain(error(1047, '08S01', 'Unknown command'));
    }
  }

  /** What a server says on its own, such as that it shuts down. */
  async sendUnasked(reply: Reply): Promise<void> {
    this.#link.startSequence();
    await this.#deliver(reply, { isBinary: false, hasMore: false, statement: undefined });
  }

  #execute(payload: Buffer, sequenceNext: number): Promise<void> | undefined {
    const id = payload.readUInt32LE(1);
    const statement = this.#statements.get(id === LAST_PREPARED ? this.#statementIdNext - 1 : id);
    this.#counters.count('Com_stmt_execute');
    this.#counters.questions++;
    if (statement === undefined) {
      return this.#sendPlain(error(1243, 'HY000', `Unknown prepared statement handler (${id}) given to EXECUTE`));
    }
    this.#counters.count(statement.kind.counter);
    const { fixedReply } = statement;
    if (fixedReply !== undefined && sequenceNext === 1) {
      this.#apply(statement.kind);
      const sendsColumns = !(this.#agreed.cachesMetadata && this.#server.skipsMetadata);
      this.#link.sendEncoded(encodedReply(fixedReply, this.#form(true, sendsColumns)));
      return undefined;
    }
    const reader = new PacketReader(payload, EXECUTE_HEAD_LENGTH);
    const { values, types } = readParameters(reader, statement.parameterCount, statement.parameterTypes);
    statement.parameterTypes = types;
    return this.#answerAndSend('execute', statement.sql, { statement, values, hasMore: false }).then(() => undefined);
  }

  #query(text: string, sequenceNext: number): Promise<void> | undefined {
    const { answer, record } = this.#server;
    if (answer !== undefined || record !== undefined || sequenceNext !== 1 || text.includes(';')) {
      return this.#queryInTurn(text);
    }
    const kind = this.#countQuery(text);
    const reply = defaultAnswer(text, kind.counter, this);
    if (!isPlain(reply)) return this.#deliver(reply, QUERY_DELIVERY).then(() => undefined);
    this.#apply(kind);
    this.#followUse(text, kind);
    this.#link.sendEncoded(encodedReply(reply, this.#form(false, true)));
    return undefined;
  }

  async #queryInTurn(text: string): Promise<void> {
    const isMulti = (this.#agreed.capabilities & CAPABILITY.MULTI_STATEMENTS) !== 0;
    const statements = isMulti ? splitStatements(text) : [text];
    for (const [index, sql] of statements.entries()) {
      this.#countQuery(sql);
      const hasMore = index < statements.length - 1;
      if (!(await this.#answerAndSend('query', sql, { statement: undefined, values: [], hasMore }))) return;
    }
  }

  async #prepare(sql: string): Promise<void> {
    this.#counters.count('Com_stmt_prepare');
    const kind = kindOf(sql);
    const reply = await this.#ask('prepare', sql, []);
    if (reply.is !== 'ok' && reply.is !== 'rows') {
      await this.#deliver(reply, QUERY_DELIVERY);
      return;
    }
    const { answer, record } = this.#server;
    const isFixed = answer === undefined && record === undefined && isFixedAnswer(sql, kind.counter);
    const statement: PreparedStatement = {
      id: this.#statementIdNext++,
      sql,
      kind,
      parameterCount: countParameters(sql),
      columns: reply.is === 'rows' ? reply.columns : [],
      parameterTypes: [],
      fixedReply: isFixed ? reply : undefined,
    };
    this.#statements.set(statement.id, statement);
    this.#link.send(...preparePayloads(statement, this.#form(false, true)));
  }

  /** False where an error or an end of the connection came: what follows is not done. */
  async #answerAndSend(phase: 'query' | 'execute', sql: string, execution: Execution): Promise<boolean> {
    const { statement, values, hasMore } = execution;
    const kind = statement?.kind ?? kindOf(sql);
    const reply = await this.#ask(phase, sql, values);
    if (reply.is !== 'error') this.#apply(kind);
    else if (reply.code === LOCK_DEADLOCK) this.#isInTransaction = false;
    // A server that fails early has not kept the types: a client must not count on it.
    if (reply.is === 'error' && statement !== undefined) statement.parameterTypes = [];
    this.#followUse(sql, kind);
    return this.#deliver(reply, { isBinary: phase === 'execute', hasMore, statement });
  }

  async #ask(phase: AnswerContext['phase'], sql: string, parameters: readonly SqlValue[]): Promise<Reply> {
    const { connectionId } = this;
    this.#server.record?.({ connectionId, command: phase, sql, parameters });
    const told = await this.#server.answer?.(sql, parameters, { phase, connectionId });
    return told ?? defaultAnswer(sql, kindOf(sql).counter, this);
  }

  async #deliver(reply: Reply, delivery: Delivery): Promise<boolean> {
    switch (reply.is) {
      case 'ok':
      case 'error':
      case 'rows':
        this.#link.send(...replyPayloads(reply, this.#formOf(reply, delivery)));
        return reply.is !== 'error';
      case 'several':
        for (const [index, part] of reply.replies.entries()) {
          const hasMore = delivery.hasMore || index < reply.replies.length - 1;
          if (!(await this.#deliver(part, { ...delivery, hasMore }))) return false;
        }
        return true;
      case 'local-infile':
        this.#link.send(localInfilePayload(reply.fileName));
        return this.#deliver(reply.answerWith(await this.#receiveFile()), delivery);
      case 'packets':
        this.#link.send(...reply.payloads);
        return true;
      case 'bytes':
        this.#link.sendEncoded(reply.bytes);
        return true;
      case 'close':
        if (reply.after !== undefined) await this.#deliver(reply.after, delivery);
        this.#link.end();
        return false;
      case 'silence':
        return false;
      default:
        return unreachable(reply);
    }
  }

  /** Packets up to an empty one (page "LOCAL INFILE Data"). */
  async #receiveFile(): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (;;) {
      const part = await this.#link.receive();
      if (part.length === 0) return Buffer.concat(parts);
      parts.push(part);
    }
  }

  #formOf(reply: PlainReply, { isBinary, hasMore, statement }: Delivery): ReplyForm {
    let sendsColumns = true;
    if (reply.is === 'rows' && statement !== undefined && this.#agreed.cachesMetadata) {
      sendsColumns = !this.#server.skipsMetadata || !areSameColumns(reply.columns, statement.columns);
      statement.columns = reply.columns;
    }
    const form = this.#form(isBinary, sendsColumns);
    return hasMore ? { ...form, status: form.status | SERVER_STATUS.MORE_RESULTS_EXISTS } : form;
  }

  #form(isBinary: boolean, sendsColumns: boolean): ReplyForm {
    const { capabilities, cachesMetadata } = this.#agreed;
    const status =
      (this.#isInTransaction ? SERVER_STATUS.IN_TRANS : 0) | (this.#isAutocommit ? SERVER_STATUS.AUTOCOMMIT : 0);
    return { capabilities, cachesMetadata, isBinary, sendsColumns, status };
  }

  #sendPlain(reply: PlainReply): undefined {
    this.#link.send(...replyPayloads(reply, this.#form(false, true)));
  }

  #countQuery(sql: string): StatementKind {
    const kind = kindOf(sql);
    this.#counters.count(kind.counter);
    this.#counters.questions++;
    return kind;
  }

  #apply({ effect }: StatementKind): void {
    switch (effect) {
      case 'none':
        this.#isInTransaction ||= !this.#isAutocommit;
        return;
      case 'begin':
        this.#isInTransaction = true;
        return;
      case 'end':
        this.#isInTransaction = false;
        return;
      case 'autocommit-on':
        this.#isInTransaction = false;
        this.#isAutocommit = true;
        return;
      case 'autocommit-off':
        this.#isAutocommit = false;
        return;
      default:
        unreachable(effect);
    }
  }

  #followUse(sql: string, { counter }: StatementKind): void {
    if (counter === 'Com_change_db') this.database = /use\s+`?([^`;\s]+)/i.exec(sql)?.[1] ?? this.database;
  }
}

interface Execution {
  readonly statement: PreparedStatement | undefined;
  readonly values: readonly SqlValue[];
  readonly hasMore: boolean;
}

interface Delivery {
  readonly isBinary: boolean;
  /** Another result of the same request follows. */
  readonly hasMore: boolean;
  readonly statement: PreparedStatement | undefined;
}
const QUERY_DELIVERY: Delivery = { isBinary: false, hasMore: false, statement: undefined };

function isPlain(reply: Reply): reply is PlainReply {
  return reply.is === 'ok' || reply.is === 'error' || reply.is === 'rows';
}

function areSameColumns(left: readonly ReplyColumn[], right: readonly ReplyColumn[]): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
