import { expect, test } from 'vitest';
import { describeStatement } from './describe-statement.ts';

test.each([
  { sql: 'SELECT a FROM t WHERE id = ?', kind: 'read', name: 'select_t' },
  { sql: '(SELECT a FROM `My Table`) UNION (SELECT 1)', kind: 'read', name: 'select_my_table' },
  { sql: 'select 1', kind: 'read', name: 'select' },
  { sql: 'SHOW STATUS', kind: 'read', name: 'show' },
  { sql: 'WITH x AS (SELECT 1) SELECT * FROM x', kind: 'read', name: 'with_x' },
  { sql: 'WITH x AS (SELECT 1) UPDATE t, x SET a = 1', kind: 'write', name: 'with' },
  { sql: 'INSERT INTO shop.orders (id) VALUES (?)', kind: 'write', name: 'insert_orders' },
  { sql: 'insert ignore t values (1)', kind: 'write', name: 'insert_t' },
  { sql: 'REPLACE INTO `shop`.`o` VALUES (1)', kind: 'write', name: 'replace_o' },
  { sql: 'UPDATE LOW_PRIORITY t SET a = 1', kind: 'write', name: 'update_t' },
  { sql: 'UPDATE ignored SET a = 1', kind: 'write', name: 'update_ignored' },
  { sql: 'DELETE FROM t', kind: 'write', name: 'delete_t' },
  { sql: 'CALL pay(?)', kind: 'other', name: 'call_pay' },
  { sql: 'SET @x = 1', kind: 'other', name: 'set' },
  { sql: 'CREATE TEMPORARY TABLE IF NOT EXISTS t (a INT)', kind: 'other', name: 'create_t', isDefinition: true },
  { sql: 'BEGIN', kind: 'other', name: 'begin', control: 'begin' },
  { sql: 'BEGIN NOT ATOMIC SELECT 1', kind: 'other', name: 'begin' },
  { sql: 'START TRANSACTION READ ONLY', kind: 'other', name: 'begin', control: 'begin' },
  { sql: 'COMMIT WORK', kind: 'other', name: 'commit', control: 'commit' },
  { sql: 'COMMIT AND CHAIN', kind: 'other', name: 'commit', control: 'chain' },
  { sql: 'ROLLBACK', kind: 'other', name: 'rollback', control: 'rollback' },
  { sql: 'ROLLBACK TO SAVEPOINT a', kind: 'other', name: 'rollback' },
  { sql: 'SAVEPOINT a', kind: 'other', name: 'savepoint' },
])('$sql is $name, $kind', ({ sql, kind, name, control, isDefinition = false }) => {
  expect(describeStatement(sql)).toEqual({ kind, name, control, isDefinition });
});
