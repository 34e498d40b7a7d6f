import { expect, test } from 'vitest';
import { signFlipP, signFlipPMin } from './sign-flip.ts';

/** By its definition, however long it takes. */
function byDefinition(values: readonly number[]): number {
  const reached = Math.abs(values.reduce((sum, value) => sum + value, 0)) - 1e-9;
  let count = 0;
  for (let pattern = 0; pattern < 2 ** values.length; pattern++) {
    const sum = values.reduce((total, value, at) => total + ((pattern >> at) & 1 ? -value : value), 0);
    if (Math.abs(sum) >= reached) count++;
  }
  return count / 2 ** values.length;
}

const SIXTEEN = [0.04, -0.01, 0.03, 0.02, -0.02, 0.05, 0.01, -0.03, 0.06, 0.02, 0.01, -0.01, 0.02, 0.03, -0.02, 0.01];

test.each([
  { values: [0.02], because: 'one can only be turned' },
  { values: [0.01, -0.02, 0.05, 0.01, 0.03, 0.02, -0.01, 0.04, 0.02], because: 'more than one table of eight' },
  { values: SIXTEEN.slice(0, 14), because: 'the most that are gone through' },
  { values: [0, 0, 0, 0], because: 'all patterns are alike' },
  { values: [0.1, 0.1, 0.1, -0.1, 0.1, 0.1], because: 'equal sizes tie' },
])('all patterns of $values.length: $because', ({ values }) => {
  expect(signFlipP(values)).toBe(byDefinition(values));
});

test('above 14 pairs random patterns come near what all would give, and the same every time', () => {
  const exact = byDefinition(SIXTEEN);
  const found = signFlipP(SIXTEEN);
  expect(Math.abs(found - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 20_000));
  expect(signFlipP([...SIXTEEN].reverse())).toBe(found);
  expect(signFlipP(SIXTEEN.map((value) => -value))).toBe(found);
});

test('more pairs than bits in a draw, all one way: the least p there is', () => {
  expect(signFlipP(new Array(40).fill(0.01))).toBe(signFlipPMin(40));
  expect(signFlipPMin(40)).toBe(1 / 20_001);
  expect(signFlipPMin(6)).toBe(0.03125);
  // Half of 40 the other way is the middle of everything.
  expect(signFlipP(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 0.01 : -0.01)))).toBe(1);
});
