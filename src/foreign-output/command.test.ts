import { expect, test } from 'vitest';
import { readCommands } from './command.ts';

test.each([
  {
    text: '$ sysbench oltp_read_only --threads=4 run',
    is: { program: 'sysbench', script: 'oltp_read_only', verb: 'run' },
    because: 'a prompt stands before it',
  },
  {
    text: 'ben@db1:~$ sudo /usr/bin/sysbench --threads=4 /usr/share/sysbench/oltp_insert.lua run',
    is: { program: 'sysbench', script: 'oltp_insert', verb: 'run' },
    because: 'paths are no part of the names',
  },
  {
    text: './tpcc.lua --threads=8 \\\n  --scale=1 prepare',
    is: { program: 'tpcc.lua', script: 'tpcc', verb: 'prepare', lastLine: 2 },
    because: 'a backslash goes on',
  },
  {
    text: 'sysbench --threads=8 oltp_read_write\n--time=60 run\n--time=70',
    is: { verb: 'run', lastLine: 2 },
    because: 'options go on until the verb',
  },
  {
    text: 'sysbench --test=oltp --oltp-table-size=100 --num-threads=2 run',
    is: { script: 'oltp', verb: 'run' },
    because: '0.4 names its test by an option',
  },
  {
    text: 'python3 load.py 1000 2000 50',
    is: { program: 'load.py', words: ['1000', '2000', '50'] },
    because: 'an interpreter runs it',
  },
])('$text: $because', ({ text, is }) => {
  expect(readCommands(text.split('\n'))).toMatchObject([is]);
});

test.each([
  'sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)',
  'Sysbench is a popular tool.',
  'We ran sysbench --threads=4 twice.',
  'load.py prints two lines.',
])('no command: %s', (text) => {
  expect(readCommands([text])).toEqual([]);
});

test('options by their names, with the values that follow as words', () => {
  const [command] = readCommands(['pgbench -c 10 -j 2 --time=60 -P1 bench']);
  expect(Object.fromEntries(command!.options)).toEqual({ c: '10', j: '2', time: '60', P1: '' });
  expect(command!.words).toEqual(['bench']);
});

test('placeholders are no words', () => {
  const [command] = readCommands(['sysbench oltp_read_write <connection info> --mysql-host=<HOST> --threads=2 run']);
  expect(command!.words).toEqual(['oltp_read_write', 'run']);
});
