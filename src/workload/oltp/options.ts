/** The options that all workloads of the OLTP family take: sysbench's names, defaults and meanings. */
import type { OptionsSchema, ValuesOf } from '../../base/options.ts';
import { flag, integer, text } from '../../base/options.ts';

/** Ids are INTEGER, signed 32 bits. */
export const ID_MAX = 2_147_483_647;

/** What decides how the tables are made and filled. */
export const TABLE_OPTIONS = {
  tables: integer({ default: 1, min: 1, help: 'how many tables: sbtest1, sbtest2 and so on' }),
  table_size: integer({
    default: 10_000,
    min: 1,
    max: ID_MAX,
    help: 'rows in each table; ids are drawn from 1 to this',
  }),
  auto_inc: flag({ default: true, help: 'id is AUTO_INCREMENT; off: the client makes the ids' }),
  secondary: flag({ default: false, help: 'an ordinary index xid on id in place of the primary key' }),
  create_secondary: flag({ default: true, help: 'index k_N on column k, built after the rows are loaded' }),
  mysql_storage_engine: text({ default: 'innodb', placeholder: 'ENGINE', help: 'storage engine of the tables' }),
  create_table_options: text({ default: '', placeholder: 'SQL', help: 'appended to CREATE TABLE as it is' }),
  pgsql_variant: text({ default: '', placeholder: 'NAME', help: 'refused: a PostgreSQL option of sysbench' }),
} satisfies OptionsSchema;

export const DATA_OPTIONS: readonly string[] = Object.keys(TABLE_OPTIONS);

/** What decides how often each statement is sent in one transaction. */
export const MIX_OPTIONS = {
  point_selects: integer({ default: 10, min: 0, help: 'rows read by id, per transaction' }),
  range_selects: flag({ default: true, help: 'off: none of the four range reads below' }),
  simple_ranges: integer({ default: 1, min: 0, help: 'ranges of ids read, per transaction' }),
  sum_ranges: integer({ default: 1, min: 0, help: 'SUM(k) over a range of ids, per transaction' }),
  order_ranges: integer({ default: 1, min: 0, help: 'ranges of ids read sorted by c, per transaction' }),
  distinct_ranges: integer({ default: 1, min: 0, help: 'distinct c of a range of ids, sorted, per transaction' }),
  range_size: integer({ default: 100, min: 1, max: ID_MAX, help: 'how many ids a range spans' }),
  index_updates: integer({ default: 1, min: 0, help: 'updates of the indexed column k, per transaction' }),
  non_index_updates: integer({
    default: 1,
    min: 0,
    help: 'updates of the column c, which has no index, per transaction',
  }),
  delete_inserts: integer({ default: 1, min: 0, help: 'rows deleted and inserted again, per transaction' }),
  skip_trx: flag({ default: false, help: 'no BEGIN and COMMIT: every statement commits by itself' }),
} satisfies OptionsSchema;

export const OLTP_OPTIONS = { ...TABLE_OPTIONS, ...MIX_OPTIONS } satisfies OptionsSchema;

/** For `help`, of every workload on these tables. */
export const TABLE_DETAILS =
  'prepare draws the column k by --rand-type, as sysbench does: under special and gaussian its values crowd in the ' +
  'middle of 1 to table_size, and what an index on k is worth depends on it. The same --rand-seed gives the same rows, ' +
  'whatever the number of --threads.';

export type TableOptions = ValuesOf<typeof TABLE_OPTIONS>;
export type OltpOptions = ValuesOf<typeof OLTP_OPTIONS>;

/** Engine names are put into SQL as they are, so they must be plain words. */
const ENGINE_NAME = /^\w+$/;

/** What no command of the family can work with, each with its remedy. */
export function problemsOfTableOptions(options: TableOptions): string[] {
  const problems: string[] = [];
  if (options.pgsql_variant !== '') {
    problems.push('--pgsql-variant is for PostgreSQL, and sqldyno speaks the MySQL protocol: leave it out.');
  }
  if (!ENGINE_NAME.test(options.mysql_storage_engine)) {
    problems.push(`'${options.mysql_storage_engine}' is not the name of a storage engine: try innodb.`);
  }
  return problems;
}
