import { expect, test } from 'vitest';
import { UserError } from '../../base/errors.ts';
import { fileOrSql, kindOf, readDelimiter, splitStatements, verbOf } from './sql-list.ts';

test.each([
  { text: 'SELECT 1;SELECT 2', delimiter: ';', all: ['SELECT 1', 'SELECT 2'], because: 'it is cut there' },
  {
    text: ' SELECT 1 ;\n\nSELECT\n 2;; ',
    delimiter: ';',
    all: ['SELECT 1', 'SELECT\n 2'],
    because: 'nothing is no statement',
  },
  { text: 'SELECT 1\nSELECT 2\n', delimiter: '\n', all: ['SELECT 1', 'SELECT 2'], because: 'one a line' },
  {
    text: "SELECT ';', 1;SELECT 2",
    delimiter: ';',
    all: ["SELECT ';', 1", 'SELECT 2'],
    because: 'quoted text is no end',
  },
  {
    text: "SELECT 'it''s;', \"a\\\";\";SELECT 2",
    delimiter: ';',
    all: ["SELECT 'it''s;', \"a\\\";\"", 'SELECT 2'],
    because: 'quotes in quotes',
  },
  { text: 'SELECT `a;b`;SELECT 2', delimiter: ';', all: ['SELECT `a;b`', 'SELECT 2'], because: 'nor is a name' },
  {
    text: "-- don't; stop\nSELECT 1;# it's\n;SELECT 2",
    delimiter: ';',
    all: ["-- don't; stop\nSELECT 1", 'SELECT 2'],
    because: 'nor is a comment',
  },
  {
    text: 'SELECT 1 /* ; */;/* only this */;SELECT 2',
    delimiter: ';',
    all: ['SELECT 1 /* ; */', 'SELECT 2'],
    because: 'a comment alone is no statement',
  },
  {
    text: '/*!40101 SET NAMES utf8 */;SELECT 2',
    delimiter: ';',
    all: ['/*!40101 SET NAMES utf8 */', 'SELECT 2'],
    because: 'this one the server runs',
  },
  { text: 'SELECT 1@@SELECT 2@@', delimiter: '@@', all: ['SELECT 1', 'SELECT 2'], because: 'a delimiter may be long' },
  {
    text: "SELECT 'open;SELECT 2",
    delimiter: ';',
    all: ["SELECT 'open", 'SELECT 2'],
    because: 'a quote without end is for the server to refuse',
  },
  { text: '\uFEFFSELECT 1', delimiter: ';', all: ['SELECT 1'], because: 'a byte order mark is white space' },
  { text: 'SELECT 5--1', delimiter: ';', all: ['SELECT 5--1'], because: 'without a space it is a sum' },
])('$text: $because', ({ text, delimiter, all }) => {
  expect(splitStatements(text, delimiter)).toEqual(all);
});

test('a delimiter is written with backslashes', () => {
  expect(readDelimiter('\\n')).toBe('\n');
  expect(readDelimiter('\\t;')).toBe('\t;');
});

test.each([
  { sql: 'select 1', verb: 'select', kind: 'read' },
  { sql: '(SELECT 1) UNION (SELECT 2)', verb: 'select', kind: 'read' },
  { sql: '-- a comment\n /* another */ SHOW TABLES', verb: 'show', kind: 'read' },
  { sql: 'INSERT INTO a VALUES (1)', verb: 'insert', kind: 'write' },
  { sql: 'UPDATE a SET b = 1', verb: 'update', kind: 'write' },
  { sql: 'DELETE FROM a', verb: 'delete', kind: 'write' },
  { sql: 'Replace INTO a VALUES (1)', verb: 'replace', kind: 'write' },
  { sql: 'CALL p()', verb: 'call', kind: 'other' },
  { sql: 'BEGIN', verb: 'begin', kind: 'other' },
  { sql: '', verb: '', kind: 'other' },
])('$sql is a $kind', ({ sql, verb, kind }) => {
  expect(verbOf(sql)).toBe(verb);
  expect(kindOf(sql)).toBe(kind);
});

test('a file is read, and what is no file is SQL', () => {
  const missing = (code: string) => () => {
    throw new UserError('no', { cause: Object.assign(new Error(code), { code }) });
  };
  expect(fileOrSql('q.sql', () => 'SELECT 1;')).toBe('SELECT 1;');
  for (const code of ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EISDIR']) {
    expect(fileOrSql('SELECT 1', missing(code))).toBe('SELECT 1');
  }
  expect(() => fileOrSql('/etc/shadow', missing('EACCES'))).toThrow('no');
  const never = () => {
    throw new Error('was asked');
  };
  for (const sql of ['', 'x'.repeat(5_000), 'SELECT "\0"']) expect(fileOrSql(sql, never)).toBe(sql);
});
