import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../../base/options.ts';
import {
  clientsOf,
  eventsPerClient,
  isAuto,
  listLength,
  makesDatabase,
  problemsOf,
  queriesPerClient,
  readColumns,
  readEngine,
  rowsOf,
  SLAP_OPTIONS,
  type SlapOptions,
} from './options.ts';

const options = (changes: Partial<SlapOptions> = {}): SlapOptions => ({ ...defaultsOf(SLAP_OPTIONS), ...changes });

describe('how much each client does', () => {
  test.each([
    { changes: {}, clients: 8, queries: 11, because: 'the list once, which is one longer than its number' },
    { changes: { number_of_queries: 100 }, clients: 8, queries: 12, because: 'whole queries' },
    { changes: { number_of_queries: 7 }, clients: 8, queries: 0, because: 'none is left' },
    { changes: { auto_generate_sql_execute_number: 3 }, clients: 8, queries: 3, because: 'for each' },
    { changes: { query: 'SELECT 1;SELECT 2', delimiter: ';' }, clients: 8, queries: 2, because: 'the list once' },
    { changes: { query: 'SELECT 1', number_of_queries: 100 }, clients: 3, queries: 33, because: 'its own too' },
  ])('$changes by $clients: $queries, $because', ({ changes, clients, queries }) => {
    expect(queriesPerClient(options(changes), clients)).toBe(queries);
  });

  test.each([
    { commit: 0, events: 12 },
    { commit: 1, events: 12 },
    { commit: 5, events: 3 },
    { commit: 12, events: 1 },
    { commit: 99, events: 1 },
  ])('with --commit=$commit it is $events transactions', ({ commit, events }) => {
    expect(eventsPerClient(options({ number_of_queries: 100, commit }), 8)).toBe(events);
  });

  test('the numbers of clients are those of the list, or that of the threads', () => {
    expect(clientsOf(options({ concurrency: ['1', '64'] }), 5)).toEqual([1, 64]);
    expect(clientsOf(options(), 5)).toEqual([5]);
  });
});

test('what mysqlslap counts with the CREATE TABLE is one row less', () => {
  expect(rowsOf(options())).toBe(99);
  expect(listLength(options({ auto_generate_sql_unique_query_number: 3 }))).toBe(4);
});

test.each([
  { changes: {}, auto: true, makes: true },
  { changes: { query: 'SELECT 1' }, auto: false, makes: false },
  { changes: { query: 'SELECT 1', create: 'CREATE TABLE a (b INT)' }, auto: false, makes: true },
])('$changes: made here $auto, database made $makes', ({ changes, auto, makes }) => {
  expect(isAuto(options(changes))).toBe(auto);
  expect(makesDatabase(options(changes))).toBe(makes);
});

test.each([
  { written: '3', read: { count: 3, isIndexed: false } },
  { written: '3:1', read: { count: 3, isIndexed: true } },
  { written: '3:0', read: { count: 3, isIndexed: false } },
  { written: 'three', read: undefined },
  { written: '', read: undefined },
])('columns $written', ({ written, read }) => {
  expect(readColumns(written)).toEqual(read);
});

test('an engine may have an option with a colon in it', () => {
  expect(readEngine('memory:max_rows=2300')).toEqual({ name: 'memory', option: 'max_rows=2300' });
  expect(readEngine("x:COMMENT='a:b'")).toEqual({ name: 'x', option: "COMMENT='a:b'" });
});

describe('problems', () => {
  test.each<{ changes: Partial<SlapOptions>; says: RegExp }>([
    { changes: { concurrency: ['8', '0'] }, says: /'0' is no number of clients/ },
    { changes: { concurrency: ['8', '100'], number_of_queries: 99 }, says: /leaves none for each of 100 clients/ },
    { changes: { number_of_queries: 9, auto_generate_sql_execute_number: 9 }, says: /give one of them/ },
    { changes: { number_int_cols: 'x' }, says: /--number-int-cols: 'x' is no number of columns/ },
    { changes: { number_int_cols: '0', number_char_cols: '0' }, says: /needs a column/ },
    { changes: { auto_generate_sql: true, query: 'SELECT 1' }, says: /leave it out, or --query/ },
    { changes: { auto_generate_sql_load_type: 'key' }, says: /a key, which the table does not have/ },
    {
      changes: { auto_generate_sql_add_autoincrement: true, auto_generate_sql_guid_primary: true },
      says: /one primary key/,
    },
    {
      changes: { auto_generate_sql_guid_primary: true, auto_generate_sql_write_number: 1 },
      says: /without a row to find/,
    },
    { changes: { create: 'CREATE TABLE a (b INT)' }, says: /add --query/ },
    { changes: { query: '-- nothing' }, says: /holds no statement/ },
    { changes: { query: 'SELECT 1', delimiter: '' }, says: /--delimiter is empty/ },
    { changes: { query: 'SELECT 1; SELECT 2' }, says: /--query has several statements.*add --delimiter=';'/ },
    { changes: { query: 'SELECT 1', create: 'CREATE TABLE a (b INT); SELECT 2' }, says: /--create has several/ },
    { changes: { engine: ['in no db'] }, says: /not the name of a storage engine/ },
    { changes: { engine: ['innodb'], query: 'SELECT 1' }, says: /with --query alone there are none/ },
    {
      changes: { engine: ['memory:x=1'], query: 'SELECT 1', create: 'CREATE TABLE a (b INT)' },
      says: /write the option/,
    },
    { changes: { commit: 4, detach: 6 }, says: /a multiple of --commit=4/ },
  ])('$changes', ({ changes, says }) => {
    expect(problemsOf(options(changes)).join('\n')).toMatch(says);
  });

  test.each<Partial<SlapOptions>>([
    {},
    { query: 'SELECT 1;' },
    { query: "SELECT ';'" },
    { query: 'CALL p()', create: 'CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END' },
    { commit: 4, detach: 8 },
    { auto_generate_sql_load_type: 'write', auto_generate_sql_guid_primary: true, auto_generate_sql_write_number: 1 },
  ])('none: %o', (changes) => {
    expect(problemsOf(options(changes))).toEqual([]);
  });
});
