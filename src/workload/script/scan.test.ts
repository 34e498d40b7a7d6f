import { describe, expect, test } from 'vitest';
import { ScriptProblem } from './place.ts';
import { type ScriptItem, scanScript } from './scan.ts';

function statements(text: string): (string | string[])[][] {
  return scanScript(text).flatMap((item) =>
    item.is === 'statement' ? [[item.sql, item.variables.map(({ name }) => name)]] : [],
  );
}

describe('statements', () => {
  test.each([
    {
      text: 'SELECT 1; SELECT 2;',
      found: [
        ['SELECT 1', []],
        ['SELECT 2', []],
      ],
      because: 'a semicolon ends one',
    },
    { text: ';;SELECT 1;;', found: [['SELECT 1', []]], because: 'what is empty is none' },
    { text: 'SELECT \';\', ";", `;`;', found: [['SELECT \';\', ";", `;`', []]], because: 'none ends within quotes' },
    {
      text: "SELECT 'it''s; \\'; :x';",
      found: [["SELECT 'it''s; \\'; :x'", []]],
      because: 'quotes are doubled or escaped',
    },
    { text: 'SELECT `a``;:b`;', found: [['SELECT `a``;:b`', []]], because: 'backticks are doubled' },
    { text: 'SELECT 1 -- one; :x\n + 1;', found: [['SELECT 1 -- one; :x\n + 1', []]], because: 'nor within a comment' },
    { text: 'SELECT 1 /* ; :x */ # ;\n;', found: [['SELECT 1 /* ; :x */ # ;', []]], because: 'of whatever kind' },
    { text: 'SELECT 3--1;', found: [['SELECT 3--1', []]], because: 'two dashes need a blank to be a comment' },
    { text: 'SELECT /*+ BNL(t) :x */ 1;', found: [['SELECT /*+ BNL(t) :x */ 1', []]], because: 'hints are kept' },
    { text: '/* a; */ -- b;\n# c;\nSELECT 1;', found: [['SELECT 1', []]], because: 'comments before are left out' },
    {
      text: 'DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END$$\nDELIMITER ;\nCALL p();',
      found: [
        ['CREATE PROCEDURE p() BEGIN SELECT 1; END', []],
        ['CALL p()', []],
      ],
      because: 'as the client of the server takes it',
    },
  ])('$text: $because', ({ text, found }) => {
    expect(statements(text)).toEqual(found);
  });
});

describe('variables', () => {
  test.each([
    { text: 'SELECT :a+:b;', found: [['SELECT ?+?', ['a', 'b']]], because: 'become placeholders' },
    { text: 'SELECT @x:=:y;', found: [['SELECT @x:=?', ['y']]], because: ':= assigns' },
    { text: 'SELECT a::int;', found: [['SELECT a::int', []]], because: ':: is no variable' },
    { text: "SELECT '12:30', ':a', `:b`;", found: [["SELECT '12:30', ':a', `:b`", []]], because: 'not within quotes' },
    { text: 'SELECT : a;', found: [['SELECT : a', []]], because: 'a name follows at once' },
  ])('$text: $because', ({ text, found }) => {
    expect(statements(text)).toEqual(found);
  });

  test('bare is the statement without texts and comments', () => {
    const [item] = scanScript("SELECT 'FROM x', `t` /* FROM y */ FROM z WHERE a = :a;") as Extract<
      ScriptItem,
      { is: 'statement' }
    >[];
    expect(item?.bare).toBe("SELECT '', `t`   FROM z WHERE a = ?");
  });
});

test('commands take their line, and a backslash at its end one more; offsets are those of the text', () => {
  const text = 'SELECT 1 \\gset a\n  \\set x \\\n 1 + 2\n\\if :x\n\\endif';
  const items = scanScript(text);
  expect(items).toMatchObject([
    { is: 'statement', offset: 0, sql: 'SELECT 1' },
    { is: 'command', name: 'gset', rest: ' a', offset: 9 },
    { is: 'command', name: 'set', offset: 19 },
    { is: 'command', name: 'if', rest: ' :x' },
    { is: 'command', name: 'endif', rest: '' },
  ]);
  const [, , set] = items as { rest: string; restOffset: number }[];
  expect(text.slice(set?.restOffset).indexOf('1 + 2')).toBe(set?.rest.indexOf('1 + 2'));
});

test('remarks are told from comments', () => {
  expect(scanScript('-- name: a b \n-- names: y\n--   define: n = 5\n# name: z\n')).toMatchObject([
    { is: 'remark', name: 'name', value: 'a b' },
    { is: 'remark', name: 'define', value: 'n = 5' },
  ]);
});

test.each([
  { text: "SELECT 'abc;", offset: 7, is: /This ' has no end/ },
  { text: 'SELECT `abc;', offset: 7, is: /This ` has no end/ },
  { text: 'SELECT 1 /* abc;', offset: 9, is: /comment has no end/ },
  { text: 'SELECT 1;\n SELECT 2', offset: 11, is: /statement has no end/ },
  { text: 'SELECT ?;', offset: 7, is: /'\?' has no value/ },
  { text: 'SELECT 1 \\sleep 1', offset: 9, is: /backslash within a statement: \\sleep/ },
  { text: 'SELECT 1 \\; SELECT 2;', offset: 9, is: /backslash within a statement/ },
])('$text is refused', ({ text, offset, is }) => {
  try {
    scanScript(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ScriptProblem);
    expect(error).toMatchObject({ offset, message: expect.stringMatching(is) });
  }
});
