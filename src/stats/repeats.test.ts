import { expect, test } from 'vitest';
import { summaryOf } from './repeats.ts';

test.each([
  { repeats: [5], is: { median: 5, min: 5, max: 5, scatter: 0 }, because: 'one is all three' },
  { repeats: [9, 1, 4], is: { median: 4, min: 1, max: 9, scatter: 2 }, because: 'their order does not matter' },
  { repeats: [10, 2, 9, 30], is: { median: 9.5, min: 2, max: 30, scatter: 28 / 9.5 }, because: 'between two' },
  { repeats: [0, 0, 3], is: { median: 0, min: 0, max: 3 }, because: 'there is no share of nothing' },
])('$repeats: $because', ({ repeats, is }) => {
  expect(summaryOf(repeats)).toEqual(is);
});
