import { expect, test } from 'vitest';
import type { SqlValue } from '../../wire/types.ts';
import { type CheckRules, checkOutcome, checkRows } from './checks.ts';
import type { StatementName } from './statements.ts';

const rules: CheckRules = { tableSize: 1_000, rangeSize: 3, isEveryIdThere: true };
const loose: CheckRules = { ...rules, isEveryIdThere: false };

/** A value of c that begins with this digit. */
function c(digit: number): string[] {
  return [Array.from({ length: 10 }, () => String(digit).repeat(11)).join('-')];
}

interface Case {
  readonly name: StatementName;
  readonly rows: readonly (readonly SqlValue[])[];
  readonly from?: number;
  readonly rules?: CheckRules;
  readonly because: string;
}

test.each<Case>([
  { name: 'point_select', rows: [c(1)], because: 'one row is there' },
  { name: 'point_select', rows: [], rules: loose, because: 'the row may be deleted just now' },
  { name: 'simple_range', rows: [c(3), c(1), c(2)], because: 'a plain range has no order' },
  { name: 'simple_range', rows: [c(1)], from: 1_000, because: 'the range reaches over the end' },
  { name: 'simple_range', rows: [c(1), c(2), c(3)], from: 1_000, because: 'oltp_insert has added rows' },
  { name: 'order_range', rows: [c(1), c(1), c(2)], because: 'sorted, and rows may be alike' },
  { name: 'distinct_range', rows: [c(1)], because: 'all rows of the range may be alike' },
  { name: 'sum_range', rows: [['1500']], because: 'DECIMAL is text' },
  { name: 'sum_range', rows: [[null]], rules: loose, because: 'no row is left in the range' },
])('$name: passes where $because', ({ name, rows, from = 1, rules: given = rules }) => {
  expect(() => checkRows(name, rows, [from, from + 2], given)).not.toThrow();
});

test.each<Case & { readonly error: RegExp }>([
  { name: 'point_select', rows: [], error: /got none/, because: 'the row is missing' },
  { name: 'point_select', rows: [c(1), c(2)], error: /got 2/, because: 'an id is there twice' },
  { name: 'point_select', rows: [['x']], error: /eleven digits/, because: 'c is something else' },
  { name: 'point_select', rows: [[null]], error: /eleven digits/, because: 'c is NULL' },
  { name: 'simple_range', rows: [c(1), c(2)], error: /at least 3/, because: 'a row is missing' },
  { name: 'simple_range', rows: [c(1), c(2), c(3), c(4)], error: /at most 3/, because: 'a row is too many' },
  { name: 'order_range', rows: [c(1), c(3), c(2)], error: /out of order/, because: 'it is not sorted' },
  { name: 'distinct_range', rows: [c(1), c(1)], error: /repeats/, because: 'a row comes twice' },
  { name: 'sum_range', rows: [], error: /got 0/, because: 'a sum is always one row' },
  { name: 'sum_range', rows: [[null]], error: /NULL/, because: 'the rows are missing' },
  { name: 'sum_range', rows: [['12.5']], error: /sum of/, because: 'k are integers' },
  { name: 'sum_range', rows: [['-1']], error: /sum of/, because: 'k are positive' },
  { name: 'sum_range', rows: [['99999999999999']], error: /sum of/, because: 'three integers cannot be so much' },
])('$name: fails where $because', ({ name, rows, from = 1, error }) => {
  expect(() => checkRows(name, rows, [from, from + 2], rules)).toThrow(error);
});

test.each([
  { name: 'index_update', affectedRows: 1, rules, error: undefined },
  { name: 'index_update', affectedRows: 0, rules, error: /got none/ },
  { name: 'index_update', affectedRows: 0, rules: loose, error: undefined },
  { name: 'delete', affectedRows: 2, rules, error: /got 2/ },
  { name: 'insert', affectedRows: 0, rules: loose, error: /got none/ },
] as const)('$name that changed $affectedRows rows', ({ name, affectedRows, rules: given, error }) => {
  const outcome = { hasRows: false, rowCount: 0, affectedRows, lastInsertId: 0, warningCount: 0, status: 2 };
  const check = () => checkOutcome(name, outcome, given);
  if (error === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(error);
});
