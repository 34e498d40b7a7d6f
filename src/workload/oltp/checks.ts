/**
 * What `--validate` holds the server to: every result must be one that the rules of the tables allow. Transactions of
 * other sessions change rows meanwhile, so a check says only what stays true whatever they do.
 */
import type { Outcome, SqlParameter, SqlValue } from '../../wire/types.ts';
import { type LoadStatement, ValidationError } from '../workload.ts';
import type { StatementName } from './statements.ts';

export interface CheckRules {
  readonly tableSize: number;
  readonly rangeSize: number;
  /**
   * True where every id from 1 to table_size is there at any moment: nothing is deleted, or a row is deleted and
   * inserted again within one transaction.
   */
  readonly isEveryIdThere: boolean;
}

type Rows = readonly (readonly SqlValue[])[];
type Parameters = readonly SqlParameter[];

const C_PATTERN = /^\d{11}(?:-\d{11}){9}$/;
const K_MAX = 2_147_483_647;
/** How much of an unexpected value a message shows. */
const SHOWN_CHARACTERS = 40;

/** Runs one statement and throws a `ValidationError` where its result breaks the rules. */
export async function runChecked(
  statement: LoadStatement,
  name: StatementName,
  where: { readonly table: string; readonly rules: CheckRules },
  parameters: Parameters,
): Promise<void> {
  try {
    if (statement.kind === 'read') checkRows(name, await statement.rows(parameters), parameters, where.rules);
    else checkOutcome(name, await statement.run(parameters), where.rules);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(`${name} on ${where.table} (${shownKeys(name, parameters)}): ${error.message}`);
  }
}

export function checkRows(name: StatementName, rows: Rows, parameters: Parameters, rules: CheckRules): void {
  if (name === 'sum_range') {
    checkSum(rows, rules);
    return;
  }
  const texts = rows.map((row) => row[0]);
  const misfit = texts.find((text) => typeof text !== 'string' || !C_PATTERN.test(text));
  if (misfit !== undefined) {
    throw new ValidationError(`expected ten groups of eleven digits in c, got '${shown(misfit)}'.`);
  }
  if (name === 'point_select') {
    checkPoint(texts.length, rules);
    return;
  }
  checkRangeCount(name, texts.length, Number(parameters[0]), rules);
  if (name === 'order_range' || name === 'distinct_range') checkOrder(texts as string[], name === 'distinct_range');
}

function checkPoint(count: number, rules: CheckRules): void {
  if (count > 1) throw new ValidationError(`expected one row, got ${count}.`);
  if (count === 0 && rules.isEveryIdThere) {
    throw new ValidationError('expected one row, got none: was the table left with gaps, by oltp_delete for one?');
  }
}

function checkRangeCount(name: StatementName, count: number, from: number, rules: CheckRules): void {
  if (count > rules.rangeSize) {
    throw new ValidationError(`expected at most ${rules.rangeSize} rows, got ${count}.`);
  }
  // Two rows may have the same c, so only the plain ranges can be counted from below.
  const countMin = Math.min(rules.rangeSize, rules.tableSize - from + 1);
  if (name !== 'distinct_range' && rules.isEveryIdThere && count < countMin) {
    throw new ValidationError(`expected at least ${countMin} rows, got ${count}.`);
  }
}

function checkOrder(texts: readonly string[], isDistinct: boolean): void {
  for (let row = 1; row < texts.length; row++) {
    const before = texts[row - 1]!;
    const after = texts[row]!;
    if (before > after) throw new ValidationError(`expected rows sorted by c; row ${row + 1} is out of order.`);
    if (isDistinct && before === after) throw new ValidationError(`expected distinct rows; row ${row + 1} repeats.`);
  }
}

/** SUM is DECIMAL, which comes as text, and NULL over no rows. */
function checkSum(rows: Rows, rules: CheckRules): void {
  const sum = rows[0]?.[0];
  if (rows.length !== 1 || sum === undefined) throw new ValidationError(`expected one row, got ${rows.length}.`);
  if (sum === null) {
    if (rules.isEveryIdThere) throw new ValidationError('expected a sum, got NULL.');
    return;
  }
  const value = Number(sum);
  if (!Number.isInteger(value) || value < 0 || value > rules.rangeSize * K_MAX) {
    throw new ValidationError(`expected the sum of at most ${rules.rangeSize} values of k, got '${shown(sum)}'.`);
  }
}

export function checkOutcome(name: StatementName, outcome: Outcome, rules: CheckRules): void {
  const { affectedRows } = outcome;
  if (affectedRows > 1) throw new ValidationError(`expected one row changed, got ${affectedRows}.`);
  if (affectedRows === 0 && (name === 'insert' || rules.isEveryIdThere)) {
    throw new ValidationError(
      'expected one row changed, got none: was the table left with gaps, by oltp_delete for one?',
    );
  }
}

function shownKeys(name: StatementName, parameters: Parameters): string {
  if (name === 'non_index_update') return `id ${parameters[1]}`;
  return name.endsWith('_range') ? `ids ${parameters[0]} to ${parameters[1]}` : `id ${parameters[0]}`;
}

function shown(value: unknown): string {
  const text = String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
