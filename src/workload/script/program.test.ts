import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../../base/options.ts';
import { SCRIPT_OPTIONS, type ScriptOptions, withTexts } from './options.ts';
import { isExample, problemsOf, programOf } from './program.ts';

function options(given: Partial<ScriptOptions>, files: Readonly<Record<string, string>>): ScriptOptions {
  return withTexts({ ...defaultsOf(SCRIPT_OPTIONS), ...given }, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`asked for ${path}`);
    return text;
  });
}

const FILES = {
  'a.sql': '\\set x :rows\nSELECT :x; COMMIT;',
  'b.sql': 'SELECT 2; COMMIT;',
  'setup.sql': 'CREATE TABLE t (a INT);',
  'down.sql': 'DROP TABLE t;',
};

test('files have weights, share statements, and come with what sets them up', () => {
  const given = {
    file: ['a.sql@3', 'b.sql'],
    define: ['rows=5'],
    setup_file: ['setup.sql'],
    teardown_file: ['down.sql'],
  };
  const program = programOf(options(given, FILES));
  expect(program.scripts.map(({ name, weight }) => [name, weight])).toEqual([
    ['a', 3],
    ['b', 1],
  ]);
  expect(program.statements.map(({ sql }) => sql)).toEqual(['SELECT ?', 'COMMIT', 'SELECT 2']);
  expect(program.setup.map(({ file }) => file)).toEqual(['setup.sql']);
  expect(program.teardown.map(({ file }) => file)).toEqual(['down.sql']);
});

test('of a file with the weight 0 nothing is prepared', () => {
  const program = programOf(options({ file: ['a.sql@0', 'b.sql'], define: ['rows=5'] }, FILES));
  expect(program.statements.map(({ sql }) => sql)).toEqual(['SELECT 2', 'COMMIT']);
});

test('the same options are read once', () => {
  const given = options({ file: ['b.sql'] }, FILES);
  expect(programOf(given)).toBe(programOf(given));
});

test('without files there is an example, which is right', () => {
  const given = defaultsOf(SCRIPT_OPTIONS);
  expect(isExample(given)).toBe(true);
  expect(problemsOf(given)).toEqual([]);
  expect(programOf(given).scripts).toHaveLength(1);
});

describe('problems', () => {
  test.each([
    { given: { file: ['a.sql'] }, is: [/a\.sql:1:8: :rows has no value/] },
    { given: { file: ['b.sql'], define: ['rows=5'] }, is: [/--define=rows=5: no file uses :rows/] },
    { given: { file: ['a.sql'], define: ['rows=1', 'row=5'] }, is: [/no file uses :row\. Did you mean rows/] },
    { given: { file: ['b.sql'], define: ['rows'] }, is: [/--define=rows is not of the form NAME=VALUE/] },
    { given: { file: ['b.sql'], define: ['event=1'] }, is: [/:event is the number/] },
    { given: { file: ['b.sql@0'] }, is: [/weight 0: there is nothing to run/] },
    { given: { file: ['b.sql', 'b.sql@2'] }, is: [/both make transactions called b\. Begin one of them with/] },
  ])('$is', ({ given, is }) => {
    expect(problemsOf(options(given, FILES))).toEqual(is.map((pattern) => expect.stringMatching(pattern)));
  });

  test('files that were not read, of who calls by the API', () => {
    const given = { ...defaultsOf(SCRIPT_OPTIONS), file: ['a.sql'] };
    expect(problemsOf(given)).toEqual([expect.stringMatching(/not read: pass the options through readFiles/)]);
    expect(() => programOf(given)).toThrow(/not read/);
  });

  test('a file is too long', () => {
    expect(() => options({ file: ['a.sql'] }, { 'a.sql': ' '.repeat(2 ** 20 + 1) })).toThrow(/a\.sql is longer/);
  });
});
