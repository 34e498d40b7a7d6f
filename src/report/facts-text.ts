/** Differing facts as text: side by side where they fit, else below each other. */
import { formatBytes, formatCount } from '../base/units.ts';
import type { DifferingFact, Facts, FactsDiff, LoneFact, Origin } from '../stats/environment-diff.ts';
import { type Column, hangingLines, LINE_LENGTH, noteLines, tableLines } from './layout.ts';

/** What the two sides are called: 'A' and 'B'. */
export interface Sides {
  readonly one: string;
  readonly other: string;
}

export function countOfFacts(count: number): string {
  return count === 1 ? '1 fact' : `${formatCount(count)} facts`;
}

function factText(name: string, value: Facts[string], origin: Origin | undefined): string {
  const from = origin === undefined ? '' : ` (${origin})`;
  if (typeof value === 'boolean') return (value ? 'yes' : 'no') + from;
  const isBytes = typeof value === 'number' && /Bytes$/.test(name);
  return (isBytes ? formatBytes(value) : String(value)) + from;
}

/** Lines without a heading; none where nothing differs. */
export function factsDiffLines({ differing, onlyInOne, onlyInOther, expected }: FactsDiff, sides: Sides): string[] {
  return [
    ...differingLines(differing, sides),
    ...loneLines(`only in ${sides.one}`, onlyInOne),
    ...loneLines(`only in ${sides.other}`, onlyInOther),
    ...(expected.length === 0
      ? []
      : noteLines(`As is to be expected, these differ too: ${expected.map(({ name }) => name).join(', ')}.`)),
  ];
}

function differingLines(facts: readonly DifferingFact[], sides: Sides): string[] {
  if (facts.length === 0) return [];
  const rows = facts.map(({ name, one, other, originOfOne, originOfOther }) => [
    name,
    factText(name, one, originOfOne),
    factText(name, other, originOfOther),
  ]);
  const columns = ['fact', sides.one, sides.other].map((heading): Column => ({ heading, align: 'left' }));
  const besides = fitting(rows);
  const table = besides.length === 0 ? [] : tableLines(columns, besides);
  const long = rows.filter((row) => !besides.includes(row));
  return [
    ...table,
    ...long.flatMap(([name = '', one = '', other = '']) => [
      `  ${name}`,
      ...hangingLines(`      ${sides.one}: `, one),
      ...hangingLines(`      ${sides.other}: `, other),
    ]),
  ];
}

/** An indent, and two gaps of two columns. */
const CELLS_LENGTH_MAX = LINE_LENGTH - 6;

/** The rows of a table that fits a line: without the longest ones, as many as it takes. */
function fitting(rows: readonly (readonly string[])[]): (readonly string[])[] {
  const kept = [...rows].sort((a, b) => lengthOf(a) - lengthOf(b));
  while (kept.length > 0 && tableLength(kept) > CELLS_LENGTH_MAX) kept.pop();
  return rows.filter((row) => kept.includes(row));
}

function lengthOf(row: readonly string[]): number {
  return row.reduce((sum, cell) => sum + cell.length, 0);
}

function tableLength(rows: readonly (readonly string[])[]): number {
  return [0, 1, 2].reduce((sum, column) => sum + Math.max(...rows.map((row) => row[column]?.length ?? 0)), 0);
}

function loneLines(title: string, facts: readonly LoneFact[]): string[] {
  if (facts.length === 0) return [];
  return [
    `  ${title}:`,
    ...facts.flatMap(({ name, value, origin }) => hangingLines(`      ${name} = `, factText(name, value, origin))),
  ];
}
