import { expect, test } from 'vitest';
import { chunkCount, chunkKeys, type LoadMark, readMark, writeMark } from './journal.ts';

const mark: LoadMark = { seed: 2 ** 53 - 1, rows: 25_001, chunkRows: 10_000, keys: 'c0ffee', comment: '' };

test.each(['', 'mine', "it's; then: seed=1\nand more"])('a mark is read back as it was written: %j', (comment) => {
  expect(readMark(writeMark({ ...mark, comment }))).toEqual({ ...mark, comment });
});

test.each(['', 'mine', 'sqldyno', 'sqldyno loads this table: seed=x'])('%j is no mark', (comment) => {
  expect(readMark(comment)).toBeUndefined();
});

test('chunks cover all keys once', () => {
  const chunks = Array.from({ length: chunkCount(mark) }, (_, index) => chunkKeys(mark, index));
  expect(chunks).toEqual([
    { from: 1, to: 10_000 },
    { from: 10_001, to: 20_000 },
    { from: 20_001, to: 25_001 },
  ]);
  expect(chunkCount({ ...mark, rows: 0 })).toBe(0);
});
