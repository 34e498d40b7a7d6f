/**
 * COM_STMT_EXECUTE ("Binary Protocol Command: COM_STMT_EXECUTE"), written straight into the request buffer. Hot: once
 * per prepared statement executed; cost: bench/.
 */
import { assert } from '../../base/assert.ts';
import { HEADER_LENGTH } from '../bytes/frame.ts';
import { COLUMN_TYPE, COMMAND, PARAMETER_UNSIGNED } from '../constants.ts';
import type { SqlParameter } from '../types.ts';
import { type RequestBuffer, textBytesMax, writeLenencLength, writeLenencText, writeU32 } from './request-buffer.ts';

/** Command, statement, cursor flags, iteration count, and the flag that says whether types follow. */
const FIXED_BYTES = 1 + 4 + 1 + 4 + 1;
const CURSOR_TYPE_NO_CURSOR = 0;
/** Of a type and its flags, and of the longest number or the length of a text. */
const TYPE_BYTES = 2;
const VALUE_BYTES_MAX = 9;

const TINY: number = COLUMN_TYPE.TINY;
const LONG: number = COLUMN_TYPE.LONG;
const LONGLONG: number = COLUMN_TYPE.LONGLONG;
const UNSIGNED_LONGLONG: number = COLUMN_TYPE.LONGLONG | (PARAMETER_UNSIGNED << 8);
const DOUBLE: number = COLUMN_TYPE.DOUBLE;
const TEXT: number = COLUMN_TYPE.VAR_STRING;
const BYTES: number = COLUMN_TYPE.BLOB;

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;
const UINT32_SPAN = 0x1_0000_0000;

/** What the encoder must know of a prepared statement, and keeps about it. */
export interface ParameterTypes {
  readonly id: number;
  /** A type each, its flags in the upper byte, as last sent. */
  readonly types: Uint16Array;
  /** False before the first execution, and after a failed one, when it is not known what the server has kept. */
  areSent: boolean;
}

export function newParameterTypes(id: number, count: number): ParameterTypes {
  return { id, types: new Uint16Array(count).fill(COLUMN_TYPE.NULL), areSent: false };
}

/** Hot. Returns where the request ends. */
export function encodeExecute(out: RequestBuffer, sent: ParameterTypes, parameters: readonly SqlParameter[]): number {
  const { types } = sent;
  const count = types.length;
  assert(parameters.length === count, 'a statement is executed with as many parameters as it has');
  let roomForValues = 0;
  let typesAreNew = !sent.areSent && count > 0;
  for (let index = 0; index < count; index++) {
    const parameter = parameters[index]!;
    roomForValues += roomFor(parameter);
    // NULL is said by the bitmap, whatever the type: the one before stays.
    const type = parameter === null ? types[index]! : typeOf(parameter);
    if (type !== types[index]) {
      types[index] = type;
      typesAreNew = true;
    }
  }
  const bitmapLength = (count + 7) >> 3;
  const bytes = out.reserve(FIXED_BYTES + bitmapLength + count * TYPE_BYTES + roomForValues);
  bytes[HEADER_LENGTH] = COMMAND.STMT_EXECUTE;
  let offset = writeU32(bytes, HEADER_LENGTH + 1, sent.id);
  bytes[offset++] = CURSOR_TYPE_NO_CURSOR;
  offset = writeU32(bytes, offset, 1);
  if (count === 0) return offset;
  const bitmap = offset;
  while (offset < bitmap + bitmapLength) bytes[offset++] = 0;
  bytes[offset++] = typesAreNew ? 1 : 0;
  if (typesAreNew) offset = writeTypes(bytes, offset, types);
  for (let index = 0; index < count; index++) {
    const parameter = parameters[index]!;
    if (parameter === null) bytes[bitmap + (index >> 3)]! |= 1 << (index & 7);
    else offset = writeValue(bytes, offset, types[index]!, parameter);
  }
  sent.areSent = true;
  return offset;
}

function roomFor(parameter: SqlParameter): number {
  if (typeof parameter === 'string') return textBytesMax(parameter);
  if (parameter instanceof Uint8Array) return VALUE_BYTES_MAX + parameter.length;
  return VALUE_BYTES_MAX;
}

/** Integers as LONG where they fit, as nearly all keys do. */
function typeOf(parameter: number | bigint | string | boolean | Uint8Array): number {
  switch (typeof parameter) {
    case 'number':
      if ((parameter | 0) === parameter) return LONG;
      return Number.isSafeInteger(parameter) ? LONGLONG : DOUBLE;
    case 'string':
      return TEXT;
    case 'bigint':
      return typeOfBigint(parameter);
    case 'boolean':
      return TINY;
    default:
      assert(parameter instanceof Uint8Array, 'a parameter is null, a number, a text, a boolean or bytes');
      return BYTES;
  }
}

function typeOfBigint(parameter: bigint): number {
  assert(parameter >= INT64_MIN && parameter <= UINT64_MAX, 'a bigint parameter fits into 64 bits');
  return parameter > INT64_MAX ? UNSIGNED_LONGLONG : LONGLONG;
}

function writeTypes(bytes: Buffer, from: number, types: Uint16Array): number {
  let offset = from;
  for (const type of types) {
    bytes[offset++] = type & 0xff;
    bytes[offset++] = type >>> 8;
  }
  return offset;
}

function writeValue(
  bytes: Buffer,
  offset: number,
  type: number,
  parameter: number | bigint | string | boolean | Uint8Array,
): number {
  switch (type) {
    case LONG:
      return writeU32(bytes, offset, parameter as number);
    case TEXT:
      return writeLenencText(bytes, offset, parameter as string);
    case BYTES: {
      const value = parameter as Uint8Array;
      const start = writeLenencLength(bytes, offset, value.length);
      bytes.set(value, start);
      return start + value.length;
    }
    case DOUBLE:
      return bytes.writeDoubleLE(parameter as number, offset);
    case TINY:
      bytes[offset] = parameter === true ? 1 : 0;
      return offset + 1;
    case UNSIGNED_LONGLONG:
      return bytes.writeBigUInt64LE(parameter as bigint, offset);
    default:
      return writeLonglong(bytes, offset, parameter as number | bigint);
  }
}

function writeLonglong(bytes: Buffer, offset: number, value: number | bigint): number {
  if (typeof value === 'bigint') return bytes.writeBigInt64LE(value, offset);
  // The lower half is modulo 2^32 by definition of `>>>`, also of negative numbers.
  writeU32(bytes, offset, value >>> 0);
  return writeU32(bytes, offset + 4, Math.floor(value / UINT32_SPAN));
}
