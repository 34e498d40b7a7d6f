import { expect, test } from 'vitest';
import { TABLE_COLUMNS } from './oltp/tables.ts';
import { misfitOf, type TableInfo } from './table-info.ts';

function table(columns: Record<string, string>, isView = false): TableInfo {
  const rest = { engine: 'InnoDB', comment: '', rowsEstimate: 0, indexes: new Map() };
  return { name: 'sbtest1', isView, columns: new Map(Object.entries(columns)), ...rest };
}

test.each([
  { columns: { id: 'int(11)', k: 'int(11)', c: 'char(120)', pad: 'char(60)' }, by: 'MariaDB' },
  { columns: { id: 'int', k: 'int', c: 'char(120)', pad: 'char(60)' }, by: 'MySQL 8' },
  { columns: { id: 'int(10) unsigned', k: 'int(10) unsigned', c: 'char(120)', pad: 'char(60)' }, by: 'sysbench 0.5' },
  { columns: { id: 'bigint(20)', k: 'int(11)', c: 'varchar(120)', pad: 'varchar(255)' }, by: 'a wider schema' },
])('tables of $by fit', ({ columns }) => {
  expect(misfitOf(table(columns), TABLE_COLUMNS)).toBeUndefined();
});

test.each([
  { columns: { id: 'int', k: 'int', c: 'char(120)' }, misfit: 'has no column pad' },
  { columns: { id: 'int', k: 'int', c: 'char(60)', pad: 'char(60)' }, misfit: /c as char\(60\) where char\(120\)/ },
  { columns: { id: 'varchar(36)', k: 'int', c: 'char(120)', pad: 'char(60)' }, misfit: /id as varchar/ },
  { columns: { id: 'int', k: 'int', c: 'text', pad: 'char(60)' }, misfit: /c as text/ },
])('$misfit', ({ columns, misfit }) => {
  expect(misfitOf(table(columns as Record<string, string>), TABLE_COLUMNS)).toMatch(misfit);
});

test('a view is not a table', () => {
  expect(misfitOf(table({}, true), TABLE_COLUMNS)).toBe('is a view');
});

test('more columns are refused where the table is to be dropped', () => {
  const columns = { id: 'int', k: 'int', c: 'char(120)', pad: 'char(60)', mine: 'int' };
  expect(misfitOf(table(columns), TABLE_COLUMNS)).toBeUndefined();
  expect(misfitOf(table(columns), TABLE_COLUMNS, { otherColumns: 'refused' })).toMatch(/mine/);
});
