import { expect, test } from 'vitest';
import { ROW_BYTES_MAX, type RowFormat, type RowSource, rowWriter } from './rows.ts';

const source: RowSource = {
  seed: 1,
  table: 1,
  rows: 1_000_000,
  keys: { draw: (random, from, to) => random.integer(from, to) },
};

function rowText(changes: Partial<RowSource>, format: RowFormat, id: number): string {
  const target = Buffer.alloc(ROW_BYTES_MAX);
  const end = rowWriter({ ...source, ...changes }, format).write(target, 0, id);
  return target.toString('latin1', 0, end);
}

test('a row has the columns of the table, in both formats alike', () => {
  const values = rowText({}, 'values', 4_711);
  const groups = (count: number) => `\\d{11}(?:-\\d{11}){${count - 1}}`;
  const match = new RegExp(`^\\((\\d+),(\\d+),'(${groups(10)})','(${groups(5)})'\\),$`).exec(values);
  expect(match?.[1]).toBe('4711');
  expect(Number(match?.[2])).toBeGreaterThanOrEqual(1);
  expect(rowText({}, 'lines', 4_711)).toBe(`${match?.slice(1).join('\t')}\n`);
});

test('what is in a row depends on seed, table and id, and on nothing else', () => {
  const writer = rowWriter(source, 'lines');
  const target = Buffer.alloc(3 * ROW_BYTES_MAX);
  let end = writer.write(target, 0, 9);
  const start = end;
  end = writer.write(target, end, 10);
  expect(target.toString('latin1', start, end)).toBe(rowText({}, 'lines', 10));
  const others = [rowText({}, 'lines', 10), rowText({ seed: 2 }, 'lines', 10), rowText({ table: 2 }, 'lines', 10)];
  expect(new Set(others).size).toBe(3);
});

test.each([1, 9, 10, 99, 100, 12_345, 999_999_999, 1_000_000_000, 2_147_483_647])('id %d is written whole', (id) => {
  expect(rowText({}, 'lines', id).split('\t')[0]).toBe(String(id));
});

test('the longest row fits', () => {
  const keys = { draw: () => 2_147_483_647 };
  expect(rowText({ keys }, 'values', 2_147_483_647)).toHaveLength(ROW_BYTES_MAX);
});
