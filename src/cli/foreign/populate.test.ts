import { expect, test } from 'vitest';
import { translate } from './populate.ts';

const TERMINAL = { isStdoutTerminal: true };
const PIPE = { isStdoutTerminal: false };

test.each([
  { args: ['1000'], world: PIPE, line: 'quiz --scale=1000 print-sql', because: 'it prints, as the script does' },
  { args: ['1000'], world: TERMINAL, line: 'quiz --scale=1000 --create-database prepare', because: 'no reader' },
  {
    args: ['1000', '-u', 'ben', '-ppw', '-h', 'ubuntu-1'],
    world: PIPE,
    line: 'quiz --scale=1000 --mysql-user=ben --mysql-password=pw --mysql-host=ubuntu-1 --create-database prepare',
    because: 'a server is named',
  },
  {
    args: ['50', '--rand-seed=3', '--mysql-db=other'],
    world: PIPE,
    line: 'quiz --scale=50 --rand-seed=3 --mysql-db=other print-sql',
    because: 'no server is named',
  },
  {
    args: ['50', '--server=a', '--create-database=off'],
    world: PIPE,
    line: 'quiz --scale=50 --server=a --create-database=off prepare',
    because: 'what is said is not said twice',
  },
])('populate.py $args: $because', ({ args, world, line }) => {
  expect(translate(args, world).join(' ')).toBe(line);
});

test.each([{ args: [] }, { args: ['0'] }, { args: ['ten'] }, { args: ['10', '20'] }])('refuses $args', ({ args }) => {
  expect(() => translate(args, PIPE)).toThrow(/^SCALE must be given/);
});
