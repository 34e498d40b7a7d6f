/** Values of a row as a server sends them: as text (page "Text Resultset Row") or binary ("Binary Protocol Value"). */
import { assert } from '../../base/assert.ts';
import type { PacketWriter } from '../bytes/writer.ts';
import { COLUMN_TYPE } from '../constants.ts';
import type { SqlValue } from '../types.ts';

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?$/;
const TIME = /^(-?)(\d{2,4}):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;
const HOURS_PER_DAY = 24;

export function writeTextValue(writer: PacketWriter, value: SqlValue): void {
  writer.lenencBytesOrNull(value === null ? null : bytesOf(value));
}

/** NULL has no value here: it is in the row's bitmap. */
export function writeBinaryValue(writer: PacketWriter, type: number, value: Exclude<SqlValue, null>): void {
  switch (type) {
    case COLUMN_TYPE.TINY:
      writer.u8(Number(BigInt.asUintN(8, integerOf(value))));
      return;
    case COLUMN_TYPE.SHORT:
    case COLUMN_TYPE.YEAR:
      writer.u16(Number(BigInt.asUintN(16, integerOf(value))));
      return;
    case COLUMN_TYPE.LONG:
    case COLUMN_TYPE.INT24:
      writer.u32(Number(BigInt.asUintN(32, integerOf(value))));
      return;
    case COLUMN_TYPE.LONGLONG:
      writer.u64(BigInt.asUintN(64, integerOf(value)));
      return;
    case COLUMN_TYPE.FLOAT:
    case COLUMN_TYPE.DOUBLE:
      writeFloating(writer, type, Number(value));
      return;
    case COLUMN_TYPE.DATE:
    case COLUMN_TYPE.DATETIME:
    case COLUMN_TYPE.TIMESTAMP:
      writeDateTime(writer, String(value));
      return;
    case COLUMN_TYPE.TIME:
      writeTime(writer, String(value));
      return;
    default:
      writer.lenencBytes(bytesOf(value));
  }
}

function bytesOf(value: Exclude<SqlValue, null>): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value), 'utf8');
}

function integerOf(value: Exclude<SqlValue, null>): bigint {
  assert(!(value instanceof Uint8Array), 'an integer column is given integers');
  return BigInt(value);
}

function writeFloating(writer: PacketWriter, type: number, value: number): void {
  const bytes = Buffer.alloc(type === COLUMN_TYPE.FLOAT ? 4 : 8);
  if (type === COLUMN_TYPE.FLOAT) bytes.writeFloatLE(value);
  else bytes.writeDoubleLE(value);
  writer.bytes(bytes);
}

/** The shortest form that holds the value, as servers do: 0, 4, 7 or 11 bytes. */
function writeDateTime(writer: PacketWriter, text: string): void {
  const match = DATE_TIME.exec(text);
  assert(match !== null, `'${text}' is no date`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const micros = microsOf(match[7]);
  const hasTime = hour + minute + second + micros > 0;
  if (year + month + day === 0 && !hasTime) {
    writer.u8(0);
    return;
  }
  writer.u8(micros > 0 ? 11 : hasTime ? 7 : 4);
  writer.u16(year).u8(month).u8(day);
  if (hasTime) writer.u8(hour).u8(minute).u8(second);
  if (micros > 0) writer.u32(micros);
}

function writeTime(writer: PacketWriter, text: string): void {
  const match = TIME.exec(text);
  assert(match !== null, `'${text}' is no time`);
  const [hours = 0, minute = 0, second = 0] = match.slice(2, 5).map(Number);
  const micros = microsOf(match[5]);
  if (hours + minute + second + micros === 0) {
    writer.u8(0);
    return;
  }
  writer.u8(micros > 0 ? 12 : 8).u8(match[1] === '-' ? 1 : 0);
  writer
    .u32(Math.floor(hours / HOURS_PER_DAY))
    .u8(hours % HOURS_PER_DAY)
    .u8(minute)
    .u8(second);
  if (micros > 0) writer.u32(micros);
}

function microsOf(fraction: string | undefined): number {
  return Number((fraction ?? '').padEnd(6, '0'));
}
