/** One transaction: a row of each table by its key. */
import type { SqlParameter } from '../../wire/types.ts';
import { type LoadStatement, type Session, type SessionContext, ValidationError } from '../workload.ts';
import type { QUIZ_OPTIONS } from './options.ts';
import { QUIZ_TABLES, type QuizTable, type QuizTableName, quoted, rowsOf } from './tables.ts';

/** What each query reads, and what the report calls it. */
const QUERIES: Readonly<Record<QuizTableName, { readonly name: string; readonly column: string }>> = {
  user: { name: 'username', column: 'username' },
  question: { name: 'correct_answer', column: 'correct_answer_id' },
  answer: { name: 'question_of_answer', column: 'question_id' },
  attempt: { name: 'question_of_attempt', column: 'question_id' },
};

export const QUERY_NAMES: readonly string[] = QUIZ_TABLES.map((table) => QUERIES[table.name].name);

export function querySql(table: QuizTable): string {
  return `SELECT ${QUERIES[table.name].column} FROM ${quoted(table)} WHERE ${table.key} = ?`;
}

interface Step {
  readonly statement: LoadStatement;
  readonly table: QuizTable;
  readonly rows: number;
}

export async function openQuizSession(context: SessionContext<typeof QUIZ_OPTIONS>): Promise<Session> {
  const { connection, options, random, keys, validate } = context;
  const steps: Step[] = [];
  for (const table of QUIZ_TABLES) {
    const statement = await connection.statement(QUERIES[table.name].name, 'read', querySql(table));
    steps.push({ statement, table, rows: rowsOf(table, options.scale) });
  }
  const parameters: SqlParameter[] = [];
  return {
    round: {
      weight: 1,
      /** Hot. */
      async run() {
        for (const step of steps) {
          parameters[0] = keys.draw(random, 1, step.rows);
          if (validate) await runChecked(step, parameters);
          else await step.statement.run(parameters);
        }
      },
    },
  };
}

async function runChecked({ statement, table }: Step, parameters: readonly SqlParameter[]): Promise<void> {
  const found = (await statement.rows(parameters)).length;
  if (found === 1) return;
  throw new ValidationError(
    `${statement.name} (${table.name}, ${table.key} ${parameters[0]}): expected one row, got ${found}.`,
  );
}
