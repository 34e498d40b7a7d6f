import { expect, test } from 'vitest';
import { quizSql } from './print-sql.ts';

test('makes database and tables where they are not there, then inserts 1,000 rows at a time', () => {
  const statements = [...quizSql({ options: { scale: 600, queries: 0 }, seed: 3, database: 'my`quiz' })];
  expect(statements[0]).toBe('-- sqldyno quiz --scale=600 --rand-seed=3 print-sql');
  expect(statements.slice(1).every((statement) => statement.endsWith(';'))).toBe(true);
  expect(statements.slice(1, 3)).toEqual(['CREATE DATABASE IF NOT EXISTS `my``quiz`;', 'USE `my``quiz`;']);
  const creates = statements.slice(3, 7);
  expect(creates.every((statement) => statement.startsWith('CREATE TABLE IF NOT EXISTS `'))).toBe(true);
  const inserts = statements.slice(7).map((statement) => {
    const lines = statement.split('\n');
    return `${/`(\w+)`/.exec(lines[0]!)?.[1]} ${lines.length - 1}`;
  });
  const attempts = Array.from({ length: 12 }, () => 'attempt 1000');
  expect(inserts).toEqual(['user 600', 'question 1000', 'question 200', 'answer 1000', 'answer 200', ...attempts]);
});
