/**
 * Secondary indexes and foreign keys, built when the rows are in: each index is sorted once, in place of row by row.
 */
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { asText, quoteText, readRows } from '../sql.ts';
import { executeUntilAborted } from '../tables/jobs.ts';
import type { MaintenanceContext } from '../workload.ts';
import type { SetPlan } from './load-plan.ts';
import type { TpccSchema } from './options.ts';
import { foreignKeyPlans, indexPlans, TABLES, type TableName, type TableSet } from './tables.ts';

type TpccContext = MaintenanceContext<TpccSchema>;

/** Those with the most to sort first, so that none is left to run alone at the end. */
const BY_SIZE: readonly TableName[] = ['order_line', 'stock', 'history', 'customer', 'orders'];

interface Alteration {
  readonly table: string;
  /** What it builds, for the note. */
  readonly names: readonly string[];
  readonly sql: string;
}

export async function buildIndexes(first: Connection, plans: readonly SetPlan[], context: TpccContext): Promise<void> {
  const alterations: Alteration[] = [];
  for (const table of BY_SIZE) {
    for (const { set } of plans) alterations.push(...(await missingIndexes(first, set, table, context.options)));
  }
  let done = 0;
  await eachInParallel(context, first, alterations, async (connection, { table, names, sql }) => {
    context.progress.note(`${table}: building ${names.join(', ')}`);
    await executeUntilAborted(connection, context, sql);
    done++;
    context.progress.advance('indexes', done, alterations.length);
  });
}

async function missingIndexes(
  connection: Connection,
  set: TableSet,
  table: TableName,
  options: TpccContext['options'],
): Promise<Alteration[]> {
  const name = set.tables[table];
  const there = await readRows(
    connection,
    `SELECT INDEX_NAME, GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX) FROM information_schema.STATISTICS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${quoteText(name)} GROUP BY INDEX_NAME`,
  );
  // Any index that begins with these columns will do, whatever its name.
  const begin = there.map(([, columns]) => `${asText(columns).toLowerCase()},`);
  const missing = indexPlans(set, table, options).filter(
    ({ columns }) => !begin.some((list) => list.startsWith(`${columns.join(',')},`)),
  );
  if (missing.length === 0) return [];
  const added = missing.map((plan) => `ADD KEY ${plan.name} (${plan.columns.join(', ')})`);
  return [{ table: name, names: missing.map((plan) => plan.name), sql: `ALTER TABLE ${name} ${added.join(', ')}` }];
}

/**
 * One after another: each only changes the dictionary, as the session does not check keys, and two that share a parent
 * table would wait for each other.
 */
export async function buildForeignKeys(
  first: Connection,
  plans: readonly SetPlan[],
  { options, progress, signal }: TpccContext,
): Promise<void> {
  for (const { set } of plans) {
    const there = await readRows(
      first,
      `SELECT CONSTRAINT_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS
        WHERE CONSTRAINT_SCHEMA = DATABASE() AND TABLE_NAME IN (${Object.values(set.tables).map(quoteText).join(', ')})`,
    );
    const names = new Set(there.map(([name]) => asText(name).toLowerCase()));
    for (const table of TABLES) {
      const missing = foreignKeyPlans(set, table, options).filter(({ name }) => !names.has(name));
      if (missing.length === 0 || signal.aborted) continue;
      progress.note(`${set.tables[table]}: adding its foreign keys`);
      await first.execute(`ALTER TABLE ${set.tables[table]} ${missing.map(({ sql }) => sql).join(', ')}`);
    }
  }
}
