/** A table that is wider than a terminal goes on in another below it, which begins with the same first column. */
import { type Column, LINE_LENGTH, tableLines } from './layout.ts';

/** Indent of a table, and the gap between two columns. */
const SPACE = 2;

/** Columns in which no row has anything are left out. */
export function fittedTables(columns: readonly Column[], rows: readonly (readonly string[])[]): string[][] {
  const [first, ...others] = columns.map((_, at) => at).filter((at) => at === 0 || rows.some((row) => row[at] !== ''));
  if (first === undefined || rows.length === 0) return [];
  // As it is laid out: decimal points below each other take room.
  const lengthOf = (at: number) =>
    Math.max(
      ...tableLines(
        [columns[at]!],
        rows.map((row) => [row[at] ?? '']),
      ).map((line) => line.length - SPACE),
    );
  const parts: number[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const at of others) {
    if (length + SPACE + lengthOf(at) > LINE_LENGTH) {
      parts.push([first]);
      length = SPACE + lengthOf(first);
    }
    parts.at(-1)!.push(at);
    length += SPACE + lengthOf(at);
  }
  return parts.map((part) =>
    tableLines(
      part.map((at) => columns[at]!),
      rows.map((row) => part.map((at) => row[at] ?? '')),
    ),
  );
}
