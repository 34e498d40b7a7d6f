/**
 * What tables say: sysbench's figures with a column for each configuration, settings of a server, or a ranking by one
 * figure.
 */
import { FactsBuilder } from './builder.ts';
import type { MeasuredFacts, Score, ScoreTable, Setting } from './facts.ts';
import { readingOf, readValue, type Section, sectionOf } from './labels.ts';
import { cellOf, numberAtStart } from './numbers.ts';
import type { TableRow, TextTable } from './table.ts';

/** Fewer labels than this in common with sysbench's report are a coincidence. */
const KNOWN_ROWS_MIN = 3;

export function readResultColumns(table: TextTable): MeasuredFacts[] {
  const header = table.rows.find(({ cells }) => cells.length > 1);
  const columns = header?.cells.slice(1) ?? [];
  // sysbench's own columns of label and value are no table.
  if (header === undefined || columns.length === 0 || /:$/.test(header.cells[0] ?? '')) return [];
  const builders = columns.map(() => new FactsBuilder());
  let section: Section | undefined;
  let known = 0;
  for (const row of table.rows) {
    const [label = '', ...values] = row.cells;
    section = sectionOf(label) !== undefined && values.every((value) => value === '') ? sectionOf(label) : section;
    const reading = readingOf(label, section);
    if (reading === undefined || values.every((value) => value === '')) continue;
    known++;
    for (const [at, value] of values.entries()) {
      const column = columns[at];
      const place = { label: label.replace(/:$/, ''), line: row.line, ...(isNamed(column) ? { column } : {}) };
      const found = readValue(value, reading, place);
      if (found !== undefined) builders[at]?.add(found);
    }
  }
  if (known < KNOWN_ROWS_MIN) return [];
  return builders.flatMap((builder, at) => {
    if (builder.isEmpty) return [];
    const column = isNamed(columns[at]) ? columns[at] : `column ${at + 1}`;
    return [
      builder.facts('sysbench', [], { name: `${table.name}, ${column}`, table: table.name, column: column ?? '' }),
    ];
  });
}

/** Where the first row is already one of figures, no column has a name. */
function isNamed(column: string | undefined): column is string {
  return column !== undefined && column !== '' && !/^[\d.,]+(?:\s*\(.*)?$/.test(column);
}

/** Rows whose first cell is a setting's name: one for each column. */
export function readSettingRows(table: TextTable): Setting[] {
  const columns = table.rows[0]?.cells ?? [];
  return table.rows.flatMap(({ line, cells }) => {
    const [name = '', ...values] = cells;
    if (!/^[a-z]+(?:_[a-z0-9]+)+$/.test(name)) return [];
    return values.flatMap((value, at) => {
      const column = columns[at + 1];
      return value === '' ? [] : [{ name, value, line, ...(column === undefined ? {} : { column }) }];
    });
  });
}

const SECONDS = /^(\d+(?:\.\d+)?)\s*(?:s|sec|secs|seconds)$/i;

/** A table with one column of times, each beside the words that say of what. */
export function readScores(table: TextTable): ScoreTable | undefined {
  const [header, ...rows] = table.rows;
  const at = timeColumn(rows);
  if (header === undefined || at === undefined) return undefined;
  const scores = rows.flatMap(({ line, cells }): Score[] => {
    const number = numberAtStart(cells[at] ?? '');
    if (number === undefined) return [];
    const labels = cells.filter((cell, column) => column !== at && cell !== '');
    // Whole seconds are rounded ones here.
    const step = number.step === 0 ? 1 : number.step;
    return [{ labels, unit: 's', cell: cellOf({ ...number, step }, { label: labels.slice(0, 2).join(', '), line }) }];
  });
  return { name: table.name, scores };
}

function timeColumn(rows: readonly TableRow[]): number | undefined {
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.length));
  for (let column = 1; column < widest; column++) {
    const times = rows.filter(({ cells }) => SECONDS.test(cells[column] ?? ''));
    if (times.length >= 2 && times.length >= rows.length * 0.7) return column;
  }
  return undefined;
}
