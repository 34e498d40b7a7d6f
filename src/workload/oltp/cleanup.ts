/** cleanup: drops the tables that prepare makes, and only those that look like it. */
import { UserError } from '../../base/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { asText, readRows } from '../sql.ts';
import { misfitOf, readTables } from '../table-info.ts';
import type { MaintenanceContext, TableNeed } from '../workload.ts';
import type { TableContext } from './prepare-plan.ts';
import { TABLE_COLUMNS, tableNames } from './tables.ts';

export async function cleanupTables(context: TableContext): Promise<void> {
  await dropTables(context, tableNames(context.options.tables), { columns: TABLE_COLUMNS, moreBy: '--tables' });
}

export interface DropPlan {
  readonly columns: TableNeed['columns'];
  /** The option that says how many tables there are. */
  readonly moreBy: string;
}

type AnyContext = Pick<MaintenanceContext<Record<never, never>>, 'connect' | 'threads' | 'signal' | 'progress'>;

export async function dropTables(context: AnyContext, names: readonly string[], plan: DropPlan): Promise<void> {
  await using first = await context.connect();
  const found = await readTables(first, names);
  for (const info of found.values()) {
    const misfit = misfitOf(info, plan.columns, { otherColumns: 'refused' });
    if (misfit === undefined) continue;
    throw new UserError(`${info.name} ${misfit}: it is not a table of this workload. Nothing was dropped.`, {
      hint: 'Is this the right database (--mysql-db)? If so, drop or rename that table yourself.',
    });
  }
  const dropped = names.filter((name) => found.has(name));
  await eachInParallel(context, first, dropped, async (connection, name) => {
    context.progress.note(`${name}: dropping it`);
    await connection.execute(`DROP TABLE IF EXISTS ${name}`);
  });
  if (dropped.length === 0)
    context.progress.note(`Nothing to drop: there is no ${names.length === 1 ? names[0] : 'such table'}`);
  if (!context.signal.aborted) await tellOfOthers(first, context, plan.moreBy);
}

/** More tables may have been prepared than the cleanup was told of. */
async function tellOfOthers(connection: Connection, context: AnyContext, moreBy: string): Promise<void> {
  const rows = await readRows(
    connection,
    "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE 'sbtest%'",
  );
  const numbers = rows.map(([name]) => Number(/^sbtest(\d+)$/.exec(asText(name))?.[1] ?? 0));
  const highest = Math.max(0, ...numbers);
  if (highest > 0)
    context.progress.note(`There are more tables, up to sbtest${highest}: to drop them, give ${moreBy}=${highest}`);
}
