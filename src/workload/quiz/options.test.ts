import { expect, test } from 'vitest';
import { problemsOf, roundsPerConnection } from './options.ts';

test.each([
  { queries: 0, rounds: 0, problem: undefined, because: 'the time decides' },
  { queries: 3, rounds: 0, problem: /less than the 4 queries/, because: 'nothing would be sent' },
  { queries: 4, rounds: 1, problem: undefined, because: 'one round' },
  { queries: 1_001, rounds: 250, problem: undefined, because: 'only whole rounds are sent' },
])('--queries=$queries: $because', ({ queries, rounds, problem }) => {
  const options = { scale: 1_000, queries };
  expect(roundsPerConnection(options)).toBe(rounds);
  if (problem === undefined) expect(problemsOf(options)).toEqual([]);
  else expect(problemsOf(options)).toEqual([expect.stringMatching(problem)]);
});
