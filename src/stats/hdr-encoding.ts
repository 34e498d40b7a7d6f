/**
 * HdrHistogram's V2 compressed encoding in base64, as every HdrHistogram library reads and writes it.
 * https://github.com/HdrHistogram/HdrHistogram, `AbstractHistogram.encodeIntoCompressedByteBuffer`.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { UserError } from '../base/errors.ts';
import { BUCKETS, SIGNIFICANT_DIGITS, TRACKABLE_US_MAX } from './bucket-layout.ts';

/** Buckets that are not empty, lowest first, and how many values each holds. */
export interface BucketCounts {
  readonly buckets: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** The low byte's upper half says how wide a count may be: 1 stands for variable length. */
const COOKIE = 0x1c849303 | 0x10;
const COOKIE_COMPRESSED = 0x1c849304 | 0x10;
const HEADER_BYTES = 40;
const COMPRESSED_HEADER_BYTES = 8;
/** A count of up to 2^53 and a sign, in groups of seven bits. */
const NUMBER_BYTES_MAX = 8;
const PAYLOAD_BYTES_MAX = HEADER_BYTES + BUCKETS * NUMBER_BYTES_MAX;

export function encodeHdr({ buckets, counts }: BucketCounts): string {
  // A number for a bucket and one for the gap before it, at most.
  const payload = Buffer.alloc(HEADER_BYTES + buckets.length * 2 * NUMBER_BYTES_MAX);
  let end = HEADER_BYTES;
  let next = 0;
  for (let at = 0; at < buckets.length; at++) {
    const emptyBuckets = buckets[at]! - next;
    // A single empty bucket is a count of zero, more are a negative number.
    if (emptyBuckets > 0) end = writeNumber(payload, end, emptyBuckets === 1 ? 0 : -emptyBuckets);
    end = writeNumber(payload, end, counts[at]!);
    next = buckets[at]! + 1;
  }
  payload.writeInt32BE(COOKIE, 0);
  payload.writeInt32BE(end - HEADER_BYTES, 4);
  payload.writeInt32BE(0, 8); // Counts are not shifted.
  payload.writeInt32BE(SIGNIFICANT_DIGITS, 12);
  payload.writeBigInt64BE(1n, 16); // The lowest value.
  payload.writeBigInt64BE(BigInt(TRACKABLE_US_MAX), 24);
  payload.writeDoubleBE(1, 32); // Integers stand for themselves.
  const compressed = deflateSync(payload.subarray(0, end));
  const header = Buffer.alloc(COMPRESSED_HEADER_BYTES);
  header.writeInt32BE(COOKIE_COMPRESSED, 0);
  header.writeInt32BE(compressed.length, 4);
  return Buffer.concat([header, compressed]).toString('base64');
}

/** Throws a `UserError` where the text is not such an encoding with this program's layout. */
export function decodeHdr(text: string): BucketCounts {
  const payload = inflate(Buffer.from(text, 'base64'));
  const buckets: number[] = [];
  const counts: number[] = [];
  let bucket = 0;
  let at = HEADER_BYTES;
  while (at < payload.length) {
    const bytes = numberBytes(payload, at);
    const value = readNumber(payload, at, bytes);
    at += bytes;
    if (value > 0) {
      buckets.push(bucket);
      counts.push(value);
    }
    bucket += value < 0 ? -value : 1;
    if (bucket > BUCKETS) throw unreadable();
  }
  return { buckets, counts };
}

/** The uncompressed form, its header checked. */
function inflate(bytes: Buffer): Buffer {
  const isCompressed = bytes.length > COMPRESSED_HEADER_BYTES && bytes.readInt32BE(0) === COOKIE_COMPRESSED;
  if (!isCompressed) throw unreadable();
  const payload = inflateOrThrow(bytes.subarray(COMPRESSED_HEADER_BYTES));
  const isReadable =
    payload.length >= HEADER_BYTES &&
    payload.readInt32BE(0) === COOKIE &&
    payload.readInt32BE(4) === payload.length - HEADER_BYTES &&
    payload.readInt32BE(12) === SIGNIFICANT_DIGITS &&
    payload.readBigInt64BE(16) === 1n;
  if (!isReadable) throw unreadable();
  return payload;
}

function inflateOrThrow(compressed: Buffer): Buffer {
  try {
    return inflateSync(compressed, { maxOutputLength: PAYLOAD_BYTES_MAX });
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause?: unknown): UserError {
  return new UserError('A latency histogram cannot be read.', {
    hint: 'It must be an HdrHistogram in V2 compressed encoding (base64) with lowest value 1 and three significant digits.',
    cause,
  });
}

/** LEB128 of a number whose sign went to its lowest bit (ZigZag). Plain arithmetic: counts may exceed 32 bits. */
function writeNumber(target: Buffer, offset: number, value: number): number {
  let rest = value < 0 ? -value * 2 - 1 : value * 2;
  let at = offset;
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  target[at++] = rest;
  return at;
}

function numberBytes(source: Buffer, offset: number): number {
  for (let bytes = 1; bytes <= NUMBER_BYTES_MAX; bytes++) {
    const byte = source[offset + bytes - 1];
    if (byte === undefined) break;
    if (byte < 0x80) return bytes;
  }
  throw unreadable();
}

function readNumber(source: Buffer, offset: number, bytes: number): number {
  let value = 0;
  for (let at = offset + bytes - 1; at >= offset; at--) value = value * 0x80 + (source[at]! & 0x7f);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
