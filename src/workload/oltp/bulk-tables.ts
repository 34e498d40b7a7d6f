/** The tables of bulk_insert: an id and a number, one table for each thread. */
import { UserError } from '../../base/errors.ts';
import { eachInParallel } from '../parallel.ts';
import { misfitOf, readTables } from '../table-info.ts';
import type { MaintenanceContext } from '../workload.ts';
import { tableNames } from './tables.ts';

export const BULK_COLUMNS = { id: 'int', k: 'int' } as const;

export async function createBulkTables(
  context: Pick<MaintenanceContext<Record<never, never>>, 'connect' | 'threads' | 'signal' | 'progress'>,
): Promise<void> {
  await using first = await context.connect();
  const names = tableNames(context.threads);
  const found = await readTables(first, names);
  for (const info of found.values()) {
    const misfit = misfitOf(info, BULK_COLUMNS, { otherColumns: 'refused' });
    if (misfit === undefined) continue;
    throw new UserError(`${info.name} ${misfit}: it is not a table of bulk_insert. Nothing was changed.`, {
      hint: 'Drop those tables with the cleanup of their own workload, or use another database (--mysql-db=NAME).',
    });
  }
  await eachInParallel(context, first, names, async (connection, name) => {
    const isThere = found.has(name);
    context.progress.note(isThere ? `${name} is there already: kept as it is` : `${name}: creating it, no rows`);
    if (isThere) return;
    await connection.execute(
      `CREATE TABLE ${name} (id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id))`,
    );
  });
}
