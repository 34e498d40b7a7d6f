import { describe, expect, test } from 'vitest';
import { emptyRun } from '../../test/fixtures/sample-runs.ts';
import type { Interval } from '../model/run.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { intervalLines } from './interval-line.ts';

function intervalOf(change: Partial<Interval>): Interval {
  const histogram = new Histogram();
  for (let us = 1_000; us <= 100_000; us += 1_000) histogram.record(us);
  return {
    startS: 0,
    endS: 1,
    isWarmup: false,
    sessionsActive: 4,
    transactions: 1_543,
    statements: { read: 21_774, write: 6_186, other: 3_098 },
    errors: 9,
    retries: 9,
    reconnects: 0,
    latency: toLatencyRecord(histogram),
    ...change,
  };
}

test("a line is sysbench's, to the character", () => {
  expect(intervalLines(intervalOf({}), [95])).toEqual([
    '[ 1s ] thds: 4 tps: 1543.00 qps: 31058.00 (r/w/o: 21774.00/6186.00/3098.00) ' +
      'lat (ms,95%): 95.04 err/s: 9.00 reconn/s: 0.00',
  ]);
});

test('in the open loop a second line tells of the queue, as in sysbench, and of what was dropped', () => {
  const waiting = { queueLength: 12, concurrency: 4 };
  expect(intervalLines(intervalOf(waiting), [95])[1]).toBe('[ 1s ] queue length: 12, concurrency: 4');
  expect(intervalLines(intervalOf({ ...waiting, dropped: 0 }), [95])[1]).toBe(
    '[ 1s ] queue length: 12, concurrency: 4',
  );
  expect(intervalLines(intervalOf({ ...waiting, dropped: 7 }), [95])[1]).toBe(
    '[ 1s ] queue length: 12, concurrency: 4, dropped: 7',
  );
});

describe('the stamp', () => {
  test.each([
    { startS: 9, endS: 10, stamp: '[ 10s ]', because: 'whole seconds' },
    { startS: 9.0004, endS: 10.0021, stamp: '[ 10s ]', because: 'whole seconds, give or take' },
    { startS: 0, endS: 0.5, stamp: '[ 0.5s ]', because: 'half seconds' },
    { startS: 0.5, endS: 1, stamp: '[ 1.0s ]', because: 'half seconds stay half seconds' },
    { startS: 1, endS: 1.25, stamp: '[ 1.25s ]', because: 'quarters' },
    { startS: 1.5, endS: 3, stamp: '[ 3.0s ]', because: 'one and a half' },
    { startS: 10, endS: 10.3, stamp: '[ 10.3s ]', because: 'the last one, cut short' },
    { startS: 10, endS: 10.004, stamp: '[ 10.00s ]', because: 'the last one, cut very short' },
    { startS: -5, endS: -4, stamp: '[ -4s ]', because: 'warm-up comes before the start' },
    { startS: -1, endS: -0.0004, stamp: '[ 0s ]', because: 'never minus zero' },
  ])('$startS … $endS is $stamp: $because', ({ startS, endS, stamp }) => {
    expect(intervalLines(intervalOf({ startS, endS }), [95])[0]).toMatch(
      new RegExp(`^${stamp.replace(/[[\].]/g, '\\$&')} thds`),
    );
  });
});

test('rates are over the true length', () => {
  expect(intervalLines(intervalOf({ startS: 0, endS: 0.5, transactions: 100 }), [95])[0]).toContain('tps: 200.00');
});

test.each([
  { percentiles: [99.9], field: 'lat (ms,99.9%): 100.00 err' },
  { percentiles: [50, 99], field: 'lat (ms,50%/99%): 50.02/99.01 err' },
  { percentiles: [0], field: 'lat (ms,0%): 0.00 err' },
])('--percentile=$percentiles', ({ percentiles, field }) => {
  expect(intervalLines(intervalOf({}), percentiles)[0]).toContain(field);
});

test('warm-up is marked', () => {
  expect(intervalLines(intervalOf({ isWarmup: true }), [95])[0]).toMatch(/reconn\/s: 0\.00 \(warm-up\)$/);
});

test('an interval of no length and without a transaction prints zeros', () => {
  const [line] = intervalLines({ ...emptyRun().intervals[0]!, startS: 1, endS: 1 }, [95]);
  expect(line).toContain('tps: 0.00 qps: 0.00 (r/w/o: 0.00/0.00/0.00) lat (ms,95%): 0.00');
});
