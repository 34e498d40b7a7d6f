/** bulk_insert: how fast long INSERTs of small rows go in. */
import { integer } from '../../base/options.ts';
import { BULK_ROWS_MAX, bulkInsertSql, bulkStatementBytesMax, openBulkSession } from '../oltp/bulk.ts';
import { BULK_COLUMNS, createBulkTables } from '../oltp/bulk-tables.ts';
import { dropNumbered } from '../oltp/cleanup.ts';
import { tableName, tableNames } from '../oltp/tables.ts';
import { defineWorkload } from '../workload.ts';

export default defineWorkload({
  summary: 'Rows of two integers, 25,000 in one INSERT, each thread to a table of its own.',
  details: [
    'One event is one INSERT, and its latency is that of the whole statement. sysbench counts every row as an event, ' +
      'and most of its events take no time at all, because they only fill a buffer: multiply our transactions by ' +
      '--rows-per-insert to compare.',
    'Ids go on from the highest in the table, so that it can run again on the same tables. Prepare with the --threads ' +
      'of the run: there is one table for each.',
  ],
  options: {
    rows_per_insert: integer({
      default: 25_000,
      min: 1,
      max: BULK_ROWS_MAX,
      help: 'rows in one INSERT, about half a MiB',
    }),
  },
  needs: (options, threads = 1) => ({
    statementsPerSession: 0,
    writes: true,
    tables: tableNames(threads).map((name) => ({ name, columns: BULK_COLUMNS, rowsMin: 0 })),
    probes: [bulkInsertSql(tableName(1), 1)],
    statementBytesMax: bulkStatementBytesMax(options.rows_per_insert),
  }),
  mix: () => [{ name: 'insert', kind: 'write', perTransaction: 1 }],
  prepare: createBulkTables,
  cleanup: (context) =>
    dropNumbered(context, tableNames(context.threads), { columns: BULK_COLUMNS, moreBy: '--threads' }),
  session: openBulkSession,
});
