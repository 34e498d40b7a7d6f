/** prepare, prewarm and cleanup of the four tables. */
import { dropTables } from '../tables/drop.ts';
import { loadTables } from '../tables/load.ts';
import { prewarmTables } from '../tables/prewarm.ts';
import type { FilledTable } from '../tables/table.ts';
import type { MaintenanceContext, TableNeed, TableSize } from '../workload.ts';
import type { QUIZ_OPTIONS } from './options.ts';
import { openRowLoader } from './row-loader.ts';
import { columnTypes, createTableSql, QUIZ_TABLES, type QuizTable, rowsOf } from './tables.ts';

type Context = MaintenanceContext<typeof QUIZ_OPTIONS>;

export async function prepareQuiz(context: Context): Promise<void> {
  const { scale } = context.options;
  await loadTables(
    context,
    QUIZ_TABLES.map((table) => filledTable(table, scale)),
  );
}

export async function prewarmQuiz(context: Context): Promise<void> {
  await prewarmTables(
    context,
    QUIZ_TABLES.map((table) => ({ ...ownShape(table), counted: [table.key] })),
  );
}

export async function cleanupQuiz(context: Context): Promise<void> {
  await dropTables(context, QUIZ_TABLES.map(ownShape));
}

export function tableNeed(table: QuizTable, scale: number): TableNeed {
  return { ...ownShape(table), rowsMin: rowsOf(table, scale), size: sizeOf(table) };
}

function filledTable(table: QuizTable, scale: number): FilledTable {
  return {
    ...ownShape(table),
    otherColumns: 'refused',
    rows: rowsOf(table, scale),
    size: sizeOf(table),
    createSql: (comment) => createTableSql(table, { ending: `COMMENT = '${comment}'` }),
    openLoader: (connection, seed) => openRowLoader(connection, table, { seed, scale }),
  };
}

function ownShape(table: QuizTable): Pick<FilledTable, 'name' | 'key' | 'columns'> {
  return { name: table.name, key: table.key, columns: columnTypes(table) };
}

function sizeOf({ rowsPerScale }: QuizTable): TableSize {
  return { option: '--scale', rowsPerUnit: rowsPerScale };
}
