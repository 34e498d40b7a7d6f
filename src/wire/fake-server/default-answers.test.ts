import { expect, test } from 'vitest';
import { defaultAnswer, isFixedAnswer } from './default-answers.ts';
import { countParameters, kindOf, splitStatements } from './statement-kind.ts';

const source = {
  connectionId: 7,
  version: '8.0.36',
  database: 'sbtest',
  variables: () =>
    new Map([
      ['max_connections', '151'],
      ['version', '8.0.36'],
    ]),
  globalStatus: () =>
    new Map([
      ['Com_select', 12],
      ['Com_insert', 3],
      ['Comxselect', 1],
      ['Questions', 20],
    ]),
  sessionStatus: () => new Map([['Com_select', 2]]),
};

function ask(sql: string) {
  return defaultAnswer(sql, kindOf(sql).counter, source);
}

test.each([
  { sql: 'SELECT c FROM sbtest1 WHERE id=?', names: ['c'], rowCount: 1 },
  { sql: 'SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?', names: ['c'], rowCount: 100 },
  { sql: 'SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 1 AND 100 ORDER BY c', names: ['c'], rowCount: 100 },
  { sql: 'SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN ? AND ?', names: ['SUM(k)'], rowCount: 1 },
  { sql: 'SELECT id, k, c, pad FROM sbtest1 WHERE k IN (?, ?, ?)', names: ['id', 'k', 'c', 'pad'], rowCount: 3 },
  { sql: 'select * from sbtest1 limit 1', names: ['id', 'k', 'c', 'pad'], rowCount: 1 },
  { sql: 'SELECT count(k) AS n FROM t WHERE k BETWEEN 1 AND 2 OR k BETWEEN 5 AND 6', names: ['n'], rowCount: 1 },
  { sql: 'SELECT table_name FROM information_schema.tables', names: ['table_name'], rowCount: 0 },
])('$sql: $rowCount rows', ({ sql, names, rowCount }) => {
  const reply = ask(sql);
  expect(reply).toMatchObject({ is: 'rows', columns: names.map((name) => ({ name })) });
  expect(reply.is === 'rows' && reply.rows.length).toBe(rowCount);
  expect(ask(sql), 'the same object, encoded once').toBe(reply);
});

test('the column c is as long as that of sysbench', () => {
  const reply = ask('SELECT c, pad FROM sbtest1 WHERE id=1');
  expect(reply.is === 'rows' && reply.rows[0]?.map((value) => String(value).length)).toEqual([119, 59]);
});

test.each([
  { sql: 'SELECT 1', row: [1] },
  { sql: 'SELECT VERSION(), DATABASE(), CONNECTION_ID()', row: ['8.0.36', 'sbtest', 7] },
  { sql: 'select @@max_connections AS m, @@global.version', row: [151, '8.0.36'] },
  { sql: "SELECT 'a,b', @@no_such_variable", row: ['a,b', null] },
])('$sql: computed', ({ sql, row }) => {
  expect(ask(sql)).toMatchObject({ is: 'rows', rows: [row] });
  expect(isFixedAnswer(sql, 'Com_select')).toBe(!/@@|\(\)/.test(sql));
});

test.each([
  { sql: "SHOW GLOBAL STATUS LIKE 'Com\\_%'", shown: { Com_select: '12', Com_insert: '3' } },
  {
    sql: "SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Com_insert')",
    shown: { Questions: '20', Com_insert: '3' },
  },
  { sql: 'SHOW SESSION STATUS', shown: { Com_select: '2' } },
  { sql: "show variables like 'MAX_%'", shown: { max_connections: '151' } },
])('$sql: what is asked for', ({ sql, shown }) => {
  const reply = ask(sql);
  expect(Object.fromEntries((reply.is === 'rows' ? reply.rows : []) as [string, string][])).toEqual(shown);
});

test.each([
  { sql: 'BEGIN', counter: 'Com_begin', effect: 'begin' },
  { sql: 'start transaction read only', counter: 'Com_begin', effect: 'begin' },
  { sql: ' /* note */ COMMIT', counter: 'Com_commit', effect: 'end' },
  { sql: 'CREATE TABLE sbtest1(id INT)', counter: 'Com_create_table', effect: 'end' },
  { sql: 'DROP TABLE IF EXISTS sbtest1', counter: 'Com_drop_table', effect: 'end' },
  { sql: 'set autocommit=0', counter: 'Com_set_option', effect: 'autocommit-off' },
  { sql: 'SET @@session.autocommit = ON', counter: 'Com_set_option', effect: 'autocommit-on' },
  { sql: 'SET NAMES utf8mb4', counter: 'Com_set_option', effect: 'none' },
  { sql: '(SELECT 1) UNION (SELECT 2)', counter: 'Com_select', effect: 'none' },
  { sql: 'SHOW GLOBAL STATUS', counter: 'Com_show_status', effect: 'none' },
])('$sql counts as $counter', ({ sql, counter, effect }) => {
  expect(kindOf(sql)).toEqual({ counter, effect });
});

test('semicolons and question marks in quotes are text', () => {
  expect(splitStatements(`SELECT ';' ; SELECT "a\\";", \`;\`;;`)).toEqual([`SELECT ';'`, 'SELECT "a\\";", `;`']);
  expect(countParameters("SELECT '?', `?`, \"?\" FROM t WHERE a = ? AND b = '\\'?' AND c IN (?, ?)")).toBe(3);
});
