/** The four tables as SQL for a client program, in the order and the portions of the blog post's populate.py. */
import { quoteName } from '../sql.ts';
import type { SqlContext } from '../workload.ts';
import type { QUIZ_OPTIONS } from './options.ts';
import { insertSql, rowMaker } from './rows.ts';
import { createTableSql, QUIZ_TABLES, rowsOf } from './tables.ts';

const ROWS_PER_INSERT = 1_000;

export function* quizSql({ options, seed, database }: SqlContext<typeof QUIZ_OPTIONS>): Generator<string> {
  const { scale } = options;
  yield `-- sqldyno quiz --scale=${scale} --rand-seed=${seed} print-sql`;
  yield `CREATE DATABASE IF NOT EXISTS ${quoteName(database)};`;
  yield `USE ${quoteName(database)};`;
  for (const table of QUIZ_TABLES) yield `${createTableSql(table, { ifNotExists: true })};`;
  for (const table of QUIZ_TABLES) {
    const maker = rowMaker(table, { seed, scale });
    const rows = rowsOf(table, scale);
    for (let from = 1; from <= rows; from += ROWS_PER_INSERT) {
      yield `${insertSql(maker, from, Math.min(rows, from + ROWS_PER_INSERT - 1))};`;
    }
  }
}
