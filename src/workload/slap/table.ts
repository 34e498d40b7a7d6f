/** The table t1 that slap makes, and what stands in its rows: all of it follows from the options and the seed. */
import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import type { SqlParameter } from '../../wire/types.ts';
import { quoteText } from '../sql.ts';
import type { TableNeed } from '../workload.ts';
import { type Engine, hasPrimary, readColumns, rowsOf, type SlapOptions } from './options.ts';

export const TABLE = 't1';
/** By this comment the table is known as one of ours. */
export const TABLE_COMMENT = 'sqldyno slap';

/** mysqlslap fills its VARCHAR(128) up to here. */
const TEXT_LENGTH = 126;
const INT_MAX = 2_147_483_647;

export interface Columns {
  readonly key: 'none' | 'autoincrement' | 'guid';
  /** id0, id1 …: a UUID each. */
  readonly secondary: readonly string[];
  readonly integers: readonly string[];
  readonly texts: readonly string[];
  readonly isIndexed: { readonly integers: boolean; readonly texts: boolean };
}

export function columnsOf(options: SlapOptions): Columns {
  const integers = readColumns(options.number_int_cols) ?? { count: 0, isIndexed: false };
  const texts = readColumns(options.number_char_cols) ?? { count: 0, isIndexed: false };
  return {
    key: !hasPrimary(options) ? 'none' : options.auto_generate_sql_guid_primary ? 'guid' : 'autoincrement',
    secondary: named('id', options.auto_generate_sql_secondary_indexes, 0),
    integers: named('intcol', integers.count, 1),
    texts: named('charcol', texts.count, 1),
    isIndexed: { integers: integers.isIndexed, texts: texts.isIndexed },
  };
}

function named(name: string, count: number, first: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${first + index}`);
}

export function createTableSql(options: SlapOptions, engine: Engine | undefined): string {
  const { key, secondary, integers, texts, isIndexed } = columnsOf(options);
  const parts = [
    ...(key === 'autoincrement' ? ['id SERIAL'] : key === 'guid' ? ['id VARCHAR(36) PRIMARY KEY'] : []),
    ...secondary.map((name) => `${name} VARCHAR(36) UNIQUE KEY`),
    ...integers.flatMap((name) => [`${name} INT`, ...(isIndexed.integers ? [`INDEX (${name})`] : [])]),
    ...texts.flatMap((name) => [`${name} VARCHAR(128)`, ...(isIndexed.texts ? [`INDEX (${name})`] : [])]),
  ];
  const engineSql = engine === undefined ? '' : ` ENGINE = ${engine.name} ${engine.option}`.trimEnd();
  return `CREATE TABLE ${TABLE} (${parts.join(', ')})${engineSql} COMMENT = ${quoteText(TABLE_COMMENT)}`;
}

export function tableNeed(options: SlapOptions): TableNeed {
  const { key, integers, texts } = columnsOf(options);
  const columns = [
    ...(key === 'autoincrement' ? [['id', 'bigint']] : []),
    ...integers.map((name) => [name, 'int']),
    ...texts.map((name) => [name, 'varchar(128)']),
  ];
  return {
    name: TABLE,
    columns: Object.fromEntries(columns),
    rowsMin: key === 'none' ? 0 : rowsOf(options),
    size: { option: '--auto-generate-sql-write-number', rowsPerUnit: 1 },
  };
}

/** What the integers and texts of one row, or of one query, are drawn from. */
export type Purpose = 'rows' | 'queries';

/** Values of all integer columns, then of all text columns; equal for equal seed, purpose and number. */
export function valuesAt(columns: Columns, seed: number, purpose: Purpose, number: number): SqlParameter[] {
  const random = createRandom(deriveSeed(seed, 'slap', purpose), number);
  return [
    ...columns.integers.map(() => random.integer(0, INT_MAX)),
    ...columns.texts.map(() => alphanumeric(random, TEXT_LENGTH)),
  ];
}

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** One draw gives five characters: the largest power of 62 below 2^31, where arithmetic is fast. */
const PER_DRAW = 5;
const DRAW_SIZE = CHARACTERS.length ** PER_DRAW;

function alphanumeric(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    let drawn = Math.floor(random.next() * DRAW_SIZE);
    for (let character = 0; character < PER_DRAW && text.length < length; character++) {
      text += CHARACTERS[drawn % CHARACTERS.length];
      drawn = Math.floor(drawn / CHARACTERS.length);
    }
  }
  return text;
}

/** Of all keys of a table; to be made once. */
export function keySeedOf(seed: number): number {
  return deriveSeed(seed, 'slap', 'keys');
}

/** The key of row `number`, from 0. */
export function keyAt(key: Columns['key'], keySeed: number, number: number): SqlParameter {
  return key === 'guid' ? guid(createRandom(keySeed, number)) : number + 1;
}

/** UUIDs of the columns id0, id1 … of row `number`. */
export function secondaryKeysAt(columns: Columns, seed: number, number: number): string[] {
  const random = createRandom(deriveSeed(seed, 'slap', 'secondary keys'), number);
  return columns.secondary.map(() => guid(random));
}

/** As random as a UUID of version 4 (RFC 9562). */
function guid(random: Random): string {
  const hex = (digits: number) =>
    random
      .integer(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0');
  const variant = '89ab'[random.integer(0, 3)];
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}

/** The rows at the beginning, from row `from` to before row `to`, as one statement. */
export function insertRowsSql(options: SlapOptions, seed: number, from: number, to: number): string {
  const columns = columnsOf(options);
  const different = options.auto_generate_sql_unique_write_number;
  const keySeed = keySeedOf(seed);
  const rows: string[] = [];
  for (let row = from; row < to; row++) {
    const values = [
      ...(columns.key === 'none' ? [] : [keyAt(columns.key, keySeed, row)]),
      ...secondaryKeysAt(columns, seed, row),
      ...valuesAt(columns, seed, 'rows', row % different),
    ];
    // Digits and letters only: nothing in them needs escaping.
    rows.push(`(${values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(', ')})`);
  }
  return `INSERT INTO ${TABLE} VALUES ${rows.join(', ')}`;
}

/** Longest text of one row in a statement. */
export function rowBytesMax({ secondary, integers, texts }: Columns): number {
  const keyBytes = 40;
  return keyBytes * (1 + secondary.length) + 12 * integers.length + (TEXT_LENGTH + 4) * texts.length;
}
