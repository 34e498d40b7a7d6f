import { expect, test } from 'vitest';
import { ProblemsError } from '../problems.ts';
import { readMysqlWords } from './mysql-words.ts';

test.each([
  { line: '-u ben 7', options: ['--mysql-user=ben'], because: 'the value is the next word' },
  { line: '-uben 7', options: ['--mysql-user=ben'], because: 'or stands right behind' },
  { line: '-psecret 7', options: ['--mysql-password=secret'], because: 'a password only right behind' },
  { line: '-p 7', options: ['--ask-password'], because: 'else it is asked for' },
  { line: '7 -h db1 -P 3307', options: ['--mysql-host=db1', '--mysql-port=3307'], because: 'place' },
  { line: '7 -S /tmp/m.sock -D shop', options: ['--mysql-socket=/tmp/m.sock', '--mysql-db=shop'], because: 'socket' },
  { line: '--user=ben --host db1 7', options: ['--mysql-user=ben', '--mysql-host=db1'], because: 'long names' },
  { line: '--password=a=b 7', options: ['--mysql-password=a=b'], because: 'a value may hold a =' },
  { line: '--password 7', options: ['--ask-password'], because: 'it takes no next word' },
  { line: '--mysql-host=db1 --ask-password 7', options: ['--mysql-host=db1', '--ask-password'], because: 'ours' },
  { line: '7 mysql://ben@db1/quiz', options: ['mysql://ben@db1/quiz'], because: 'a URL' },
])('$line: $because', ({ line, options }) => {
  expect(readMysqlWords(line.split(' '))).toMatchObject({ options, namesTarget: true, words: ['7'] });
});

test.each([
  { line: '7 --rand-seed=3', because: 'it only says how' },
  { line: '7 -D other', because: 'a database is on whatever server' },
  { line: '7', because: 'nothing is said' },
])('$line names no target: $because', ({ line }) => {
  expect(readMysqlWords(line.split(' ')).namesTarget).toBe(false);
});

test('a private server is a target too', () => {
  expect(readMysqlWords(['7', '--server=mine']).namesTarget).toBe(true);
});

test.each([
  { line: '7 -x', is: "'-x' is not known." },
  { line: '7 -u', is: '-u needs a value.' },
])('$line: $is', ({ line, is }) => {
  try {
    readMysqlWords(line.split(' '));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemsError);
    expect((error as ProblemsError).problems[0]).toMatchObject({ is });
  }
});
