/**
 * The command phase's replies, packet by packet: OK, ERR, result sets one after another, the answer to a prepare, and
 * the server's wish for a local file. Hot: `onPacket` runs once per packet, most of them rows that nobody looks at.
 */
import { assert } from '../../base/assert.ts';
import { PacketReader } from '../bytes/reader.ts';
import { type Channel, NOTHING_EXPECTED, outOfOrder, type Receiver } from '../channel.ts';
import { CAPABILITY, MARIADB_CAPABILITY, REPLY, SERVER_STATUS } from '../constants.ts';
import { type ServerError, WireError } from '../errors.ts';
import type { Agreement } from '../handshake/greeting.ts';
import { errorText, readColumn, readError } from '../packets.ts';
import type { Column, Outcome, ReplyHandler, ServerFlavor } from '../types.ts';
import type { ReplyExpectation, ResultShape, ResultSink, Uploader } from './expectation.ts';
import { lenencAt, lenencSizeAt } from './lenenc.ts';
import { type Prepared, PrepareReply } from './prepare-reply.ts';
import { isEofPacket, malformed } from './reply-packets.ts';

/** What is due next. Small integers, because the switch over them runs once per packet. */
const IDLE = 0;
const HEAD = 1;
const COLUMNS = 2;
const COLUMNS_END = 3;
const ROWS = 4;
const PREPARING = 5;
const UPLOADING = 6;

/** Of an EOF packet; a row that begins with 0xfe is longer, since 0xfe announces a length of eight bytes. */
const EOF_LENGTH_MAX = 8;
/** With DEPRECATE_EOF rows end with an OK packet under 0xfe; a row that begins with 0xfe has at least 2^24 bytes. */
const END_LENGTH_MAX = 0xff_fffe;
const OK_LENGTH_MIN = 7;

/** The name is the server's text, and goes into an error message. */
const FILE_NAME_SHOWN_MAX = 256;

export class ReplyMachine implements Receiver {
  readonly #channel: Channel;
  readonly #flavor: ServerFlavor;
  readonly #deprecatesEof: boolean;
  readonly #cachesColumns: boolean;
  /** Of the connection: when it is over, after a statement in flight has failed. */
  readonly #onEnd: (because: Error | undefined) => void;

  readonly outcome: Outcome = {
    hasRows: false,
    rowCount: 0,
    affectedRows: 0,
    lastInsertId: 0,
    warningCount: 0,
    status: 0,
  };

  #state = IDLE;
  #handler: ReplyHandler | null = null;
  #sink: ResultSink | null = null;
  #shape: ResultShape | null = null;
  #uploader: Uploader | null = null;
  #hasUploaded = false;
  #isComplete = false;
  #error: ServerError | null = null;

  #columnsLeft = 0;
  /** Filled only where somebody will look at them. */
  #columns: Column[] = [];
  #keepsColumns = false;
  #affectedRows = 0;
  #lastInsertId = 0;

  #prepareReply: PrepareReply;

  constructor(
    channel: Channel,
    agreement: Agreement,
    flavor: ServerFlavor,
    onEnd: (because: Error | undefined) => void,
  ) {
    this.#channel = channel;
    this.#flavor = flavor;
    this.#deprecatesEof = (agreement.capabilities & CAPABILITY.DEPRECATE_EOF) !== 0;
    this.#cachesColumns = (agreement.mariadbCapabilities & MARIADB_CAPABILITY.CACHE_METADATA) !== 0;
    this.#prepareReply = new PrepareReply(this.#deprecatesEof);
    this.#onEnd = onEnd;
  }

  get isIdle(): boolean {
    return this.#state === IDLE && !this.#isComplete;
  }

  /** True while the server owes us something. */
  get isAwaitingServer(): boolean {
    return this.#state !== IDLE && this.#state !== UPLOADING;
  }

  get isUploading(): boolean {
    return this.#state === UPLOADING;
  }

  /** The answer to the last prepare. */
  get prepared(): Prepared {
    return this.#prepareReply;
  }

  /** Hot: a request is about to go out whose rows are counted. */
  expect(handler: ReplyHandler, shape: ResultShape | null): void {
    assert(this.isIdle, 'a connection carries one statement at a time');
    this.#begin(HEAD, handler);
    this.#shape = shape;
  }

  /** The same where somebody wants to see the rows, or offers a file. */
  expectResults({ handler, sink, shape, uploader }: ReplyExpectation): void {
    this.expect(handler, shape ?? null);
    this.#sink = sink ?? null;
    this.#uploader = uploader ?? null;
    this.#hasUploaded = false;
  }

  expectPrepared(handler: ReplyHandler): void {
    assert(this.isIdle, 'a connection carries one statement at a time');
    this.#begin(PREPARING, handler);
    this.#prepareReply = new PrepareReply(this.#deprecatesEof);
  }

  /** The file has been sent: the server's verdict is due. */
  uploaded(): void {
    if (this.#state === UPLOADING) this.#state = HEAD;
  }

  /** Hot. */
  onPacket(buffer: Buffer, start: number, end: number): void {
    if (start === end) throw malformed('is empty');
    switch (this.#state) {
      case ROWS:
        this.#onRow(buffer, start, end);
        return;
      case HEAD:
        this.#onHead(buffer, start, end);
        return;
      case COLUMNS:
        this.#onColumn(buffer, start, end);
        return;
      case COLUMNS_END:
        if (this.#isEof(buffer, start, end)) this.#state = ROWS;
        return;
      case PREPARING:
        if (buffer[start] === REPLY.ERR) this.#fail(buffer, start, end);
        else if (this.#prepareReply.onPacket(buffer, start, end)) this.#complete();
        return;
      default:
        assert(false, 'no packet is due in this state, so none is in sequence');
    }
  }

  /** Hot: the reply is given to its handler only now, so that bytes after it cannot pass for the next one. */
  onChunkEnd(): void {
    if (this.#isComplete) this.#deliver();
  }

  onUnasked(payload: Buffer, sequence: number): void {
    const { expectedSequence: expected, firstReplySequence } = this.#channel;
    const error = readError(new PacketReader(payload), this.#flavor);
    // With nothing due, or with sequence 0, which begins an exchange, the server speaks of its own accord, because it
    // is about to close. So it does when it will not read a long request to its end: it then answers the part read.
    const isEarly = expected === firstReplySequence && sequence < expected;
    if (this.#state === IDLE || sequence === 0 || isEarly) {
      throw new WireError('closed', `The server closed the connection: ${errorText(error)}.`, { cause: error });
    }
    const { message } = outOfOrder(expected, sequence);
    throw new WireError('protocol', `${message} It is an error: ${errorText(error)}.`, { cause: error });
  }

  onEnd(because: Error | undefined): void {
    // A reply that is whole counts, even where the server went on to break the connection in the same chunk.
    if (this.#isComplete) this.#deliver();
    const handler = this.#handler;
    this.#state = IDLE;
    this.#handler = null;
    this.#uploader?.abandon();
    handler?.onFailure(because ?? new WireError('closed', 'The connection was closed before the reply had come.'));
    this.#onEnd(because);
  }

  #begin(state: number, handler: ReplyHandler): void {
    this.#state = state;
    this.#handler = handler;
    this.#sink = null;
    this.#shape = null;
    const { outcome } = this;
    outcome.hasRows = false;
    outcome.rowCount = 0;
    outcome.affectedRows = 0;
    outcome.lastInsertId = 0;
    outcome.warningCount = 0;
    outcome.status = 0;
  }

  #deliver(): void {
    const handler = this.#handler!;
    const error = this.#error;
    this.#isComplete = false;
    this.#handler = null;
    this.#error = null;
    this.#uploader = null;
    if (error === null) handler.onReply(this.outcome);
    else handler.onFailure(error);
  }

  #complete(): void {
    this.#state = IDLE;
    this.#isComplete = true;
    this.#channel.expectedSequence = NOTHING_EXPECTED;
  }

  #fail(buffer: Buffer, start: number, end: number): void {
    this.#error = readError(new PacketReader(buffer, start, end), this.#flavor);
    this.#shape?.onError();
    this.#complete();
  }

  /** Hot: the first packet of a reply, or of the next result in it. */
  #onHead(buffer: Buffer, start: number, end: number): void {
    const first = buffer[start]!;
    switch (first) {
      case REPLY.OK:
        this.#onOk(buffer, start, end, false);
        return;
      case REPLY.ERR:
        this.#fail(buffer, start, end);
        return;
      case REPLY.LOCAL_INFILE:
        this.#onInfileRequest(buffer, start, end);
        return;
      case REPLY.EOF:
        throw malformed('ends a result that has not begun');
      default:
        this.#onColumnCount(buffer, start, end);
    }
  }

  #onColumnCount(buffer: Buffer, start: number, end: number): void {
    const size = lenencSizeAt(buffer, start);
    if (start + size > end) throw malformed('is cut short');
    const count = lenencAt(buffer, start);
    let columnsFollow = true;
    let offset = start + size;
    if (this.#cachesColumns) {
      // MariaDB, "Result Set Packets": with MARIADB_CLIENT_CACHE_METADATA a byte tells whether the columns follow.
      if (offset >= end) throw malformed('lacks the byte that says whether columns follow');
      columnsFollow = buffer[offset++] !== 0;
    }
    if (offset !== end || count === 0) throw malformed('is no column count');
    this.outcome.hasRows = true;
    if (columnsFollow) {
      this.#state = COLUMNS;
      this.#columnsLeft = count;
      this.#keepsColumns = this.#sink !== null || (this.#shape !== null && this.#cachesColumns);
      if (this.#keepsColumns) this.#columns = [];
      return;
    }
    const known = this.#shape?.columns;
    if (known?.length !== count) throw malformed('leaves out columns that were never sent');
    this.#sink?.onColumns(known);
    this.#state = this.#deprecatesEof ? ROWS : COLUMNS_END;
  }

  /** Hot where the server sends its columns each time: they are parsed only for those who need them. */
  #onColumn(buffer: Buffer, start: number, end: number): void {
    if (buffer[start] === REPLY.ERR) {
      this.#fail(buffer, start, end);
      return;
    }
    if (!isColumn(buffer, start, end)) throw malformed('is no column, where one is due');
    if (this.#keepsColumns) this.#columns.push(readColumn(new PacketReader(buffer, start, end)));
    if (--this.#columnsLeft > 0) return;
    this.#state = this.#deprecatesEof ? ROWS : COLUMNS_END;
    if (!this.#keepsColumns) return;
    if (this.#shape !== null) this.#shape.columns = this.#columns;
    this.#sink?.onColumns(this.#columns);
  }

  /** Hot. */
  #onRow(buffer: Buffer, start: number, end: number): void {
    const first = buffer[start]!;
    if (first >= REPLY.EOF) {
      if (first === REPLY.ERR) {
        this.#fail(buffer, start, end);
        return;
      }
      if (end - start <= (this.#deprecatesEof ? END_LENGTH_MAX : EOF_LENGTH_MAX)) {
        if (this.#deprecatesEof) this.#onOk(buffer, start, end, true);
        else this.#onEof(buffer, start, end);
        return;
      }
    }
    // "Binary Protocol Resultset Row": the first byte is always zero.
    if (this.#shape !== null && first !== 0) throw malformed('is no row');
    this.outcome.rowCount++;
    if (this.#sink !== null) this.#sink.onRow(buffer, start, end);
  }

  #onEof(buffer: Buffer, start: number, end: number): void {
    if (!this.#isEof(buffer, start, end)) return;
    this.#affectedRows = 0;
    this.#lastInsertId = 0;
    this.#endResult(
      true,
      buffer[start + 3]! | (buffer[start + 4]! << 8),
      buffer[start + 1]! | (buffer[start + 2]! << 8),
    );
  }

  /** Hot: "OK_Packet", as a whole result or as the end of rows. What may follow the warning count is for people. */
  #onOk(buffer: Buffer, start: number, end: number, hasRows: boolean): void {
    if (end - start < OK_LENGTH_MIN) throw malformed('is too short for OK');
    let offset = start + 1;
    const affectedRowsAt = offset;
    offset += lenencSizeAt(buffer, offset);
    const lastInsertIdAt = offset;
    if (offset < end) offset += lenencSizeAt(buffer, offset);
    if (offset + 4 > end) throw malformed('is too short for OK');
    this.#affectedRows = lenencAt(buffer, affectedRowsAt);
    this.#lastInsertId = lenencAt(buffer, lastInsertIdAt);
    const status = buffer[offset]! | (buffer[offset + 1]! << 8);
    this.#endResult(hasRows, status, buffer[offset + 2]! | (buffer[offset + 3]! << 8));
  }

  /** Hot. */
  #endResult(hasRows: boolean, status: number, warningCount: number): void {
    const { outcome } = this;
    outcome.affectedRows += this.#affectedRows;
    if (this.#lastInsertId !== 0) outcome.lastInsertId = this.#lastInsertId;
    outcome.warningCount = warningCount;
    outcome.status = status;
    this.#sink?.onResult({
      hasRows,
      affectedRows: this.#affectedRows,
      lastInsertId: this.#lastInsertId,
      warningCount,
      status,
    });
    if ((status & SERVER_STATUS.MORE_RESULTS_EXISTS) !== 0) this.#state = HEAD;
    else this.#complete();
  }

  /** Where an EOF packet is due, an error may come instead; then the reply is complete. */
  #isEof(buffer: Buffer, start: number, end: number): boolean {
    if (isEofPacket(buffer, start, end)) return true;
    if (buffer[start] !== REPLY.ERR) throw malformed('is no EOF where one is due');
    this.#fail(buffer, start, end);
    return false;
  }

  /** "LOCAL INFILE Request": the server names a file; only what the caller offered for this statement is ever sent. */
  #onInfileRequest(buffer: Buffer, start: number, end: number): void {
    const uploader = this.#uploader;
    if (uploader === null || this.#hasUploaded) {
      const name = buffer.toString('utf8', start + 1, Math.min(end, start + 1 + FILE_NAME_SHOWN_MAX));
      throw new WireError(
        'protocol',
        `The server asked for the local file ${JSON.stringify(name)}, which this statement did not offer. Refused.`,
      );
    }
    const sequence = this.#channel.expectedSequence;
    this.#hasUploaded = true;
    this.#state = UPLOADING;
    this.#channel.expectedSequence = NOTHING_EXPECTED;
    uploader.start(sequence);
  }
}

/** Hot. "Column Definition": the catalog is first, and always "def". A row taken for a column would not be counted. */
function isColumn(buffer: Buffer, start: number, end: number): boolean {
  return end - start >= 4 && buffer[start] === 3 && buffer[start + 1] === 0x64 && buffer[start + 2] === 0x65;
}
