import { describe, expect, test } from 'vitest';
import { loadPlan } from '../../test/support/load.ts';
import type { Checkpoint, Interval } from '../model/run.ts';
import type { WorkerState } from './messages.ts';
import type { LoadPlan } from './plan.ts';
import { Names, Recorder, type Tally } from './recorder.ts';
import { nothingSent } from './sent.ts';
import { Timeline } from './timeline.ts';

const state: WorkerState = {
  sessionsActive: 1,
  queueLength: 2,
  sent: nothingSent(),
  client: { eventLoopUtilization: 0, eventLoopDelayP99Ms: 0 },
};

/** A worker's piece in which `latenciesUs` were committed. */
function tally(latenciesUs: readonly number[], name = 'pay'): Tally {
  const names = new Names();
  names.transactionId(name);
  names.statementId('select', 'read');
  const recorder = new Recorder(names, 1);
  for (const latencyUs of latenciesUs) {
    recorder.commit(0, 0, latencyUs, -1);
    recorder.statements[0]!.committed++;
  }
  return recorder.take();
}

function timeline(changes: Partial<LoadPlan> = {}) {
  const [intervals, checkpoints]: [Interval[], Checkpoint[]] = [[], []];
  const made = new Timeline(loadPlan({ threads: 2, workers: 2, intervalS: 1, ...changes }), [[0], [1]], {
    onInterval: (interval) => intervals.push(interval),
    onCheckpoint: (checkpoint) => checkpoints.push(checkpoint),
  });
  const add = (worker: number, endS: number, latenciesUs: readonly number[]) =>
    made.addInterval(worker, { endS, isWarmup: endS <= 0, tally: tally(latenciesUs) }, state);
  const end = (worker: number, endS: number, latenciesUs: readonly number[]) =>
    made.addLast(worker, { endS, isWarmup: endS <= 0, tally: tally(latenciesUs) }, tally([]), state);
  return { made, intervals, checkpoints, add, end };
}

test('an interval is told when every worker has reported it', () => {
  const { add, intervals } = timeline();
  add(0, 1, [100]);
  add(0, 2, [100]);
  expect(intervals).toEqual([]);
  add(1, 1, [300]);
  expect(intervals).toMatchObject([
    { startS: 0, endS: 1, isWarmup: false, transactions: 2, sessionsActive: 2, statements: { read: 2 } },
  ]);
  expect(intervals[0]!.latency).toMatchObject({ count: 2, minUs: 100, maxUs: 300 });
});

test('intervals of a worker that has ended or died are told without it', () => {
  const { add, end, made, intervals } = timeline();
  end(0, 1, [100]);
  add(1, 1, [100]);
  add(1, 2, [100]);
  expect(intervals.map(({ endS, transactions }) => [endS, transactions])).toEqual([
    [1, 2],
    [2, 1],
  ]);
  made.leaveOut(1);
  made.finish(2.6);
  expect(made.measured.committed).toBe(3);
});

describe('at the end', () => {
  test('a short rest is added to the last interval: it has no rate of its own', () => {
    const { add, end, made } = timeline();
    for (const worker of [0, 1]) add(worker, 1, [100]);
    for (const worker of [0, 1]) end(worker, 2, [900]);
    made.finish(1.2);
    expect(made.intervals).toMatchObject([{ startS: 0, endS: 1.2, transactions: 4, latency: { maxUs: 900 } }]);
  });

  test('a long one is an interval', () => {
    const { add, end, made } = timeline();
    for (const worker of [0, 1]) add(worker, 1, [100]);
    for (const worker of [0, 1]) end(worker, 2, [900]);
    made.finish(1.7);
    expect(made.intervals.map(({ startS, endS }) => [startS, endS])).toEqual([
      [0, 1],
      [1, 1.7],
    ]);
  });

  test('intervals and totals agree, and follow each other without a gap', () => {
    const { add, end, made } = timeline({ warmupS: 1 });
    for (const worker of [0, 1]) add(worker, 0, [50]);
    for (const endS of [1, 2]) for (const worker of [0, 1]) add(worker, endS, [100, 200]);
    for (const worker of [0, 1]) end(worker, 3, [300]);
    made.finish(2.1);
    const measured = made.intervals.filter(({ isWarmup }) => !isWarmup);
    const sum = measured.reduce((total, { transactions }) => total + transactions, 0);
    expect(sum).toBe(made.measured.committed);
    expect(made.intervals.map(({ startS, endS }) => [startS, endS])).toEqual([
      [-1, 0],
      [0, 1],
      [1, 2.1],
    ]);
  });
});

test('the warm-up is in no total', () => {
  const { add, made } = timeline({ warmupS: 1 });
  for (const worker of [0, 1]) add(worker, 0, [50]);
  for (const worker of [0, 1]) add(worker, 1, [100]);
  expect(made.warmup.committed).toBe(2);
  expect(made.measured.toTotals(1)).toMatchObject({
    transactions: { committed: 2, byName: { pay: 2 } },
    perSession: { transactions: [1, 1], latencyS: [0.0001, 0.0001] },
  });
});

test('a checkpoint tells what was since the one before', () => {
  const { add, checkpoints } = timeline({ checkpointsS: [1, 3] });
  for (const endS of [1, 2, 3]) for (const worker of [0, 1]) add(worker, endS, [endS * 100]);
  expect(checkpoints).toMatchObject([
    { atS: 1, totals: { elapsedS: 1, transactions: { committed: 2 } }, latency: { maxUs: 100 } },
    { atS: 3, totals: { elapsedS: 2, transactions: { committed: 4 } }, latency: { minUs: 200, maxUs: 300 } },
  ]);
});

test('queue and drops are told in the open loop only', () => {
  const closed = timeline();
  for (const worker of [0, 1]) closed.add(worker, 1, [100]);
  expect(closed.intervals[0]).not.toHaveProperty('queueLength');
  const open = timeline({ ratePerS: 10 });
  for (const worker of [0, 1]) open.add(worker, 1, []);
  expect(open.intervals[0]).toMatchObject({ queueLength: 4, dropped: 0 });
});
