/** prewarm of the OLTP family: the rows with their texts, and the index on k. */
import { prewarmTables as prewarm } from '../tables/prewarm.ts';
import type { TableContext } from './prepare.ts';
import { TABLE_COLUMNS, tableNames } from './tables.ts';

export async function prewarmTables(context: TableContext): Promise<void> {
  const warmed = { columns: TABLE_COLUMNS, key: 'id', counted: ['c', 'pad'], indexed: 'k' };
  await prewarm(
    context,
    tableNames(context.options.tables).map((name) => ({ name, ...warmed })),
  );
}
