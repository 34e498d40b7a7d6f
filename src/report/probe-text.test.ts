import { expect, test } from 'vitest';
import { PROBE_FORMAT, type ProbeResult } from '../model/probe-result.ts';
import { probeResultInShort, probeResultLines } from './probe-text.ts';

const RESULT: ProbeResult = {
  format: PROBE_FORMAT,
  id: '20261130-170000-probe-read-io-x2y3',
  startedAt: '2026-11-30T17:00:00.000Z',
  run: '20261130-163512-oltp_point_select-k3f9',
  verdict: 'read-io',
  a: 'innodb_buffer_pool_size = 100',
  b: 'innodb_buffer_pool_size = 150',
  notes: ['Every run has a seed of its own.'],
  pairs: [
    { first: 'A', a: { run: 'a1', transactionsPerS: 1000 }, b: { run: 'b1', transactionsPerS: 1500 }, ratio: 1.5 },
    { first: 'B', a: { run: 'a2', transactionsPerS: 800.5 }, b: { run: 'b2', transactionsPerS: 960.6 }, ratio: 1.2 },
  ],
  medianRatio: 1.35,
  comparisons: [
    {
      of: 'pages missed per transaction',
      is: 'pages missed per transaction fall by 20 % or more',
      side: 'at most',
      bound: 0.8,
      ratios: [0.5, 1],
      median: 0.75,
      pairsWithout: 1,
    },
    {
      of: 'transactions/s',
      is: 'the rate rises by 5 % or more',
      side: 'at least',
      bound: 1.05,
      ratios: [1.5, 1.2],
      median: 1.35,
      pairsWithout: 0,
    },
  ],
  outcome: 'undecided',
  is: 'Undecided: where read-io is the cause, it would come otherwise.',
};

test('pairs, medians, what was foretold, and the sentence last', () => {
  expect(probeResultLines(RESULT)).toEqual([
    'Experiment on read-io:',
    '  A                       innodb_buffer_pool_size = 100',
    '  B                       innodb_buffer_pool_size = 150',
    '  note                    Every run has a seed of its own.',
    '  pair  first  A, per s  B, per s  B / A',
    '     1  A       1,000     1,500    1.500',
    '     2  B         800.5     960.6  1.200',
    '  transactions/s          median of B / A: 1.350',
    '  compared too            pages missed per transaction, B / A: 0.500, 1.000;',
    '                          median 0.750; next to none in A in 1 of 2 pairs',
    '  foretold                pages missed per transaction fall by 20 % or more',
    '  foretold                the rate rises by 5 % or more',
    'Undecided: where read-io is the cause, it would come otherwise.',
  ]);
});

test('in short, with the day', () => {
  expect(probeResultInShort(RESULT).join(' ')).toMatch(
    /^ {2}tried 2026-11-30: Undecided: .*median of B \/ A: 1\.350\)$/,
  );
});
