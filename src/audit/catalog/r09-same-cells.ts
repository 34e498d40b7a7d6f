/** R9: what was measured twice does not come out the same to the last digit. */
import { type Cell, cellsByKey, type MeasuredFacts } from '../../foreign-output/facts.ts';
import { significantDigits } from '../arithmetic.ts';
import { isMeasuredKey, isWorkKey, pairs } from '../pairs.ts';
import { cannotTell, defineRule, fails, type Judged, passes, THE_TEXT } from '../rule.ts';

/** One figure with so many digits, or several with as many together, are no coincidence. */
const DIGITS_ONE_MIN = 6;
const DIGITS_ALL_MIN = 9;

export default defineRule({
  id: 'R9',
  title: 'no figure of one result stands in another one, too',
  check: ({ measurements }) => {
    if (measurements.length < 2) return [];
    const found = pairs(measurements).flatMap(([one, other]) => checkPair(one, other));
    if (found.length > 0) return found;
    const is = `None of the ${measurements.length} results has figures of another one.`;
    return [passes(THE_TEXT, { is })];
  },
});

function checkPair(one: MeasuredFacts, other: MeasuredFacts): Judged[] {
  const same = sameCells(one, other);
  const all = same.map(({ other: cell }) => significantDigits(cell.written));
  const digits = all.reduce((sum, count) => sum + count, 0);
  if (digits < DIGITS_ALL_MIN || Math.max(...all) < DIGITS_ONE_MIN) return [];
  const arithmetic = same.map(
    ({ one: left, other: right }) =>
      `${right.written} (line ${right.line}, ${right.label}) also stands in line ${left.line}`,
  );
  const cells = same.flatMap(({ one: left, other: right }) => [left, right]);
  if (isSameThroughout(one, other) && one.table === undefined && other.table === undefined) {
    const is = `It is the result of ${one.name} once more: the same run, or a copy of it.`;
    return [cannotTell(other, { is, arithmetic, cells })];
  }
  return [
    fails(other, { is: `${same.length} figures are those of ${one.name}, to the last digit.`, arithmetic, cells }),
  ];
}

function isSameThroughout(one: MeasuredFacts, other: MeasuredFacts): boolean {
  const byKey = cellsByKey(one);
  return [...cellsByKey(other)].every(([key, { written }]) => byKey.get(key)?.written === written);
}

function sameCells(one: MeasuredFacts, other: MeasuredFacts): { readonly one: Cell; readonly other: Cell }[] {
  const byKey = cellsByKey(one);
  // As many transactions as before: a fixed amount of work, which always has these counts.
  const isSameWork = one.cells.transactions?.value === other.cells.transactions?.value;
  return [...cellsByKey(other)].flatMap(([key, cell]) => {
    const left = byKey.get(key);
    if (left === undefined || left.written !== cell.written || cell.value === 0) return [];
    if (!isMeasuredKey(key) || (isSameWork && isWorkKey(key))) return [];
    return [{ one: left, other: cell }];
  });
}
