/**
 * A cursor over the payload of one packet: the reading half of the protocol's basic data types
 * (MySQL internals, "Basic Data Types"). Reading past the end is the sender's mistake: `WireError('protocol')`.
 */
import { WireError } from '../errors.ts';

/** First bytes that are not the length itself (page "Length-Encoded Integer"). */
const LENENC_NULL = 0xfb;
const LENENC_U16 = 0xfc;
const LENENC_U24 = 0xfd;
const LENENC_U64 = 0xfe;

export class PacketReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #offset: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#offset = start;
    this.#end = end;
  }

  /** Bytes not yet read. */
  get remaining(): number {
    return this.#end - this.#offset;
  }

  /** The next byte, left where it is. */
  peek(): number {
    this.#need(1);
    return this.#bytes[this.#offset]!;
  }

  u8(): number {
    return this.#bytes[this.#take(1)]!;
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#take(2));
  }

  u24(): number {
    return this.#bytes.readUIntLE(this.#take(3), 3);
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  u64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8));
  }

  /** A length-encoded integer; above 2^53 it is rounded. NULL (0xfb) and 0xff are no integers. */
  lenencInteger(): number {
    const first = this.u8();
    if (first < LENENC_NULL) return first;
    switch (first) {
      case LENENC_U16:
        return this.u16();
      case LENENC_U24:
        return this.u24();
      case LENENC_U64:
        return Number(this.u64());
      default:
        throw new WireError('protocol', `Malformed packet: 0x${first.toString(16)} is no length-encoded integer.`);
    }
  }

  /** A view, not a copy. */
  lenencBytes(): Buffer {
    return this.bytes(this.lenencInteger());
  }

  /** As in a text row, where 0xfb stands for NULL. A view, not a copy. */
  lenencBytesOrNull(): Buffer | null {
    if (this.peek() !== LENENC_NULL) return this.lenencBytes();
    this.skip(1);
    return null;
  }

  lenencText(): string {
    const length = this.lenencInteger();
    const start = this.#take(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  /** Up to the next zero byte, which is consumed and not returned. A view, not a copy. */
  nulTerminated(): Buffer {
    const zero = this.#bytes.indexOf(0, this.#offset);
    if (zero < 0 || zero >= this.#end) throw new WireError('protocol', 'Malformed packet: a string has no end.');
    const bytes = this.#bytes.subarray(this.#offset, zero);
    this.#offset = zero + 1;
    return bytes;
  }

  nulTerminatedText(): string {
    return this.nulTerminated().toString('utf8');
  }

  /** A view, not a copy. */
  bytes(length: number): Buffer {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** What is left, possibly nothing. A view, not a copy. */
  rest(): Buffer {
    return this.bytes(this.remaining);
  }

  restText(): string {
    return this.rest().toString('utf8');
  }

  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    this.#need(length);
    const start = this.#offset;
    this.#offset += length;
    return start;
  }

  #need(length: number): void {
    if (length > this.#end - this.#offset) {
      throw new WireError('protocol', `Truncated packet: ${length} bytes needed, ${this.remaining} left.`);
    }
  }
}
