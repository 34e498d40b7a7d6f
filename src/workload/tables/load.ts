/**
 * prepare: makes the tables and fills them, over several connections, inside one table too. Cut off at any point, it
 * goes on from there when the command is given again.
 */
import { monotonicMs } from '../../base/clock.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import { ServerError, WireError } from '../../wire/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { announceChange, type Loading, mayBringWork, newChange, nextJob, type TableWork, type Worker } from './jobs.ts';
import { chunkCount } from './journal.ts';
import { awaitLeftovers, lockPrepare } from './lock.ts';
import { planTables, type TablePlan } from './plan.ts';
import type { FilledTable, LoadContext } from './table.ts';

export interface LoadOptions {
  /** A last look at the server, before anything is changed. */
  before?(connection: Connection): Promise<void>;
}

export async function loadTables(
  context: LoadContext,
  wanted: readonly FilledTable[],
  { before }: LoadOptions = {},
): Promise<void> {
  const startMs = monotonicMs();
  await using first = await context.connect();
  await lockPrepare(first);
  await before?.(first);
  const plans = await planTables(first, wanted, context.seed);
  if (plans.some((plan) => plan.does === 'continue')) {
    await awaitLeftovers(
      first,
      wanted.map(({ name }) => name),
    );
  }
  const tables = plans.flatMap((plan, index) => workOf(wanted[index] as FilledTable, plan, context) ?? []);
  if (tables.length === 0) return;
  const loading: Loading = {
    context,
    tables,
    rowsTotal: tables.reduce((rows, table) => rows + table.mark.rows, 0),
    rowsDone: 0,
    stop: new AbortController(),
    nextChange: newChange(),
  };
  await loadAll(first, loading);
  const tookS = ((monotonicMs() - startMs) / 1000).toFixed(1);
  context.progress.note(
    `${formatCount(loading.rowsTotal)} rows loaded, ${tables.length} of ${plans.length} tables, in ${tookS} s`,
  );
}

/** Undefined where there is nothing to do. */
function workOf(table: FilledTable, plan: TablePlan, { progress }: LoadContext): TableWork | undefined {
  const { name, rows, index } = table;
  const isKept = plan.does === 'keep';
  const needsIndex = index !== undefined && !plan.hasIndex;
  if (isKept) {
    progress.note(`${name} is there already, with ${formatCount(rows)} rows: kept as it is`);
    if (!needsIndex) return undefined;
    progress.note(`${name}: its index ${index.name} is missing`);
  }
  return {
    table,
    mark: plan.mark,
    opensBy: plan.does,
    needsIndex,
    phase: isKept ? 'loading' : 'waiting',
    chunks: [],
    active: 0,
  };
}

async function loadAll(first: Connection, loading: Loading): Promise<void> {
  const { context, stop, tables } = loading;
  const onAbort = () => stop.abort();
  context.signal.addEventListener('abort', onAbort, { once: true });
  if (context.signal.aborted) stop.abort();
  const chunks = tables.reduce((count, table) => count + chunkCount(table.mark), 0);
  const connections = Math.max(1, Math.min(context.threads, chunks));
  const others = Array.from({ length: connections - 1 }, async () => {
    await using connection = await context.connect();
    await work(connection, loading);
  });
  const workers = [work(first, loading), ...others].map((worker) =>
    worker.catch((error: unknown) => {
      stop.abort();
      throw error;
    }),
  );
  const results = await Promise.allSettled(workers);
  context.signal.removeEventListener('abort', onAbort);
  if (context.signal.aborted) throw interrupted(loading);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw explained(failed.reason, loading);
}

async function work(connection: Connection, loading: Loading): Promise<void> {
  const worker: Worker = { connection, last: undefined };
  try {
    for (;;) {
      const job = nextJob(loading);
      if (job === undefined) {
        if (!mayBringWork(loading)) return;
        await loading.nextChange.promise;
      } else {
        await job(worker, loading);
        announceChange(loading);
      }
    }
  } finally {
    announceChange(loading);
  }
}

/** How far a load has come. */
export type LoadState = Pick<Loading, 'rowsDone' | 'rowsTotal'>;

export function interrupted({ rowsDone, rowsTotal }: LoadState): UserError {
  return new UserError(`Interrupted: ${formatCount(rowsDone)} of ${formatCount(rowsTotal)} rows are loaded.`, {
    hint: 'Give the same command again to go on from there, or drop the tables with the cleanup command.',
    exitCode: ExitCode.interrupted,
  });
}

const GO_ON = 'What is loaded stays: the same command goes on from there.';
/** Access denied: to the database, to the table, to a column, or for want of a privilege. */
const DENIED_CODES: readonly number[] = [1044, 1142, 1143, 1227];
const RIGHTS = 'SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, INDEX, ALTER';

export function explained(error: unknown, { rowsDone, rowsTotal }: LoadState): unknown {
  const state = `${formatCount(rowsDone)} of ${formatCount(rowsTotal)} rows are loaded`;
  if (error instanceof WireError) {
    const options = { hint: GO_ON, exitCode: ExitCode.targetUnavailable, cause: error };
    return new UserError(`The connection was lost: ${error.message} (${state})`, options);
  }
  if (!(error instanceof ServerError)) return error;
  const isDenied = DENIED_CODES.includes(error.code);
  return new UserError(`The server refused: ${error.message} (${error.symbol}; ${state})`, {
    hint: isDenied ? `Let an administrator say: GRANT ${RIGHTS} ON database.* TO user.` : GO_ON,
    exitCode: isDenied ? ExitCode.targetUnavailable : ExitCode.runFailed,
    cause: error,
  });
}
