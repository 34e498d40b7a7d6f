import { expect, test } from 'vitest';
import { chunkAt, chunkCount, rowsExpected } from './load-chunks.ts';
import { tableSet } from './tables.ts';

const SET = tableSet('spec', 1);
const SCALE = 3;
const CHUNKS = Array.from({ length: chunkCount(SCALE) }, (_, number) => chunkAt(SET, number));

test('the pieces together hold every row once', () => {
  const places = CHUNKS.flatMap(({ stretches }) =>
    stretches.map(({ table, warehouse, district, from }) => [table, warehouse, district ?? from ?? 0].join(' ')),
  );
  expect(new Set(places).size).toBe(places.length);
  const of = (table: string) => places.filter((place) => place.startsWith(`${table} `)).length;
  expect(of('item')).toBe(10);
  expect([of('warehouse'), of('district')]).toEqual([SCALE, SCALE]);
  for (const table of ['stock', 'customer', 'history', 'orders', 'new_order', 'order_line']) {
    expect(of(table)).toBe(SCALE * 10);
  }
});

test('their rows add up', () => {
  expect(CHUNKS.reduce((rows, chunk) => rows + chunk.rowsExpected, 0)).toBe(rowsExpected(SCALE));
  // Item; then a warehouse, its districts, stock, customers and their history, orders, open orders and order lines.
  expect(rowsExpected(SCALE)).toBe(100_000 + SCALE * (1 + 10 + 100_000 + 30_000 + 30_000 + 30_000 + 9_000 + 300_000));
});

test('neighbours are of different tables', () => {
  for (let number = 11; number < CHUNKS.length - 1; number++) {
    expect(CHUNKS[number]?.stretches[0]?.table).not.toBe(CHUNKS[number + 1]?.stretches[0]?.table);
  }
});
