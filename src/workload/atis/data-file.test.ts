import { describe, expect, test } from 'vitest';
import { type AtisRow, parseDataFile } from './data-file.ts';
import type { AtisTable } from './tables.ts';

function tableOf(rows: number): AtisTable {
  const columns = { code: 'char(4)', name: 'char(20)', number: 'smallint', miles: 'float' };
  return { name: 'place', rows, columns, primaryKey: ['code'] };
}

test.each<{ line: string; row: AtisRow; because: string }>([
  { line: "'ATL','ATLANTA',12,9.50", row: ['ATL', 'ATLANTA', 12, 9.5], because: 'as it stands' },
  { line: "'','',0,-1", row: ['', '', 0, -1], because: 'nothing is a text too' },
  { line: "'A','CHILDREN\\'S FARES',0,0", row: ['A', "CHILDREN'S FARES", 0, 0], because: 'a quote is escaped' },
  { line: "'A','CHILDREN\\S FARES',0,0", row: ['A', 'CHILDRENS FARES', 0, 0], because: 'as MySQL reads other escapes' },
  { line: "'A','A,B',0,0", row: ['A', 'A,B', 0, 0], because: 'a comma within a text ends nothing' },
  { line: "'A','?',0800,0.00", row: ['A', '?', 800, 0], because: 'zeros in front are no octal number' },
])('$line: $because', ({ line, row }) => {
  expect(parseDataFile(`${line}\n`, tableOf(1))).toEqual([row]);
});

test('lines may end as on Windows, and the last may be open', () => {
  const rows = parseDataFile("'A','B',1,2\r\n'C','D',3,4", tableOf(2));
  expect(rows).toEqual([
    ['A', 'B', 1, 2],
    ['C', 'D', 3, 4],
  ]);
});

describe('a damaged file is refused, with its place and a remedy', () => {
  test.each([
    { line: "'A','B',1", is: 'it has 3 values, where 4 are wanted' },
    { line: "'A','B',1,2,3", is: 'it has 5 values, where 4 are wanted' },
    { line: '', is: 'at column 1 no value begins' },
    { line: "'A','B,1,2", is: 'at column 5 no value begins' },
    { line: "'A', 'B',1,2", is: 'at column 5 no value begins' },
    { line: "'A','B',1,2,", is: 'at column 13 no value begins' },
    { line: "'A''B',1,2", is: 'at column 4 no comma follows a value' },
    { line: '"A","B",1,2', is: 'at column 1 no value begins' },
    { line: "'A','B',1 ,2", is: 'at column 10 no comma follows a value' },
    { line: "'A','B',x,2", is: 'at column 9 no value begins' },
    { line: "'A','B\\n',1,2", is: 'at column 5 no value begins' },
    { line: "5,'B',1,2", is: 'code is a number, where a text is wanted' },
    { line: "'A','B','1',2", is: 'number is a text, where a number is wanted' },
    { line: "'A','B',1.5,2", is: 'number is 1.5: no smallint' },
    { line: "'A','B',32768,2", is: 'number is 32768: no smallint' },
    { line: "'ABCDE','B',1,2", is: 'code is longer than 4 characters' },
  ])('$line', ({ line, is }) => {
    const parse = () => parseDataFile(`'A','B',1,2\n${line}\n'Z','B',1,2\n`, tableOf(3));
    expect(parse).toThrow(`place.txt, line 2: ${is}.`);
    expect(parse).toThrow(expect.objectContaining({ hint: expect.stringMatching(/^Give the folder/) }));
  });

  test('also where only rows are missing', () => {
    expect(() => parseDataFile("'A','B',1,2\n", tableOf(2))).toThrow('place.txt has 1 row, where 2 are wanted.');
  });
});
