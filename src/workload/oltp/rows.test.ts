import { expect, test } from 'vitest';
import { C_BYTES, PAD_BYTES, type RowSource, rowMaker } from './rows.ts';

const source: RowSource = {
  seed: 1,
  table: 1,
  rows: 1_000_000,
  keys: { draw: (random, from, to) => random.integer(from, to) },
};

function rowText(changes: Partial<RowSource>, id: number): string {
  const target = Buffer.alloc(C_BYTES + PAD_BYTES);
  const k = rowMaker({ ...source, ...changes }).make(id, target, 0);
  return `${k} ${target.toString('latin1', 0, C_BYTES)} ${target.toString('latin1', C_BYTES)}`;
}

test('a row has a key and groups of digits', () => {
  expect(rowText({}, 4_711)).toMatch(/^\d{1,7} \d{11}(-\d{11}){9} \d{11}(-\d{11}){4}$/);
});

test('what is in a row depends on seed, table and id, and on nothing else', () => {
  const maker = rowMaker(source);
  const target = Buffer.alloc(3 * (C_BYTES + PAD_BYTES));
  maker.make(9, target, 0);
  const k = maker.make(10, target, C_BYTES + PAD_BYTES);
  expect(`${k} ${target.toString('latin1', C_BYTES + PAD_BYTES, C_BYTES * 2 + PAD_BYTES)}`).toBe(
    rowText({}, 10).split(' ').slice(0, 2).join(' '),
  );
  const rows = [{}, { seed: 2 }, { table: 2 }].map((changes) => rowText(changes, 10));
  expect(new Set([...rows, rowText({}, 11)]).size).toBe(4);
});
