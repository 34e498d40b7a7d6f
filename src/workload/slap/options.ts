/** The options of slap: mysqlslap's names, defaults and meanings. */
import type { OptionsSchema, ValuesOf } from '../../base/options.ts';
import { choice, flag, integer, list, text } from '../../base/options.ts';
import { fileOrSql, readDelimiter, splitStatements, statementsOf } from './sql-list.ts';

export const LOAD_TYPES = ['mixed', 'update', 'write', 'key', 'read'] as const;

/** As many texts of 126 characters and more are kept by every worker. */
const UNIQUE_MAX = 100_000;
/** InnoDB takes 1,017 columns, some of which are keys. */
const COLUMNS_MAX = 500;
/** InnoDB takes 64 secondary indexes. */
const SECONDARY_INDEXES_MAX = 60;
/** Ids of rows go up to this. */
const ROWS_MAX = 2_147_483_647;
/** No server admits more connections: the highest value of max_connections. */
const CLIENTS_MAX = 100_000;

/** `--csv` without a value. */
export const CSV_TO_STDOUT = '-';
/** Where a database is made and none is named. */
export const SCHEMA_DEFAULT = 'mysqlslap';

export const SLAP_OPTIONS = {
  concurrency: list({
    default: [],
    placeholder: 'N[,N...]',
    help: 'clients: a round for each number; default: --threads',
  }),
  iterations: integer({ default: 1, min: 1, max: 1_000_000, help: 'rounds of each kind' }),
  number_of_queries: integer({
    default: 0,
    min: 0,
    help: 'queries over all clients, each of which runs its whole share; 0: each runs the list of queries once',
  }),
  auto_generate_sql: flag({
    default: false,
    help: 'make the table t1 and the queries; so it is, too, where --query and --create are left out',
  }),
  auto_generate_sql_load_type: choice({
    default: 'mixed',
    choices: LOAD_TYPES,
    help: 'write: INSERT; update: UPDATE; key: SELECT of one row; read: SELECT of all; mixed: INSERT and SELECT in turn',
  }),
  auto_generate_sql_add_autoincrement: flag({ default: false, help: 'a key id that is AUTO_INCREMENT' }),
  auto_generate_sql_guid_primary: flag({ default: false, help: 'a primary key id that is a UUID as text' }),
  auto_generate_sql_secondary_indexes: integer({
    default: 0,
    min: 0,
    max: SECONDARY_INDEXES_MAX,
    help: 'columns id0, id1 and so on, with a UUID and a unique index each',
  }),
  auto_generate_sql_execute_number: integer({
    default: 0,
    min: 0,
    help: 'queries of each client, however many there are',
  }),
  auto_generate_sql_unique_query_number: integer({
    default: 10,
    min: 1,
    max: UNIQUE_MAX,
    help: 'different queries in the list; as mysqlslap, it has one more than this',
  }),
  auto_generate_sql_unique_write_number: integer({
    default: 10,
    min: 1,
    max: UNIQUE_MAX,
    help: 'different rows in the table at the beginning',
  }),
  auto_generate_sql_write_number: integer({
    default: 100,
    min: 1,
    max: ROWS_MAX,
    help: 'rows in the table at the beginning; as mysqlslap, which counts the CREATE TABLE, one less',
  }),
  number_int_cols: text({
    default: '1',
    placeholder: 'N[:INDEXED]',
    help: 'INT columns of t1; :1 puts an index on each',
  }),
  number_char_cols: text({
    default: '1',
    placeholder: 'N[:INDEXED]',
    help: 'VARCHAR(128) columns of t1; :1 puts an index on each',
  }),
  engine: list({
    default: [],
    placeholder: 'NAME[:OPTION],...',
    help: 'storage engines: rounds for each; OPTION is appended to the CREATE TABLE of t1',
  }),
  query: text({ default: '', placeholder: 'SQL|FILE', help: 'queries of your own, in this order, round and round' }),
  create: text({ default: '', placeholder: 'SQL|FILE', help: 'statements that make the tables of your own queries' }),
  delimiter: text({ default: '\\n', placeholder: 'TEXT', help: 'what separates statements in SQL of your own' }),
  create_schema: text({
    default: '',
    placeholder: 'NAME',
    help: `database, made before each round and dropped after it [${SCHEMA_DEFAULT}]; with --query alone, one that is there [--mysql-db]`,
  }),
  drop_existing: flag({ default: false, help: 'drop --create-schema also where somebody else has made it' }),
  no_drop: flag({ default: false, help: 'leave the database of the last round' }),
  commit: integer({
    default: 0,
    min: 0,
    help: 'autocommit off, and COMMIT after so many queries and at the end; 0: neither',
  }),
  detach: integer({ default: 0, min: 0, help: 'a new connection after so many queries; 0: none' }),
  init_command: text({ default: '', placeholder: 'SQL', help: 'said first on each connection' }),
  pre_query: text({ default: '', placeholder: 'SQL|FILE', help: 'statements before the load of each round' }),
  post_query: text({ default: '', placeholder: 'SQL|FILE', help: 'statements after the load of each round' }),
  pre_system: text({ default: '', placeholder: 'COMMAND', help: 'run by the shell before the load of each round' }),
  post_system: text({ default: '', placeholder: 'COMMAND', help: 'run by the shell after the load of each round' }),
  csv: text({
    default: '',
    bare: CSV_TO_STDOUT,
    placeholder: 'FILE',
    help: "mysqlslap's CSV lines: appended to FILE, or alone on stdout",
  }),
  only_print: flag({ default: false, help: 'print the statements instead, and connect to no server' }),
  silent: flag({ default: false, help: 'print nothing but what went wrong' }),
  verbose: flag({ default: false, help: 'the whole report of every round' }),
} satisfies OptionsSchema;

export type SlapOptions = ValuesOf<typeof SLAP_OPTIONS>;

/** Options that take SQL, or the name of a file with SQL. */
const SQL_OPTIONS = ['query', 'create', 'pre_query', 'post_query'] as const;

export function withFiles(options: SlapOptions, read: (path: string) => string): SlapOptions {
  const texts = SQL_OPTIONS.map((name) => [name, fileOrSql(options[name], read)]);
  return { ...options, ...Object.fromEntries(texts) };
}

/** True where table and queries are made here, and not by the user. */
export function isAuto(options: SlapOptions): boolean {
  return options.auto_generate_sql || (options.query === '' && options.create === '');
}

/** A database is made and dropped; else the queries run on one that is there, and which stays. */
export function makesDatabase(options: SlapOptions): boolean {
  return isAuto(options) || options.create !== '';
}

export function hasPrimary(options: SlapOptions): boolean {
  return options.auto_generate_sql_add_autoincrement || options.auto_generate_sql_guid_primary;
}

/** Rows of t1 at the beginning. */
export function rowsOf(options: SlapOptions): number {
  return options.auto_generate_sql_write_number - 1;
}

/** Queries in the list that each client goes through. */
export function listLength(options: SlapOptions): number {
  if (isAuto(options)) return options.auto_generate_sql_unique_query_number + 1;
  return statementsOf(options.query, options.delimiter).length;
}

export function queriesPerClient(options: SlapOptions, clients: number): number {
  if (options.auto_generate_sql_execute_number > 0) return options.auto_generate_sql_execute_number;
  if (options.number_of_queries > 0) return Math.floor(options.number_of_queries / clients);
  return listLength(options);
}

/** Transactions of one client: its queries, or with --commit what they are put together to. */
export function eventsPerClient(options: SlapOptions, clients: number): number {
  return Math.ceil(queriesPerClient(options, clients) / Math.max(1, options.commit));
}

/** How many clients each round has, one after another; `threads` where the options leave it to that. */
export function clientsOf({ concurrency }: SlapOptions, threads: number): number[] {
  return concurrency.length === 0 ? [threads] : concurrency.map(Number);
}

export interface ColumnCount {
  readonly count: number;
  readonly isIndexed: boolean;
}

/** `3` or `3:1`; undefined where it is neither. */
export function readColumns(written: string): ColumnCount | undefined {
  const match = /^(\d+)(?::(\d+))?$/.exec(written);
  if (match === null) return undefined;
  return { count: Number(match[1]), isIndexed: Number(match[2] ?? 0) > 0 };
}

export interface Engine {
  /** Empty: the server's default. */
  readonly name: string;
  readonly option: string;
}

export function readEngine(written: string): Engine {
  const [name = '', ...option] = written.split(':');
  return { name, option: option.join(':') };
}

/** Engine names are put into SQL as they are. */
const ENGINE_NAME = /^\w+$/;

export function problemsOf(options: SlapOptions): string[] {
  return [
    ...clientProblems(options),
    ...(isAuto(options) ? [...columnProblems(options), ...keyProblems(options)] : ownProblems(options)),
    ...engineProblems(options),
    ...transactionProblems(options),
  ];
}

function clientProblems(options: SlapOptions): string[] {
  const { concurrency, number_of_queries: queries } = options;
  if (queries > 0 && options.auto_generate_sql_execute_number > 0) {
    return ['--auto-generate-sql-execute-number is for each client, --number-of-queries for all: give one of them.'];
  }
  const wrong = concurrency.filter((text) => !/^[1-9]\d*$/.test(text) || Number(text) > CLIENTS_MAX);
  if (wrong.length > 0) {
    return [`--concurrency: '${wrong[0]}' is no number of clients: write it like 8, or 1,8,64 for one after another.`];
  }
  const tooMany = concurrency.filter((clients) => queries > 0 && Number(clients) > queries);
  if (tooMany.length === 0) return [];
  return [
    `--number-of-queries=${queries} leaves none for each of ${tooMany[0]} clients: give ${tooMany[0]} or more, or fewer clients.`,
  ];
}

function columnProblems(options: SlapOptions): string[] {
  const problems: string[] = [];
  let columns = 0;
  for (const name of ['number_int_cols', 'number_char_cols'] as const) {
    const read = readColumns(options[name]);
    if (read === undefined || read.count > COLUMNS_MAX) {
      problems.push(
        `--${name.replaceAll('_', '-')}: '${options[name]}' is no number of columns up to ${COLUMNS_MAX}: write it like 2, or 2:1 for an index on each.`,
      );
    }
    columns += read?.count ?? 1;
  }
  if (columns === 0) problems.push('A table needs a column: --number-int-cols and --number-char-cols are both 0.');
  return problems;
}

function keyProblems(options: SlapOptions): string[] {
  const problems: string[] = [];
  const needsKey = 'add --auto-generate-sql-add-autoincrement or --auto-generate-sql-guid-primary.';
  if (options.query !== '' || options.create !== '') {
    problems.push('--auto-generate-sql makes table and queries itself: leave it out, or --query and --create.');
  }
  if (options.auto_generate_sql_add_autoincrement && options.auto_generate_sql_guid_primary) {
    problems.push(
      'There can be one primary key: --auto-generate-sql-add-autoincrement or --auto-generate-sql-guid-primary.',
    );
  }
  if (options.auto_generate_sql_load_type === 'key' && !hasPrimary(options)) {
    problems.push(`--auto-generate-sql-load-type=key reads by a key, which the table does not have: ${needsKey}`);
  }
  const readsKeys = ['key', 'mixed', 'update'].includes(options.auto_generate_sql_load_type);
  if (hasPrimary(options) && readsKeys && rowsOf(options) === 0) {
    problems.push(
      '--auto-generate-sql-write-number=1 leaves the table without a row to find by its key: give 2 or more.',
    );
  }
  return problems;
}

function ownProblems(options: SlapOptions): string[] {
  const { query, delimiter } = options;
  const problems: string[] = [];
  if (readDelimiter(delimiter) === '') problems.push("--delimiter is empty: write it like ';', or leave it out.");
  else if (query === '') problems.push('--create makes tables for queries of your own: add --query.');
  else if (statementsOf(query, delimiter).length === 0) problems.push('--query holds no statement.');
  else {
    for (const name of ['query', 'create'] as const) problems.push(...severalInOne(name, options[name], delimiter));
  }
  return problems;
}

/** Bodies of stored programs hold semicolons that separate nothing. */
const PROGRAM = /^\s*(?:create\b[\s\S]*\b(?:procedure|function|trigger|event)\b|begin\s+not\s+atomic)/i;

/** One packet with several statements is one query to the clients, and several to the server: their counts differ. */
function severalInOne(name: 'query' | 'create', written: string, delimiter: string): string[] {
  const several = statementsOf(written, delimiter).find(
    (statement) => !PROGRAM.test(statement) && splitStatements(statement, ';').length > 1,
  );
  return several === undefined
    ? []
    : [`--${name} has several statements where the delimiter lets in one: add --delimiter=';'`];
}

function engineProblems(options: SlapOptions): string[] {
  const engines = options.engine.map(readEngine);
  const wrong = engines.find(({ name }) => !ENGINE_NAME.test(name));
  if (wrong !== undefined) return [`--engine: '${wrong.name}' is not the name of a storage engine: try innodb.`];
  if (isAuto(options)) return [];
  if (options.create === '' && engines.length > 0) {
    return ['--engine is for tables that are made here: with --query alone there are none.'];
  }
  const withOption = engines.find(({ option }) => option !== '');
  if (withOption === undefined) return [];
  return [`--engine=${withOption.name}:${withOption.option}: write the option into the CREATE TABLE of --create.`];
}

function transactionProblems({ commit, detach }: SlapOptions): string[] {
  if (commit === 0 || detach % commit === 0) return [];
  return [
    `--detach=${detach} closes connections in mid-transaction, and what was not committed is lost: give a multiple of --commit=${commit}.`,
  ];
}
