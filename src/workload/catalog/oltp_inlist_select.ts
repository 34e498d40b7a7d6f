/** oltp_inlist_select: several rows by their ids in one statement. */
import { flag, integer } from '../../base/options.ts';
import type { SqlParameter } from '../../wire/types.ts';
import { cleanupTables } from '../oltp/cleanup.ts';
import { DATA_OPTIONS, OLTP_OPTIONS, problemsOfTableOptions, TABLE_DETAILS } from '../oltp/options.ts';
import { prepareTables } from '../oltp/prepare.ts';
import { prewarmTables } from '../oltp/prewarm.ts';
import { PARAMETERS_MAX } from '../oltp/random-keys.ts';
import { tableName, tableNames, tableNeeds } from '../oltp/tables.ts';
import { defineWorkload, type LoadStatement, ValidationError } from '../workload.ts';

export default defineWorkload({
  summary: 'Ten rows by a list of ids in one SELECT.',
  details: [
    'Not in sysbench itself, but in the set of scripts most used with it (Mark Callaghan), for the same tables: ten ' +
      'point selects in one round trip.',
    TABLE_DETAILS,
  ],
  options: {
    ...OLTP_OPTIONS,
    random_points: integer({ default: 10, min: 1, max: PARAMETERS_MAX, help: 'ids in the IN list of each SELECT' }),
    hot_points: flag({ default: false, help: 'always the same ids, in the middle of the table' }),
  },
  validate: (options) => problemsOfTableOptions(options),
  needs: (options) => ({
    statementsPerSession: options.tables,
    writes: false,
    tables: tableNeeds(options.tables, options.table_size),
    probes: [inListSql(tableName(1), 1)],
  }),
  mix: () => [{ name: 'inlist_select', kind: 'read', perTransaction: 1 }],
  prepare: (context) => prepareTables(context),
  dataOptions: DATA_OPTIONS,
  prewarm: (context) => prewarmTables(context),
  cleanup: (context) => cleanupTables(context),

  async session({ connection, options, random, keys, validate }) {
    const { random_points: count, hot_points: isHot, table_size: rows, tables } = options;
    const statements: LoadStatement[] = [];
    for (const table of tableNames(tables)) {
      statements.push(await connection.statement('inlist_select', 'read', inListSql(table, count)));
    }
    const middle = Math.floor(rows / 2);
    const ids: SqlParameter[] = [];
    return {
      inlist_select: {
        weight: 1,
        async run() {
          const statement = statements[random.integer(0, tables - 1)]!;
          for (let point = 0; point < count; point++)
            ids[point] = isHot ? middle + point + 1 : keys.draw(random, 1, rows);
          if (!validate) {
            await statement.run(ids);
            return;
          }
          const found = (await statement.rows(ids)).length;
          // A list may name an id twice, and the hot ids of a small table end above it.
          const wanted = new Set(ids.filter((id) => Number(id) <= rows)).size;
          if (found !== wanted) throw new ValidationError(`inlist_select: expected ${wanted} rows, got ${found}.`);
        },
      },
    };
  },
});

function inListSql(table: string, count: number): string {
  return `SELECT c FROM ${table} WHERE id IN (${Array(count).fill('?').join(', ')})`;
}
