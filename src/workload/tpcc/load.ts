/**
 * prepare: makes the nine tables and fills them, over several connections within one warehouse too; then builds the
 * indexes, then the foreign keys. Cut off at any point, it goes on from there when the command is given again.
 */
import { monotonicMs } from '../../base/clock.ts';
import { formatCount } from '../../base/units.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { readRows } from '../sql.ts';
import { explained, interrupted } from '../tables/load.ts';
import { awaitLeftovers, lockPrepare } from '../tables/lock.ts';
import type { MaintenanceContext } from '../workload.ts';
import { deviationsOf } from './deviations.ts';
import { createJournalSql, createMetadataSql, insertMetadataSql, setCompleteSql } from './journal.ts';
import { type Chunk, chunkAt, rowsExpected, stretchWhere } from './load-chunks.ts';
import { buildForeignKeys, buildIndexes } from './load-keys.ts';
import { areTransactional, planSets, type SetPlan } from './load-plan.ts';
import { chooseMethod, type LoadMethod, loadStretch } from './load-rows.ts';
import type { TpccSchema } from './options.ts';
import { createRowSource, type RowSource, type Stretch } from './rows.ts';
import { columnsOf, createTableSql, TABLES, type TableSet } from './tables.ts';

export type TpccContext = MaintenanceContext<TpccSchema>;

/** What all connections of one prepare share. */
interface Loading {
  /** Its connections are set up for loading. */
  readonly context: TpccContext;
  readonly isTransactional: boolean;
  readonly method: LoadMethod;
  readonly sources: ReadonlyMap<TableSet, RowSource>;
  /** Sets of which a piece may be there in part. */
  readonly continued: ReadonlySet<TableSet>;
  rowsDone: number;
  /** Becomes exact as order lines are counted. */
  rowsTotal: number;
}

export async function prepareTpcc(context: TpccContext): Promise<void> {
  const startMs = monotonicMs();
  const loadContext = { ...context, connect: async () => setUp(await context.connect()) };
  const state = { rowsDone: 0, rowsTotal: 0 };
  try {
    await using first = await loadContext.connect();
    await lockPrepare(first);
    await prepareLocked(first, loadContext, state);
  } catch (error) {
    if (context.signal.aborted) throw interrupted(state);
    throw explained(error, state);
  }
  if (context.signal.aborted) throw interrupted(state);
  if (state.rowsDone === 0) return;
  const tookS = ((monotonicMs() - startMs) / 1000).toFixed(1);
  context.progress.note(`${formatCount(state.rowsDone)} rows loaded in ${tookS} s`);
}

/**
 * The data are right by construction, and the checks can show it: to look up each key while loading would cost more
 * than the load. The rest frees the session from settings under which the same statements mean something else.
 */
const SESSION_SETTINGS =
  "SET SESSION foreign_key_checks = 0, unique_checks = 0, sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'";

async function setUp(connection: Connection): Promise<Connection> {
  await connection.execute(SESSION_SETTINGS);
  return connection;
}

interface State {
  rowsDone: number;
  rowsTotal: number;
}

async function prepareLocked(first: Connection, context: TpccContext, state: State): Promise<void> {
  const { options, signal } = context;
  let plans = await planSets(first, options, context.seed);
  const continued = plans.filter((plan) => plan.does === 'continue');
  if (continued.length > 0) {
    await awaitLeftovers(
      first,
      continued.flatMap(({ set }) => Object.values(set.tables)),
    );
    // What was still at work may have finished a piece.
    plans = await planSets(first, options, context.seed);
  }
  tellPlans(plans, context);
  const own = plans.filter((plan) => plan.does !== 'leave');
  const loaded = own.filter((plan) => plan.does !== 'keep');
  await eachInParallel(context, first, loaded, (connection, plan) => createTables(connection, plan, context));
  if (loaded.length > 0) await loadRows(first, loaded, { context, state });
  if (!signal.aborted) await buildIndexes(first, own, context);
  if (!signal.aborted) await buildForeignKeys(first, own, context);
  if (!signal.aborted) await eachInParallel(context, first, loaded, completeSet);
}

function tellPlans(plans: readonly SetPlan[], { progress, seed }: TpccContext): void {
  for (const { set, does, metadata, chunks } of plans) {
    const name = set.tables.warehouse;
    const size = `${formatCount(metadata.scale)} ${metadata.scale === 1 ? 'warehouse' : 'warehouses'}`;
    if (does === 'load') progress.note(`${name} and its tables: creating them, loading ${size}`);
    else if (does === 'continue') progress.note(`${name}: going on, ${formatCount(chunks.length)} pieces are missing`);
    else if (does === 'keep') progress.note(`${name} and its tables are there already, with ${size}: kept as they are`);
    else progress.note(`${name} and its tables are there already, with ${size}, of another program: left as they are`);
    if (does === 'leave' || metadata.seed === seed) continue;
    const which = does === 'keep' ? 'they were made; for others: cleanup, then prepare' : 'it was begun';
    progress.note(`${name}: with --rand-seed=${metadata.seed}, with which ${which}`);
  }
}

/** The metadata come last: without them, tables that are empty are nobody's, and may be filled. */
async function createTables(connection: Connection, plan: SetPlan, { options }: TpccContext): Promise<void> {
  if (plan.does !== 'load') return;
  const { set, metadata, missingTables } = plan;
  await connection.execute(createMetadataSql(set, options.mysql_storage_engine));
  await connection.execute(createJournalSql(set, options.mysql_storage_engine));
  // Of a prepare that was cut off before its first row.
  await connection.execute(`DELETE FROM ${set.metadata}`);
  await connection.execute(`DELETE FROM ${set.journal}`);
  for (const table of missingTables) await connection.execute(createTableSql(set, table, options));
  await connection.execute(insertMetadataSql(set, metadata));
}

async function loadRows(
  first: Connection,
  plans: readonly SetPlan[],
  { context, state }: { readonly context: TpccContext; readonly state: State },
): Promise<void> {
  const { progress } = context;
  const chunks = plans.flatMap(({ set, chunks: numbers }) => numbers.map((number) => chunkAt(set, number)));
  const [firstChunk] = chunks;
  if (firstChunk === undefined) return;
  const { method, because } = await chooseMethod(first, firstChunk.set.tables.item);
  if (because !== undefined)
    progress.note(`Loading by INSERTs, which is slower, since LOAD DATA LOCAL is refused: ${because}`);
  const rowsLeft = chunks.reduce((sum, chunk) => sum + chunk.rowsExpected, 0);
  state.rowsTotal = plans.reduce((sum, { metadata }) => sum + rowsExpected(metadata.scale), 0);
  state.rowsDone = state.rowsTotal - rowsLeft;
  const loading: Loading = Object.assign(state, {
    context,
    method,
    isTransactional: await areTransactional(
      first,
      plans.map(({ set }) => set),
    ),
    sources: new Map(plans.map((plan) => [plan.set, sourceOf(plan, context)])),
    continued: new Set(plans.filter(({ does }) => does === 'continue').map(({ set }) => set)),
  });
  progress.advance('rows', state.rowsDone, state.rowsTotal);
  await eachInParallel(context, first, chunks, (connection, chunk) => loadChunk(connection, chunk, loading));
}

function sourceOf({ set, metadata, hasHistoryId }: SetPlan, { options }: TpccContext): RowSource {
  const { seed, constants } = metadata;
  return createRowSource({ seed, set, constants, deviations: deviationsOf(options), hasHistoryId });
}

async function loadChunk(connection: Connection, chunk: Chunk, loading: Loading): Promise<void> {
  const rows = loading.isTransactional
    ? await loadInTransaction(connection, chunk, loading)
    : await loadInPieces(connection, chunk, loading);
  loading.rowsDone += rows;
  loading.rowsTotal += rows - chunk.rowsExpected;
  loading.context.progress.advance('rows', loading.rowsDone, loading.rowsTotal);
}

/** ER_DUP_ENTRY */
const DUPLICATE = 1062;

/**
 * The line of the journal goes first: where a connection of a prepare that was killed still has the same piece in hand,
 * this waits for the end of it, and then either finds it done or begins it anew.
 */
async function loadInTransaction(connection: Connection, chunk: Chunk, loading: Loading): Promise<number> {
  await connection.execute('BEGIN');
  try {
    await connection.execute(journalSql(chunk));
  } catch (error) {
    if (!(error instanceof ServerError && error.code === DUPLICATE)) throw error;
    await connection.execute('ROLLBACK');
    return chunk.rowsExpected;
  }
  const rows = await loadStretches(connection, chunk, loading);
  await connection.execute('COMMIT');
  return rows;
}

/** What there is of a piece that was cut off is deleted, and the line of the journal says that it is whole. */
async function loadInPieces(connection: Connection, chunk: Chunk, loading: Loading): Promise<number> {
  if (loading.continued.has(chunk.set)) {
    for (const stretch of chunk.stretches) {
      await connection.execute(`DELETE FROM ${chunk.set.tables[stretch.table]} WHERE ${stretchWhere(stretch)}`);
    }
  }
  const rows = await loadStretches(connection, chunk, loading);
  await connection.execute(journalSql(chunk));
  return rows;
}

function journalSql({ set, number }: Chunk): string {
  return `INSERT INTO ${set.journal} VALUES (${number})`;
}

async function loadStretches(connection: Connection, { set, stretches }: Chunk, loading: Loading): Promise<number> {
  const source = loading.sources.get(set) as RowSource;
  let rows = 0;
  for (const stretch of stretches) {
    const target = { table: set.tables[stretch.table], columns: targetColumns(source, stretch) };
    rows += await loadStretch(connection, loading.method, { target, source, stretch });
  }
  return rows;
}

/** History may have a key of its own, which is given so that it is the same whoever loads first. */
function targetColumns({ hasHistoryId }: RowSource, { table }: Stretch): string[] {
  const columns = columnsOf(table);
  return table === 'history' && hasHistoryId ? ['id', ...columns] : columns;
}

async function completeSet(connection: Connection, { set }: SetPlan): Promise<void> {
  // ANALYZE answers with rows, one of which may report an error that does not matter here.
  for (const table of TABLES) await readRows(connection, `ANALYZE TABLE ${set.tables[table]}`);
  await connection.execute(setCompleteSql(set));
  await connection.execute(`DROP TABLE ${set.journal}`);
}
