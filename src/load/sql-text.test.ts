import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../base/errors.ts';
import { cutAtPlaceholders, type ServerStatus, withLiterals } from './sql-text.ts';

const BACKSLASH_ESCAPES = 2;
const NO_BACKSLASH_ESCAPES = 512 | 2;

describe('placeholders', () => {
  test.each([
    { sql: 'SELECT 1', pieces: ['SELECT 1'], because: 'there is none' },
    { sql: 'a = ? AND b = ?', pieces: ['a = ', ' AND b = ', ''], because: 'two of them, the last at the end' },
    { sql: "a = '?' AND b = ?", pieces: ["a = '?' AND b = ", ''], because: 'text in quotes stays' },
    { sql: "a = 'it''s ?' + ?", pieces: ["a = 'it''s ?' + ", ''], because: 'a doubled quote does not end the text' },
    { sql: "a = '\\'?' + ?", pieces: ["a = '\\'?' + ", ''], because: 'nor does an escaped one' },
    { sql: '"?" + ?', pieces: ['"?" + ', ''], because: 'double quotes may be text' },
    { sql: '`a?` = ?', pieces: ['`a?` = ', ''], because: 'names may hold anything' },
    { sql: '/* ? */ ?', pieces: ['/* ? */ ', ''], because: 'comments stay' },
    { sql: '-- ?\n?', pieces: ['-- ?\n', ''], because: 'of every kind' },
    { sql: '# ?\n?', pieces: ['# ?\n', ''], because: 'of every kind' },
    { sql: '1--? ', pieces: ['1--', ' '], because: 'two dashes without a space are two minuses' },
  ])('$sql: $because', ({ sql, pieces }) => {
    expect(cutAtPlaceholders(sql)).toEqual(pieces);
  });
});

describe('literals', () => {
  const write = (value: Parameters<typeof withLiterals>[1][number], status: ServerStatus) =>
    withLiterals(['', ''], [value], status);

  test.each([
    { value: 7, sql: '7', because: 'a number is itself' },
    { value: -0.5, sql: '-0.5', because: 'a fraction too' },
    { value: 2n ** 64n - 1n, sql: '18446744073709551615', because: 'a BIGINT is exact' },
    { value: null, sql: 'NULL', because: 'NULL is a word' },
    { value: true, sql: '1', because: 'the servers have no boolean' },
    { value: new Uint8Array([0, 255]), sql: "X'00ff'", because: 'bytes are no text' },
    { value: 'plain', sql: "'plain'", because: 'text is quoted' },
    { value: "it's", sql: "'it''s'", because: 'a quote is doubled, which every sql_mode takes' },
    { value: 'a\\b', sql: "'a\\\\b'", because: 'a backslash escapes here, and escapes itself' },
  ])('$value: $because', ({ value, sql }) => {
    expect(write(value, BACKSLASH_ESCAPES)).toBe(sql);
  });

  test('a backslash is itself under NO_BACKSLASH_ESCAPES', () => {
    expect(write("\\'", NO_BACKSLASH_ESCAPES)).toBe("'\\'''");
  });

  test('a backslash is written in hexadecimal until the server has told its sql_mode', () => {
    expect(write('a\\', undefined)).toBe("_utf8mb4 X'615c'");
  });

  test('text without a backslash needs no sql_mode', () => {
    expect(write("it's", undefined)).toBe("'it''s'");
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s is refused: SQL has no such number', (value) => {
    expect(() => write(value, BACKSLASH_ESCAPES)).toThrow(UserError);
  });

  test('a wrong number of values is refused, with both numbers', () => {
    expect(() => withLiterals(['a', 'b'], [], BACKSLASH_ESCAPES)).toThrow('1 placeholders and was given 0 values');
  });

  test.each([
    { status: BACKSLASH_ESCAPES, read: readEscaped, because: 'as the server reads it with backslash escapes' },
    { status: NO_BACKSLASH_ESCAPES, read: readPlain, because: 'as the server reads it without' },
  ])('what is written reads back, $because', ({ status, read }) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("'", '\\', 'a', '"', '\n')), (characters) => {
        const value = characters.join('');
        expect(read(write(value, status))).toBe(value);
      }),
    );
  });
});

/** By the manual, "String Literals": inside quotes, '' is one quote and a backslash makes the next character itself. */
function readEscaped(literal: string): string {
  return literal.slice(1, -1).replace(/\\([\s\S])|''/g, (_, escaped: string | undefined) => escaped ?? "'");
}

function readPlain(literal: string): string {
  return literal.slice(1, -1).replaceAll("''", "'");
}
