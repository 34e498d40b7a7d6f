/** prepare, check and cleanup of atis, and what is looked at before a run. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { quoteText, readNumber } from '../sql.ts';
import { misfitOf, readTables } from '../table-info.ts';
import { dropTables } from '../tables/drop.ts';
import type { CheckResult, MaintenanceContext, TableNeed, TargetProblem } from '../workload.ts';
import { atisData, rowsOf } from './data.ts';
import type { AtisRow } from './data-file.ts';
import type { AtisOptions, AtisSchema } from './options.ts';
import { type AtisQuery, counted, queriesOf, SELECT_GROUPS } from './queries.ts';
import { ATIS_ROWS, ATIS_TABLE_NAMES, ATIS_TABLES, type AtisTable, createTableSql } from './tables.ts';

type Context = MaintenanceContext<AtisSchema>;

/** Rows are counted by `inspect`, exactly. */
export function tableNeeds(): TableNeed[] {
  return ATIS_TABLES.map(({ name, columns }) => ({ name, columns, rowsMin: 0 }));
}

/** Tables of these names that are somebody else's, as ends of sentences, by name. */
async function foreignTables(connection: Connection): Promise<string[]> {
  const found = await readTables(connection, ATIS_TABLE_NAMES);
  return ATIS_TABLES.flatMap(({ name, columns }) => {
    const info = found.get(name);
    const misfit = info === undefined ? undefined : misfitOf(info, columns, { otherColumns: 'refused' });
    return misfit === undefined ? [] : [`${name} ${misfit}`];
  });
}

const OTHER_DATABASE = 'Use another database (--mysql-db=NAME), or drop or rename that table yourself.';

/** The files are read here too, so that a damaged one is told before anything is changed. */
export async function inspectAtis(connection: Connection, options: AtisOptions): Promise<TargetProblem[]> {
  if (options.skip_create) return countProblems(connection);
  if (options.data_dir !== '') atisData(options.data_dir, 0);
  const foreign = await foreignTables(connection);
  return foreign.map((what) => ({
    id: 'tables-of-others',
    severity: 'stop',
    is: `${what}: it is not a table of atis, and the run would drop it.`,
    remedy: OTHER_DATABASE,
  }));
}

async function countProblems(connection: Connection): Promise<TargetProblem[]> {
  const problems: TargetProblem[] = [];
  for (const { name, rows } of ATIS_TABLES) {
    const found = await readNumber(connection, `SELECT COUNT(*) FROM ${name}`);
    if (found === rows) continue;
    problems.push({
      id: 'rows-differ',
      severity: 'stop',
      is: `${name} has ${counted(found)}, where ${formatCount(rows)} are wanted.`,
      remedy: 'Make the tables anew: the same command with prepare in place of run.',
    });
  }
  return problems;
}

/** Makes the tables anew where they are there already: with another seed, or with files, the rows are others. */
export async function prepareAtis(context: Context): Promise<void> {
  const { options, progress, seed, signal } = context;
  const data = atisData(options.data_dir, seed);
  await using connection = await context.connect();
  const [foreign] = await foreignTables(connection);
  if (foreign !== undefined) {
    throw new UserError(`${foreign}: it is not a table of atis. Nothing was changed.`, { hint: OTHER_DATABASE });
  }
  let done = 0;
  for (const table of ATIS_TABLES) {
    signal.throwIfAborted();
    await connection.execute(`DROP TABLE IF EXISTS ${table.name}`);
    await connection.execute(createTableSql(table, options.create_options));
    await connection.execute(filledInsert(table, rowsOf(data, table)));
    done += table.rows;
    progress.advance('rows', done, ATIS_ROWS);
  }
  progress.note(`${ATIS_TABLES.length} tables made, with ${formatCount(done)} rows`);
}

/** prepare and --fast fill a table with one INSERT: the longest of them takes 57,000 bytes. */
export const FILLING_BYTES_MAX = 100_000;

function filledInsert(table: AtisTable, rows: readonly AtisRow[]): string {
  const values = rows.map((row) => `(${row.map(literal).join(',')})`);
  return `INSERT INTO ${table.name} VALUES ${values.join(',')}`;
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : quoteText(value);
}

export async function cleanupAtis(context: Context): Promise<void> {
  await dropTables(context, ATIS_TABLES);
}

/** All 44 queries, once. */
export async function checkAtis(context: Context): Promise<CheckResult[]> {
  await using connection = await context.connect();
  const found = await readTables(connection, ATIS_TABLE_NAMES);
  const missing = ATIS_TABLE_NAMES.find((name) => !found.has(name));
  if (missing !== undefined) {
    throw new UserError(`There is no table ${missing}, so nothing can be checked.`, {
      hint: 'Make the tables first: the same command with prepare in place of check.',
      exitCode: ExitCode.checkFailed,
    });
  }
  const results: CheckResult[] = [];
  for (const query of SELECT_GROUPS.flatMap((group) => queriesOf(group, true))) {
    context.signal.throwIfAborted();
    results.push(await checkQuery(connection, query));
  }
  return results;
}

async function checkQuery(connection: Connection, { group, name, sql, rows }: AtisQuery): Promise<CheckResult> {
  const is = `${group}, ${name}: ${counted(rows)}`;
  try {
    const { rowCount } = await connection.execute(sql);
    return rowCount === rows ? { is, ok: true } : { is, ok: false, because: `${formatCount(rowCount)} found: ${sql}` };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return { is, ok: false, because: error.message };
  }
}
