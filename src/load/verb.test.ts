import { expect, test } from 'vitest';
import { VERBS, verbId, verbOf } from './verb.ts';

test.each([
  { sql: 'SELECT 1', verb: 'select', because: 'the first word says it' },
  { sql: '  (select 1) union (select 2)', verb: 'select', because: 'parentheses do not change the command' },
  { sql: 'WITH t AS (SELECT 1) SELECT * FROM t', verb: 'select', because: 'a CTE is a SELECT' },
  { sql: '/* update */ SELECT 1', verb: 'select', because: 'comments are skipped' },
  { sql: "-- it's\nSELECT 1", verb: 'select', because: 'a quote in a comment opens nothing' },
  { sql: '# delete\n SELECT 1', verb: 'select', because: 'there are three kinds of comments' },
  { sql: 'INSERT INTO t (a) VALUES (?)', verb: 'insert', because: 'it has values' },
  { sql: "INSERT INTO t VALUES ('select')", verb: 'insert', because: 'quoted text is no SQL' },
  { sql: 'INSERT INTO t VALUES ((SELECT 1))', verb: 'insert', because: 'the SELECT is inside of the values' },
  { sql: 'INSERT INTO t SELECT * FROM u', verb: 'other', because: 'it raises Com_insert_select' },
  { sql: 'UPDATE t SET a = a + 1 WHERE id = ?', verb: 'update', because: 'one table' },
  { sql: 'UPDATE t SET a = 1, b = 2', verb: 'update', because: 'a comma after SET lists columns' },
  { sql: 'UPDATE t, u SET t.a = u.a', verb: 'other', because: 'it raises Com_update_multi' },
  { sql: 'UPDATE t JOIN u USING (id) SET t.a = 1', verb: 'other', because: 'it raises Com_update_multi' },
  { sql: 'DELETE FROM t WHERE id = ?', verb: 'delete', because: 'one table' },
  { sql: 'DELETE t FROM t JOIN u USING (id)', verb: 'other', because: 'it raises Com_delete_multi' },
  { sql: 'DELETE FROM t USING t JOIN u', verb: 'other', because: 'it raises Com_delete_multi' },
  { sql: 'BEGIN', verb: 'begin', because: 'it raises Com_begin' },
  { sql: 'START TRANSACTION READ ONLY', verb: 'begin', because: 'it raises Com_begin as well' },
  { sql: 'START SLAVE', verb: 'other', because: 'only START TRANSACTION begins one' },
  { sql: 'commit', verb: 'commit', because: 'case does not matter' },
  { sql: 'ROLLBACK', verb: 'rollback', because: 'it raises Com_rollback' },
  { sql: 'ROLLBACK TO SAVEPOINT a', verb: 'other', because: 'it raises Com_rollback_to_savepoint' },
  { sql: 'SET autocommit = 0', verb: 'other', because: 'nobody compares the rest' },
  { sql: '', verb: 'other', because: 'nothing is said' },
])('$sql is $verb: $because', ({ sql, verb }) => {
  expect(verbOf(sql)).toBe(verb);
  expect(VERBS[verbId(sql)]).toBe(verb);
});
