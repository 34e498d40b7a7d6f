import { expect, test } from 'vitest';
import { choice, flag, integer, list, text } from '../base/options.ts';
import { optionsHelp, wrapped } from './options-help.ts';

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
