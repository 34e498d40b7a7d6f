/** cleanup: drops the tables that prepare makes, and only those that look like it. */
import { UserError } from '../../base/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { quoteName } from '../sql.ts';
import { misfitOf, readTables } from '../table-info.ts';
import type { MaintenanceContext, TableNeed } from '../workload.ts';

export type DropContext = Pick<MaintenanceContext<Record<never, never>>, 'connect' | 'threads' | 'signal' | 'progress'>;

export interface DropOptions {
  /** A last look around, unless it was interrupted. */
  after?(connection: Connection): Promise<void>;
}

export async function dropTables(
  context: DropContext,
  tables: readonly Pick<TableNeed, 'name' | 'columns'>[],
  { after }: DropOptions = {},
): Promise<void> {
  await using first = await context.connect();
  const names = tables.map(({ name }) => name);
  const found = await readTables(first, names);
  for (const { name, columns } of tables) {
    const info = found.get(name);
    const misfit = info === undefined ? undefined : misfitOf(info, columns, { otherColumns: 'refused' });
    if (misfit === undefined) continue;
    throw new UserError(`${name} ${misfit}: it is not a table of this workload. Nothing was dropped.`, {
      hint: 'Is this the right database (--mysql-db)? If so, drop or rename that table yourself.',
    });
  }
  const dropped = names.filter((name) => found.has(name));
  await eachInParallel(context, first, dropped, async (connection, name) => {
    context.progress.note(`${name}: dropping it`);
    await connection.execute(`DROP TABLE IF EXISTS ${quoteName(name)}`);
  });
  if (dropped.length === 0)
    context.progress.note(`Nothing to drop: there is no ${names.length === 1 ? names[0] : 'such table'}`);
  if (!context.signal.aborted) await after?.(first);
}
