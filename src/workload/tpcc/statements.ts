/**
 * How a transaction declares its statements: under the names by which the report shows them, each as the switches want
 * it. Amounts go to the server as whole hundredths, times 0.01, which is exact: a quoted decimal is added as DOUBLE.
 */
import type { LoadStatement, MixLine, SessionConnection, StatementKind } from '../workload.ts';
import type { Switches } from './profiles.ts';
import type { TableSet } from './tables.ts';

export interface StatementForm {
  readonly kind: StatementKind;
  readonly sql: (tables: TableSet['tables'], on: Switches) => string;
  /** Mean number in one transaction of its type; 0: not even prepared. */
  readonly times: (on: Switches) => number;
}
export type StatementForms<Name extends string = string> = Readonly<Record<Name, StatementForm>>;

/** Those that the switches leave out are absent, and nobody asks for them. */
export type Statements<Forms extends StatementForms> = Readonly<Record<keyof Forms, LoadStatement>>;

export interface StatementParts {
  readonly connection: SessionConnection;
  readonly on: Switches;
  readonly sets: readonly TableSet[];
}

/** By set, in the order of the sets. */
export async function openStatements<Forms extends StatementForms>(
  forms: Forms,
  { connection, on, sets }: StatementParts,
): Promise<readonly Statements<Forms>[]> {
  const text = on.has('statements_as_text');
  const opened: Record<string, LoadStatement>[] = [];
  for (const { tables } of sets) {
    const statements: Record<string, LoadStatement> = {};
    for (const [name, { kind, sql, times }] of Object.entries(forms)) {
      if (times(on) > 0) statements[name] = await connection.statement(name, kind, sql(tables, on), { text });
    }
    opened.push(statements);
  }
  return opened as Statements<Forms>[];
}

/** What one transaction of this type sends, on the average. */
export function mixOf(forms: StatementForms, on: Switches): MixLine[] {
  const lines = Object.entries(forms).map(([name, { kind, times }]) => ({ name, kind, perTransaction: times(on) }));
  return lines.filter(({ perTransaction }) => perTransaction > 0);
}

/** Districts of a warehouse have the numbers 1 to this. */
export const DISTRICTS = 10;
/** Of ten customers so many are found by their last name. */
export const BY_NAME_SHARE = 0.6;

export const once = (): number => 1;
export const byName = (): number => BY_NAME_SHARE;
export const byNumber = (): number => 1 - BY_NAME_SHARE;
export const countedFirst = (on: Switches): number => (on.has('names_counted_first') ? BY_NAME_SHARE : 0);

export const WHERE_CUSTOMER = 'WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?';
export const WHERE_NAME = 'WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?';
export const WHERE_DISTRICT = 'WHERE d_w_id = ? AND d_id = ?';
export const WHERE_LINES = 'WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?';

export function lockOf(on: Switches): string {
  return on.has('reads_without_locks') ? '' : ' FOR UPDATE';
}

/** With OR every server reads one row for each tuple; a list of tuples makes some of them read the table. */
export function anyOf(columns: readonly string[], count: number): string {
  const tuple = `(${columns.map((column) => `${column} = ?`).join(' AND ')})`;
  return Array.from({ length: count }, () => tuple).join(' OR ');
}
