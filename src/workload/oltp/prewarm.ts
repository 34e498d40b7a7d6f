/**
 * prewarm (also: warmup): brings the tables and their indexes into the server's memory, and renews their statistics.
 * Every page is read: rows by ranges of ids, several connections in one table, then the index on k.
 */
import { UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { readRows } from '../sql.ts';
import { misfitOf, readTables, type TableInfo } from '../table-info.ts';
import type { TableContext } from './prepare-plan.ts';
import { TABLE_COLUMNS, tableNames } from './tables.ts';

/** Ids read by one statement: short enough to stop soon when asked to. */
const RANGE_IDS = 1_000_000;

interface Reading {
  readonly table: string;
  readonly sql: string;
  readonly countsRows: boolean;
}

export async function prewarmTables(context: TableContext): Promise<void> {
  const { progress } = context;
  await using first = await context.connect();
  const tables = await findTables(first, context);
  await eachInParallel(context, first, tables, async (connection, table) => {
    // ANALYZE answers with rows, one of which may report an error that does not matter here.
    await readRows(connection, `ANALYZE TABLE ${table.name}`);
  });
  const readings: Reading[] = [];
  for (const table of tables) readings.push(...(await readingsOf(first, table)));
  let done = 0;
  let rows = 0;
  await eachInParallel(context, first, readings, async (connection, reading) => {
    const [row] = await readRows(connection, reading.sql);
    if (reading.countsRows) rows += Number(row?.[0] ?? 0);
    done++;
    progress.advance('reads', done, readings.length);
  });
  if (context.signal.aborted) return;
  progress.note(`${tables.length} tables read, ${formatCount(rows)} rows with their indexes`);
}

async function findTables(connection: Connection, context: TableContext): Promise<TableInfo[]> {
  const names = tableNames(context.options.tables);
  const found = await readTables(connection, names);
  return names.map((name) => {
    const info = found.get(name);
    const misfit = info === undefined ? 'is not there' : misfitOf(info, TABLE_COLUMNS);
    if (info !== undefined && misfit === undefined) return info;
    throw new UserError(`${name} ${misfit}.`, { hint: 'Make the tables with the prepare command, same options.' });
  });
}

async function readingsOf(connection: Connection, table: TableInfo): Promise<Reading[]> {
  const { name, indexes } = table;
  const [bounds] = await readRows(connection, `SELECT MIN(id), MAX(id) FROM ${name}`);
  const lowest = Number(bounds?.[0] ?? 0);
  const highest = Number(bounds?.[1] ?? -1);
  // Through the key on id whatever the optimizer thinks, so that a range is read by ids and not by a whole scan.
  const idIndex = indexes.has('PRIMARY') ? 'PRIMARY' : [...indexes].find(([, column]) => column === 'id')?.[0];
  const byId = idIndex === undefined ? '' : ` FORCE INDEX (\`${idIndex}\`)`;
  const readings: Reading[] = [];
  for (let from = lowest; from <= highest; from += RANGE_IDS) {
    const where = `WHERE id BETWEEN ${from} AND ${from + RANGE_IDS - 1}`;
    readings.push({ table: name, sql: `SELECT COUNT(c), COUNT(pad) FROM ${name}${byId} ${where}`, countsRows: true });
  }
  const kIndex = [...indexes].find(([, column]) => column === 'k')?.[0];
  if (kIndex !== undefined) {
    const sql = `SELECT COUNT(k) FROM ${name} FORCE INDEX (\`${kIndex}\`) WHERE k > -2147483648`;
    readings.push({ table: name, sql, countsRows: false });
  }
  return readings;
}
