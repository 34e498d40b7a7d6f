/** The session of bulk_insert: long INSERTs, ids in sequence. */
import type { IntegerOption, OptionsSchema } from '../../base/options.ts';
import type { SqlParameter } from '../../wire/types.ts';
import { type Session, type SessionContext, ValidationError } from '../workload.ts';
import { tableName } from './tables.ts';

/** A tenth of a gigabyte of SQL: no server takes more by default. */
export const BULK_ROWS_MAX = 500_000;
/** `(2147483647, 2147483647), ` */
const ROW_BYTES_MAX = 26;
/** `INSERT INTO sbtest1000000 VALUES ` */
const HEAD_BYTES_MAX = 40;

export function bulkInsertSql(table: string, rows: number): string {
  return `INSERT INTO ${table} VALUES ${Array(rows).fill('(?,?)').join(',')}`;
}

export function bulkStatementBytesMax(rows: number): number {
  return HEAD_BYTES_MAX + rows * ROW_BYTES_MAX;
}

export interface BulkOptions extends OptionsSchema {
  readonly rows_per_insert: IntegerOption;
}

export async function openBulkSession(context: SessionContext<BulkOptions>): Promise<Session> {
  const { connection, sessionIndex, validate } = context;
  const rows = context.options.rows_per_insert;
  const table = tableName(sessionIndex + 1);
  const last = await connection.statement('last_id', 'read', `SELECT MAX(id) FROM ${table}`, { text: true });
  const [highest] = await last.rows();
  const insert = await connection.statement('insert', 'write', bulkInsertSql(table, rows), { text: true });
  const values: SqlParameter[] = [];
  // Only this session writes to the table, so after a reconnect MAX(id) tells again where it stood.
  let nextId = Number(highest?.[0] ?? 0) + 1;
  return {
    bulk_insert: {
      weight: 1,
      async run() {
        for (let row = 0; row < rows; row++) {
          values[2 * row] = nextId + row;
          values[2 * row + 1] = nextId + row;
        }
        const { affectedRows } = await insert.run(values);
        if (validate && affectedRows !== rows) {
          throw new ValidationError(`insert into ${table}: expected ${rows} rows inserted, got ${affectedRows}.`);
        }
        // Not before it has succeeded: a retry sends the same rows again.
        nextId += rows;
      },
    },
  };
}
