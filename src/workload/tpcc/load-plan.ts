/** Looks at what is there before prepare changes anything, and decides for each table set what to do. */
import { UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, quoteText, readNumber, readRows } from '../sql.ts';
import { misfitOf, readTables, type TableInfo } from '../table-info.ts';
import { type DeviationName, deviationsOf } from './deviations.ts';
import { DATA_FORMAT, type Metadata, readMetadata } from './journal.ts';
import { chunkCount } from './load-chunks.ts';
import { drawConstants } from './nurand.ts';
import type { TpccOptions } from './options.ts';
import { CUSTOMERS, DISTRICTS, ITEMS, ORDERS } from './rows.ts';
import { loadDeviations, TABLES, type TableName, type TableSet, tableNeed, tableSets } from './tables.ts';

/**
 * load: its tables are missing, or empty. continue: half loaded by a prepare that was cut off. keep: it is whole;
 * indexes or keys may be missing. leave: whole, and made by another program.
 */
export interface SetPlan {
  readonly set: TableSet;
  readonly does: 'load' | 'continue' | 'keep' | 'leave';
  readonly metadata: Metadata;
  readonly missingTables: readonly TableName[];
  /** Numbers of the chunks still to load, in order. */
  readonly chunks: readonly number[];
  readonly hasHistoryId: boolean;
}

/** The plans of all sets. Throws a `UserError` where a table is in the way; nothing has been changed then. */
export async function planSets(connection: Connection, options: TpccOptions, seed: number): Promise<SetPlan[]> {
  await demandEngine(connection, options.mysql_storage_engine);
  const on = deviationsOf(options);
  const plans: SetPlan[] = [];
  // The sets of one data set have one seed, so that one set of constants is right for them all.
  let commonSeed: number | undefined;
  for (const set of tableSets(options)) {
    const plan = await planSet(connection, set, { options, on, seed: commonSeed ?? seed });
    if (plan.does !== 'leave') commonSeed = plan.metadata.seed;
    plans.push(plan);
  }
  return plans;
}

interface Wanted {
  readonly options: TpccOptions;
  readonly on: ReadonlySet<DeviationName>;
  readonly seed: number;
}

async function planSet(connection: Connection, set: TableSet, wanted: Wanted): Promise<SetPlan> {
  const { options, on, seed } = wanted;
  const found = await readTables(connection, Object.values(set.tables));
  demandShapes(set, found);
  const missingTables = TABLES.filter((table) => !found.has(set.tables[table]));
  const history = found.get(set.tables.history);
  const hasHistoryId = history === undefined ? options.force_pk : history.columns.has('id');
  const fresh: Metadata = {
    format: DATA_FORMAT,
    state: 'loading',
    profile: options.profile,
    scale: options.scale,
    seed,
    deviations: loadDeviations(on),
    constants: drawConstants(seed, on),
  };
  const kept = await readMetadata(connection, set);
  const plan = { set, missingTables, hasHistoryId, metadata: kept ?? fresh, chunks: [] };
  if (kept !== undefined) {
    demandSameData(set, kept, fresh);
    demandAllTables(set, missingTables);
    if (kept.state === 'complete') return { ...plan, does: 'keep' };
    return { ...plan, does: 'continue', chunks: await missingChunks(connection, set, kept) };
  }
  const filled = await firstFilled(connection, set, found);
  if (filled === undefined) return { ...plan, does: 'load', chunks: allChunks(fresh.scale) };
  await demandWhole(connection, set, { filled, missingTables, scale: options.scale });
  return { ...plan, does: 'leave' };
}

function allChunks(scale: number): number[] {
  return Array.from({ length: chunkCount(scale) }, (_, number) => number);
}

async function missingChunks(connection: Connection, set: TableSet, { scale }: Metadata): Promise<number[]> {
  // Built before the tables, so it is there; a user who drops it wants to know.
  const rows = await readRows(connection, `SELECT chunk FROM ${set.journal}`);
  const done = new Set(rows.map(([chunk]) => Number(chunk)));
  return allChunks(scale).filter((chunk) => !done.has(chunk));
}

function demandShapes(set: TableSet, found: ReadonlyMap<string, TableInfo>): void {
  for (const table of TABLES) {
    const info = found.get(set.tables[table]);
    const misfit = info === undefined ? undefined : misfitOf(info, tableNeed(set, table).columns);
    if (misfit === undefined) continue;
    throw new UserError(`${info?.name} ${misfit}: it is not a table of this workload. Nothing was changed.`, {
      hint: 'Use another database (--mysql-db=NAME), or rename or drop that table yourself.',
    });
  }
}

const CLEAR_AWAY = 'or drop the tables with the cleanup command, then prepare again.';

function demandSameData(set: TableSet, kept: Metadata, wanted: Metadata): void {
  const name = set.tables.warehouse;
  const state = kept.state === 'complete' ? 'loaded' : 'half loaded';
  if (kept.format !== DATA_FORMAT) {
    throw new UserError(`${name} and its tables were ${state} by another version, in another form.`, {
      hint: `Go on with that version, ${CLEAR_AWAY}`,
    });
  }
  if (kept.profile !== wanted.profile) {
    throw new UserError(`${name} and its tables are ${state} with --profile=${kept.profile}.`, {
      hint: `Give that profile, ${CLEAR_AWAY}`,
    });
  }
  if (kept.scale !== wanted.scale) {
    throw new UserError(
      `${name} is ${state} with ${formatCount(kept.scale)} warehouses, not ${formatCount(wanted.scale)}.`,
      { hint: `Give --scale=${kept.scale}, ${CLEAR_AWAY}` },
    );
  }
  if (kept.deviations.join() !== wanted.deviations.join()) {
    const which = kept.deviations.length === 0 ? 'none' : kept.deviations.join(', ');
    throw new UserError(`${name} and its tables are ${state} with other deviations of the data: ${which}.`, {
      hint: `Give the --deviations with which it was begun, ${CLEAR_AWAY}`,
    });
  }
}

function demandAllTables(set: TableSet, missing: readonly TableName[]): void {
  const [first] = missing;
  if (first === undefined) return;
  throw new UserError(`${set.tables[first]} is not there, though ${set.metadata} says that it was made.`, {
    hint: 'Drop what is left with the cleanup command, then prepare again.',
  });
}

async function firstFilled(
  connection: Connection,
  set: TableSet,
  found: ReadonlyMap<string, TableInfo>,
): Promise<TableName | undefined> {
  for (const table of TABLES) {
    if (!found.has(set.tables[table])) continue;
    const rows = await readRows(connection, `SELECT 1 FROM ${set.tables[table]} LIMIT 1`);
    if (rows.length > 0) return table;
  }
  return undefined;
}

/** Rows of each table for one warehouse, where their number cannot have changed since the load. */
const FIXED_ROWS: readonly (readonly [table: TableName, perWarehouse: number])[] = [
  ['warehouse', 1],
  ['district', DISTRICTS],
  ['customer', DISTRICTS * CUSTOMERS],
  ['stock', ITEMS],
];

/** Data of another program is as good, as long as all of it is there. */
async function demandWhole(
  connection: Connection,
  set: TableSet,
  wanted: { readonly filled: TableName; readonly missingTables: readonly TableName[]; readonly scale: number },
): Promise<void> {
  const { filled, missingTables, scale } = wanted;
  const refused = (because: string) =>
    new UserError(`${set.tables[filled]} has rows already, of another program: ${because}. Nothing was changed.`, {
      hint: `Use another database (--mysql-db=NAME), ${CLEAR_AWAY}`,
    });
  const [missing] = missingTables;
  if (missing !== undefined) throw refused(`there is no ${set.tables[missing]}`);
  const warehouses = await readNumber(connection, `SELECT COUNT(*) FROM ${set.tables.warehouse}`);
  if (warehouses !== scale) {
    throw refused(`it has ${formatCount(warehouses)} warehouses, and ${formatCount(scale)} were asked for`);
  }
  for (const [table, perWarehouse] of [...FIXED_ROWS, ['item', ITEMS / scale] as const]) {
    const rows = await readNumber(connection, `SELECT COUNT(*) FROM ${set.tables[table]}`);
    const expected = Math.round(perWarehouse * scale);
    if (rows !== expected) {
      throw refused(`${set.tables[table]} has ${formatCount(rows)} rows where ${formatCount(expected)} are wanted`);
    }
  }
  // Order lines are loaded last by every program known.
  const lines = await readNumber(connection, `SELECT COUNT(*) FROM ${set.tables.order_line} WHERE ol_number = 1`);
  if (lines < scale * DISTRICTS * ORDERS) throw refused(`${set.tables.order_line} is not complete`);
}

/** A server without NO_ENGINE_SUBSTITUTION would quietly take another engine. */
async function demandEngine(connection: Connection, engine: string): Promise<void> {
  const rows = await readRows(connection, 'SHOW ENGINES');
  const usable = rows.filter(([, support]) => /^(?:yes|default)$/i.test(asText(support))).map(([name]) => asText(name));
  if (usable.some((name) => name.toLowerCase() === engine.toLowerCase())) return;
  throw new UserError(`The server has no storage engine '${engine}'.`, {
    hint: `It has: ${usable.sort().join(', ')}.`,
  });
}

/**
 * Whether a piece that is cut off leaves nothing behind: asked of the tables, since they may be older than the
 * options.
 */
export async function areTransactional(connection: Connection, sets: readonly TableSet[]): Promise<boolean> {
  const names = sets.flatMap(({ tables, journal }) => [...Object.values(tables), journal]);
  const [row] = await readRows(
    connection,
    `SELECT COUNT(*) FROM information_schema.TABLES t JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
      WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME IN (${names.map(quoteText).join(', ')}) AND e.TRANSACTIONS = 'YES'`,
  );
  return Number(row?.[0] ?? 0) === names.length;
}
