/** One request at a time, header included, in a buffer that is used again for the next one. */
import { assert } from '../../base/assert.ts';
import { framePayload, HEADER_LENGTH, PACKET_PAYLOAD_MAX, packetCount, writeHeader } from '../bytes/frame.ts';
import type { Channel } from '../channel.ts';

/** Holds the usual statement; grows for longer ones. */
const CAPACITY_INITIAL = 512;

/** A larger buffer is let go after use: a thousand connections would keep a thousand of them. */
const CAPACITY_KEPT_MAX = 64 * 1024;

/** The largest max_allowed_packet that servers accept. */
const CAPACITY_MAX = 1024 * 1024 * 1024;

/** Up to this length a loop in JavaScript copies ASCII faster than a call into native code. */
const ASCII_LOOP_MAX = 40;

/** UTF-16 units that UTF-8 writes in at most three bytes each. */
const UTF8_BYTES_PER_UNIT_MAX = 3;

const LENENC_BYTES_MAX = 9;

/** Longer texts are measured rather than given three times their room. */
const GUESSED_LENGTH_MAX = 16 * 1024;

export class RequestBuffer {
  bytes: Buffer = Buffer.allocUnsafeSlow(CAPACITY_INITIAL);

  /** Hot: room for a packet of `payloadMax` bytes. What was in the buffer is gone if it grows. */
  reserve(payloadMax: number): Buffer {
    const needed = HEADER_LENGTH + payloadMax;
    const capacity = this.bytes.length;
    if (needed > capacity || (capacity > CAPACITY_KEPT_MAX && needed <= CAPACITY_KEPT_MAX)) this.#resize(needed);
    return this.bytes;
  }

  /** Hot: writes the header and sends `bytes[0, end)` as one packet, or as several where it is too long for one. */
  send(channel: Channel, end: number): void {
    const payloadLength = end - HEADER_LENGTH;
    if (payloadLength < PACKET_PAYLOAD_MAX) {
      writeHeader(this.bytes, 0, payloadLength, 0);
      channel.request(this.bytes, end, 1);
      return;
    }
    const framed = framePayload(this.bytes.subarray(HEADER_LENGTH, end), 0);
    channel.request(framed, framed.length, packetCount(payloadLength) & 0xff);
  }

  #resize(needed: number): void {
    assert(needed <= CAPACITY_MAX, 'no server takes a request of more than 1 GiB');
    const withReserve = needed + (needed >> 2);
    this.bytes = Buffer.allocUnsafeSlow(Math.min(Math.max(withReserve, CAPACITY_INITIAL), CAPACITY_MAX));
  }
}

/** Hot: most bytes that `writeText` can write, its length included. */
export function textBytesMax(text: string): number {
  const length = text.length;
  return LENENC_BYTES_MAX + (length <= GUESSED_LENGTH_MAX ? length * UTF8_BYTES_PER_UNIT_MAX : Buffer.byteLength(text));
}

/** Hot: the text as UTF-8, without a length. Returns where it ends. */
export function writeUtf8(bytes: Buffer, offset: number, text: string): number {
  const length = text.length;
  if (length > ASCII_LOOP_MAX) return offset + bytes.write(text, offset, 'utf8');
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return offset + bytes.write(text, offset, 'utf8');
    bytes[offset + index] = unit;
  }
  return offset + length;
}

/** Hot: the text as UTF-8 after its length in bytes. Returns where it ends. */
export function writeLenencText(bytes: Buffer, offset: number, text: string): number {
  if (text.length * UTF8_BYTES_PER_UNIT_MAX < 0xfb) {
    const end = writeUtf8(bytes, offset + 1, text);
    bytes[offset] = end - offset - 1;
    return end;
  }
  const start = writeLenencLength(bytes, offset, Buffer.byteLength(text, 'utf8'));
  return writeUtf8(bytes, start, text);
}

/** Hot: a length in its shortest form. Returns where it ends. */
export function writeLenencLength(bytes: Buffer, offset: number, length: number): number {
  if (length < 0xfb) {
    bytes[offset] = length;
    return offset + 1;
  }
  if (length <= 0xffff) {
    bytes[offset] = 0xfc;
    bytes[offset + 1] = length & 0xff;
    bytes[offset + 2] = length >>> 8;
    return offset + 3;
  }
  if (length <= 0xff_ffff) {
    bytes[offset] = 0xfd;
    bytes[offset + 1] = length & 0xff;
    bytes[offset + 2] = (length >>> 8) & 0xff;
    bytes[offset + 3] = length >>> 16;
    return offset + 4;
  }
  bytes[offset] = 0xfe;
  bytes.writeUInt32LE(length, offset + 1);
  bytes.writeUInt32LE(0, offset + 5);
  return offset + 9;
}

/** Hot. */
export function writeU32(bytes: Buffer, offset: number, value: number): number {
  bytes[offset] = value & 0xff;
  bytes[offset + 1] = (value >>> 8) & 0xff;
  bytes[offset + 2] = (value >>> 16) & 0xff;
  bytes[offset + 3] = value >>> 24;
  return offset + 4;
}
