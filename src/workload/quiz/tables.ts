/** The four tables, with the columns of the blog post that they come from: tables made by its scripts serve too. */
import type { TableNeed } from '../workload.ts';

export type QuizTableName = 'user' | 'question' | 'answer' | 'attempt';

export interface QuizTable {
  readonly name: QuizTableName;
  /** The primary key, whose values are 1 and on without a gap. */
  readonly key: string;
  readonly rowsPerScale: number;
  /** Definitions, in order; the key comes first. */
  readonly columns: Readonly<Record<string, string>>;
}

/** In the order in which they are loaded and asked. */
export const QUIZ_TABLES: readonly QuizTable[] = [
  {
    name: 'user',
    key: 'user_id',
    rowsPerScale: 1,
    columns: {
      user_id: 'BIGINT UNSIGNED AUTO_INCREMENT NOT NULL',
      first_name: 'VARCHAR(32) NOT NULL',
      last_name: 'VARCHAR(32) NOT NULL',
      username: 'VARCHAR(32) NOT NULL',
      email: 'VARCHAR(128) NOT NULL',
      bio: 'VARCHAR(1024)',
      pfp: 'VARCHAR(512)',
    },
  },
  {
    name: 'question',
    key: 'question_id',
    rowsPerScale: 2,
    columns: {
      question_id: 'BIGINT UNSIGNED AUTO_INCREMENT NOT NULL',
      correct_answer_id: 'BIGINT UNSIGNED NOT NULL',
      text: 'VARCHAR(1024) NOT NULL',
      answer_count: 'INT DEFAULT 0',
    },
  },
  {
    name: 'answer',
    key: 'answer_id',
    rowsPerScale: 2,
    columns: {
      answer_id: 'BIGINT UNSIGNED AUTO_INCREMENT NOT NULL',
      question_id: 'BIGINT UNSIGNED NOT NULL',
      text: 'VARCHAR(1024) NOT NULL',
    },
  },
  {
    name: 'attempt',
    key: 'attempt_id',
    rowsPerScale: 20,
    columns: {
      attempt_id: 'BIGINT UNSIGNED AUTO_INCREMENT NOT NULL',
      question_id: 'BIGINT UNSIGNED NOT NULL',
      attempted_at: 'DATETIME NOT NULL',
      user_id: 'BIGINT UNSIGNED NOT NULL',
      selection_id: 'BIGINT UNSIGNED NOT NULL',
      feedback: 'VARCHAR(1024)',
      wrong_id_1: 'BIGINT UNSIGNED',
      wrong_id_2: 'BIGINT UNSIGNED',
      wrong_id_3: 'BIGINT UNSIGNED',
      wrong_id_4: 'BIGINT UNSIGNED',
    },
  },
];

/** USER is a word of SQL, though no reserved one so far. */
export function quoted({ name }: QuizTable): string {
  return `\`${name}\``;
}

export function rowsOf(table: QuizTable, scale: number): number {
  return table.rowsPerScale * scale;
}

/** Base types by column, to tell a table of ours from another of the same name. */
export function columnTypes({ columns }: QuizTable): TableNeed['columns'] {
  const types = Object.entries(columns).map(([name, definition]) => [name, baseType(definition)]);
  return Object.fromEntries(types);
}

function baseType(definition: string): string {
  return (/^\w+(?:\(\d+\))?/.exec(definition)?.[0] ?? definition).toLowerCase();
}

/** `ending`: what follows after the closing parenthesis, such as a comment. */
export function createTableSql(table: QuizTable, { ifNotExists = false, ending = '' } = {}): string {
  const { columns, key } = table;
  const lines = Object.entries(columns).map(([name, definition]) => `  ${name} ${definition},`);
  const head = `CREATE TABLE ${ifNotExists ? 'IF NOT EXISTS ' : ''}${quoted(table)} (`;
  return [head, ...lines, `  PRIMARY KEY (${key})`, `) ${ending}`.trimEnd()].join('\n');
}
