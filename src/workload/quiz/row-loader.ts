/**
 * Puts rows of one table into the server over one connection, by prepared INSERTs of up to 1,000 rows, which take half
 * the time of the same rows as text; as text the rest of a chunk, and everything where nothing can be prepared.
 */
import type { Connection } from '../../wire/types.ts';
import { batchRowsFor, prepareInsert } from '../tables/insert-batches.ts';
import type { RowLoader } from '../tables/table.ts';
import { insertHead, insertSql, type QuizSource, type QuizValue, type RowMaker, rowMaker } from './rows.ts';
import type { QuizTable } from './tables.ts';

/** Fourteen words of ten letters, and ten numbers of sixteen digits, with what stands between them. */
const ROW_BYTES_MAX = 512;

export async function openRowLoader(connection: Connection, table: QuizTable, source: QuizSource): Promise<RowLoader> {
  const maker = rowMaker(table, source);
  const batchRows = await batchRowsFor(connection, ROW_BYTES_MAX);
  const columns = Object.keys(table.columns).length;
  const whole = await prepareInsert(connection, insertHead(table), { rows: batchRows, columns });
  /** Made now, to be sent later. */
  const batchOf = (first: number, last: number): (() => Promise<unknown>) => {
    if (whole !== undefined && last - first + 1 === batchRows) {
      const values = valuesOf(maker, first, last);
      return () => whole.execute(values);
    }
    const sql = insertSql(maker, first, last);
    return () => connection.execute(sql);
  };
  return {
    async load({ from, to }) {
      await connection.execute('BEGIN');
      let sent: Promise<unknown> = Promise.resolve();
      for (let first = from; first <= to; first += batchRows) {
        const send = batchOf(first, Math.min(to, first + batchRows - 1));
        // One batch is made while the server works on the one before.
        await sent;
        sent = send();
      }
      await sent;
      await connection.execute('COMMIT');
    },
    close: () => whole?.close(),
  };
}

function valuesOf(maker: RowMaker, from: number, to: number): QuizValue[] {
  const values: QuizValue[] = [];
  for (let key = from; key <= to; key++) values.push(...maker.row(key));
  return values;
}
