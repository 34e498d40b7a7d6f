/** The options of `tpcc`: those of sysbench-tpcc under its spellings, and which rules are kept. */
import type { OptionsSchema, ValuesOf } from '../../base/options.ts';
import { choice, flag, integer, list, text } from '../../base/options.ts';
import { PROFILE_NAMES, problemsOfDeviations } from './deviations.ts';

/** Warehouse numbers are SMALLINT, signed 16 bits, as in the tables of sysbench-tpcc. */
export const WAREHOUSE_MAX = 32_767;
/** A session prepares some 40 statements for every table set: more sets than this no server lets it hold. */
export const TABLE_SETS_MAX = 1_000;

export const TPCC_OPTIONS = {
  profile: choice({
    choices: PROFILE_NAMES,
    default: 'spec',
    help: 'whose rules are kept: the right ones, or what one of three tools really does',
  }),
  deviations: list({
    default: [],
    placeholder: 'NAME,…',
    help: 'single deviations to add to the profile, or with - in front to take away; see above',
  }),
  scale: integer({
    default: 1,
    min: 1,
    max: WAREHOUSE_MAX,
    aliases: ['warehouses'],
    help: 'how many warehouses in each table set, about 100 MB each',
  }),
  tables: integer({
    default: 1,
    min: 1,
    max: TABLE_SETS_MAX,
    help: 'how many complete sets of the nine tables: warehouse1 … item1, warehouse2 and so on',
  }),
  trx_level: choice({
    choices: ['RR', 'RC', 'SER'],
    default: 'RR',
    help: 'isolation: repeatable read, read committed or serializable',
  }),
  use_fk: flag({ default: true, help: 'the tables have foreign keys' }),
  force_pk: flag({ default: false, help: 'a primary key for the history table, as clusters ask for' }),
  enable_purge: flag({
    default: false,
    help: 'one transaction in 24 deletes old orders and history (profile sysbench-tpcc)',
  }),
  splittable: flag({
    default: false,
    help: 'START TRANSACTION READ ONLY or READ WRITE in place of BEGIN, for proxies',
  }),
  mysql_storage_engine: text({ default: 'innodb', placeholder: 'ENGINE', help: 'storage engine of the tables' }),
  mysql_table_options: text({ default: '', placeholder: 'SQL', help: 'appended to CREATE TABLE as it is' }),
} satisfies OptionsSchema;

/** What `tpcc.lua` in place of the workload's name means: the defaults of sysbench-tpcc where they are others. */
export const DEFAULTS_OF_TPCC_LUA = { profile: 'sysbench-tpcc', scale: '100' } as const;

export type TpccSchema = typeof TPCC_OPTIONS;
export type TpccOptions = ValuesOf<TpccSchema>;

/** Engine names are put into SQL as they are, so they must be plain words. */
const ENGINE_NAME = /^\w+$/;

/** In which ROLLBACK undoes nothing: engines that servers are shipped with. */
const WITHOUT_TRANSACTIONS = /^(?:myisam|aria|memory|heap|csv|archive|blackhole|merge|mrg_myisam)$/i;

/** What no command can work with, each with its remedy. */
export function problemsOfOptions(options: TpccOptions): string[] {
  const problems = problemsOfDeviations(options.deviations);
  const engine = options.mysql_storage_engine;
  if (!ENGINE_NAME.test(engine)) problems.push(`'${engine}' is not the name of a storage engine: try innodb.`);
  if (WITHOUT_TRANSACTIONS.test(engine)) {
    problems.push(
      `${engine} has no transactions, of which tpcc is made: nothing would be rolled back, and no condition would hold. Try innodb.`,
    );
  }
  if (options.enable_purge && options.profile !== 'sysbench-tpcc') {
    problems.push('--enable-purge is a transaction of sysbench-tpcc: add --profile=sysbench-tpcc, or leave it out.');
  }
  return problems;
}
