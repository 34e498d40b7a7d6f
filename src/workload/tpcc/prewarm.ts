/**
 * prewarm (also: warmup): brings the tables and their indexes into the server's memory, and renews their statistics.
 * Every page is read: rows by ranges of warehouses, several connections in one table, then each index.
 */
import { UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { asText, quoteName, quoteText, readNumber, readRows } from '../sql.ts';
import { misfitOf, readTables } from '../table-info.ts';
import type { MaintenanceContext } from '../workload.ts';
import type { TpccSchema } from './options.ts';
import { TABLES, type TableName, type TableSet, tableNeed, tableSets } from './tables.ts';

/** Read by one statement: short enough to stop soon when asked to. */
const WAREHOUSES_PER_READ = 10;

/** The warehouse, by which the primary key begins, and a column that is in no index, so that the rows are read. */
const READ_BY: Readonly<Record<TableName, { readonly warehouse?: string; readonly column: string }>> = {
  warehouse: { warehouse: 'w_id', column: 'w_ytd' },
  district: { warehouse: 'd_w_id', column: 'd_ytd' },
  customer: { warehouse: 'c_w_id', column: 'c_data' },
  history: { column: 'h_data' },
  item: { column: 'i_data' },
  stock: { warehouse: 's_w_id', column: 's_data' },
  orders: { warehouse: 'o_w_id', column: 'o_entry_d' },
  new_order: { warehouse: 'no_w_id', column: 'no_o_id' },
  order_line: { warehouse: 'ol_w_id', column: 'ol_dist_info' },
};

interface Reading {
  readonly sql: string;
  readonly countsRows: boolean;
}

export async function prewarmTpcc(context: MaintenanceContext<TpccSchema>): Promise<void> {
  const { progress, options } = context;
  await using first = await context.connect();
  const sets = tableSets(options);
  await demandTables(first, sets);
  const names = sets.flatMap(({ tables }) => Object.values(tables));
  await eachInParallel(context, first, names, async (connection, name) => {
    // ANALYZE answers with rows, one of which may report an error that does not matter here.
    await readRows(connection, `ANALYZE TABLE ${name}`);
  });
  const readings: Reading[] = [];
  for (const set of sets) readings.push(...(await readingsOf(first, set)));
  let done = 0;
  let rows = 0;
  await eachInParallel(context, first, readings, async (connection, { sql, countsRows }) => {
    const counted = await readNumber(connection, sql);
    if (countsRows) rows += counted;
    done++;
    progress.advance('reads', done, readings.length);
  });
  if (context.signal.aborted) return;
  progress.note(
    `${names.length === 1 ? '1 table' : `${names.length} tables`} read, ${formatCount(rows)} rows with their indexes`,
  );
}

async function demandTables(connection: Connection, sets: readonly TableSet[]): Promise<void> {
  const found = await readTables(
    connection,
    sets.flatMap(({ tables }) => Object.values(tables)),
  );
  for (const set of sets) {
    for (const table of TABLES) {
      const name = set.tables[table];
      const info = found.get(name);
      const misfit = info === undefined ? 'is not there' : misfitOf(info, tableNeed(set, table).columns);
      if (misfit === undefined) continue;
      throw new UserError(`${name} ${misfit}.`, { hint: 'Make the tables with the prepare command, same options.' });
    }
  }
}

async function readingsOf(connection: Connection, set: TableSet): Promise<Reading[]> {
  const warehouses = await readNumber(connection, `SELECT MAX(w_id) FROM ${set.tables.warehouse}`);
  const readings: Reading[] = [];
  for (const table of TABLES) {
    const name = set.tables[table];
    const { warehouse, column } = READ_BY[table];
    if (warehouse === undefined) {
      readings.push({ sql: `SELECT COUNT(${column}) FROM ${name}`, countsRows: true });
    } else {
      for (let from = 1; from <= warehouses; from += WAREHOUSES_PER_READ) {
        const where = `${warehouse} BETWEEN ${from} AND ${from + WAREHOUSES_PER_READ - 1}`;
        // Through the primary key whatever the optimizer thinks, so that a range is not read by a scan of all.
        readings.push({
          sql: `SELECT COUNT(${column}) FROM ${name} FORCE INDEX (PRIMARY) WHERE ${where}`,
          countsRows: true,
        });
      }
    }
    readings.push(...(await indexReadings(connection, name)));
  }
  return readings;
}

async function indexReadings(connection: Connection, table: string): Promise<Reading[]> {
  const indexes = await readRows(
    connection,
    `SELECT INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()
      AND TABLE_NAME = ${quoteText(table)} AND SEQ_IN_INDEX = 1 AND INDEX_NAME <> 'PRIMARY'`,
  );
  return indexes.map(([index, column]) => ({
    sql: `SELECT COUNT(*) FROM ${table} FORCE INDEX (${quoteName(asText(index))}) WHERE ${quoteName(asText(column))} >= 0`,
    countsRows: false,
  }));
}
