import { describe, expect, test } from 'vitest';
import { type ReadScript, type ReadSettings, readScript } from './read-script.ts';
import type { Step } from './script.ts';
import { StatementNames } from './statement-names.ts';

function read(text: string, settings: Partial<ReadSettings> = {}, file = 'scripts/transfer.sql'): ReadScript {
  const base = { defines: new Map(), names: new StatementNames(), wraps: false, isSetup: false };
  return readScript({ file, text }, { ...base, ...settings });
}

function namesIn(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (step.is === 'statement') return [step.statement.name];
    if (step.is === 'if')
      return [...step.branches.flatMap((branch) => namesIn(branch.steps)), ...namesIn(step.otherwise)];
    return [step.is];
  });
}

describe('names', () => {
  test('a transaction has that of its file, or of the line at its beginning', () => {
    expect(read('SELECT 1;').script?.name).toBe('transfer');
    expect(read('-- pays\n-- name: pay.v2\nSELECT 1;').script?.name).toBe('pay.v2');
  });

  test('statements are told apart by number, equal ones have one name and are one statement', () => {
    const { script } = read(
      'BEGIN; UPDATE t SET a = 1; UPDATE t SET a = 2; UPDATE t SET a = 1;\n-- statement: third\nUPDATE t SET a = 3; COMMIT;',
    );
    expect(namesIn(script!.steps)).toEqual(['begin', 'update_t', 'update_t_2', 'update_t', 'third', 'commit']);
    const [, first, , again] = script!.steps as Extract<Step, { is: 'statement' }>[];
    expect(again?.statement).toBe(first?.statement);
  });
});

describe('transactions', () => {
  test.each([
    { text: 'SELECT 1;', wraps: false, names: ['select'], isTransactional: false },
    { text: 'SELECT 1;', wraps: true, names: ['begin', 'select', 'commit'], isTransactional: true },
    { text: 'BEGIN; SELECT 1; COMMIT;', wraps: true, names: ['begin', 'select', 'commit'], isTransactional: true },
  ])('$text, wrapped: $wraps', ({ text, wraps, names, isTransactional }) => {
    const { script } = read(text, { wraps });
    expect(namesIn(script!.steps)).toEqual(names);
    expect(script?.isTransactional).toBe(isTransactional);
  });

  test.each([
    { text: 'BEGIN;\nSELECT 1;\n', place: '2:10', because: 'it never ends' },
    { text: '\\set a 1\nBEGIN;\n\\if :a\nCOMMIT;\n\\endif', place: '5:7', because: 'it ends on one way only' },
    { text: 'BEGIN; COMMIT AND CHAIN;', place: '1:25', because: 'the next one has begun' },
  ])('may not be open at the end: $because', ({ text, place }) => {
    expect(read(text).problems).toEqual([
      `scripts/transfer.sql:${place}: A transaction can be open where this file ends. End every way through it with COMMIT or ROLLBACK.`,
    ]);
  });

  test('end on every way', () => {
    const text = '\\set a random(0, 1)\nBEGIN;\n\\if :a\nROLLBACK;\n\\else\nCOMMIT;\n\\endif';
    expect(read(text).problems).toEqual([]);
  });
});

test('what a script makes itself is not prepared before it runs', () => {
  const isText = (text: string) => {
    const names = new StatementNames();
    read(text, { names });
    return names.all.map((statement) => statement.isText);
  };
  expect(isText('SELECT 1;')).toEqual([false]);
  expect(isText('CREATE TEMPORARY TABLE t (a INT); SELECT a FROM t; DROP TABLE t;')).toEqual([true, true, true]);
});

describe('variables', () => {
  test('have the values of --define, before the defaults in the file', () => {
    const text = '-- define: rows = 1000\n-- define: name = a b\nSELECT :rows, :name, :event;';
    expect(read(text).script?.initial).toEqual([0, 1000, 'a b']);
    expect(read(text, { defines: new Map([['rows', '2.5']]) }).script?.initial).toEqual([0, 2.5, 'a b']);
  });

  test('are set when all branches set them', () => {
    const text =
      '\\if :event % 2 = 0\n\\set a 1\n\\elif :event > 9\n\\set a 2.5\n\\else\n\\set a 3\n\\endif\nSELECT :a;';
    expect(read(text).problems).toEqual([]);
  });

  test('come from results, by the order of the columns', () => {
    const { script } = read('SELECT 1, 2 \\gset one two\nSELECT 3;\n\\gset three\nSELECT :one, :two, :three;');
    expect(script?.steps).toMatchObject([{ into: [1, 2] }, { into: [3] }, { into: undefined, slots: [1, 2, 3] }]);
  });
});

// All in one file: one mistake must not hide another.
const MISTAKES = String.raw`-- define: 1x = 2
\set a rndom(1, 2)
\set
\set event 1
SELECT :b, :b, :ab FROM t;
\if :event > 0
  \set c 1
\endif
SELECT :c, :a;
\gset
\setshell x echo
\fi
\sleep
\sleep 1 parsec
SELECT 1 \gset 5
-- name: late
-- statement: rollback
SELECT 2;
SELECT :client_id;
\if
  SELECT :d;
\else
\elif 1
\endif
\endif`;

test('every mistake is told, with its place and a remedy', () => {
  const problems = read(MISTAKES).problems.map((problem) => problem.replace('scripts/transfer.sql:', ''));
  expect(problems.map((problem) => /^\d+:\d+/.exec(problem)?.[0])).toEqual([
    '1:1',
    '2:8',
    '3:1',
    '4:6',
    '5:8',
    '5:16',
    '9:8',
    '10:1',
    '11:1',
    '12:1',
    '13:1',
    '14:10',
    '15:10',
    '16:1',
    '18:1',
    '19:8',
    '20:1',
    '21:10',
    '23:1',
    '25:1',
  ]);
  expect(problems).toMatchObject(
    [
      /gives no variable a default.*Write it like/,
      /no function rndom\. Did you mean random\?/,
      /needs a name and an expression\. Write/,
      /:event is the number .* Choose another/,
      /:b has no value here\. Did you mean :a\?/,
      /:ab has no value here\./,
      /:c is set in one branch of an \\if only\./,
      /\\gset names no variable\. Name a variable/,
      /\\setshell is not a command here\. Nothing outside/,
      /\\fi is not a command here\. Did you mean \\if\?/,
      /needs to know how long\. Write it like/,
      /'parsec' does not belong here|neither a number/,
      /\\gset cannot set '5'\./,
      /comes after its first step\. Begin/,
      /'rollback' cannot be this statement's name\. Take/,
      /:client_id would make .* Use :event/,
      /\\if needs a condition\. Write/,
      /:d has no value here/,
      /\\elif after the \\else\./,
      /\\endif without an \\if\. Begin/,
    ].map((pattern) => expect.stringMatching(pattern)),
  );
});

test('lines may end as on Windows', () => {
  const text =
    '-- name: pay\n-- define: n = 2\n\\set a :n\n\\if :a > 1\nSELECT :a\n\\gset b\n\\sleep 1 ms\n\\endif\nDELIMITER //\nSELECT 1//\n';
  const { problems, script } = read(text.replaceAll('\n', '\r\n'));
  expect(problems).toEqual([]);
  expect(script).toMatchObject({ name: 'pay', initial: [0, 2, null, null] });
  expect(namesIn(script!.steps)).toEqual(namesIn(read(text).script!.steps));
});

test.each([
  { text: '', is: /1:1: This file has nothing to do in it\. Write a statement/ },
  { text: '-- only words\n', is: /1:14: This file has nothing to do/ },
  { text: '\\gset a', is: /1:1: \\gset takes the result of the statement before it/ },
  { text: '\\if 1\nSELECT 1;', is: /1:1: This \\if has no end/ },
  { text: 'SELECT 1', is: /1:1: This statement has no end/ },
  {
    text: '-- name: all\nSELECT 1;',
    is: /1:1: Its transactions cannot be called 'all'\. Begin the file with a line -- name/,
  },
])('$text: $is', ({ text, is }) => {
  const { problems, script } = read(text);
  expect(problems).toEqual([expect.stringMatching(is)]);
  expect(script).toBeUndefined();
});

test('a file for prepare has no events, and does not wait', () => {
  expect(read('INSERT INTO t VALUES (:event);\n\\sleep 1', { isSetup: true }).problems).toEqual([
    expect.stringMatching(/1:23: Here is no :event/),
    expect.stringMatching(/2:1: \\sleep is for transactions/),
  ]);
});
