import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hangingLines, LINE_LENGTH, tableLines, valueLines } from './layout.ts';

test('columns are as wide as their widest cell, texts to the left, decimal points below each other', () => {
  const lines = tableLines(
    [
      { heading: 'name', align: 'left' },
      { heading: 'count', align: 'right' },
      { heading: 'p99', align: 'point' },
    ],
    [
      ['point_select', '1,000', '0.862'],
      ['sum', '7', '1,234'],
      ['none', '0', '-'],
    ],
  );
  expect(lines).toEqual([
    '  name          count        p99',
    '  point_select  1,000      0.862',
    '  sum               7  1,234',
    '  none              0      -',
  ]);
});

test('a table without rows has its headings', () => {
  expect(tableLines([{ heading: 'a', align: 'point' }], [])).toEqual(['  a']);
});

test('a label that leaves no gap has a line of its own', () => {
  expect(valueLines('pool=128M,flush=1 (baseline)', '128 MiB')).toEqual([
    '  pool=128M,flush=1 (baseline)',
    `${' '.repeat(26)}128 MiB`,
  ]);
  expect(valueLines('x'.repeat(23), 'y')).toEqual([`  ${'x'.repeat(23)} y`]);
});

test('long values go on below themselves', () => {
  const words = Array<string>(30).fill('word').join(' ');
  const lines = valueLines('label', words);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines[0]).toMatch(/^ {2}label {19}word word/);
  expect(lines.slice(1).every((line) => /^ {26}word/.test(line))).toBe(true);
});

describe('wrapping', () => {
  test('loses no word and keeps to the line where words allow it', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,70}$/), { minLength: 1 }), (words) => {
        const lines = hangingLines('  * ', words.join(' '));
        expect(lines.join(' ').replace('  * ', '').trim().split(/ +/)).toEqual(words);
        expect(lines.every((line) => line.length <= LINE_LENGTH)).toBe(true);
      }),
    );
  });

  test('leaves a word longer than the line whole, and keeps line breaks', () => {
    expect(hangingLines('- ', `${'x'.repeat(200)} y\nz`)).toEqual([`- ${'x'.repeat(200)}`, '  y', '  z']);
  });
});
