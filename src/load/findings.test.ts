import { describe, expect, test } from 'vitest';
import { loadPlan } from '../../test/support/load.ts';
import type { Interval, RunTotals } from '../model/run.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { type Evidence, findingsOf } from './findings.ts';

const totals: RunTotals = {
  elapsedS: 60,
  transactions: { committed: 10_000, byName: {} },
  statements: { read: 10_000, write: 5_000, other: 0, wasted: 0, writesWithoutEffect: 0, byName: {} },
  rowsRead: 0,
  bytes: { sent: 0, received: 0 },
  errors: [],
  retries: 0,
  rollbacks: 0,
  reconnects: 0,
  dropped: 0,
  unfinished: 0,
  perSession: { transactions: [], latencyS: [] },
};

const healthy: Evidence = {
  plan: loadPlan({ intervalS: 1, timeS: 60 }),
  totals,
  intervals: intervalsOf([100, 100, 100, 100]),
  client: {
    cpuS: 1,
    cpuUsPerStatement: 10,
    eventLoopUtilizationMax: 0.5,
    eventLoopDelayP99Ms: 1,
    memoryPeakBytes: 1,
    workers: 1,
    node: 'v20',
  },
  skipped: 0,
  invalid: 0,
  neverSent: [],
  clockJumpMs: 0,
  isUnsettled: false,
  leftOpen: 0,
  swallowed: 0,
};

function intervalsOf(transactions: readonly number[]): Interval[] {
  return transactions.map((count, at) => ({
    startS: at,
    endS: at + 1,
    isWarmup: false,
    sessionsActive: 1,
    transactions: count,
    statements: { read: 0, write: 0, other: 0 },
    errors: 0,
    retries: 0,
    reconnects: 0,
    latency: toLatencyRecord(new Histogram()),
  }));
}

test('what was under way at the end does not make a run longer', () => {
  const plan = loadPlan({ intervalS: 1, timeS: 6 });
  const found = findingsOf({ ...healthy, plan, totals: { ...totals, elapsedS: 12 } });
  expect(found.find(({ id }) => id === 'too-short')?.is).toBe('Only 6.0 s were measured.');
});

test('a healthy run has none', () => {
  expect(findingsOf(healthy)).toEqual([]);
});

const open = loadPlan({ ratePerS: 100 });
const client = (changes: object) => ({ client: { ...healthy.client, ...changes } });
const total = (changes: object) => ({ totals: { ...totals, ...changes } });
const statements = (changes: object) => total({ statements: { ...totals.statements, ...changes } });

describe('each rule fires beyond its limit, and not at it', () => {
  test.each<{ id: string; severity: string; beyond: Partial<Evidence>; within: Partial<Evidence> }>([
    {
      id: 'client-saturated',
      severity: 'warning',
      beyond: client({ eventLoopUtilizationMax: 0.96 }),
      within: client({ eventLoopUtilizationMax: 0.95 }),
    },
    {
      id: 'client-saturated',
      severity: 'warning',
      beyond: { plan: open, ...client({ eventLoopUtilizationMax: 0.81 }) },
      within: { plan: open, ...client({ eventLoopUtilizationMax: 0.8 }) },
    },
    {
      id: 'event-loop-delay',
      severity: 'warning',
      beyond: client({ eventLoopDelayP99Ms: 21 }),
      within: client({ eventLoopDelayP99Ms: 20 }),
    },
    {
      id: 'schedule-lag',
      severity: 'warning',
      beyond: client({ scheduleLagP99Ms: 6 }),
      within: client({ scheduleLagP99Ms: 5 }),
    },
    { id: 'too-short', severity: 'warning', beyond: total({ elapsedS: 9.9 }), within: total({ elapsedS: 10 }) },
    {
      id: 'few-transactions',
      severity: 'info',
      beyond: total({ transactions: { committed: 999, byName: {} } }),
      within: total({ transactions: { committed: 1_000, byName: {} } }),
    },
    {
      id: 'nothing-committed',
      severity: 'invalid',
      beyond: total({ transactions: { committed: 0, byName: {} } }),
      within: total({ transactions: { committed: 1, byName: {} } }),
    },
    { id: 'wrong-results', severity: 'invalid', beyond: { invalid: 1 }, within: { invalid: 0 } },
    {
      id: 'not-steady',
      severity: 'warning',
      beyond: { intervals: intervalsOf([100, 100, 111, 111]) },
      within: { intervals: intervalsOf([100, 100, 109, 109]) },
    },
    {
      id: 'not-steady',
      severity: 'warning',
      // 200 and 280 are more than chance makes of arrivals; 20 and 28 are not.
      beyond: { plan: open, intervals: intervalsOf([100, 100, 140, 140]) },
      within: { plan: open, intervals: intervalsOf([10, 10, 14, 14]) },
    },
    {
      id: 'stalled',
      severity: 'warning',
      beyond: { intervals: intervalsOf([100, 0, 100, 100]) },
      within: { intervals: intervalsOf([100, 1, 100, 100]) },
    },
    {
      id: 'stalled',
      severity: 'warning',
      beyond: { intervals: intervalsOf([14, 0, 13, 13]) },
      within: { intervals: intervalsOf([13, 0, 13, 13]) },
    },
    {
      id: 'clock-jumped',
      severity: 'warning',
      beyond: { clockJumpMs: -400 },
      // 60 s may be slewed by 60 ms.
      within: { clockJumpMs: 310 },
    },
    { id: 'many-skipped', severity: 'warning', beyond: { skipped: 102 }, within: { skipped: 101 } },
    {
      id: 'wasted-work',
      severity: 'warning',
      beyond: statements({ wasted: 1_700 }),
      within: statements({ wasted: 1_600 }),
    },
    { id: 'arrivals-dropped', severity: 'warning', beyond: total({ dropped: 1 }), within: total({ dropped: 0 }) },
    { id: 'unfinished', severity: 'warning', beyond: total({ unfinished: 102 }), within: total({ unfinished: 0 }) },
    { id: 'unfinished', severity: 'info', beyond: total({ unfinished: 101 }), within: total({ unfinished: 0 }) },
    {
      id: 'writes-without-effect',
      severity: 'warning',
      beyond: statements({ writesWithoutEffect: 1 }),
      within: statements({ writesWithoutEffect: 0 }),
    },
    {
      id: 'connections-lost',
      severity: 'warning',
      beyond: total({
        errors: [{ code: 0, sqlState: '', symbol: 'X', count: 1, policy: 'reconnected', example: 'x' }],
      }),
      within: total({ errors: [{ code: 1213, sqlState: '', symbol: 'X', count: 1, policy: 'retried', example: 'x' }] }),
    },
    { id: 'statements-never-sent', severity: 'info', beyond: { neverSent: ['update'] }, within: {} },
  ])('$id ($severity)', ({ id, severity, beyond, within }) => {
    const ids = (changes: Partial<Evidence>) => findingsOf({ ...healthy, ...changes }).map((finding) => finding.id);
    expect(findingsOf({ ...healthy, ...beyond })).toContainEqual(expect.objectContaining({ id, severity }));
    expect(ids(within)).not.toContain(id);
  });
});

test('the gravest comes first, and each says what, why and what to do', () => {
  const found = findingsOf({ ...healthy, ...total({ elapsedS: 1, unfinished: 1 }), invalid: 3 });
  expect(found.map(({ severity }) => severity)).toEqual(['invalid', 'warning', 'info']);
  for (const finding of found) {
    for (const sentence of [finding.is, finding.because, finding.remedy]) expect(sentence).toMatch(/^[A-Z0-9].*\.$/s);
  }
});

test('a run of which the halves are unknown is not called unsteady', () => {
  expect(findingsOf({ ...healthy, intervals: intervalsOf([1, 100, 200]) })).toEqual([]);
  const warmup = intervalsOf([1, 1, 100, 100, 100, 100]).map((interval, at) => ({ ...interval, isWarmup: at < 2 }));
  expect(findingsOf({ ...healthy, intervals: warmup })).toEqual([]);
});

describe('with transactions in a fixed order, part by part', () => {
  const plan = loadPlan({ intervalS: 1, sequence: [{ transaction: 'fill', events: 9 }] });

  test('the rate may change from part to part', () => {
    expect(findingsOf({ ...healthy, plan, intervals: intervalsOf([100, 100, 900, 900]) })).toEqual([]);
  });

  test('there is no --time to raise', () => {
    const [finding] = findingsOf({ ...healthy, plan, ...total({ elapsedS: 3 }) });
    expect(finding).toMatchObject({ id: 'too-short', remedy: expect.not.stringContaining('--time') });
  });
});
