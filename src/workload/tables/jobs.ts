/** The pieces of work of a prepare, and which of them a connection that is free takes next. */

import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, quoteName, quoteText, readProcesses, readRows } from '../sql.ts';
import { chunkCount, chunkKeys, type LoadMark, missingChunks, writeMark } from './journal.ts';
import type { TablePlan } from './plan.ts';
import type { FilledTable, LoadContext, RowLoader } from './table.ts';

/** One table on its way. */
export interface TableWork {
  readonly table: FilledTable;
  mark: LoadMark;
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
  readonly context: LoadContext;
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
  return !stop.signal.aborted && tables.some((work) => work.phase === 'opening');
}

/** One connection and what it has prepared. */
export interface Worker {
  readonly connection: Connection;
  /** For the table it loaded last. */
  last: { readonly table: FilledTable; readonly loader: RowLoader } | undefined;
}

export type Job = (worker: Worker, loading: Loading) => Promise<void>;

/**
 * A table whose rows are in is finished first. Then connections spread: one table each while there are enough, since
 * neighbours in one table get in each other's way; several in one table when there are not.
 */
export function nextJob({ tables, stop }: Loading): Job | undefined {
  if (stop.signal.aborted) return undefined;
  const loaded = tables.find((work) => work.phase === 'loading' && work.chunks.length === 0 && work.active === 0);
  if (loaded !== undefined) return finishJob(loaded);
  const open = tables.filter((work) => work.phase === 'loading' && work.chunks.length > 0);
  const leastBusy = open.reduce<TableWork | undefined>(
    (best, work) => (best === undefined || work.active < best.active ? work : best),
    undefined,
  );
  if (leastBusy?.active === 0) return chunkJob(leastBusy);
  const waiting = tables.find((work) => work.phase === 'waiting');
  if (waiting !== undefined) return openJob(waiting);
  return leastBusy === undefined ? undefined : chunkJob(leastBusy);
}

function openJob(work: TableWork): Job {
  work.phase = 'opening';
  return async ({ connection }, loading) => {
    const { progress } = loading.context;
    const { name } = work.table;
    const rows = work.mark.rows === 0 ? 'no' : formatCount(work.mark.rows);
    if (work.opensBy === 'create') {
      progress.note(`${name}: creating it, loading ${rows} rows`);
      await createTable(connection, work);
    } else if (work.opensBy === 'fill') {
      progress.note(`${name} is there, and empty: loading ${rows} rows`);
      await setComment(connection, work);
    }
    const isContinued = work.opensBy === 'continue';
    const chunks = isContinued ? await missingChunks(connection, work.table, work.mark) : allChunks(work.mark);
    const rowsThere = work.mark.rows - rowsOf(work.mark, chunks);
    if (isContinued) progress.note(`${name}: going on, ${formatCount(rowsThere)} of ${rows} rows are there`);
    if (work.mark.seed !== loading.context.seed) {
      progress.note(`${name}: with --rand-seed=${work.mark.seed}, with which it was begun`);
    }
    work.chunks = chunks.reverse();
    work.phase = 'loading';
    advance(loading, rowsThere);
  };
}

function allChunks(mark: LoadMark): number[] {
  return Array.from({ length: chunkCount(mark) }, (_, index) => index);
}

function rowsOf(mark: LoadMark, chunks: readonly number[]): number {
  return chunks.reduce((rows, chunk) => {
    const { from, to } = chunkKeys(mark, chunk);
    return rows + to - from + 1;
  }, 0);
}

async function createTable(connection: Connection, work: TableWork): Promise<void> {
  const mark = writeMark(work.mark);
  await connection.execute(work.table.createSql(mark));
  // The user's own options may hold a comment, which has taken the place of the mark: it moves behind it.
  const rows = await readRows(
    connection,
    `SELECT TABLE_COMMENT FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${quoteText(work.table.name)}`,
  );
  const comment = asText(rows[0]?.[0]);
  if (comment === mark) return;
  work.mark = { ...work.mark, comment };
  await setComment(connection, work);
}

async function setComment(connection: Connection, { table, mark }: TableWork): Promise<void> {
  await connection.execute(`ALTER TABLE ${quoteName(table.name)} COMMENT = ${quoteText(writeMark(mark))}`);
}

function chunkJob(work: TableWork): Job {
  const chunk = work.chunks.pop() as number;
  work.active++;
  return async (worker, loading) => {
    const keys = chunkKeys(work.mark, chunk);
    const loader = await loaderFor(worker, work);
    await loader.load(keys);
    work.active--;
    advance(loading, keys.to - keys.from + 1);
  };
}

async function loaderFor(worker: Worker, { table, mark }: TableWork): Promise<RowLoader> {
  if (worker.last?.table === table) return worker.last.loader;
  worker.last?.loader.close();
  worker.last = undefined;
  worker.last = { table, loader: await table.openLoader(worker.connection, mark.seed) };
  return worker.last.loader;
}

function advance(loading: Loading, rows: number): void {
  loading.rowsDone += rows;
  loading.context.progress.advance('rows', loading.rowsDone, loading.rowsTotal);
}

/** One ALTER builds the index and takes the mark away: the table is complete, or it is not. */
function finishJob(work: TableWork): Job {
  work.phase = 'finishing';
  return async ({ connection }, { context }) => {
    const { name, index } = work.table;
    const isBuilt = index !== undefined && work.needsIndex;
    if (isBuilt) context.progress.note(`${name}: building index ${index.name}`);
    const addIndex = isBuilt ? `ADD KEY ${quoteName(index.name)} (${quoteName(index.column)}), ` : '';
    const sql = `ALTER TABLE ${quoteName(name)} ${addIndex}COMMENT = ${quoteText(work.mark.comment)}`;
    await executeUntilAborted(connection, context, sql);
    work.phase = 'ready';
  };
}

/** An ALTER on a big table takes minutes, and closing its connection would not end it. */
export async function executeUntilAborted(
  connection: Connection,
  context: Pick<LoadContext, 'connect' | 'signal'>,
  sql: string,
): Promise<void> {
  const kill = () => void killQuery(context, connection.server.connectionId, sql);
  context.signal.addEventListener('abort', kill, { once: true });
  try {
    await connection.execute(sql);
  } finally {
    context.signal.removeEventListener('abort', kill);
  }
}

async function killQuery(context: Pick<LoadContext, 'connect'>, connectionId: number, sql: string): Promise<void> {
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
