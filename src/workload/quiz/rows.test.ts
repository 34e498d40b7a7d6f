import { describe, expect, test } from 'vitest';
import { insertSql, type QuizSource, rowMaker } from './rows.ts';
import { QUIZ_TABLES, type QuizTable, type QuizTableName, rowsOf } from './tables.ts';
import { FIRST_NAMES, LAST_NAMES, WORDS } from './words.ts';

const SCALE = 300;
const source: QuizSource = { seed: 7, scale: SCALE };

function tableOf(name: QuizTableName): QuizTable {
  return QUIZ_TABLES.find((table) => table.name === name) as QuizTable;
}

/** All rows, by column. */
function columnsOf(name: QuizTableName, from: QuizSource = source): Record<string, readonly (string | number)[]> {
  const table = tableOf(name);
  const maker = rowMaker(table, from);
  const rows = Array.from({ length: rowsOf(table, from.scale) }, (_, index) => maker.row(index + 1));
  return Object.fromEntries(Object.keys(table.columns).map((column, at) => [column, rows.map((row) => row[at]!)]));
}

describe.each(QUIZ_TABLES)('$name', (table) => {
  test('has a value for each column, the key first', () => {
    const row = rowMaker(table, source).row(17);
    expect(row).toHaveLength(Object.keys(table.columns).length);
    expect(row[0]).toBe(17);
    expect(Object.keys(table.columns)[0]).toBe(table.key);
  });

  test('has the same row for the same seed, scale and key, in whatever order rows are made', () => {
    const upwards = rowMaker(table, source);
    const downwards = rowMaker(table, source);
    const keys = [1, 2, 3, 99, 100];
    const rows = keys.map((key) => upwards.row(key));
    expect(keys.toReversed().map((key) => downwards.row(key))).toEqual(rows.toReversed());
    expect(rowMaker(table, { ...source, seed: 8 }).row(1)).not.toEqual(rows[0]);
  });

  test('fits its columns', () => {
    for (const [column, values] of Object.entries(columnsOf(table.name))) {
      const length = /VARCHAR\((\d+)\)/.exec(table.columns[column] ?? '')?.[1];
      if (length === undefined) continue;
      const longest = Math.max(...values.map((value) => String(value).length));
      expect(longest, column).toBeLessThanOrEqual(Number(length));
    }
  });
});

test.each([
  { table: 'question', column: 'correct_answer_id', max: 2 * SCALE },
  { table: 'question', column: 'answer_count', min: 0, max: 100_000 },
  { table: 'answer', column: 'question_id', max: 2 * SCALE },
  { table: 'attempt', column: 'question_id', max: 2 * SCALE },
  { table: 'attempt', column: 'user_id', max: SCALE },
  { table: 'attempt', column: 'selection_id', max: 2 * SCALE },
  { table: 'attempt', column: 'wrong_id_4', max: 2 * SCALE },
] as const)('$table.$column lies between 1 and $max, and fills that range', ({ table, column, max, ...from }) => {
  const min = 'min' in from ? from.min : 1;
  const values = columnsOf(table)[column]!.map(Number);
  const span = max - min;
  expect(values.every((value) => Number.isInteger(value) && value >= min && value <= max)).toBe(true);
  expect(Math.min(...values)).toBeLessThan(min + span * 0.02);
  expect(Math.max(...values)).toBeGreaterThan(max - span * 0.02);
});

test.each([
  { table: 'user', column: 'bio', mean: 10 },
  { table: 'question', column: 'text', mean: 10 },
  { table: 'answer', column: 'text', mean: 4 },
  { table: 'attempt', column: 'feedback', mean: 10 },
] as const)('$table.$column is a sentence of $mean words on average', ({ table, column, mean }) => {
  const texts = columnsOf(table)[column]!.map(String);
  for (const text of texts) expect(text).toMatch(/^[A-Z][a-z]*(?: [a-z]+)+[.?]$/);
  const words = texts.reduce((sum, text) => sum + text.split(' ').length, 0) / texts.length;
  expect(Math.abs(words - mean)).toBeLessThan(mean * 0.05);
});

test('users have names, addresses and pictures of the shapes that are expected', () => {
  const users = columnsOf('user');
  for (const [column, shape] of [
    ['first_name', /^[A-Z][a-z]+$/],
    ['last_name', /^[A-Z][a-z]+$/],
    ['username', /^[a-z]+(?:\d|1\d|20)$/],
    ['email', /^[a-z]+@[a-z]+\.com$/],
    ['pfp', /^\/[a-z]+\/[a-z]+\.jpg$/],
  ] as const) {
    for (const value of users[column]!) expect(value).toMatch(shape);
  }
});

test('attempts fall into one year, whatever the day on which the data are made', () => {
  const moments = columnsOf('attempt')['attempted_at']!.map(String).toSorted();
  for (const moment of moments) expect(moment).toMatch(/^2025-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(moments[0]!.slice(0, 7)).toBe('2025-01');
  expect(moments.at(-1)!.slice(0, 7)).toBe('2025-12');
});

test('nothing in the texts needs an escape', () => {
  for (const word of [...WORDS, ...FIRST_NAMES, ...LAST_NAMES]) expect(word).toMatch(/^[A-Za-z]{1,12}$/);
  expect(Math.max(...WORDS.map((word) => word.length))).toBeLessThanOrEqual(10);
});

test('an INSERT names its columns, and has a line for each row', () => {
  const sql = insertSql(rowMaker(tableOf('answer'), source), 1, 3);
  expect(sql.split('\n')).toEqual([
    'INSERT INTO `answer` (answer_id, question_id, text) VALUES',
    expect.stringMatching(/^\(1, \d+, '[^']+'\),$/),
    expect.stringMatching(/^\(2, \d+, '[^']+'\),$/),
    expect.stringMatching(/^\(3, \d+, '[^']+'\)$/),
  ]);
});
