/** Before a run or a check: is this the data set that the options speak of, and is all of it there? */
import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, quoteName, quoteText, readRows } from '../sql.ts';
import type { TargetProblem } from '../workload.ts';
import { deviationsOf } from './deviations.ts';
import { readMetadata } from './journal.ts';
import type { TpccOptions } from './options.ts';
import { loadDeviations, type TableSet, tableSets } from './tables.ts';

/** The tables are known to be there, and of the right shape. */
export async function inspectTpcc(connection: Connection, options: TpccOptions): Promise<TargetProblem[]> {
  const problems: TargetProblem[] = [];
  for (const set of tableSets(options)) problems.push(...(await problemsOfSet(connection, set, options)));
  return problems;
}

async function problemsOfSet(connection: Connection, set: TableSet, options: TpccOptions): Promise<TargetProblem[]> {
  const name = set.tables.warehouse;
  const metadata = await readMetadata(connection, set);
  if (metadata?.state === 'loading') {
    return [
      {
        id: 'table-half-loaded',
        severity: 'stop',
        is: `${name} and its tables are half loaded: their prepare was cut off.`,
        remedy: 'Give the prepare command again, and it goes on from there.',
      },
    ];
  }
  const problems: TargetProblem[] = await withoutTransactions(connection, set);
  const [row] = await readRows(connection, `SELECT COUNT(*), MAX(w_id) FROM ${name}`);
  const count = Number(row?.[0] ?? 0);
  const highest = Number(row?.[1] ?? 0);
  if (count < options.scale || count !== highest) problems.push(tooFew(name, count, options.scale));
  else if (count > options.scale) problems.push(moreThanUsed(name, count, options.scale));
  if (metadata !== undefined) {
    const wanted = loadDeviations(deviationsOf(options));
    if (metadata.profile !== options.profile || metadata.deviations.join() !== wanted.join()) {
      const others = metadata.deviations.length === 0 ? '' : ` (${metadata.deviations.join(', ')})`;
      problems.push({
        id: 'data-of-other-profile',
        severity: 'warning',
        is: `${name} and its tables were loaded with --profile=${metadata.profile}${others}: that shapes the data still.`,
        remedy: `Run with --profile=${metadata.profile}; or cleanup, then prepare with the profile of the run.`,
      });
    }
  }
  return problems;
}

/** Tables that another program has made may be in any engine. */
async function withoutTransactions(connection: Connection, { tables }: TableSet): Promise<TargetProblem[]> {
  const names = Object.values(tables);
  const rows = await readRows(
    connection,
    `SELECT t.TABLE_NAME, t.ENGINE
       FROM information_schema.TABLES t JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
      WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME IN (${names.map(quoteText).join(', ')}) AND e.TRANSACTIONS = 'NO'
      ORDER BY t.TABLE_NAME`,
  );
  const [[table, engine] = []] = rows.map((row) => row.map(asText));
  if (table === undefined) return [];
  const others = rows.length === 1 ? '' : ` and ${rows.length - 1} more tables`;
  return [
    {
      id: 'no-transactions',
      severity: 'stop',
      is: `${table}${others} ${rows.length === 1 ? 'is' : 'are'} in an engine without transactions (${engine}): nothing would be rolled back.`,
      remedy: `ALTER TABLE ${quoteName(table)} ENGINE = InnoDB; or cleanup, then prepare.`,
    },
  ];
}

function tooFew(name: string, count: number, scale: number): TargetProblem {
  return {
    id: 'too-few-rows',
    severity: 'stop',
    is: `${name} has ${formatCount(count)} rows, and --scale=${scale} wants the warehouses 1 to ${formatCount(scale)}.`,
    remedy: 'Give the --scale with which it was prepared; or cleanup, then prepare.',
  };
}

function moreThanUsed(name: string, count: number, scale: number): TargetProblem {
  return {
    id: 'more-rows',
    severity: 'warning',
    is: `${name} has ${formatCount(count)} warehouses, of which only the first ${formatCount(scale)} will be used.`,
    remedy: `To use them all: --scale=${count}.`,
  };
}
