/** The arithmetic of an order's lines, and which customer of a name is meant. */
import { describe, expect, test } from 'vitest';
import type { DeviationName } from './deviations.ts';
import { centsOf, decimalOf, nameIndex } from './transactions-frame.ts';
import { amountCents, isBrand, type Line, quantityAfter } from './transactions-order.ts';

function switches(...names: readonly DeviationName[]): ReadonlySet<DeviationName> {
  return new Set(names);
}

test.each([
  { quantity: 20, ordered: 10, left: 10, because: 'ten are left' },
  { quantity: 19, ordered: 10, left: 100, because: 'less than ten would be left' },
  { quantity: 10, ordered: 10, left: 91, because: 'nothing would be left' },
  { quantity: 11, ordered: 10, left: 1, withoutMargin: true, because: 'one is enough' },
  { quantity: 10, ordered: 10, left: 91, withoutMargin: true, because: 'nothing would be left' },
])('$ordered of $quantity: $left, as $because', ({ quantity, ordered, left, withoutMargin = false }) => {
  const on = withoutMargin ? switches('stock_refilled_without_margin') : switches();
  expect(quantityAfter(quantity, ordered, on)).toBe(left);
});

describe('five pieces at 12.34, taxes of 20 %, a discount of 10 %', () => {
  const line: Line = { number: 1, item: 1, supplyWarehouse: 1, stockWarehouse: 1, quantity: 5 };
  test.each([
    { on: [], cents: 6_170 },
    { on: ['amount_with_taxes'], cents: 6_664 },
    { on: ['amount_truncated'], cents: 6_100 },
    { on: ['amount_with_taxes', 'amount_truncated'], cents: 6_600 },
  ] as const)('$on: $cents hundredths', ({ on, cents }) => {
    expect(amountCents(line, 1_234, { discount: 0.1, taxes: 0.2 }, switches(...on))).toBe(cents);
  });
});

test.each([
  { item: 'anORIGINALitem', stock: 'ORIGINAL', brand: true },
  { item: 'anORIGINALitem', stock: 'original', brand: false },
  { item: 'an item', stock: 'ORIGINAL', brand: false },
])('$item with $stock: $brand', ({ item, stock, brand }) => {
  expect(isBrand(item, stock)).toBe(brand);
});

describe('of the customers of one name, ordered by first name', () => {
  test.each([
    { count: 1, right: 0, afterMiddle: 0 },
    { count: 2, right: 0, afterMiddle: 1 },
    { count: 3, right: 1, afterMiddle: 2 },
    { count: 4, right: 1, afterMiddle: 2 },
    { count: 5, right: 2, afterMiddle: 3 },
  ])('of $count the one at $right', ({ count, right, afterMiddle }) => {
    expect(nameIndex(count, switches())).toBe(right);
    expect(nameIndex(count, switches('name_after_middle'))).toBe(afterMiddle);
  });
});

test.each([
  { text: '0.29', cents: 29 },
  { text: '-10.00', cents: -1_000 },
  { text: '9999999999.99', cents: 999_999_999_999 },
])('$text is exact in hundredths', ({ text, cents }) => {
  expect(centsOf(text)).toBe(cents);
  expect(decimalOf(cents)).toBe(text);
});
