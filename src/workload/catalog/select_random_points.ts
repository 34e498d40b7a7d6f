/** select_random_points: rows by scattered values of an indexed column. */
import { integer } from '../../base/options.ts';
import type { SqlParameter } from '../../wire/types.ts';
import { cleanupTables } from '../oltp/cleanup.ts';
import { DATA_OPTIONS, OLTP_OPTIONS, TABLE_DETAILS } from '../oltp/options.ts';
import { prepareTables } from '../oltp/prepare.ts';
import { prewarmTables } from '../oltp/prewarm.ts';
import { drawFromPart, PARAMETERS_MAX, problemsOfOneTable } from '../oltp/random-keys.ts';
import { tableNeeds } from '../oltp/tables.ts';
import { defineWorkload, ValidationError } from '../workload.ts';

export default defineWorkload({
  summary: 'The rows whose indexed column k has one of ten random values: a read by a secondary index.',
  details: [
    'The values of event number i come from part i modulo --threads of the table, so equal seeds send equal statements ' +
      'with equal --threads.',
    TABLE_DETAILS,
  ],
  options: {
    ...OLTP_OPTIONS,
    random_points: integer({ default: 10, min: 1, max: PARAMETERS_MAX, help: 'values in the IN list of each SELECT' }),
  },
  validate: (options) => problemsOfOneTable(options),
  needs: (options) => ({
    statementsPerSession: 1,
    writes: false,
    tables: tableNeeds(1, options.table_size),
    probes: [pointsSql(1)],
  }),
  mix: () => [{ name: 'random_points', kind: 'read', perTransaction: 1 }],
  prepare: (context) => prepareTables(context),
  dataOptions: DATA_OPTIONS,
  prewarm: (context) => prewarmTables(context),
  cleanup: (context) => cleanupTables(context),

  async session(context) {
    const count = context.options.random_points;
    const read = await context.connection.statement('random_points', 'read', pointsSql(count));
    const values: SqlParameter[] = [];
    return {
      random_points: {
        weight: 1,
        async run(event) {
          for (let point = 0; point < count; point++) values[point] = drawFromPart(context, event.index);
          if (!context.validate) {
            await read.run(values);
            return;
          }
          const strange = (await read.rows(values)).find((row) => !values.includes(Number(row[1])));
          if (strange !== undefined) throw new ValidationError(`random_points: got k = ${strange[1]}, not asked for.`);
        },
      },
    };
  },
});

function pointsSql(count: number): string {
  return `SELECT id, k, c, pad FROM sbtest1 WHERE k IN (${Array(count).fill('?').join(', ')})`;
}
