/** The tables before the load, made here or by the user's statements; and what is done after it. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { asText, readRows } from '../sql.ts';
import { readTables } from '../table-info.ts';
import type { MaintenanceContext } from '../workload.ts';
import { type Engine, isAuto, readEngine, rowsOf, type SLAP_OPTIONS } from './options.ts';
import { statementsOf } from './sql-list.ts';
import { columnsOf, createTableSql, insertRowsSql, rowBytesMax, TABLE, TABLE_COMMENT } from './table.ts';

type Context = MaintenanceContext<typeof SLAP_OPTIONS>;

/** Long enough to save round trips, and far below any server's max_allowed_packet. */
const BATCH_BYTES = 262_144;

export async function prepareSlap(context: Context): Promise<void> {
  const { options } = context;
  await using connection = await context.connect();
  const [written] = options.engine;
  const engine = written === undefined ? undefined : readEngine(written);
  if (engine !== undefined) await requireEngine(connection, engine);
  if (isAuto(options)) await makeTable(connection, context, engine);
  else if (options.create !== '') {
    if (engine !== undefined) await connection.execute(`SET SESSION default_storage_engine = ${engine.name}`);
    await executeAll(connection, 'create', context);
  }
  await executeAll(connection, 'pre_query', context);
}

/** A server may take InnoDB in place of an engine that it lacks, and say so in a warning that nobody reads. */
async function requireEngine(connection: Connection, { name }: Engine): Promise<void> {
  const rows = await readRows(connection, 'SHOW ENGINES');
  const usable = rows.filter(([, support]) => asText(support) !== 'NO').map(([engine]) => asText(engine));
  if (usable.some((engine) => engine.toLowerCase() === name.toLowerCase())) return;
  throw new UserError(`This server has no storage engine '${name}'.`, {
    hint: `It has: ${usable.join(', ')}.`,
    exitCode: ExitCode.targetUnavailable,
  });
}

async function makeTable(connection: Connection, context: Context, engine: Engine | undefined): Promise<void> {
  const { options, seed, signal, progress } = context;
  if ((await readTables(connection, [TABLE])).has(TABLE)) {
    throw new UserError(`There is a table ${TABLE} already.`, {
      hint: 'Where it is of an earlier run, cleanup drops it; else use another database.',
    });
  }
  await connection.execute(createTableSql(options, engine));
  const rows = rowsOf(options);
  const perBatch = Math.max(1, Math.floor(BATCH_BYTES / rowBytesMax(columnsOf(options))));
  const batches = Array.from({ length: Math.ceil(rows / perBatch) }, (_, index) => index * perBatch);
  let done = 0;
  await eachInParallel(context, connection, batches, async (each, from) => {
    const to = Math.min(rows, from + perBatch);
    await each.execute(insertRowsSql(options, seed, from, to));
    done += to - from;
    progress.advance('rows', done, rows);
  });
  signal.throwIfAborted();
}

/** The user's own statements: what the server says to one of them is told with the statement. */
async function executeAll(
  connection: Connection,
  option: 'create' | 'pre_query' | 'post_query',
  { options, signal }: Context,
): Promise<void> {
  for (const sql of statementsOf(options[option], options.delimiter)) {
    signal.throwIfAborted();
    try {
      await connection.execute(sql);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      throw new UserError(`--${option.replace('_', '-')}: ${error.message} (${error.code} ${error.symbol}): ${sql}`, {
        hint: 'Statements are cut where --delimiter stands: is it the right one?',
        exitCode: ExitCode.runFailed,
        cause: error,
      });
    }
  }
}

/** Drops the table that prepare makes, and no other: those of --create go with their database. */
export async function cleanupSlap(context: Context): Promise<void> {
  await using connection = await context.connect();
  await executeAll(connection, 'post_query', context);
  if (!isAuto(context.options) || context.options.no_drop) return;
  const found = (await readTables(connection, [TABLE])).get(TABLE);
  if (found === undefined) return context.progress.note(`Nothing to drop: there is no ${TABLE}`);
  if (found.comment !== TABLE_COMMENT) {
    throw new UserError(`${TABLE} is not a table of this workload. Nothing was dropped.`, {
      hint: 'Is this the right database (--mysql-db)? If so, drop or rename that table yourself.',
    });
  }
  context.progress.note(`${TABLE}: dropping it`);
  await connection.execute(`DROP TABLE ${TABLE}`);
}
