import { expect, test } from 'vitest';
import { defaultsOf } from '../../base/options.ts';
import { SLAP_OPTIONS, type SlapOptions } from './options.ts';
import { roundsOf } from './rounds.ts';

const roundsFor = (changes: Partial<SlapOptions>, threads = 1) =>
  roundsOf({ ...defaultsOf(SLAP_OPTIONS), ...changes }, { threads, seed: 7 });

test('a round for each engine, number of clients and iteration, in this order', () => {
  const { rounds } = roundsFor({ engine: ['innodb', 'memory:max_rows=9'], concurrency: ['1', '8'], iterations: 2 });
  expect(rounds.map(({ label }) => label)).toEqual([
    'innodb, 1 client, iteration 1',
    'innodb, 1 client, iteration 2',
    'innodb, 8 clients, iteration 1',
    'innodb, 8 clients, iteration 2',
    'memory, 1 client, iteration 1',
    'memory, 1 client, iteration 2',
    'memory, 8 clients, iteration 1',
    'memory, 8 clients, iteration 2',
  ]);
  expect(rounds[6]).toMatchObject({
    threads: 8,
    options: { engine: ['memory:max_rows=9'], concurrency: ['8'] },
    reconnectEveryEvents: 0,
  });
});

test('one where nothing asks for more, with the number of --threads', () => {
  const { rounds } = roundsFor({}, 5);
  expect(rounds).toHaveLength(1);
  expect(rounds[0]).toMatchObject({ label: '5 clients', threads: 5, options: { concurrency: ['5'], engine: [] } });
});

test.each<{ changes: Partial<SlapOptions>; database: object }>([
  { changes: {}, database: { is: 'made', name: 'mysqlslap', dropsOthers: false, isKept: false } },
  {
    changes: { create_schema: 'mine', drop_existing: true, no_drop: true },
    database: { is: 'made', name: 'mine', dropsOthers: true, isKept: true },
  },
  { changes: { query: 'SELECT 1' }, database: { is: 'there', name: undefined } },
  { changes: { query: 'SELECT 1', create_schema: 'shop' }, database: { is: 'there', name: 'shop' } },
  {
    changes: { query: 'SELECT 1', create: 'CREATE TABLE a (b INT)', create_schema: 'shop' },
    database: { is: 'made', name: 'shop', dropsOthers: false, isKept: false },
  },
])('$changes: $database', ({ changes, database }) => {
  expect(roundsFor(changes).database).toEqual(database);
});

test('what cannot be dealt out evenly is said', () => {
  const { notes } = roundsFor({ number_of_queries: 100, concurrency: ['1', '8', '50', '64'] });
  expect(notes).toEqual([
    '--number-of-queries=100 is no multiple of 8 clients: each runs 12, 96 together',
    '--number-of-queries=100 is no multiple of 64 clients: each runs 1, 64 together',
  ]);
  expect(roundsFor({ concurrency: ['8'] }).notes).toEqual([]);
});

test('more clients than queries are refused, those of --threads too', () => {
  expect(() => roundsFor({ number_of_queries: 4 }, 5)).toThrow(/leaves none for each of 5 clients/);
});

test('--detach counts queries, and the engine transactions', () => {
  expect(roundsFor({ detach: 6 }).rounds[0]?.reconnectEveryEvents).toBe(6);
  expect(roundsFor({ detach: 6, commit: 3 }).rounds[0]?.reconnectEveryEvents).toBe(2);
});

test.each<{ changes: Partial<SlapOptions>; says: string; csv: string }>([
  { changes: {}, says: 'summary', csv: '' },
  { changes: { verbose: true }, says: 'all', csv: '' },
  { changes: { silent: true, verbose: true }, says: 'nothing', csv: '' },
  { changes: { csv: '-' }, says: 'nothing', csv: '-' },
  { changes: { csv: 'out.csv' }, says: 'summary', csv: 'out.csv' },
])('$changes says $says', ({ changes, says, csv }) => {
  expect(roundsFor(changes).output).toEqual({ says, csv });
});

test('--only-print prints what would be sent', () => {
  const { output } = roundsFor({
    only_print: true,
    auto_generate_sql_add_autoincrement: true,
    auto_generate_sql_load_type: 'update',
    auto_generate_sql_write_number: 2,
    auto_generate_sql_execute_number: 3,
    number_char_cols: '0',
    commit: 2,
    pre_query: "SELECT 'pre'",
    concurrency: ['2'],
  });
  const lines = [...(output.printed ?? [])].map((line) => line.replaceAll(/\d{5,}/g, 'N'));
  expect(lines).toEqual([
    '-- 2 clients',
    'CREATE DATABASE `mysqlslap`;',
    'USE `mysqlslap`;',
    "CREATE TABLE t1 (id SERIAL, intcol1 INT) COMMENT = 'sqldyno slap';",
    'INSERT INTO t1 VALUES (1, N);',
    "SELECT 'pre';",
    '-- the first of 2 clients',
    'SET autocommit = 0;',
    'UPDATE t1 SET intcol1 = N WHERE id = 1;',
    'UPDATE t1 SET intcol1 = N WHERE id = 1;',
    'COMMIT;',
    'UPDATE t1 SET intcol1 = N WHERE id = 1;',
    'COMMIT;',
    '-- afterwards',
    'DROP DATABASE `mysqlslap`;',
  ]);
});

test('--only-print prints the queries of the user on a database that stays', () => {
  const { output } = roundsFor({ only_print: true, query: 'SELECT 1;SELECT 2', delimiter: ';', create_schema: 'shop' });
  expect([...(output.printed ?? [])]).toEqual([
    '-- 1 client',
    'USE `shop`;',
    '-- the first of 1 client',
    'SELECT 1;',
    'SELECT 2;',
    '-- afterwards',
  ]);
});
