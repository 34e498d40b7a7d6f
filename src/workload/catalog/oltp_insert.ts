/** oltp_insert: tables that grow. */
import { cleanupTables } from '../oltp/cleanup.ts';
import { openInsertSession } from '../oltp/insert.ts';
import { inspectIds } from '../oltp/inspect-ids.ts';
import { OLTP_OPTIONS, problemsOfTableOptions, TABLE_DETAILS } from '../oltp/options.ts';
import { prepareTables } from '../oltp/prepare.ts';
import { prewarmTables } from '../oltp/prewarm.ts';
import { STATEMENTS } from '../oltp/statements.ts';
import { tableName, tableNeeds } from '../oltp/tables.ts';
import { defineWorkload } from '../workload.ts';

export default defineWorkload({
  summary: 'One row inserted, sent as text.',
  details: [
    'With --auto-inc=on the server numbers the rows, and inserts go to the end of the table. With --auto-inc=off the ' +
      'tables are prepared empty, and ids are made here: unique, above all that are in the tables, and in random order ' +
      'within windows of sixteen million.',
    'The tables grow with every run: cleanup and prepare for equal conditions.',
    TABLE_DETAILS,
  ],
  options: OLTP_OPTIONS,
  validate: problemsOfTableOptions,
  needs: (options) => ({
    statementsPerSession: 0,
    writes: true,
    tables: tableNeeds(options.tables, 0),
    probes: [STATEMENTS.insert.sql(tableName(1))],
  }),
  mix: () => [{ name: 'insert', kind: 'write', perTransaction: 1 }],
  inspect: inspectIds,
  prepare: (context) => prepareTables(context, context.options.auto_inc ? context.options.table_size : 0),
  prewarm: prewarmTables,
  cleanup: cleanupTables,
  session: openInsertSession,
});
