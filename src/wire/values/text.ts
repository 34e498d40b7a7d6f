/** Rows of the text protocol ("Text Resultset Row"): every value is its text, or 0xfb for NULL. */
import { PacketReader } from '../bytes/reader.ts';
import { CHARSET, COLUMN_TYPE } from '../constants.ts';
import { WireError } from '../errors.ts';
import type { Column, SqlValue } from '../types.ts';

/** Decimal digits that a double holds exactly, whatever they are. */
const EXACT_DIGITS_MAX = 15;

export function readTextRow(buffer: Buffer, start: number, end: number, columns: readonly Column[]): SqlValue[] {
  const reader = new PacketReader(buffer, start, end);
  const row: SqlValue[] = new Array(columns.length);
  for (let index = 0; index < columns.length; index++) {
    const bytes = reader.lenencBytesOrNull();
    row[index] = bytes === null ? null : textValue(bytes, columns[index]!);
  }
  if (reader.remaining > 0) throw new WireError('protocol', 'Malformed row: it is longer than its columns.');
  return row;
}

function textValue(bytes: Buffer, column: Column): SqlValue {
  switch (column.type) {
    case COLUMN_TYPE.TINY:
    case COLUMN_TYPE.SHORT:
    case COLUMN_TYPE.LONG:
    case COLUMN_TYPE.INT24:
    case COLUMN_TYPE.LONGLONG:
    case COLUMN_TYPE.YEAR:
      return integerFromText(bytes.toString('latin1'));
    case COLUMN_TYPE.FLOAT:
    case COLUMN_TYPE.DOUBLE:
      return numberFromText(bytes.toString('latin1'));
    default:
      return isBytes(column) ? Buffer.from(bytes) : bytes.toString('utf8');
  }
}

/** True of what has no character set: BLOB, BINARY, BIT, GEOMETRY, VECTOR. Dates and the JSON of MySQL are text yet. */
export function isBytes(column: Column): boolean {
  switch (column.type) {
    case COLUMN_TYPE.BIT:
    case COLUMN_TYPE.GEOMETRY:
    case COLUMN_TYPE.VECTOR:
      return true;
    case COLUMN_TYPE.VARCHAR:
    case COLUMN_TYPE.VAR_STRING:
    case COLUMN_TYPE.STRING:
    case COLUMN_TYPE.TINY_BLOB:
    case COLUMN_TYPE.MEDIUM_BLOB:
    case COLUMN_TYPE.LONG_BLOB:
    case COLUMN_TYPE.BLOB:
      return column.charset === CHARSET.BINARY;
    default:
      return false;
  }
}

function integerFromText(text: string): number | bigint {
  if (!/^-?\d+$/.test(text)) throw new WireError('protocol', 'Malformed row: an integer column holds something else.');
  if (text.length <= EXACT_DIGITS_MAX) return Number(text);
  const exact = BigInt(text);
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

function numberFromText(text: string): number {
  const number = text === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number)) throw new WireError('protocol', 'Malformed row: a number column holds something else.');
  return number;
}
