/** check: the twelve consistency conditions, over several connections, each naming the first place where it fails. */
import { UserError } from '../../base/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { eachInParallel } from '../parallel.ts';
import { readNumber, readRows } from '../sql.ts';
import type { CheckResult, MaintenanceContext } from '../workload.ts';
import {
  AFTER_LOAD_CONDITION,
  CONDITIONS,
  type Condition,
  describeOffender,
  usedSql,
  type WarehouseRange,
} from './check-conditions.ts';
import { conditionsBrokenBy, deviationsOf } from './deviations.ts';
import type { TpccOptions, TpccSchema } from './options.ts';
import { type TableSet, tableSets } from './tables.ts';

/** What one query looks at: its answer comes soon enough to be stopped, and needs little memory for its sums. */
const WAREHOUSES_PER_QUERY = 10;

interface CheckedSet {
  readonly set: TableSet;
  readonly warehouses: number;
  /** Orders were made or delivered since the load. */
  readonly isUsed: boolean;
}

interface Query {
  readonly condition: Condition;
  readonly set: TableSet;
  readonly range: WarehouseRange;
}

/** Where several sets are checked, a condition holds when it does in all of them. */
export async function checkTpcc(context: MaintenanceContext<TpccSchema>): Promise<CheckResult[]> {
  await using first = await context.connect();
  const sets: CheckedSet[] = [];
  for (const set of tableSets(context.options)) sets.push(await lookAt(first, set));
  const queries = sets.flatMap((checked) => queriesOf(checked, context.threads));
  // By place in the list of queries, so that the first offender is named whichever query ends first.
  const offenders = new Map<number, string>();
  let done = 0;
  await eachInParallel(context, first, [...queries.entries()], async (connection, [place, query]) => {
    const offender = await firstOffender(connection, query);
    if (offender !== undefined) offenders.set(place, offender);
    done++;
    context.progress.advance('queries', done, queries.length);
  });
  context.signal.throwIfAborted();
  return CONDITIONS.map((condition) => {
    const place = queries.findIndex((query, index) => query.condition === condition && offenders.has(index));
    return resultOf(condition, { sets, offender: offenders.get(place), options: context.options });
  });
}

async function lookAt(connection: Connection, set: TableSet): Promise<CheckedSet> {
  const warehouses = await readNumber(connection, `SELECT MAX(w_id) FROM ${set.tables.warehouse}`);
  if (warehouses === 0) {
    throw new UserError(`${set.tables.warehouse} is empty: there is nothing to check.`, {
      hint: 'Load the tables with the prepare command, same options.',
    });
  }
  let isUsed = false;
  for (const sql of usedSql(set.tables)) isUsed ||= (await readRows(connection, sql)).length > 0;
  return { set, warehouses, isUsed };
}

function queriesOf({ set, warehouses, isUsed }: CheckedSet, threads: number): Query[] {
  return CONDITIONS.filter(({ number }) => number !== AFTER_LOAD_CONDITION || !isUsed).flatMap((condition) =>
    rangesOf(warehouses, threads, condition).map((range) => ({ condition, set, range })),
  );
}

/** At least one for each connection, where there are warehouses enough. */
export function rangesOf(
  warehouses: number,
  threads: number,
  { readsHistory }: Pick<Condition, 'readsHistory'>,
): WarehouseRange[] {
  const ofThread = Math.ceil(warehouses / threads);
  const size = readsHistory ? ofThread : Math.min(WAREHOUSES_PER_QUERY, ofThread);
  return Array.from({ length: Math.ceil(warehouses / size) }, (_, index) => ({
    from: index * size + 1,
    to: Math.min(warehouses, (index + 1) * size),
  }));
}

async function firstOffender(connection: Connection, { condition, set, range }: Query): Promise<string | undefined> {
  const [row] = await readRows(connection, condition.sql(set.tables, range));
  if (row === undefined) return undefined;
  const which = set.number > 1 || set.isSysbench ? `table set ${set.number}, ` : '';
  return `${which}${describeOffender(condition, row)}`;
}

interface Finding {
  readonly sets: readonly CheckedSet[];
  readonly offender: string | undefined;
  readonly options: TpccOptions;
}

function resultOf({ number, is }: Condition, { sets, offender, options }: Finding): CheckResult {
  const named = `Condition ${number}: ${is}`;
  if (offender !== undefined) return { is: named, ok: false, because: `${offender}.${expectation(number, options)}` };
  if (number === AFTER_LOAD_CONDITION && sets.every(({ isUsed }) => isUsed)) {
    return { is: named, ok: true, skipped: true, because: 'orders were made or delivered since the load.' };
  }
  return { is: named, ok: true };
}

/** What purge deletes are rows of history and of delivered orders, whose sums are kept elsewhere. */
const BROKEN_BY_PURGE: readonly number[] = [8, 9, 10, 12];

/**
 * A run that departs from the rules may break a condition for good: that is told, and the condition fails all the
 * same.
 */
function expectation(number: number, options: TpccOptions): string {
  const known: string[] = [...(conditionsBrokenBy(deviationsOf(options)).get(number) ?? [])];
  if (options.enable_purge && BROKEN_BY_PURGE.includes(number)) known.push('enable_purge');
  if (known.length === 0) return '';
  return ` A run with ${known.join(', ')} breaks this condition, as the tool does for which the profile stands.`;
}
