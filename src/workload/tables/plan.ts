/** Looks at what is there before prepare changes anything, and decides for each table what to do. */
import { UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { quoteName, readNumber } from '../sql.ts';
import { misfitOf, readTables, type TableInfo } from '../table-info.ts';
import { CHUNK_ROWS, type LoadMark, readMark } from './journal.ts';
import type { FilledTable } from './table.ts';

/**
 * create: the table is not there. fill: it is, and empty, made by hand or by a prepare that was cut off at once.
 * continue: half loaded. keep: all rows are there; the index may not be.
 */
export interface TablePlan {
  readonly does: 'create' | 'fill' | 'continue' | 'keep';
  /** Of a table to keep: rows 0, there is nothing to load. */
  readonly mark: LoadMark;
  /** Any index on the column that is to have one, whatever its name. */
  readonly hasIndex: boolean;
}

const NO_VARIANT = '0';
/** Up to so many rows a table is counted; above, its highest key and the server's estimate must do. */
const COUNTED_ROWS_MAX = 1_000_000;

/** The plan of each table, in their order. Throws a `UserError` where a table is in the way. */
export async function planTables(
  connection: Connection,
  tables: readonly FilledTable[],
  seed: number,
): Promise<TablePlan[]> {
  const found = await readTables(
    connection,
    tables.map(({ name }) => name),
  );
  const plans: TablePlan[] = [];
  for (const table of tables) {
    const info = found.get(table.name);
    const fresh = freshMark(table, seed);
    plans.push(
      info === undefined
        ? { does: 'create', mark: fresh, hasIndex: false }
        : await planPresent(connection, info, table, fresh),
    );
  }
  return plans;
}

function freshMark({ rows, variant }: FilledTable, seed: number): LoadMark {
  return { seed, rows, chunkRows: CHUNK_ROWS, keys: variant?.fingerprint ?? NO_VARIANT, comment: '' };
}

async function planPresent(
  connection: Connection,
  info: TableInfo,
  table: FilledTable,
  fresh: LoadMark,
): Promise<TablePlan> {
  const misfit = misfitOf(info, table.columns, { otherColumns: table.otherColumns });
  if (misfit !== undefined) {
    throw new UserError(`${info.name} ${misfit}: it is not a table of this workload. Nothing was changed.`, {
      hint: 'Use another database (--mysql-db=NAME), or rename or drop that table yourself.',
    });
  }
  const hasIndex = table.index !== undefined && [...info.indexes.values()].includes(table.index.column);
  const mark = readMark(info.comment);
  if (mark !== undefined) {
    demandSameLoad(table, mark, fresh);
    return { does: 'continue', mark, hasIndex };
  }
  const there = await countRows(connection, info, table.key);
  const isWhole = there.highestKey === fresh.rows && (!there.isExact || there.count === fresh.rows);
  if (isWhole) return { does: 'keep', mark: { ...fresh, rows: 0, comment: info.comment }, hasIndex };
  if (there.count === 0) return { does: 'fill', mark: { ...fresh, comment: info.comment }, hasIndex };
  const wanted = fresh.rows === 0 ? 'An empty table was' : `${formatCount(fresh.rows)} rows were`;
  throw new UserError(`${info.name} is there already: ${shownRows(there, table.key)}. ${wanted} asked for.`, {
    hint:
      'Drop it with the cleanup command, then prepare again; ' +
      `or use it as it is, with a ${table.size.option} that fits it.`,
  });
}

function demandSameLoad({ name, size, variant }: FilledTable, mark: LoadMark, wanted: LoadMark): void {
  if (mark.rows !== wanted.rows) {
    throw new UserError(
      `${name} is half loaded, on its way to ${formatCount(mark.rows)} rows, not ${formatCount(wanted.rows)}.`,
      { hint: `Finish it with ${size.option}=${mark.rows / size.rowsPerUnit}, or drop it with the cleanup command.` },
    );
  }
  if (mark.keys !== wanted.keys) {
    throw new UserError(`${name} is half loaded, with another ${variant?.option ?? 'kind of rows'} than now.`, {
      hint: 'Finish it with the options it was begun with, or drop it with the cleanup command.',
    });
  }
}

interface RowCount {
  readonly count: number;
  readonly isExact: boolean;
  readonly highestKey: number;
}

async function countRows(connection: Connection, info: TableInfo, key: string): Promise<RowCount> {
  const name = quoteName(info.name);
  const highestKey = await readNumber(connection, `SELECT MAX(${quoteName(key)}) FROM ${name}`);
  if (Math.max(highestKey, info.rowsEstimate) > COUNTED_ROWS_MAX) {
    return { count: info.rowsEstimate, isExact: false, highestKey };
  }
  return { count: await readNumber(connection, `SELECT COUNT(*) FROM ${name}`), isExact: true, highestKey };
}

function shownRows(rows: RowCount, key: string): string {
  const about = rows.isExact ? '' : 'about ';
  return `${about}${formatCount(rows.count)} rows, highest ${key} ${formatCount(rows.highestKey)}`;
}
