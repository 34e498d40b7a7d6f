/** cleanup: drops the nine tables of each set and what belongs to them, and only tables that look like it. */
import { UserError } from '../../base/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { asText, readRows } from '../sql.ts';
import { misfitOf, readTables, type TableInfo } from '../table-info.ts';
import type { MaintenanceContext } from '../workload.ts';
import type { TpccOptions, TpccSchema } from './options.ts';
import { TABLES, type TableName, type TableSet, tableNeed, tableSet, tableSets } from './tables.ts';

export async function cleanupTpcc(context: MaintenanceContext<TpccSchema>): Promise<void> {
  const { options, progress } = context;
  await using first = await context.connect();
  const sets = tableSets(options);
  const found = await readTables(first, sets.flatMap(namesOf));
  for (const set of sets) demandShapes(set, found);
  const there = sets.filter((set) => namesOf(set).some((name) => found.has(name)));
  await eachInParallel(context, first, there, async (connection, set) => {
    progress.note(`${set.tables.warehouse} and its tables: dropping them`);
    await connection.execute('SET SESSION foreign_key_checks = 0');
    await connection.execute(`DROP TABLE IF EXISTS ${namesOf(set).join(', ')}`);
  });
  if (there.length === 0) progress.note(`Nothing to drop: there is no ${sets[0]?.tables.warehouse}`);
  if (!context.signal.aborted) await tellOfOthers(first, context);
}

/** The metadata come last: should the server stop half-way, they still tell what the rest is. */
function namesOf(set: TableSet): string[] {
  return [...TABLES.toReversed().map((table) => set.tables[table]), set.journal, set.metadata];
}

function demandShapes(set: TableSet, found: ReadonlyMap<string, TableInfo>): void {
  for (const table of TABLES) {
    const info = found.get(set.tables[table]);
    const misfit = info === undefined ? undefined : misfitOf(info, columnsOf(set, table, info), REFUSED);
    if (misfit === undefined) continue;
    throw new UserError(`${info?.name} ${misfit}: it is not a table of this workload. Nothing was dropped.`, {
      hint: 'Is this the right database (--mysql-db)? If so, drop or rename that table yourself.',
    });
  }
}

const REFUSED = { otherColumns: 'refused' } as const;

/** History may have a key of its own. */
function columnsOf(set: TableSet, table: TableName, info: TableInfo): Readonly<Record<string, string>> {
  const { columns } = tableNeed(set, table);
  return table === 'history' && info.columns.has('id') ? { ...columns, id: 'int' } : columns;
}

/** More sets may have been prepared than the cleanup was told of. */
async function tellOfOthers(
  connection: Connection,
  { options, progress }: { readonly options: TpccOptions } & Pick<MaintenanceContext<TpccSchema>, 'progress'>,
): Promise<void> {
  const rows = await readRows(
    connection,
    "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE 'new\\_order%'",
  );
  const names = rows.map(([name]) => asText(name));
  const numbers = names.map((name) => Number(/^new_orders?(\d+)$/.exec(name)?.[1] ?? 0));
  const highest = Math.max(0, ...numbers.filter((number) => names.includes(newOrderOf(options, number))));
  if (highest > 0) {
    const name = tableSet(options.profile, highest).tables.warehouse;
    progress.note(`There are more table sets, up to ${name}: to drop them, give --tables=${highest}`);
  }
}

function newOrderOf(options: TpccOptions, number: number): string {
  return tableSet(options.profile, number).tables.new_order;
}
