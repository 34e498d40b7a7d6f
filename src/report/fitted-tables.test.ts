import { expect, test } from 'vitest';
import { fittedTables } from './fitted-tables.ts';
import { type Column, LINE_LENGTH } from './layout.ts';

function columns(count: number, length: number): Column[] {
  return Array.from({ length: count }, (_, at) => ({
    heading: String(at).padEnd(length, '-'),
    align: 'left' as const,
  }));
}

test('a table that fits is one', () => {
  expect(fittedTables(columns(3, 4), [['a', 'b', 'c']])).toEqual([['  0---  1---  2---', '  a     b     c']]);
});

test('a wider one goes on below, with the first column again, and no column is lost', () => {
  const tables = fittedTables(columns(9, 18), [Array.from({ length: 9 }, (_, at) => `cell ${at}`)]);
  expect(tables.map(([heading = '']) => heading.match(/\d/g))).toEqual([
    ['0', '1', '2', '3'],
    ['0', '4', '5', '6'],
    ['0', '7', '8'],
  ]);
  for (const line of tables.flat()) expect(line.length).toBeLessThanOrEqual(LINE_LENGTH);
});

test('points below each other take room, too', () => {
  const columnsOfPoints = ['0', '1', '2', '3'].map((heading): Column => ({ heading, align: 'point' }));
  const rows = [Array(4).fill('0.1234567890'), Array(4).fill('1234567890.1')];
  for (const line of fittedTables(columnsOfPoints, rows).flat()) expect(line.length).toBeLessThanOrEqual(LINE_LENGTH);
});

test('columns of which no row has anything are left out, and so is a table without rows', () => {
  expect(fittedTables(columns(3, 4), [['a', '', 'c']])).toEqual([['  0---  2---', '  a     c']]);
  expect(fittedTables(columns(3, 4), [])).toEqual([]);
});

test('a column that is too long by itself is not lost', () => {
  const tables = fittedTables(columns(2, 90), [['a', 'b']]);
  expect(tables.flat().join('\n')).toContain('b');
});
