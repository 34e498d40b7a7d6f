/**
 * R10: a figure is not another column's with one digit put in or left out. Exchanged digits are not looked for: between
 * two honest runs of like speed one digit often differs.
 */
import { type Cell, cellsByKey, type MeasuredFacts } from '../../foreign-output/facts.ts';
import { significantDigits } from '../arithmetic.ts';
import { isMeasuredKey, pairs } from '../pairs.ts';
import { cannotTell, defineRule, fails, type Judged, passes, THE_TEXT } from '../rule.ts';

/** Shorter numbers come so near each other by chance. */
const DIGITS_MIN = 5;
/** One such cell among many results may be chance. */
const CELLS_MIN = 2;

export default defineRule({
  id: 'R10',
  title: "no figure is another result's with one digit put in or left out",
  check: ({ measurements }) => {
    if (measurements.length < 2) return [];
    const found = pairs(measurements).flatMap(([one, other]) => checkPair(one, other));
    if (found.length > 0) return found;
    return [passes(THE_TEXT, { is: 'No figure is one digit away from that of another result.' })];
  },
});

function checkPair(one: MeasuredFacts, other: MeasuredFacts): Judged[] {
  const byKey = cellsByKey(one);
  const edited = [...cellsByKey(other)].flatMap(([key, cell]) => {
    const left = byKey.get(key);
    const how = left === undefined || !isTelling(key) ? undefined : edit(left, cell);
    return left === undefined || how === undefined ? [] : [{ left, cell, how }];
  });
  if (edited.length === 0) return [];
  const arithmetic = edited.map(
    ({ left, cell, how }) =>
      `${cell.written} (line ${cell.line}, ${cell.label}) is ${left.written} (line ${left.line}) ${how}`,
  );
  const cells = edited.flatMap(({ left, cell }) => [left, cell]);
  if (edited.length < CELLS_MIN) {
    const is = `One figure is one digit away from that of ${one.name}; that may be chance.`;
    return [cannotTell(other, { is, arithmetic, cells })];
  }
  const is = `${edited.length} figures are those of ${one.name} with one digit put in or left out.`;
  return [fails(other, { is, arithmetic, cells })];
}

function isTelling(key: string): boolean {
  return isMeasuredKey(key) || /^p[\d.]+$/.test(key);
}

/** How the one becomes the other; undefined where more than one digit would have to change, or a round one. */
function edit(from: Cell, to: Cell): string | undefined {
  if (Math.min(significantDigits(from.written), significantDigits(to.written)) < DIGITS_MIN) return undefined;
  const added = insertion(from.written, to.written);
  if (added !== undefined) return `with a ${added} put in`;
  const removed = insertion(to.written, from.written);
  return removed === undefined ? undefined : `without a ${removed}`;
}

/** The digit by which the longer text is longer. */
function insertion(shorter: string, longer: string): string | undefined {
  if (longer.length !== shorter.length + 1) return undefined;
  let at = 0;
  while (at < shorter.length && shorter[at] === longer[at]) at++;
  const digit = longer[at] ?? '';
  return shorter.slice(at) === longer.slice(at + 1) && /^\d$/.test(digit) ? digit : undefined;
}
