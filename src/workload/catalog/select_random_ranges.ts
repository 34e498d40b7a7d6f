/** select_random_ranges: counting in scattered ranges of an index. */
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
  summary: 'How many rows have their indexed column k in one of ten small ranges: reads of a secondary index alone.',
  details: [
    'The ranges of event number i begin in part i modulo --threads of the table, so equal seeds send equal statements ' +
      'with equal --threads.',
    TABLE_DETAILS,
  ],
  options: {
    ...OLTP_OPTIONS,
    number_of_ranges: integer({
      default: 10,
      min: 1,
      max: Math.floor(PARAMETERS_MAX / 2),
      help: 'BETWEEN ranges in each SELECT',
    }),
    delta: integer({ default: 5, min: 0, help: 'from the lower to the upper end of each range' }),
  },
  validate: (options) => problemsOfOneTable(options),
  needs: (options) => ({
    statementsPerSession: 1,
    writes: false,
    tables: tableNeeds(1, options.table_size),
    probes: [rangesSql(1)],
  }),
  mix: () => [{ name: 'random_ranges', kind: 'read', perTransaction: 1 }],
  prepare: (context) => prepareTables(context),
  dataOptions: DATA_OPTIONS,
  prewarm: (context) => prewarmTables(context),
  cleanup: (context) => cleanupTables(context),

  async session(context) {
    const { number_of_ranges: count, delta } = context.options;
    const read = await context.connection.statement('random_ranges', 'read', rangesSql(count));
    const ends: SqlParameter[] = [];
    return {
      random_ranges: {
        weight: 1,
        async run(event) {
          for (let range = 0; range < count; range++) {
            const from = drawFromPart(context, event.index);
            ends[2 * range] = from;
            ends[2 * range + 1] = from + delta;
          }
          if (!context.validate) {
            await read.run(ends);
            return;
          }
          const rows = await read.rows(ends);
          const found = Number(rows[0]?.[0]);
          if (rows.length !== 1 || !Number.isSafeInteger(found) || found < 0) {
            throw new ValidationError(`random_ranges: expected one row with a count, got ${rows.length} rows.`);
          }
        },
      },
    };
  },
});

function rangesSql(count: number): string {
  return `SELECT count(k) FROM sbtest1 WHERE ${Array(count).fill('k BETWEEN ? AND ?').join(' OR ')}`;
}
