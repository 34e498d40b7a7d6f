/** Builds the payload of one packet: the writing half of the protocol's basic data types. Grows as needed. */
import { assert } from '../../base/assert.ts';
import { framePayload } from './frame.ts';

/** Enough for a handshake response; longer ones grow. */
const CAPACITY_INITIAL = 256;

export class PacketWriter {
  #bytes: Buffer = Buffer.allocUnsafe(CAPACITY_INITIAL);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    const at = this.#claim(1);
    this.#bytes[at] = value;
    return this;
  }

  u16(value: number): this {
    const at = this.#claim(2);
    this.#bytes.writeUInt16LE(value, at);
    return this;
  }

  u24(value: number): this {
    const at = this.#claim(3);
    this.#bytes.writeUIntLE(value, at, 3);
    return this;
  }

  u32(value: number): this {
    const at = this.#claim(4);
    this.#bytes.writeUInt32LE(value, at);
    return this;
  }

  u64(value: bigint | number): this {
    const at = this.#claim(8);
    this.#bytes.writeBigUInt64LE(BigInt(value), at);
    return this;
  }

  /** In the shortest of the four forms. */
  lenencInteger(value: number | bigint): this {
    assert(value >= 0, 'lengths and counts are not negative');
    if (value < 0xfb) return this.u8(Number(value));
    if (value <= 0xffff) return this.u8(0xfc).u16(Number(value));
    if (value <= 0xff_ffff) return this.u8(0xfd).u24(Number(value));
    return this.u8(0xfe).u64(value);
  }

  lenencBytes(bytes: Uint8Array): this {
    return this.lenencInteger(bytes.length).bytes(bytes);
  }

  /** As in a text row, where 0xfb stands for NULL. */
  lenencBytesOrNull(bytes: Uint8Array | null): this {
    return bytes === null ? this.u8(0xfb) : this.lenencBytes(bytes);
  }

  lenencText(text: string): this {
    return this.lenencBytes(Buffer.from(text, 'utf8'));
  }

  nulTerminated(bytes: Uint8Array): this {
    assert(!bytes.includes(0), 'a zero byte would end the string early');
    return this.bytes(bytes).u8(0);
  }

  nulTerminatedText(text: string): this {
    return this.nulTerminated(Buffer.from(text, 'utf8'));
  }

  bytes(bytes: Uint8Array): this {
    const at = this.#claim(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  text(text: string): this {
    return this.bytes(Buffer.from(text, 'utf8'));
  }

  zeros(count: number): this {
    const start = this.#claim(count);
    this.#bytes.fill(0, start, start + count);
    return this;
  }

  /** What was written so far, as a copy of its own. */
  payload(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  /** With its header; as several packets where the payload is 2^24 - 1 bytes or more. */
  toPacket(sequence: number): Buffer {
    return framePayload(this.#bytes.subarray(0, this.#length), sequence);
  }

  /** To be called before `#bytes` is read: it may be another buffer afterwards. */
  #claim(length: number): number {
    const start = this.#length;
    const needed = start + length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, start);
      this.#bytes = grown;
    }
    this.#length = needed;
    return start;
  }
}
