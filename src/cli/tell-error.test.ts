import { expect, test } from 'vitest';
import { UserError } from '../base/errors.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import { Interrupted } from './interrupts.ts';
import { ProblemsError } from './problems.ts';
import { tellError } from './tell-error.ts';
import type { Terminal } from './terminal.ts';

function told(error: unknown) {
  const lines: string[] = [];
  const json: string[] = [];
  const terminal = { warn: (line: string) => lines.push(line), json: (text: string) => json.push(text) };
  const code = tellError(error, terminal as unknown as Terminal);
  return { code, lines, json: JSON.parse(json.join('')) as unknown };
}

test.each([
  {
    error: new UserError('It is so.', { hint: 'Do this.', exitCode: 2 }),
    code: 2,
    lines: ['sqldyno: It is so.', '  Do this.'],
  },
  {
    error: new ProblemsError([{ is: 'One.' }, { is: 'Two.', remedy: 'Mend it.' }]),
    code: 1,
    lines: ['sqldyno: One.', 'sqldyno: Two.', '  Mend it.'],
  },
  { error: new Interrupted('Interrupted by SIGINT.'), code: 130, lines: ['sqldyno: Interrupted by SIGINT.'] },
  {
    error: new ServerError({ code: 1114, sqlState: 'HY000', symbol: 'ER_RECORD_FILE_FULL', message: 'Full' }),
    code: 3,
    lines: ['sqldyno: The server refused: Full (1114 ER_RECORD_FILE_FULL)'],
  },
  { error: new WireError('closed', 'Gone.'), code: 3, lines: ['sqldyno: The connection broke: Gone.'] },
])('$error.name ends with $code', ({ error, code, lines }) => {
  expect(told(error)).toMatchObject({ code, lines, json: { error: { exitCode: code } } });
});

test('a terminal gets lines that fit, and a command in one piece; a file gets sentences in one piece', () => {
  const hint = 'Nothing must ask for a password or for a confirmation: try `ssh -o BatchMode=yes dba@db1 true`.';
  const error = new UserError('It is so.', { hint });
  const linesFor = (columnsOfWarnings: number | undefined) => {
    const lines: string[] = [];
    tellError(error, { warn: (line) => lines.push(line), json: () => {}, columnsOfWarnings });
    return lines;
  };
  expect(linesFor(60)).toEqual([
    'sqldyno: It is so.',
    '  Nothing must ask for a password or for a confirmation: try',
    '  `ssh -o BatchMode=yes dba@db1 true`.',
  ]);
  expect(linesFor(undefined)).toEqual(['sqldyno: It is so.', `  ${hint}`]);
});

test('a mistake in the program asks to be reported, with where it is, and never ends with 0', () => {
  const { code, lines } = told(new TypeError('x is undefined'));
  expect(code).toBe(3);
  expect(lines[0]).toContain('a mistake in sqldyno');
  expect(lines[1]).toContain('report it');
  expect(lines[2]).toMatch(/TypeError: x is undefined\n\s+at /);
});
