import { describe, expect, test } from 'vitest';
import { openRun } from '../../../test/fixtures/sample-runs.ts';
import type { RunRecord } from '../../model/run.ts';
import { Histogram } from '../../stats/histogram.ts';
import { toLatencyRecord } from '../../stats/latency-record.ts';
import { parseLimit } from './search-limit.ts';
import { trialOf } from './search-trial.ts';

const LIMIT = parseLimit('p99<20ms');
const RATE_PER_S = 1_000;
const ELAPSED_S = 10;

interface Change {
  readonly committed?: number;
  readonly rolledBack?: number;
  readonly dropped?: number;
  readonly unfinished?: number;
  readonly lagMs?: number;
  readonly responseUs?: number;
  readonly arrivals?: 'poisson' | 'even';
  readonly findings?: RunRecord['findings'];
}

/** Ten seconds at 1,000 a second, of which nothing is wrong but what is said. */
function run(change: Change): RunRecord {
  const { committed = RATE_PER_S * ELAPSED_S, rolledBack, dropped = 0, unfinished = 4, lagMs = 0.3 } = change;
  const open = openRun();
  const response = new Histogram();
  for (let at = 0; at < committed; at++) response.record(change.responseUs ?? 5_000);
  const all = { service: toLatencyRecord(response), response: toLatencyRecord(response) };
  return {
    ...open,
    load: { ...open.load, arrivals: change.arrivals ?? 'poisson' },
    totals: {
      ...open.totals,
      elapsedS: ELAPSED_S,
      transactions: {
        committed,
        byName: {},
        ...(rolledBack === undefined ? {} : { rolledBack: { order: rolledBack } }),
      },
      dropped,
      unfinished,
    },
    latency: { ...open.latency, transactions: { all } },
    client: { ...open.client, scheduleLagP99Ms: lagMs },
    findings: change.findings ?? [],
  };
}

const INVALID = { id: 'wrong-results', severity: 'invalid', is: 'It read wrongly.', because: '', remedy: '' } as const;

describe('passes', () => {
  test.each<{ because: string; change: Change }>([
    { because: 'all is well', change: {} },
    { because: 'fewer came by chance', change: { committed: 9_750 } },
    { because: 'some were undone on purpose', change: { committed: 9_000, rolledBack: 1_000 } },
    { because: 'as many are under way as the limit allows', change: { unfinished: 100 } },
  ])('where $because', ({ change }) => {
    expect(trialOf(run(change), RATE_PER_S, LIMIT)).toMatchObject({
      outcome: 'passed',
      is: 'p99(transaction) was 5.000 ms.',
    });
  });
});

describe('does not pass', () => {
  test.each<{ change: Change; cause: string; says: RegExp }>([
    { change: { responseUs: 20_100 }, cause: 'limit', says: /^p99\(transaction\) was 20\.1\d ms\.$/ },
    { change: { dropped: 3 }, cause: 'backlog', says: /^3 transactions found the queue full/ },
    { change: { unfinished: 400 }, cause: 'backlog', says: /^400 transactions, 3\.8 %, were due and not done/ },
    { change: { committed: 9_400 }, cause: 'backlog', says: /^Only 940\.0\/s were done/ },
    { change: { committed: 9_750, arrivals: 'even' }, cause: 'backlog', says: /^Only 975\.0\/s/ },
    { change: { lagMs: 6 }, cause: 'client', says: /but the client began one transaction in a hundred 6\.000 ms late/ },
    { change: { lagMs: 9, responseUs: 30_000 }, cause: 'client', says: /and the client began .* 9\.000 ms late/ },
    { change: { findings: [INVALID] }, cause: 'invalid', says: /^It read wrongly\.$/ },
  ])('by $cause: $change', ({ change, cause, says }) => {
    const trial = trialOf(run(change), RATE_PER_S, LIMIT);
    expect(trial).toMatchObject({ outcome: 'failed', cause });
    expect(trial.is).toMatch(says);
  });

  test('where the run does not know what is limited', () => {
    expect(trialOf(run({}), RATE_PER_S, parseLimit('p99(refund)<20ms'))).toMatchObject({
      cause: 'invalid',
      is: 'The run does not tell p99(refund).',
    });
  });
});

test('a long limit bears a client that is a little late, and some more under way', () => {
  const slow = parseLimit('p99<2s');
  expect(trialOf(run({ lagMs: 100, unfinished: 400 }), RATE_PER_S, slow).outcome).toBe('passed');
  expect(trialOf(run({ unfinished: 1_000 }), RATE_PER_S, slow)).toMatchObject({ cause: 'backlog' });
});
