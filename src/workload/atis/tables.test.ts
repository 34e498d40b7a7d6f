import { expect, test } from 'vitest';
import { ATIS_QUERIES, queriesOf, SELECT_GROUPS } from './queries.ts';
import { ATIS_ROWS, ATIS_TABLES, createTableSql, insertSql } from './tables.ts';

test('28 tables with 9,768 rows', () => {
  expect(new Set(ATIS_TABLES.map(({ name }) => name)).size).toBe(28);
  expect(ATIS_ROWS).toBe(9_768);
});

test('every column is quoted, so that reserved words do no harm, and nothing has a display width', () => {
  const sql = ATIS_TABLES.map((table) => createTableSql(table, ''));
  expect(sql.find((each) => each.includes('class_of_service'))).toBe(
    'CREATE TABLE class_of_service (`class_code` char(2) NOT NULL, `rank` tinyint NOT NULL, ' +
      '`class_description` char(80) NOT NULL, PRIMARY KEY (`class_code`))',
  );
  for (const each of sql) expect(each).not.toMatch(/(?:int|float)\(/);
});

test('keys are of columns that there are', () => {
  for (const { columns, primaryKey, indexes = [] } of ATIS_TABLES) {
    expect(Object.keys(columns)).toEqual(expect.arrayContaining([...primaryKey, ...indexes]));
  }
});

test("what the user wants of the tables goes behind the bracket, once, and rows' values have placeholders", () => {
  const table = ATIS_TABLES.find(({ name }) => name === 'transport');
  expect(table && createTableSql(table, 'ENGINE=Aria')).toMatch(/PRIMARY KEY \(`transport_code`\)\) ENGINE=Aria$/);
  expect(table && insertSql(table, 2)).toBe('INSERT INTO transport VALUES (?,?),(?,?)');
});

test('44 queries in five groups, one of which is left out on MySQL', () => {
  expect(SELECT_GROUPS.map((group) => queriesOf(group, true).length)).toEqual([5, 1, 1, 8, 29]);
  expect(SELECT_GROUPS.map((group) => queriesOf(group, false).length)).toEqual([5, 1, 1, 8, 28]);
  expect(new Set(ATIS_QUERIES.map(({ name }) => name)).size).toBe(44);
  expect(new Set(ATIS_QUERIES.map(({ sql }) => sql)).size).toBe(44);
});

test('with as many rows in a loop as in test-ATIS', () => {
  const rows = SELECT_GROUPS.map((group) => queriesOf(group, true).reduce((sum, query) => sum + query.rows, 0));
  expect(rows).toEqual([602, 579, 5_692, 1_817, 732]);
});
