/** Sizes that several checks need: of the data, of the pool, and of what the server only believes. */
import { numberIn } from './check.ts';
import type { PlanFacts, ServerLook, TableLook } from './collected.ts';

/** Estimates of InnoDB's that are off by more than this are not estimates any more. */
export const STALE_SHARE = 0.5;

export function dataBytesOf(tables: readonly TableLook[]): number {
  return tables.reduce((sum, { bytes }) => sum + bytes, 0);
}

export function poolBytesOf({ variables }: ServerLook): number | undefined {
  return numberIn(variables, 'innodb_buffer_pool_size');
}

/** Tables of which the server believes far less than the load wants. */
export function staleTables(
  plan: PlanFacts,
  tables: readonly TableLook[],
): { readonly name: string; readonly rowsEstimate: number; readonly rowsMin: number }[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return plan.tables.flatMap(({ name, rowsMin }) => {
    const rowsEstimate = byName.get(name)?.rowsEstimate;
    return rowsEstimate !== undefined && rowsEstimate < rowsMin * (1 - STALE_SHARE)
      ? [{ name, rowsEstimate, rowsMin }]
      : [];
  });
}

/** What the redo log holds, by whichever names this server has for it. */
export function redoBytesOf({ variables, status }: ServerLook): number | undefined {
  const capacity =
    numberIn(status.later, 'innodb_redo_log_capacity_resized') ?? numberIn(variables, 'innodb_redo_log_capacity');
  if (capacity !== undefined) return capacity;
  const fileBytes = numberIn(variables, 'innodb_log_file_size');
  return fileBytes === undefined ? undefined : fileBytes * (numberIn(variables, 'innodb_log_files_in_group') ?? 1);
}
