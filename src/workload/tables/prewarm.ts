/**
 * prewarm (also: warmup): brings tables and their indexes into the server's memory, and renews their statistics.
 * Every page is read: rows by ranges of keys, several connections in one table, then the second index.
 */
import { UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { quoteName, readRows } from '../sql.ts';
import { misfitOf, readTables, type TableInfo } from '../table-info.ts';
import type { MaintenanceContext, TableNeed } from '../workload.ts';

/** Keys read by one statement: short enough to stop soon when asked to. */
const RANGE_KEYS = 1_000_000;

export interface WarmedTable extends Pick<TableNeed, 'name' | 'columns'> {
  readonly key: string;
  /** Columns that only the rows themselves hold. */
  readonly counted: readonly string[];
  /** An integer column with an index, which is read too where it is there. */
  readonly indexed?: string;
}

interface Reading {
  readonly sql: string;
  readonly countsRows: boolean;
}

type WarmContext = Pick<MaintenanceContext<Record<never, never>>, 'connect' | 'threads' | 'signal' | 'progress'>;

export async function prewarmTables(context: WarmContext, tables: readonly WarmedTable[]): Promise<void> {
  const { progress } = context;
  await using first = await context.connect();
  const found = await findTables(first, tables);
  await eachInParallel(context, first, tables, async (connection, { name }) => {
    // ANALYZE answers with rows, one of which may report an error that does not matter here.
    await readRows(connection, `ANALYZE TABLE ${quoteName(name)}`);
  });
  const readings: Reading[] = [];
  for (const table of tables) readings.push(...(await readingsOf(first, table, found.get(table.name) as TableInfo)));
  let done = 0;
  let rows = 0;
  await eachInParallel(context, first, readings, async (connection, reading) => {
    const [row] = await readRows(connection, reading.sql);
    if (reading.countsRows) rows += Number(row?.[0] ?? 0);
    done++;
    progress.advance('reads', done, readings.length);
  });
  if (context.signal.aborted) return;
  progress.note(
    `${tables.length === 1 ? '1 table' : `${tables.length} tables`} read, ${formatCount(rows)} rows with their indexes`,
  );
}

async function findTables(
  connection: Connection,
  tables: readonly WarmedTable[],
): Promise<ReadonlyMap<string, TableInfo>> {
  const found = await readTables(
    connection,
    tables.map(({ name }) => name),
  );
  for (const { name, columns } of tables) {
    const info = found.get(name);
    const misfit = info === undefined ? 'is not there' : misfitOf(info, columns);
    if (misfit === undefined) continue;
    throw new UserError(`${name} ${misfit}.`, { hint: 'Make the tables with the prepare command, same options.' });
  }
  return found;
}

async function readingsOf(connection: Connection, table: WarmedTable, { indexes }: TableInfo): Promise<Reading[]> {
  const name = quoteName(table.name);
  const key = quoteName(table.key);
  const [bounds] = await readRows(connection, `SELECT MIN(${key}), MAX(${key}) FROM ${name}`);
  const lowest = Number(bounds?.[0] ?? 0);
  const highest = Number(bounds?.[1] ?? -1);
  // Through the index on the key whatever the optimizer thinks, so that a range is read by keys, not by a whole scan.
  const keyIndex = indexes.has('PRIMARY') ? 'PRIMARY' : [...indexes].find(([, column]) => column === table.key)?.[0];
  const byKey = keyIndex === undefined ? '' : ` FORCE INDEX (${quoteName(keyIndex)})`;
  const counts = table.counted.map((column) => `COUNT(${quoteName(column)})`).join(', ');
  const readings: Reading[] = [];
  for (let from = lowest; from <= highest; from += RANGE_KEYS) {
    const where = `WHERE ${key} BETWEEN ${from} AND ${from + RANGE_KEYS - 1}`;
    readings.push({ sql: `SELECT ${counts} FROM ${name}${byKey} ${where}`, countsRows: true });
  }
  const { indexed } = table;
  const second = indexed === undefined ? undefined : [...indexes].find(([, column]) => column === indexed)?.[0];
  if (indexed !== undefined && second !== undefined) {
    const column = quoteName(indexed);
    const sql = `SELECT COUNT(${column}) FROM ${name} FORCE INDEX (${quoteName(second)}) WHERE ${column} > -2147483648`;
    readings.push({ sql, countsRows: false });
  }
  return readings;
}
