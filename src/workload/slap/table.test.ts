import { expect, test } from 'vitest';
import { defaultsOf } from '../../base/options.ts';
import { type Engine, SLAP_OPTIONS, type SlapOptions } from './options.ts';
import { columnsOf, createTableSql, insertRowsSql, keyAt, keySeedOf, rowBytesMax, valuesAt } from './table.ts';

const options = (changes: Partial<SlapOptions> = {}): SlapOptions => ({ ...defaultsOf(SLAP_OPTIONS), ...changes });
const WIDE = { number_int_cols: '2:1', number_char_cols: '2', auto_generate_sql_secondary_indexes: 1 };

test.each<{ changes: Partial<SlapOptions>; engine?: Engine; sql: string }>([
  { changes: {}, sql: 'CREATE TABLE t1 (intcol1 INT, charcol1 VARCHAR(128))' },
  {
    changes: { auto_generate_sql_add_autoincrement: true, number_char_cols: '1:1' },
    sql: 'CREATE TABLE t1 (id SERIAL, intcol1 INT, charcol1 VARCHAR(128), INDEX (charcol1))',
  },
  {
    changes: { ...WIDE, auto_generate_sql_guid_primary: true },
    engine: { name: 'memory', option: 'max_rows=9' },
    sql: 'CREATE TABLE t1 (id VARCHAR(36) PRIMARY KEY, id0 VARCHAR(36) UNIQUE KEY, intcol1 INT, INDEX (intcol1), intcol2 INT, INDEX (intcol2), charcol1 VARCHAR(128), charcol2 VARCHAR(128)) ENGINE = memory max_rows=9',
  },
])('$sql', ({ changes, engine, sql }) => {
  expect(createTableSql(options(changes), engine)).toBe(`${sql} COMMENT = 'sqldyno slap'`);
});

test('rows repeat after as many as are to be different, and their keys do not', () => {
  const all = options({ auto_generate_sql_guid_primary: true, auto_generate_sql_unique_write_number: 3 });
  const rows = insertRowsSql(all, 7, 0, 7).split('), (');
  const values = rows.map((row) => row.replace(/^.*?'[-0-9a-f]{36}', /, '').replace(/\)$/, ''));
  const keys = rows.map((row) => /[-0-9a-f]{36}/.exec(row)?.[0]);
  expect(new Set(values).size).toBe(3);
  expect(values[0]).toBe(values[3]);
  expect(new Set(keys).size).toBe(7);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('equal seeds make equal rows, however they are put together', () => {
  const wide = options({ ...WIDE, auto_generate_sql_add_autoincrement: true });
  const whole = insertRowsSql(wide, 7, 0, 20).replace(/^.*? VALUES /, '');
  const parts = [insertRowsSql(wide, 7, 0, 6), insertRowsSql(wide, 7, 6, 20)].map((sql) =>
    sql.replace(/^.*? VALUES /, ''),
  );
  expect(parts.join(', ')).toBe(whole);
  expect(insertRowsSql(wide, 8, 0, 20)).not.toContain(whole);
  const columns = columnsOf(wide);
  for (const row of whole.split('), (')) expect(row.length).toBeLessThanOrEqual(rowBytesMax(columns));
});

test('the rows of the table and those that are inserted are not the same', () => {
  const columns = columnsOf(options());
  const [number, text] = valuesAt(columns, 7, 'queries', 0);
  expect(number).toBeGreaterThanOrEqual(0);
  expect(text).toMatch(/^[0-9A-Za-z]{126}$/);
  expect(valuesAt(columns, 7, 'rows', 0)).not.toEqual([number, text]);
});

test('a key is found by the number of its row', () => {
  expect(keyAt('autoincrement', keySeedOf(7), 41)).toBe(42);
  const guids = options({ auto_generate_sql_guid_primary: true });
  expect(insertRowsSql(guids, 7, 5, 6)).toContain(`('${keyAt('guid', keySeedOf(7), 5)}', `);
});
