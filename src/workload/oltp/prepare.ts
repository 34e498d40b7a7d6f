/** prepare of the OLTP family: sbtest1, sbtest2 and so on, each with its index on k built after the rows. */
import { UserError } from '../../base/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, readRows } from '../sql.ts';
import { loadTables } from '../tables/load.ts';
import type { FilledTable } from '../tables/table.ts';
import type { MaintenanceContext } from '../workload.ts';
import { keysFingerprint } from './keys-fingerprint.ts';
import type { TABLE_OPTIONS, TableOptions } from './options.ts';
import { openRowLoader } from './row-loader.ts';
import { createTableSql, secondaryIndexName, TABLE_COLUMNS, tableName } from './tables.ts';

export type TableContext = MaintenanceContext<typeof TABLE_OPTIONS>;

/** `rows`: of each table; oltp_insert may want them empty. */
export async function prepareTables(context: TableContext, rows = context.options.table_size): Promise<void> {
  const { options, keys } = context;
  const variant = { option: '--rand-type', fingerprint: keysFingerprint(keys) };
  const tables = Array.from({ length: options.tables }, (_, index) =>
    filledTable(index + 1, context, { rows, variant }),
  );
  await loadTables(context, tables, {
    before: (connection) => demandEngine(connection, options.mysql_storage_engine),
  });
}

function filledTable(
  number: number,
  { options, keys }: TableContext,
  { rows, variant }: Required<Pick<FilledTable, 'rows' | 'variant'>>,
): FilledTable {
  const name = tableName(number);
  return {
    name,
    columns: TABLE_COLUMNS,
    otherColumns: 'allowed',
    key: 'id',
    rows,
    size: { option: '--table-size', rowsPerUnit: 1 },
    variant,
    ...(options.create_secondary ? { index: { name: secondaryIndexName(number), column: 'k' } } : {}),
    createSql: (comment) => createTableSql(number, options, comment),
    openLoader: (connection, seed) => openRowLoader(connection, name, { seed, table: number, rows, keys }),
  };
}

/** A server without NO_ENGINE_SUBSTITUTION would quietly take another engine. */
async function demandEngine(connection: Connection, engine: TableOptions['mysql_storage_engine']): Promise<void> {
  const rows = await readRows(connection, 'SHOW ENGINES');
  const usable = rows.filter(([, support]) => /^(?:yes|default)$/i.test(asText(support))).map(([name]) => asText(name));
  if (usable.some((name) => name.toLowerCase() === engine.toLowerCase())) return;
  throw new UserError(`The server has no storage engine '${engine}'.`, {
    hint: `It has: ${usable.sort().join(', ')}.`,
  });
}
