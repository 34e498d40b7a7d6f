/** The pieces of work of a prepare, and which of them a connection that is free takes next. */

import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, quoteText, readProcesses, readRows } from '../sql.ts';
import { chunkCount, chunkIds, type LoadMark, missingChunks, writeMark } from './journal.ts';
import type { TableContext, TablePlan } from './prepare-plan.ts';
import { openRowLoader, type RowLoader } from './row-loader.ts';
import type { RowSource } from './rows.ts';
import { createTableSql, secondaryIndexName } from './tables.ts';

/** One table on its way. */
export interface TableWork {
  readonly number: number;
  readonly name: string;
  mark: LoadMark;
  readonly source: RowSource;
  readonly opensBy: TablePlan['does'];
  readonly needsIndex: boolean;
  phase: 'waiting' | 'opening' | 'loading' | 'finishing' | 'ready';
  /** Chunks not yet begun, last first. */
  chunks: number[];
  /** Connections that are loading chunks of it now. */
  active: number;
}

/** What all connections of one prepare share. */
export interface Loading {
  readonly context: TableContext;
  readonly tables: readonly TableWork[];
  readonly rowsTotal: number;
  rowsDone: number;
  /** Aborted by the user, or when one connection has failed. */
  readonly stop: AbortController;
  /** Resolves when a job has ended, and is then replaced: for those who had nothing to do. */
  nextChange: Change;
}

interface Change {
  readonly promise: Promise<void>;
  resolve(): void;
}

export function newChange(): Change {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

export function announceChange(loading: Loading): void {
  const { nextChange } = loading;
  loading.nextChange = newChange();
  nextChange.resolve();
}

/** A table that is just being opened will have chunks for all. */
export function mayBringWork({ tables, stop }: Loading): boolean {
  return !stop.signal.aborted && tables.some((table) => table.phase === 'opening');
}

/** One connection and what it has prepared. */
export interface Worker {
  readonly connection: Connection;
  /** For the table it loaded last. */
  loader: RowLoader | undefined;
}

export type Job = (worker: Worker, loading: Loading) => Promise<void>;

/**
 * A table whose rows are in is finished first. Then connections spread: one table each while there are enough, since
 * neighbours in one table get in each other's way; several in one table when there are not.
 */
export function nextJob({ tables, stop }: Loading): Job | undefined {
  if (stop.signal.aborted) return undefined;
  const loaded = tables.find((table) => table.phase === 'loading' && table.chunks.length === 0 && table.active === 0);
  if (loaded !== undefined) return finishJob(loaded);
  const open = tables.filter((table) => table.phase === 'loading' && table.chunks.length > 0);
  const leastBusy = open.reduce<TableWork | undefined>(
    (best, table) => (best === undefined || table.active < best.active ? table : best),
    undefined,
  );
  if (leastBusy?.active === 0) return chunkJob(leastBusy);
  const waiting = tables.find((table) => table.phase === 'waiting');
  if (waiting !== undefined) return openJob(waiting);
  return leastBusy === undefined ? undefined : chunkJob(leastBusy);
}

function openJob(table: TableWork): Job {
  table.phase = 'opening';
  return async ({ connection }, loading) => {
    const { progress } = loading.context;
    const rows = table.mark.rows === 0 ? 'no' : formatCount(table.mark.rows);
    if (table.opensBy === 'create') {
      progress.note(`${table.name}: creating it, loading ${rows} rows`);
      await createTable(connection, table, loading);
    } else if (table.opensBy === 'fill') {
      progress.note(`${table.name} is there, and empty: loading ${rows} rows`);
      await setComment(connection, table);
    }
    const isContinued = table.opensBy === 'continue';
    const chunks = isContinued ? await missingChunks(connection, table.name, table.mark) : allChunks(table.mark);
    const rowsThere = table.mark.rows - rowsOf(table.mark, chunks);
    if (isContinued) progress.note(`${table.name}: going on, ${formatCount(rowsThere)} of ${rows} rows are there`);
    if (table.mark.seed !== loading.context.seed) {
      progress.note(`${table.name}: with --rand-seed=${table.mark.seed}, with which it was begun`);
    }
    table.chunks = chunks.reverse();
    table.phase = 'loading';
    advance(loading, rowsThere);
  };
}

function allChunks(mark: LoadMark): number[] {
  return Array.from({ length: chunkCount(mark) }, (_, index) => index);
}

function rowsOf(mark: LoadMark, chunks: readonly number[]): number {
  return chunks.reduce((rows, chunk) => {
    const { from, to } = chunkIds(mark, chunk);
    return rows + to - from + 1;
  }, 0);
}

async function createTable(connection: Connection, table: TableWork, { context }: Loading): Promise<void> {
  const mark = writeMark(table.mark);
  await connection.execute(createTableSql(table.number, context.options, mark));
  // The user's own options may hold a comment, which has taken the place of the mark: it moves behind it.
  const rows = await readRows(
    connection,
    `SELECT TABLE_COMMENT FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '${table.name}'`,
  );
  const comment = asText(rows[0]?.[0]);
  if (comment === mark) return;
  table.mark = { ...table.mark, comment };
  await setComment(connection, table);
}

async function setComment(connection: Connection, table: TableWork): Promise<void> {
  await connection.execute(`ALTER TABLE ${table.name} COMMENT = ${quoteText(writeMark(table.mark))}`);
}

function chunkJob(table: TableWork): Job {
  const chunk = table.chunks.pop() as number;
  table.active++;
  return async (worker, loading) => {
    const ids = chunkIds(table.mark, chunk);
    const loader = await loaderFor(worker, table);
    await loader.load(ids);
    table.active--;
    advance(loading, ids.to - ids.from + 1);
  };
}

async function loaderFor(worker: Worker, table: TableWork): Promise<RowLoader> {
  if (worker.loader?.table === table.name) return worker.loader;
  worker.loader?.close();
  worker.loader = undefined;
  worker.loader = await openRowLoader(worker.connection, table.name, table.source);
  return worker.loader;
}

function advance(loading: Loading, rows: number): void {
  loading.rowsDone += rows;
  loading.context.progress.advance('rows', loading.rowsDone, loading.rowsTotal);
}

/** One ALTER builds the index and takes the mark away: the table is complete, or it is not. */
function finishJob(table: TableWork): Job {
  table.phase = 'finishing';
  return async ({ connection }, { context }) => {
    const index = secondaryIndexName(table.number);
    if (table.needsIndex) context.progress.note(`${table.name}: building index ${index}`);
    const addIndex = table.needsIndex ? `ADD KEY ${index} (k), ` : '';
    const sql = `ALTER TABLE ${table.name} ${addIndex}COMMENT = ${quoteText(table.mark.comment)}`;
    await executeUntilAborted(connection, context, sql);
    table.phase = 'ready';
  };
}

/** An ALTER on a big table takes minutes, and closing its connection would not end it. */
async function executeUntilAborted(connection: Connection, context: TableContext, sql: string): Promise<void> {
  const kill = () => void killQuery(context, connection.server.connectionId, sql);
  context.signal.addEventListener('abort', kill, { once: true });
  try {
    await connection.execute(sql);
  } finally {
    context.signal.removeEventListener('abort', kill);
  }
}

async function killQuery(context: TableContext, connectionId: number, sql: string): Promise<void> {
  try {
    await using connection = await context.connect();
    // With several hosts this may be another server, where the number is somebody else's.
    const running = await readProcesses(connection);
    if (running.some(({ id, statement }) => id === connectionId && statement === sql))
      await connection.execute(`KILL QUERY ${connectionId}`);
  } catch {
    // Without a connection, or where the statement has just ended, there is nothing to kill but only to wait.
  }
}
