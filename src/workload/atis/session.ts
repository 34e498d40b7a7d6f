/** A session of atis: it makes and fills the tables, runs the queries and checks every result, and drops the tables. */
import type { SqlParameter } from '../../wire/types.ts';
import {
  type LoadStatement,
  type Session,
  type SessionConnection,
  type SessionContext,
  type Transaction,
  ValidationError,
} from '../workload.ts';
import { type AtisData, atisData, rowsOf } from './data.ts';
import type { AtisOptions, AtisSchema } from './options.ts';
import { numberWithin, type Part, partsOf } from './parts.ts';
import { type AtisQuery, counted, queriesOf, SELECT_GROUPS, type SelectGroup } from './queries.ts';
import { ATIS_TABLE_NAMES, ATIS_TABLES, type AtisTable, createTableSql, insertSql } from './tables.ts';

/** Of a run: a session that comes back after a reconnect does not make it again. */
const dataOfRun = new WeakMap<AtisOptions, AtisData>();

function dataOf({ options, seed }: SessionContext<AtisSchema>): AtisData {
  const known = dataOfRun.get(options);
  if (known !== undefined) return known;
  const data = atisData(options.data_dir, seed);
  dataOfRun.set(options, data);
  return data;
}

/** Does event `number` of a part. */
type Step = (number: number) => Promise<void>;

export async function openAtisSession(context: SessionContext<AtisSchema>): Promise<Session> {
  const { connection, options } = context;
  const parts = partsOf(options);
  const steps: Partial<Record<Part['name'], Step>> = {};
  if (!options.skip_create) {
    steps.create_table = await openCreate(connection, options);
    steps.insert = await openInsert(connection, dataOf(context), options.fast);
    if (options.fast) steps.book_keeping = await openBookKeeping(connection);
  }
  for (const group of SELECT_GROUPS) steps[group] = await openGroup(connection, group, options);
  if (!options.skip_delete) steps.drop_table = await openDrop(connection);
  return Object.fromEntries(parts.map(({ name }) => [name, toTransaction(name, parts, steps[name])]));
}

function toTransaction(name: Part['name'], parts: readonly Part[], step: Step | undefined): Transaction {
  if (step === undefined) throw new Error(`The part ${name} has no step.`);
  return { weight: 1, run: ({ index }) => step(numberWithin(parts, name, index)) };
}

function tableAt(number: number): AtisTable {
  const table = ATIS_TABLES[number];
  if (table === undefined) throw new Error(`There is no table number ${number}.`);
  return table;
}

/** A table of an earlier run goes first: that it is one of ours was found before the run began. */
async function openCreate(connection: SessionConnection, options: AtisOptions): Promise<Step> {
  const drops: LoadStatement[] = [];
  const creates: LoadStatement[] = [];
  for (const table of ATIS_TABLES) {
    drops.push(await ddl(connection, 'drop_if_exists', `DROP TABLE IF EXISTS ${table.name}`));
    creates.push(await ddl(connection, 'create_table', createTableSql(table, options.create_options)));
  }
  return async (number) => {
    await drops[number]?.run();
    await creates[number]?.run();
  };
}

/** Statements of this kind cannot all be prepared, and the tables are not there yet. */
function ddl(connection: SessionConnection, name: string, sql: string): Promise<LoadStatement> {
  return connection.statement(name, 'other', sql, { text: true });
}

async function openInsert(connection: SessionConnection, data: AtisData, isFast: boolean): Promise<Step> {
  const inserts = new Map<AtisTable, LoadStatement>();
  for (const table of ATIS_TABLES) {
    const sql = insertSql(table, isFast ? table.rows : 1);
    inserts.set(table, await connection.statement('insert', 'write', sql, { text: true }));
  }
  if (isFast) {
    return async (number) => {
      const table = tableAt(number);
      await insertRows(inserts.get(table), table, { rows: table.rows, values: rowsOf(data, table).flat() });
    };
  }
  const all = ATIS_TABLES.flatMap((table) => rowsOf(data, table).map((row) => ({ table, row })));
  return async (number) => {
    const each = all[number];
    if (each === undefined) throw new Error(`There is no row number ${number}.`);
    await insertRows(inserts.get(each.table), each.table, { rows: 1, values: each.row });
  };
}

async function insertRows(
  insert: LoadStatement | undefined,
  { name }: AtisTable,
  { rows, values }: { readonly rows: number; readonly values: readonly SqlParameter[] },
): Promise<void> {
  const outcome = await insert?.run(values);
  if (outcome?.affectedRows === rows) return;
  throw new ValidationError(`insert into ${name}: ${counted(rows)} expected, ${outcome?.affectedRows ?? 0} inserted.`);
}

async function openBookKeeping(connection: SessionConnection): Promise<Step> {
  const optimize = await ddl(connection, 'optimize_table', `OPTIMIZE TABLE ${ATIS_TABLE_NAMES.join(', ')}`);
  return async () => {
    await optimize.run();
  };
}

async function openDrop(connection: SessionConnection): Promise<Step> {
  const drops: LoadStatement[] = [];
  for (const { name } of ATIS_TABLES) drops.push(await ddl(connection, 'drop_table', `DROP TABLE ${name}`));
  return async (number) => {
    await drops[number]?.run();
  };
}

interface OpenQuery {
  readonly query: AtisQuery;
  readonly statement: LoadStatement;
}

/** Where the run makes the tables itself, the queries can be prepared no sooner than in their first loop. */
async function openGroup(connection: SessionConnection, group: SelectGroup, options: AtisOptions): Promise<Step> {
  const queries = queriesOf(group, options.if_query);
  let opened = options.skip_create ? await openQueries(connection, queries) : undefined;
  return async () => {
    opened ??= await openQueries(connection, queries);
    for (const open of opened) await runQuery(open);
  };
}

async function openQueries(connection: SessionConnection, queries: readonly AtisQuery[]): Promise<OpenQuery[]> {
  const opened: OpenQuery[] = [];
  for (const query of queries) {
    opened.push({ query, statement: await connection.statement(query.name, 'read', query.sql) });
  }
  return opened;
}

/** Hot: the count is compared every time, whether or not --validate is given. */
async function runQuery({ query, statement }: OpenQuery): Promise<void> {
  const { rowCount } = await statement.run();
  if (rowCount !== query.rows) throw wrongCount(query, rowCount);
}

function wrongCount({ group, name, sql, rows }: AtisQuery, found: number): ValidationError {
  return new ValidationError(`${group}, query ${name}: ${counted(rows)} expected, ${found} found: ${sql}`);
}
