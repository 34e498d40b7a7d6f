import { expect, test } from 'vitest';
import { alphaAt, isClearAt } from './sequential.ts';

test.each([
  { pairs: 6, planned: 24, alpha: 0.001, because: 'the first look' },
  { pairs: 10, planned: 24, alpha: 0.001, because: 'the second' },
  { pairs: 8, planned: 24, alpha: undefined, because: 'nobody looks between' },
  { pairs: 24, planned: 24, alpha: 0.05, because: 'the end' },
  { pairs: 8, planned: 8, alpha: 0.05, because: 'an end that is no look' },
  { pairs: 16, planned: 30, alpha: 0.001, because: 'a look, not the end' },
])('$pairs of $planned pairs: $alpha, $because', ({ pairs, planned, alpha }) => {
  expect(alphaAt(pairs, planned)).toBe(alpha);
});

test.each([
  { look: 6, pT: 0.0005, pSignFlip: 0.03125, verdict: 'FASTER', is: true, because: 'six of six is the most there is' },
  { look: 6, pT: 0.0005, pSignFlip: 0.0625, verdict: 'FASTER', is: false, because: 'one pair goes the other way' },
  { look: 6, pT: 0.002, pSignFlip: 0.03125, verdict: 'FASTER', is: false, because: 't is not below 0.001' },
  { look: 16, pT: 0.0005, pSignFlip: 0.004, verdict: 'SLOWER', is: false, because: 'sixteen could have come lower' },
  { look: 16, pT: 0.0005, pSignFlip: 0.0005, verdict: 'SLOWER', is: true, because: 'both are below 0.001' },
  { look: 7, pT: 0.0001, pSignFlip: 0.0156, verdict: 'FASTER', is: false, because: 'seven is no look' },
  { look: 6, pT: 0.0005, pSignFlip: 0.03125, verdict: 'UNDECIDED', is: false, because: 'a pair has no ratio' },
] as const)('after $look pairs, $pT and $pSignFlip: $is, because $because', ({ look, is, ...comparison }) => {
  expect(isClearAt(look, comparison)).toBe(is);
});
