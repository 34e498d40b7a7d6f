import { expect, test } from 'vitest';
import { choice, flag, integer, list, number, text } from '../base/options.ts';
import { fitted, optionsHelp, wrapped } from './options-help.ts';

const OPTIONS = {
  table_size: integer({ default: 10_000, help: 'rows in each table', deprecated: ['oltp-table-size'] }),
  skip_trx: flag({ default: false, help: 'no transaction' }),
  auto_inc: flag({ default: true, help: 'ids by the server' }),
  forced: text({ default: 'off', bare: '5%', placeholder: 'TIME', help: 'cut off' }),
  password: text({ default: 'none', secret: true, help: 'secret' }),
  how: choice({ default: 'a', choices: ['a', 'b'], help: 'which way' }),
  a_very_long_name_of_an_option: list({ default: [], help: 'some' }),
  texts: list({ default: [], hidden: true, help: 'filled in by the program' }),
};

test('each option has a line with its form, its help and its default', () => {
  expect(optionsHelp([{ title: 'Things', options: OPTIONS }], 100).split('\n')).toEqual([
    'Things:',
    '  --table-size=N              rows in each table [10000] (also --oltp-table-size)',
    '  --skip-trx[=on|off]         no transaction [off]',
    '  --auto-inc=on|off           ids by the server [on]',
    '  --forced[=TIME]             cut off [off]',
    '  --password=TEXT             secret',
    '  --how=a|b                   which way [a]',
    '  --a-very-long-name-of-an-option=A,B...',
    '                              some',
  ]);
});

test('a smallest value that nobody expects is told', () => {
  const options = {
    pairs: integer({ default: 3, min: 2, max: 30, help: 'how many' }),
    seconds: number({ default: 1, min: 0.1, help: 'how long' }),
    threads: integer({ default: 1, min: 1, help: 'at once' }),
    limit: number({ default: 0, min: 0, help: 'none' }),
  };
  expect(
    optionsHelp([{ title: 'Things', options }], 100)
      .split('\n')
      .slice(1),
  ).toEqual([
    '  --pairs=N                   how many, at least 2 [3]',
    '  --seconds=N                 how long, at least 0.1 [1]',
    '  --threads=N                 at once [1]',
    '  --limit=N                   none [0]',
  ]);
});

test.each([
  { because: 'what fits stays', text: 'one  two', lines: ['one  two'] },
  {
    because: 'below the explanation',
    text: '  run    it makes all the data',
    lines: ['  run    it makes', '         all the', '         data'],
  },
  { because: 'below the indent', text: '  it makes all the data', lines: ['  it makes all the', '  data'] },
  {
    because: 'an example is copied',
    text: '  sqldyno oltp_read_only --threads=8 run',
    lines: ['  sqldyno oltp_read_only --threads=8 run'],
  },
])('laid out text for 20 columns: $because', ({ text: laidOut, lines }) => {
  expect(fitted(laidOut, 20).split('\n')).toEqual(lines);
});

test('groups without options are left out', () => {
  expect(optionsHelp([{ title: 'None', options: {} }], 100)).toBe('');
  expect(optionsHelp([{ title: 'None', options: { texts: OPTIONS.texts } }], 100)).toBe('');
});

test.each([
  { width: 11, lines: ['one two', 'three four'], because: 'a line ends before the word that does not fit' },
  { width: 3, lines: ['one', 'two', 'three', 'four'], because: 'a longer word stays whole' },
])('wrapped to $width: $because', ({ width, lines }) => {
  expect(wrapped('one two three four', width)).toEqual(lines);
});
