/** cleanup of the OLTP family, and a word on the tables that it was not told of. */
import type { Connection } from '../../wire/types.ts';
import { asText, readRows } from '../sql.ts';
import { type DropContext, dropTables } from '../tables/drop.ts';
import type { TableNeed } from '../workload.ts';
import type { TableContext } from './prepare.ts';
import { TABLE_COLUMNS, tableNames } from './tables.ts';

export async function cleanupTables(context: TableContext): Promise<void> {
  const { tables } = context.options;
  await dropNumbered(context, tableNames(tables), { columns: TABLE_COLUMNS, moreBy: '--tables' });
}

export interface NumberedTables {
  readonly columns: TableNeed['columns'];
  /** The option that says how many tables there are. */
  readonly moreBy: string;
}

export async function dropNumbered(
  context: DropContext,
  names: readonly string[],
  { columns, moreBy }: NumberedTables,
): Promise<void> {
  const tables = names.map((name) => ({ name, columns }));
  await dropTables(context, tables, { after: (connection) => tellOfOthers(connection, context, moreBy) });
}

/** More tables may have been prepared than the cleanup was told of. */
async function tellOfOthers(connection: Connection, context: DropContext, moreBy: string): Promise<void> {
  const rows = await readRows(
    connection,
    "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE 'sbtest%'",
  );
  const numbers = rows.map(([name]) => Number(/^sbtest(\d+)$/.exec(asText(name))?.[1] ?? 0));
  const highest = Math.max(0, ...numbers);
  if (highest > 0)
    context.progress.note(`There are more tables, up to sbtest${highest}: to drop them, give ${moreBy}=${highest}`);
}
