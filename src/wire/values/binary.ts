/** Rows of prepared statements ("Binary Protocol Resultset Row" and "Binary Protocol Value"). */
import { PacketReader } from '../bytes/reader.ts';
import { COLUMN_FLAG, COLUMN_TYPE } from '../constants.ts';
import { WireError } from '../errors.ts';
import type { Column, SqlValue } from '../types.ts';
import { isBytes } from './text.ts';

/** In rows (not in parameters) the NULL bitmap begins with two unused bits. */
const NULL_BITMAP_OFFSET = 2;

/** NOT_FIXED_DEC: the column does not say how many decimals its values have. */
const DECIMALS_UNKNOWN = 31;
const MICROSECOND_DIGITS = 6;

/** Significant digits that every FLOAT has (FLT_DIG), and that tell any two of them apart. */
const FLOAT_DIGITS_MIN = 6;
const FLOAT_DIGITS_MAX = 9;

export function readBinaryRow(buffer: Buffer, start: number, end: number, columns: readonly Column[]): SqlValue[] {
  const reader = new PacketReader(buffer, start, end);
  reader.skip(1);
  const nulls = reader.bytes((columns.length + 7 + NULL_BITMAP_OFFSET) >> 3);
  const row: SqlValue[] = new Array(columns.length);
  for (let index = 0; index < columns.length; index++) {
    const bit = index + NULL_BITMAP_OFFSET;
    const isNull = (nulls[bit >> 3]! & (1 << (bit & 7))) !== 0;
    row[index] = isNull ? null : binaryValue(reader, columns[index]!);
  }
  if (reader.remaining > 0) throw malformed('it is longer than its columns');
  return row;
}

function binaryValue(reader: PacketReader, column: Column): SqlValue {
  const isUnsigned = (column.flags & COLUMN_FLAG.UNSIGNED) !== 0;
  switch (column.type) {
    case COLUMN_TYPE.TINY:
      return isUnsigned ? reader.u8() : (reader.u8() << 24) >> 24;
    case COLUMN_TYPE.SHORT:
      return isUnsigned ? reader.u16() : (reader.u16() << 16) >> 16;
    case COLUMN_TYPE.YEAR:
      return reader.u16();
    case COLUMN_TYPE.LONG:
    case COLUMN_TYPE.INT24:
      return isUnsigned ? reader.u32() : reader.u32() | 0;
    case COLUMN_TYPE.LONGLONG:
      return longlong(reader.u64(), isUnsigned);
    case COLUMN_TYPE.FLOAT:
      return shortestFloat(reader.bytes(4).readFloatLE());
    case COLUMN_TYPE.DOUBLE:
      return reader.bytes(8).readDoubleLE();
    case COLUMN_TYPE.DATE:
    case COLUMN_TYPE.NEWDATE:
      return dateText(reader);
    case COLUMN_TYPE.DATETIME:
    case COLUMN_TYPE.TIMESTAMP:
      return datetimeText(reader, column.decimals);
    case COLUMN_TYPE.TIME:
      return timeText(reader, column.decimals);
    case COLUMN_TYPE.NULL:
      throw malformed('a column of NULLs holds a value');
    default:
      return isBytes(column) ? Buffer.from(reader.lenencBytes()) : reader.lenencText();
  }
}

function longlong(unsigned: bigint, isUnsigned: boolean): number | bigint {
  const exact = isUnsigned ? unsigned : BigInt.asIntN(64, unsigned);
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

/** The decimal number of fewest digits that is this FLOAT: 0.1, where the same bits as a double are 0.10000000149. */
export function shortestFloat(value: number): number {
  if (value === 0) return value; // Of either sign.
  for (let digits = FLOAT_DIGITS_MIN; digits < FLOAT_DIGITS_MAX; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(FLOAT_DIGITS_MAX));
}

/** Trailing parts that are zero are left out, down to nothing at all. */
function dateText(reader: PacketReader): string {
  const length = reader.u8();
  if (length === 0) return '0000-00-00';
  if (length !== 4 && length !== 7 && length !== 11) throw malformed(`a date has ${length} bytes`);
  const text = yearMonthDay(reader);
  reader.skip(length - 4);
  return text;
}

function datetimeText(reader: PacketReader, decimals: number): string {
  const length = reader.u8();
  if (length !== 0 && length !== 4 && length !== 7 && length !== 11) throw malformed(`a datetime has ${length} bytes`);
  const date = length >= 4 ? yearMonthDay(reader) : '0000-00-00';
  const time = length >= 7 ? clock(reader.u8(), reader.u8(), reader.u8()) : '00:00:00';
  return `${date} ${time}${fraction(length === 11 ? reader.u32() : 0, decimals)}`;
}

function timeText(reader: PacketReader, decimals: number): string {
  const length = reader.u8();
  if (length === 0) return `00:00:00${fraction(0, decimals)}`;
  if (length !== 8 && length !== 12) throw malformed(`a time has ${length} bytes`);
  const sign = reader.u8() === 0 ? '' : '-';
  const days = reader.u32();
  const time = clock(days * 24 + reader.u8(), reader.u8(), reader.u8());
  return `${sign}${time}${fraction(length === 12 ? reader.u32() : 0, decimals)}`;
}

function yearMonthDay(reader: PacketReader): string {
  return `${padded(reader.u16(), 4)}-${padded(reader.u8(), 2)}-${padded(reader.u8(), 2)}`;
}

function clock(hours: number, minutes: number, seconds: number): string {
  return `${padded(hours, 2)}:${padded(minutes, 2)}:${padded(seconds, 2)}`;
}

/** As many digits as the text protocol shows for this column. */
function fraction(microseconds: number, decimals: number): string {
  const isKnown = decimals < DECIMALS_UNKNOWN;
  const digits = isKnown ? Math.min(decimals, MICROSECOND_DIGITS) : microseconds === 0 ? 0 : MICROSECOND_DIGITS;
  return digits === 0 ? '' : `.${padded(microseconds, MICROSECOND_DIGITS).slice(0, digits)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

function malformed(how: string): WireError {
  return new WireError('protocol', `Malformed row: ${how}.`);
}
