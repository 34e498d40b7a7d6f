/**
 * Packets in and out over one transport. Incoming packets are handed over where they lie in the chunk that was read;
 * only one that a chunk's end cuts in two is copied. Hot throughout: nothing is allocated per packet.
 */
import { HEADER_LENGTH, PACKET_PAYLOAD_MAX } from './bytes/frame.ts';
import { REPLY } from './constants.ts';
import { WireError } from './errors.ts';
import type { Transport } from './transport.ts';

/** As `expectedSequence`: no packet is due. */
export const NOTHING_EXPECTED = -1;

/** The largest max_allowed_packet that servers accept. */
const PAYLOAD_BYTES_MAX = 1024 * 1024 * 1024;

/** Below this a packet's room is made at once; above, only as its bytes arrive, lest a false length claim memory. */
const TRUSTED_LENGTH_MAX = 1024 * 1024;

/** A larger buffer is let go after use: a thousand connections would keep a thousand of them. */
const KEPT_BYTES_MAX = 64 * 1024;

/** The least that max_allowed_packet has been by default: shorter requests are not its victims. */
const LONG_REQUEST_BYTES = 1024 * 1024;

/** Room for the next few sizes of cut packets too. */
const KEPT_BYTES_MIN = 512;

/** An ERR packet's message has at most 512 characters (MYSQL_ERRMSG_SIZE) of up to four bytes. */
const LAST_WORDS_BYTES_MAX = 2_100;

const EMPTY = Buffer.alloc(0);

/** Who understands the packets: the handshake, then the command phase. A `WireError` thrown ends the connection. */
export interface Receiver {
  /** Hot: one whole payload, `buffer[start, end)`, in sequence. Valid only during the call. */
  onPacket(buffer: Buffer, start: number, end: number): void;
  /** Hot: all packets of this chunk have been handed over. */
  onChunkEnd(): void;
  /** A whole short packet that was not due: an ERR packet tells why the server is about to close. */
  onUnasked(payload: Buffer, sequence: number): void;
  /** Once. undefined where we closed in good order. */
  onEnd(because: Error | undefined): void;
}

export class Channel {
  readonly #transport: Transport;
  #receiver: Receiver;
  /** Of the next packet, in either direction. */
  expectedSequence = 0;
  /** Of the reply's first packet: as many as the request had. */
  firstReplySequence = 0;
  bytesSent = 0;
  bytesReceived = 0;
  isOver = false;
  #requestLength = 0;

  #isAssembling = false;
  #isUnasked = false;
  #sequence = 0;
  readonly #header = new Uint8Array(HEADER_LENGTH);
  #headerLength = 0;
  #frameLength = 0;
  #frameLeft = 0;
  #kept = EMPTY;
  #keptLength = 0;

  constructor(transport: Transport, receiver: Receiver) {
    this.#transport = transport;
    this.#receiver = receiver;
    transport.attach(this);
  }

  /** True between packets: no byte of an unfinished one is held. */
  get isBetweenPackets(): boolean {
    return !this.#isAssembling;
  }

  handOverTo(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  /** Hot: `buffer[0, length)` is a request, headers included. The reply's first packet will have number `sequence`. */
  request(buffer: Buffer, length: number, sequence: number): void {
    // Bytes that came before the request cannot be its answer.
    if (this.#isAssembling) this.#isUnasked = true;
    this.expectedSequence = sequence;
    this.firstReplySequence = sequence;
    this.bytesSent += length;
    this.#requestLength = length;
    this.#transport.write(buffer, length);
  }

  /** Sends what has no reply, or is part of an exchange whose sequence the caller keeps. */
  send(buffer: Buffer): void {
    this.bytesSent += buffer.length;
    this.#transport.write(buffer, buffer.length);
  }

  drained(): Promise<void> {
    return this.#transport.drained();
  }

  upgrade(...parameters: Parameters<Transport['upgrade']>): ReturnType<Transport['upgrade']> {
    return this.#transport.upgrade(...parameters);
  }

  /** Hot: once per chunk read. */
  onChunk(chunk: Buffer, length: number): void {
    this.bytesReceived += length;
    try {
      this.#walk(chunk, length);
    } catch (error) {
      this.end(asWireError(error));
      return;
    }
    this.#receiver.onChunkEnd();
  }

  onClosed(because: Error | undefined): void {
    this.end(closedError(because, this.#hint()));
  }

  /** A server that finds a request too long may close before it has read it all; its reason is then lost on the way. */
  #hint(): string {
    const isUnanswered = this.expectedSequence === this.firstReplySequence;
    if (!isUnanswered || this.#requestLength < LONG_REQUEST_BYTES) return '';
    const lengthMiB = Math.ceil(this.#requestLength / LONG_REQUEST_BYTES);
    return ` The request had ${lengthMiB} MiB: the server's max_allowed_packet may be smaller.`;
  }

  /** We say goodbye: the socket's closing is then no surprise. */
  shutDown(): void {
    this.#transport.end();
  }

  /** Drops the socket and tells the receiver, once. */
  end(because: Error | undefined): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#kept = EMPTY;
    this.#transport.destroy();
    this.#receiver.onEnd(because);
  }

  /** Hot: packets that lie whole in the chunk and are the ones due take the short way. */
  #walk(chunk: Buffer, length: number): void {
    let offset = this.#isAssembling ? this.#assemble(chunk, 0, length) : 0;
    while (offset < length) {
      const start = offset + HEADER_LENGTH;
      if (start <= length) {
        const frameLength = chunk[offset]! | (chunk[offset + 1]! << 8) | (chunk[offset + 2]! << 16);
        const end = start + frameLength;
        if (end <= length && chunk[offset + 3] === this.expectedSequence && frameLength !== PACKET_PAYLOAD_MAX) {
          this.expectedSequence = (this.expectedSequence + 1) & 0xff;
          this.#receiver.onPacket(chunk, start, end);
          offset = end;
          continue;
        }
      }
      offset = this.#assemble(chunk, offset, length);
    }
  }

  /**
   * Takes in the packet at `offset`, or goes on with the one begun in an earlier chunk, and hands it over once it is
   * whole. Returns where the next one begins, or `length`.
   */
  #assemble(chunk: Buffer, from: number, length: number): number {
    let offset = from;
    this.#isAssembling = true;
    for (;;) {
      while (this.#headerLength < HEADER_LENGTH) {
        if (offset === length) return offset;
        this.#header[this.#headerLength++] = chunk[offset++]!;
        if (this.#headerLength === HEADER_LENGTH) this.#beginFrame();
      }
      if (this.#isUnasked) this.#checkUnasked(offset < length ? chunk[offset] : undefined);
      const taken = Math.min(this.#frameLeft, length - offset);
      this.#keep(chunk, offset, taken);
      offset += taken;
      this.#frameLeft -= taken;
      if (this.#frameLeft > 0) return offset;
      this.#headerLength = 0;
      if (this.#frameLength < PACKET_PAYLOAD_MAX) break;
    }
    this.#handOver();
    return offset;
  }

  #beginFrame(): void {
    const header = this.#header;
    const sequence = header[3]!;
    this.#frameLength = header[0]! | (header[1]! << 8) | (header[2]! << 16);
    this.#frameLeft = this.#frameLength;
    if (!this.#isUnasked && sequence === this.expectedSequence) {
      this.expectedSequence = (sequence + 1) & 0xff;
    } else {
      this.#isUnasked = true;
      this.#sequence = sequence;
    }
  }

  /** What was not due can only be an error message; nothing else is worth waiting for. */
  #checkUnasked(first: number | undefined): void {
    const mayBeLastWords =
      this.#frameLength > 0 &&
      this.#frameLength <= LAST_WORDS_BYTES_MAX &&
      (this.#keptLength > 0 ? this.#kept[0] : (first ?? REPLY.ERR)) === REPLY.ERR;
    if (mayBeLastWords) return;
    throw outOfOrder(this.expectedSequence, this.#sequence);
  }

  #keep(chunk: Buffer, from: number, count: number): void {
    const needed = this.#keptLength + count;
    if (needed > this.#kept.length) this.#grow(needed);
    chunk.copy(this.#kept, this.#keptLength, from, from + count);
    this.#keptLength = needed;
  }

  #grow(needed: number): void {
    if (needed > PAYLOAD_BYTES_MAX) throw new WireError('protocol', 'The server sends a packet of more than 1 GiB.');
    const whole = this.#keptLength + this.#frameLeft;
    const trusted = Math.max(whole, KEPT_BYTES_MIN);
    const capacity =
      whole <= TRUSTED_LENGTH_MAX ? trusted : Math.max(needed, TRUSTED_LENGTH_MAX, this.#kept.length * 2);
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#kept.copy(grown, 0, 0, this.#keptLength);
    this.#kept = grown;
  }

  #handOver(): void {
    const packet = this.#kept;
    const length = this.#keptLength;
    this.#isAssembling = false;
    this.#keptLength = 0;
    if (packet.length > KEPT_BYTES_MAX) this.#kept = EMPTY;
    if (!this.#isUnasked) {
      this.#receiver.onPacket(packet, 0, length);
      return;
    }
    this.#isUnasked = false;
    this.#receiver.onUnasked(packet.subarray(0, length), this.#sequence);
  }
}

export function outOfOrder(expected: number, sequence: number): WireError {
  const message =
    expected === NOTHING_EXPECTED
      ? 'The server sent a packet that nothing asked for.'
      : `The server's packets are out of order: number ${expected} was due, number ${sequence} came.`;
  return new WireError('protocol', message);
}

function closedError(because: Error | undefined, hint: string): WireError {
  if (because instanceof WireError) return because;
  if (because === undefined) return new WireError('closed', `The server closed the connection unexpectedly.${hint}`);
  const code = (because as NodeJS.ErrnoException).code ?? '';
  if (code.startsWith('ERR_SSL')) return new WireError('tls', `TLS failed: ${because.message}`, { cause: because });
  const message = `The connection to the server broke: ${because.message}.${hint}`;
  return new WireError('closed', message, { cause: because });
}

/** Whatever reading runs into, such as a text longer than a string can be, it is over with this connection. */
function asWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  return new WireError('protocol', `The reply cannot be read: ${(error as Error).message}`, { cause: error });
}
