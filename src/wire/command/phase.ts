/** The command phase of one connection: requests out, replies to their handlers. One statement at a time. */
import { assert } from '../../base/assert.ts';
import { framePayload, HEADER_LENGTH } from '../bytes/frame.ts';
import { PacketWriter } from '../bytes/writer.ts';
import { type Channel, NOTHING_EXPECTED } from '../channel.ts';
import { COMMAND } from '../constants.ts';
import { WireError } from '../errors.ts';
import type { Agreement } from '../handshake/greeting.ts';
import type { ReplyHandler, ServerFlavor, SqlParameter } from '../types.ts';
import { encodeExecute, type ParameterTypes } from './encode-execute.ts';
import type { ReplyExpectation, ResultShape } from './expectation.ts';
import type { Prepared } from './prepare-reply.ts';
import { ReplyMachine } from './reply.ts';
import { RequestBuffer, textBytesMax, writeUtf8 } from './request-buffer.ts';

export class CommandPhase {
  readonly channel: Channel;
  readonly #replies: ReplyMachine;
  readonly #out = new RequestBuffer();
  #endedBecause: Error | undefined;
  /** Of the connection: called once, after a statement in flight has failed. */
  onEnd: ((because: Error | undefined) => void) | undefined;

  constructor(channel: Channel, agreement: Agreement, flavor: ServerFlavor) {
    this.channel = channel;
    this.#replies = new ReplyMachine(channel, agreement, flavor, (because) => {
      this.#endedBecause = because;
      this.onEnd?.(because);
    });
    channel.expectedSequence = NOTHING_EXPECTED;
    channel.handOverTo(this.#replies);
  }

  get isAwaitingServer(): boolean {
    return this.#replies.isAwaitingServer;
  }

  get isIdle(): boolean {
    return this.#replies.isIdle;
  }

  /** The answer to the last prepare, for its handler. */
  get prepared(): Prepared {
    return this.#replies.prepared;
  }

  /** Hot: COM_QUERY; rows are counted. */
  query(sql: string | Uint8Array, handler: ReplyHandler): void {
    if (this.channel.isOver) {
      this.#refuse(handler);
      return;
    }
    this.#replies.expect(handler, null);
    this.#sendText(COMMAND.QUERY, sql);
  }

  /** COM_QUERY whose rows somebody looks at, or that may read a file. */
  queryWith(sql: string | Uint8Array, expectation: ReplyExpectation): void {
    if (this.channel.isOver) {
      this.#refuse(expectation.handler);
      return;
    }
    this.#replies.expectResults(expectation);
    this.#sendText(COMMAND.QUERY, sql);
  }

  /** Hot: COM_STMT_EXECUTE; rows are counted. */
  execute(types: ParameterTypes, shape: ResultShape, parameters: readonly SqlParameter[], handler: ReplyHandler): void {
    if (this.channel.isOver) {
      this.#refuse(handler);
      return;
    }
    assert(this.#replies.isIdle, 'a connection carries one statement at a time');
    const end = encodeExecute(this.#out, types, parameters);
    this.#replies.expect(handler, shape);
    this.#out.send(this.channel, end);
  }

  /** COM_STMT_EXECUTE whose rows somebody looks at. */
  executeWith(types: ParameterTypes, parameters: readonly SqlParameter[], expectation: ReplyExpectation): void {
    if (this.channel.isOver) {
      this.#refuse(expectation.handler);
      return;
    }
    assert(this.#replies.isIdle, 'a connection carries one statement at a time');
    const end = encodeExecute(this.#out, types, parameters);
    this.#replies.expectResults(expectation);
    this.#out.send(this.channel, end);
  }

  prepare(sql: string, handler: ReplyHandler): void {
    if (this.channel.isOver) {
      this.#refuse(handler);
      return;
    }
    this.#replies.expectPrepared(handler);
    this.#sendText(COMMAND.STMT_PREPARE, sql);
  }

  /** A command of one byte that is answered with OK. */
  command(command: number, handler: ReplyHandler): void {
    if (this.channel.isOver) {
      this.#refuse(handler);
      return;
    }
    this.#replies.expect(handler, null);
    this.#sendText(command, '');
  }

  /** COM_STMT_CLOSE has no reply. It may go out while one is awaited: the server reads it afterwards. */
  closeStatement(id: number): void {
    if (this.channel.isOver) return;
    assert(!this.#replies.isUploading, 'a file in transit cannot be interrupted by a command');
    this.channel.send(new PacketWriter().u8(COMMAND.STMT_CLOSE).u32(id).toPacket(0));
  }

  /** COM_QUIT: the server closes without an answer. */
  quit(): void {
    this.channel.send(framePayload(Uint8Array.of(COMMAND.QUIT), 0));
    this.channel.shutDown();
  }

  /** The file has gone out whole. */
  uploaded(): void {
    this.#replies.uploaded();
  }

  /** Not at once: a handler that sends again on failure would never return. */
  #refuse(handler: ReplyHandler): void {
    const because = this.#endedBecause;
    const after = because === undefined ? '.' : `: ${because.message}`;
    const error = new WireError('closed', `The connection is closed${after}`, { cause: because });
    queueMicrotask(() => handler.onFailure(error));
  }

  /** Hot for COM_QUERY. */
  #sendText(command: number, text: string | Uint8Array): void {
    const out = this.#out;
    const start = HEADER_LENGTH + 1;
    let end: number;
    if (typeof text === 'string') {
      out.reserve(1 + textBytesMax(text));
      end = writeUtf8(out.bytes, start, text);
    } else {
      out.reserve(1 + text.length);
      out.bytes.set(text, start);
      end = start + text.length;
    }
    out.bytes[HEADER_LENGTH] = command;
    out.send(this.channel, end);
  }
}
