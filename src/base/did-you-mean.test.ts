import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearest } from './did-you-mean.ts';

const OPTIONS = ['mysql_host', 'mysql_user', 'mysql_password', 'table_size', 'tables', 'threads', 'time', 'tag'];

test.each([
  { word: 'table_sizes', meant: 'table_size', because: 'one letter too many' },
  { word: 'tabel-size', meant: 'table_size', because: 'two neighbours swapped, and a dash for an underscore' },
  { word: 'THREADS', meant: 'threads', because: 'case does not matter' },
  { word: 'host', meant: 'mysql_host', because: 'the prefix is what people leave out' },
  { word: 'mysql_pass', meant: 'mysql_password', because: 'the end may be left out too' },
  { word: 'table', meant: 'tables', because: 'one wrong letter is nearer than a beginning' },
  { word: 'zebra', meant: undefined, because: 'nothing is near' },
  { word: 'ti', meant: undefined, because: 'two letters may begin anything' },
  { word: '', meant: undefined, because: 'nothing is no word' },
])('nearest to "$word": $because', ({ word, meant }) => {
  expect(nearest(word, OPTIONS)).toBe(meant);
});

test.each([
  { left: 'kitten', right: 'sitting', distance: 3 },
  { left: 'ca', right: 'ac', distance: 1 },
  { left: '', right: 'abc', distance: 3 },
])('$left to $right takes $distance changes', ({ left, right, distance }) => {
  expect(editDistance(left, right)).toBe(distance);
});

test('the distance is a metric as far as suggestions need it', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (left, right) => {
      const distance = editDistance(left, right);
      expect(distance).toBe(editDistance(right, left));
      expect(distance === 0).toBe(left === right);
      expect(distance).toBeGreaterThanOrEqual(Math.abs(left.length - right.length));
      expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
    }),
  );
});
