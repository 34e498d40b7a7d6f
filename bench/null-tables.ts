/** The tables that the fake server claims to have, so that the check before a run finds what it looks for. */
import { COLUMN_TYPE } from '../src/wire/constants.ts';
import { type Answer, type Reply, rows } from '../src/wire/fake-server/reply.ts';
import type { SqlValue } from '../src/wire/types.ts';

/** More rows than any bench asks for. */
const ROWS = 100_000_000;
const COLUMNS = [
  ['id', 'int(11)'],
  ['k', 'int(11)'],
  ['c', 'char(120)'],
  ['pad', 'char(60)'],
] as const;

function texts(names: readonly string[], values: readonly (readonly SqlValue[])[]): Reply {
  return rows(
    names.map((name) => ({ name, type: COLUMN_TYPE.VAR_STRING })),
    values,
  );
}

/** Answers the questions about tables only; all else is left to the fake server's own answers. */
export const answerAboutTables: Answer = (sql) => {
  const tables = [...sql.matchAll(/'(sbtest\d+)'/g)].map((match) => match[1] ?? '');
  if (/FROM information_schema\.TABLES/.test(sql)) {
    const columns = ['TABLE_NAME', 'TABLE_TYPE', 'ENGINE', 'TABLE_COMMENT', 'TABLE_ROWS'];
    return texts(
      columns,
      tables.map((table) => [table, 'BASE TABLE', 'InnoDB', '', String(ROWS)]),
    );
  }
  if (/FROM information_schema\.COLUMNS/.test(sql)) {
    const values = tables.flatMap((table) => COLUMNS.map(([column, type]) => [table, column, type]));
    return texts(['TABLE_NAME', 'COLUMN_NAME', 'COLUMN_TYPE'], values);
  }
  if (/FROM information_schema\.STATISTICS/.test(sql)) {
    return texts(
      ['TABLE_NAME', 'INDEX_NAME', 'COLUMN_NAME'],
      tables.map((table) => [table, 'PRIMARY', 'id']),
    );
  }
  if (/^SELECT (MAX|MIN|COUNT)\(/i.test(sql)) return texts(['value'], [[String(ROWS)]]);
  return undefined;
};
