/** Looks at what is there before prepare changes anything, and decides for each table what to do. */
import { UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, readNumber, readRows } from '../sql.ts';
import { misfitOf, readTables, type TableInfo } from '../table-info.ts';
import type { MaintenanceContext } from '../workload.ts';
import { CHUNK_ROWS, keysFingerprint, type LoadMark, readMark } from './journal.ts';
import type { TABLE_OPTIONS, TableOptions } from './options.ts';
import { TABLE_COLUMNS, tableName, tableNames } from './tables.ts';

export type TableContext = MaintenanceContext<typeof TABLE_OPTIONS>;

/**
 * create: the table is not there. fill: it is, and empty, made by hand or by a prepare that was cut off at once.
 * continue: half loaded. keep: all rows are there; the index may not be.
 */
export interface TablePlan {
  readonly does: 'create' | 'fill' | 'continue' | 'keep';
  /** Of a table to keep: rows 0, there is nothing to load. */
  readonly mark: LoadMark;
  /** Any index on k, whatever its name. */
  readonly hasIndex: boolean;
}

/** Up to so many rows a table is counted; above, its highest id and the server's estimate must do. */
const COUNTED_ROWS_MAX = 1_000_000;

/** The plan of each table, by number - 1. Throws a `UserError` where a table is in the way. */
export async function planTables(connection: Connection, context: TableContext, rows: number): Promise<TablePlan[]> {
  const { options } = context;
  await demandEngine(connection, options.mysql_storage_engine);
  const found = await readTables(connection, tableNames(options.tables));
  const fresh: LoadMark = {
    seed: context.seed,
    rows,
    chunkRows: CHUNK_ROWS,
    keys: keysFingerprint(context.keys),
    comment: '',
  };
  const plans: TablePlan[] = [];
  for (let number = 1; number <= options.tables; number++) {
    const info = found.get(tableName(number));
    plans.push(
      info === undefined
        ? { does: 'create', mark: fresh, hasIndex: false }
        : await planPresent(connection, info, fresh),
    );
  }
  return plans;
}

async function planPresent(connection: Connection, info: TableInfo, fresh: LoadMark): Promise<TablePlan> {
  const misfit = misfitOf(info, TABLE_COLUMNS);
  if (misfit !== undefined) {
    throw new UserError(`${info.name} ${misfit}: it is not a table of this workload. Nothing was changed.`, {
      hint: 'Use another database (--mysql-db=NAME), or rename or drop that table yourself.',
    });
  }
  const hasIndex = [...info.indexes.values()].includes('k');
  const mark = readMark(info.comment);
  if (mark !== undefined) {
    demandSameLoad(info.name, mark, fresh);
    return { does: 'continue', mark, hasIndex };
  }
  const there = await countRows(connection, info);
  const isWhole = there.highestId === fresh.rows && (!there.isExact || there.count === fresh.rows);
  if (isWhole) return { does: 'keep', mark: { ...fresh, rows: 0, comment: info.comment }, hasIndex };
  if (there.count === 0) return { does: 'fill', mark: { ...fresh, comment: info.comment }, hasIndex };
  const wanted = fresh.rows === 0 ? 'An empty table was' : `${formatCount(fresh.rows)} rows were`;
  throw new UserError(`${info.name} is there already: ${shownRows(there)}. ${wanted} asked for.`, {
    hint: 'Drop it with the cleanup command, then prepare again; or use it as it is, with a --table-size that fits it.',
  });
}

function demandSameLoad(table: string, mark: LoadMark, wanted: LoadMark): void {
  if (mark.rows !== wanted.rows) {
    throw new UserError(
      `${table} is half loaded, on its way to ${formatCount(mark.rows)} rows, not ${formatCount(wanted.rows)}.`,
      { hint: `Finish it with --table-size=${mark.rows}, or drop it with the cleanup command.` },
    );
  }
  if (mark.keys !== wanted.keys) {
    throw new UserError(`${table} is half loaded, with another --rand-type than now.`, {
      hint: 'Finish it with the options it was begun with, or drop it with the cleanup command.',
    });
  }
}

interface RowCount {
  readonly count: number;
  readonly isExact: boolean;
  readonly highestId: number;
}

async function countRows(connection: Connection, info: TableInfo): Promise<RowCount> {
  const highestId = await readNumber(connection, `SELECT MAX(id) FROM ${info.name}`);
  if (Math.max(highestId, info.rowsEstimate) > COUNTED_ROWS_MAX) {
    return { count: info.rowsEstimate, isExact: false, highestId };
  }
  return { count: await readNumber(connection, `SELECT COUNT(*) FROM ${info.name}`), isExact: true, highestId };
}

function shownRows(rows: RowCount): string {
  const about = rows.isExact ? '' : 'about ';
  return `${about}${formatCount(rows.count)} rows, highest id ${formatCount(rows.highestId)}`;
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
