/**
 * The rows of the four tables. What a row holds depends on (seed, table, scale, key) alone, so the data are the same
 * whatever the number of connections, and a load that was cut off can go on anywhere.
 */
import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import { type QuizTable, type QuizTableName, quoted } from './tables.ts';
import { FIRST_NAMES, LAST_NAMES, WORDS } from './words.ts';

export interface QuizSource {
  readonly seed: number;
  readonly scale: number;
}

export type QuizValue = number | string;

export interface RowMaker {
  readonly table: QuizTable;
  /** All values in the order of the columns, the key first. */
  row(key: number): QuizValue[];
}

/** Attempts fall into the year that ends here: a fixed one, so that equal seeds give equal data at any time. */
const YEAR_END_MS = Date.UTC(2026, 0, 1);
const YEAR_S = 365 * 86_400;
const ANSWER_COUNT_MAX = 100_000;
const USERNAME_NUMBER_MAX = 20;

/** How many words a text has: ten or four on average, as in the blog post. */
const LONG = { from: 6, to: 14 };
const SHORT = { from: 2, to: 6 };

type Draw = (random: Random, scale: number) => QuizValue[];

/** What follows after the key. */
const DRAWS: Readonly<Record<QuizTableName, Draw>> = {
  user: (random) => [
    pick(random, FIRST_NAMES),
    pick(random, LAST_NAMES),
    pick(random, WORDS) + pick(random, WORDS) + random.integer(0, USERNAME_NUMBER_MAX),
    `${pick(random, WORDS)}@${pick(random, WORDS)}.com`,
    sentence(random, LONG, '.'),
    `/${pick(random, WORDS)}/${pick(random, WORDS)}.jpg`,
  ],
  question: (random, scale) => [
    answerId(random, scale),
    sentence(random, LONG, '?'),
    random.integer(0, ANSWER_COUNT_MAX),
  ],
  answer: (random, scale) => [questionId(random, scale), sentence(random, SHORT, '.')],
  attempt: (random, scale) => [
    questionId(random, scale),
    momentOfYear(random),
    random.integer(1, scale),
    answerId(random, scale),
    sentence(random, LONG, '.'),
    answerId(random, scale),
    answerId(random, scale),
    answerId(random, scale),
    answerId(random, scale),
  ],
};

export function rowMaker(table: QuizTable, { seed, scale }: QuizSource): RowMaker {
  const tableSeed = deriveSeed(seed, 'quiz rows', table.name);
  const random = createRandom(tableSeed);
  const draw = DRAWS[table.name];
  return {
    table,
    row(key) {
      random.restart(tableSeed, key);
      return [key, ...draw(random, scale)];
    },
  };
}

function pick(random: Random, list: readonly string[]): string {
  return list[random.integer(0, list.length - 1)]!;
}

function questionId(random: Random, scale: number): number {
  return random.integer(1, 2 * scale);
}

/**
 * Of an answer that exists. The blog post's script draws chosen and wrong answers from five times the scale, of which
 * three fifths do not; no query reads those columns, and a BIGINT takes its eight bytes either way.
 */
function answerId(random: Random, scale: number): number {
  return random.integer(1, 2 * scale);
}

function sentence(random: Random, { from, to }: typeof LONG, end: string): string {
  const first = pick(random, WORDS);
  let text = first.charAt(0).toUpperCase() + first.slice(1);
  for (let words = random.integer(from, to); words > 1; words--) text += ` ${pick(random, WORDS)}`;
  return text + end;
}

/** `2025-06-30 17:05:09` */
function momentOfYear(random: Random): string {
  const moment = new Date(YEAR_END_MS - random.integer(1, YEAR_S) * 1_000).toISOString();
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)}`;
}

export function insertHead(table: QuizTable): string {
  return `INSERT INTO ${quoted(table)} (${Object.keys(table.columns).join(', ')}) VALUES`;
}

/** One INSERT of the rows of these keys, both included. The texts hold nothing that a quoted text must not. */
export function insertSql(maker: RowMaker, from: number, to: number): string {
  const rows: string[] = [];
  for (let key = from; key <= to; key++) {
    const values = maker.row(key).map((value) => (typeof value === 'string' ? `'${value}'` : value));
    rows.push(`(${values.join(', ')})`);
  }
  return `${insertHead(maker.table)}\n${rows.join(',\n')}`;
}
