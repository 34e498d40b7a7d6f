import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rangesOf } from './check.ts';
import { CONDITIONS, describeOffender } from './check-conditions.ts';

test('there are twelve conditions, in order', () => {
  expect(CONDITIONS.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('ranges cover every warehouse once', () => {
  const cases = fc.record({
    warehouses: fc.integer({ min: 1, max: 3_000 }),
    threads: fc.integer({ min: 1, max: 64 }),
    readsHistory: fc.boolean(),
  });
  fc.assert(
    fc.property(cases, ({ warehouses, threads, readsHistory }) => {
      const ranges = rangesOf(warehouses, threads, { readsHistory });
      const isJoined = ranges.every(({ from, to }, index) => from === (ranges[index - 1]?.to ?? 0) + 1 && to >= from);
      return isJoined && ranges.at(-1)?.to === warehouses;
    }),
  );
});

test('conditions that read history are not cut into more scans of it than there are connections', () => {
  expect(rangesOf(1_000, 4, { readsHistory: true })).toHaveLength(4);
  expect(rangesOf(1_000, 4, { readsHistory: false })).toHaveLength(100);
});

test.each([
  { number: 2, row: [1, 3, 3_000, 2_999, null], text: 'warehouse 1, district 3: d_next_o_id - 1 is 3000' },
  { number: 5, row: [1, 3, 17, null, null], text: 'warehouse 1, district 3, order 17: o_carrier_id is NULL, no row' },
  { number: 7, row: [1, 3, 17, 2, 5, null], text: 'warehouse 1, district 3, order 17, line 2: o_carrier_id is 5' },
  {
    number: 10,
    row: [1, 3, 9, '-10.00', '0.00', '11.00'],
    text: 'warehouse 1, district 3, customer 9: c_balance is -10',
  },
])('condition $number names $text', ({ number, row, text }) => {
  const condition = CONDITIONS.find((one) => one.number === number);
  expect(condition && describeOffender(condition, row)).toContain(text);
});
