/** What every transaction is made of: how it begins and ends, and what it does where rows are missing. */
import type { SqlValue } from '../../wire/types.ts';
import { asText } from '../sql.ts';
import {
  type LoadStatement,
  type MixLine,
  type TallyCounter,
  type TransactionEvent,
  ValidationError,
} from '../workload.ts';
import type { Switches } from './profiles.ts';
import type { StatementParts } from './statements.ts';
import type { Inputs } from './transactions-inputs.ts';

export type Row = readonly SqlValue[];
export type Run = (event: TransactionEvent) => Promise<'rolled back' | undefined>;

export interface TransactionParts extends StatementParts {
  readonly inputs: Inputs;
  readonly frame: Frame;
  tally(name: TallyName): TallyCounter;
}

/** Under which the record counts what the sheet needs. */
export const TALLIES = [
  'order_lines',
  'remote_order_lines',
  'brand_order_lines',
  'payments',
  'remote_payments',
  'payments_by_name',
  'order_statuses',
  'order_statuses_by_name',
  'delivery_districts',
  'delivery_districts_skipped',
  'delivery_snapshot_misses',
  'rows_not_found',
] as const;
export type TallyName = (typeof TALLIES)[number];

export const FRAME_MIX: readonly MixLine[] = [
  { name: 'begin', kind: 'other', perTransaction: 1 },
  { name: 'commit', kind: 'other', perTransaction: 1 },
];

export interface FrameParts extends Pick<StatementParts, 'connection' | 'on'> {
  readonly isSplittable: boolean;
  readonly validate: boolean;
  readonly rowsNotFound: TallyCounter;
}

/** BEGIN, COMMIT and ROLLBACK, each one statement for all types. */
export interface Frame {
  begin(): Promise<unknown>;
  /** For those that only read: a proxy may send them to a replica. */
  beginReading(): Promise<unknown>;
  commit(): Promise<undefined>;
  /** On purpose, with all work done. */
  rollBack(): Promise<'rolled back'>;
  /** A row that the rules promise is not there: the data are broken, and the run goes on. */
  notFound(what: string): Promise<'rolled back'>;
  /** With `--validate`: ends the transaction where something read breaks the rules. */
  expect(isRight: boolean, what: () => string): void;
  readonly validate: boolean;
}

/** How many statements are prepared for it, whatever the number of table sets. */
export function frameStatements(on: Switches, isSplittable: boolean): number {
  if (on.has('statements_as_text')) return 0;
  return isSplittable ? 3 : 2;
}

export async function openFrame(parts: FrameParts): Promise<Frame> {
  const { connection, isSplittable, validate, rowsNotFound } = parts;
  const text = parts.on.has('statements_as_text');
  const open = (name: string, sql: string) => connection.statement(name, 'other', sql, { text });
  const begin = await open('begin', isSplittable ? 'START TRANSACTION READ WRITE' : 'BEGIN');
  const beginReading: LoadStatement = isSplittable ? await open('begin', 'START TRANSACTION READ ONLY') : begin;
  const commit = await open('commit', 'COMMIT');
  // As the engine sends it after an error: under one name there is one way.
  const rollback = await connection.statement('rollback', 'other', 'ROLLBACK', { text: true });
  const rollBack = async (): Promise<'rolled back'> => {
    await rollback.run();
    return 'rolled back';
  };
  const expect = (isRight: boolean, what: () => string): void => {
    if (validate && !isRight) throw new ValidationError(what());
  };
  return {
    validate,
    begin: () => begin.run(),
    beginReading: () => beginReading.run(),
    commit: async () => {
      await commit.run();
      return undefined;
    },
    rollBack,
    expect,
    notFound: (what) => {
      expect(false, () => `expected ${what}, found none.`);
      rowsNotFound.add();
      return rollBack();
    },
  };
}

/** DECIMAL with two decimals, as text, to whole hundredths. */
export function centsOf(value: SqlValue | undefined): number {
  return Math.round(Number(asText(value)) * 100);
}

/** '12.05'. */
export function decimalOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Which of `count` customers of one last name is meant, from 0: row n/2 rounded up, ordered by first name. */
export function nameIndex(count: number, on: Switches): number {
  const middle = Math.ceil(count / 2) - 1;
  return on.has('name_after_middle') ? Math.min(middle + 1, count - 1) : middle;
}
