/**
 * The original files of test-ATIS: a row a line, values separated by commas, texts in single quotes with `\'` for a
 * quote. Read strictly, so that a damaged file is found before anything is loaded.
 */
import { UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import { counted } from './queries.ts';
import type { AtisTable } from './tables.ts';

export type AtisValue = string | number;
export type AtisRow = readonly AtisValue[];

/** `table.txt` */
export function dataFileName({ name }: AtisTable): string {
  return `${name}.txt`;
}

export function parseDataFile(text: string, table: AtisTable): AtisRow[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const checks = Object.entries(table.columns).map(([column, type]) => checkOf(column, type));
  const rows = lines.map((line, index) => parseLine(line, checks, { file: dataFileName(table), line: index + 1 }));
  if (rows.length === table.rows) return rows;
  throw new UserError(
    `${dataFileName(table)} has ${counted(rows.length)}, where ${formatCount(table.rows)} are wanted.`,
    { hint: WHOLE_FILES },
  );
}

export const WHOLE_FILES =
  'Give the folder Data/ATIS of sql-bench, as it came with MySQL up to 5.6, or leave --data-dir out.';

interface Place {
  readonly file: string;
  readonly line: number;
}

/** What is wrong with a value, as the end of a sentence, or undefined. */
type Check = (value: AtisValue) => string | undefined;

/**
 * One value: a text with its escapes, or a number. Sticky, so that nothing between two values is passed over. As in
 * MySQL, a backslash stands for nothing before most characters; those before which it means another one do not occur.
 */
const VALUE = /'((?:[^'\\]|\\[^0bnrtZ])*)'|(-?\d+(?:\.\d+)?)/y;

function parseLine(line: string, checks: readonly Check[], place: Place): AtisRow {
  const values: AtisValue[] = [];
  let at = 0;
  do {
    // From the second value on, past the comma.
    if (values.length > 0) at++;
    VALUE.lastIndex = at;
    const found = VALUE.exec(line);
    if (found === null) throw broken(place, `at column ${at + 1} no value begins`);
    const [, text, number] = found;
    values.push(text === undefined ? Number(number) : text.replaceAll(/\\(.)/g, '$1'));
    at = VALUE.lastIndex;
  } while (line[at] === ',');
  if (at < line.length) throw broken(place, `at column ${at + 1} no comma follows a value`);
  if (values.length !== checks.length) {
    throw broken(place, `it has ${values.length} values, where ${checks.length} are wanted`);
  }
  for (const [column, check] of checks.entries()) {
    const problem = check(values[column] as AtisValue);
    if (problem !== undefined) throw broken(place, problem);
  }
  return values;
}

const INTEGERS: Readonly<Record<string, number>> = {
  tinyint: 127,
  smallint: 32_767,
  mediumint: 8_388_607,
  int: 2_147_483_647,
};

function checkOf(column: string, type: string): Check {
  const length = /^char\((\d+)\)$/.exec(type)?.[1];
  if (length !== undefined) {
    return (value) => {
      if (typeof value !== 'string') return `${column} is a number, where a text is wanted`;
      return value.length > Number(length) ? `${column} is longer than ${length} characters` : undefined;
    };
  }
  const largest = INTEGERS[type];
  return (value) => {
    if (typeof value !== 'number') return `${column} is a text, where a number is wanted`;
    if (largest === undefined) return undefined;
    return Number.isInteger(value) && Math.abs(value) <= largest ? undefined : `${column} is ${value}: no ${type}`;
  };
}

function broken({ file, line }: Place, problem: string): UserError {
  return new UserError(`${file}, line ${line}: ${problem}.`, { hint: WHOLE_FILES });
}
