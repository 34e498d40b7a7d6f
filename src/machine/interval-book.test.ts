import { expect, test } from 'vitest';
import type { HostTestInterval } from '../model/host-test.ts';
import type { Tally } from './event-loop.ts';
import { IntervalBook } from './interval-book.ts';
import { LatencyRecorder } from './recorder.ts';

function tally(events: number, us = 100): Tally {
  const recorder = new LatencyRecorder();
  if (events > 0) recorder.record(us, events);
  return { latency: recorder.take(), counts: { bytes: events * 10 } };
}

function book(threads: number) {
  const shown: HostTestInterval[] = [];
  return { book: new IntervalBook(threads, 1, (interval) => shown.push(interval)), shown };
}

const brief = ({ startS, endS, threads, events }: HostTestInterval) => ({ startS, endS, threads, events });

test('an interval is shown when the last thread has it behind itself, and no sooner', () => {
  const { book: sums, shown } = book(2);
  sums.add(0, tally(5));
  expect(shown).toEqual([]);
  sums.add(0, tally(6));
  sums.add(1, tally(7));
  expect(shown.map(brief)).toEqual([{ startS: 0, endS: 1, threads: 2, events: 12 }]);
  sums.add(1, tally(1));
  expect(shown.map(brief)[1]).toEqual({ startS: 1, endS: 2, threads: 2, events: 7 });
  expect(shown[1]?.counts).toEqual({ bytes: 70 });
});

test('a thread that has ended is not waited for', () => {
  const { book: sums, shown } = book(2);
  sums.end(1, tally(3));
  sums.add(0, tally(5));
  sums.add(0, tally(6));
  expect(shown.map(brief)).toEqual([
    { startS: 0, endS: 1, threads: 2, events: 8 },
    { startS: 1, endS: 2, threads: 1, events: 6 },
  ]);
});

test('what came after the last whole interval is an interval up to the end', () => {
  const { book: sums } = book(2);
  for (const thread of [0, 1]) sums.add(thread, tally(5));
  for (const thread of [0, 1]) sums.end(thread, tally(2));
  sums.close(1.25);
  expect(sums.intervals.map(brief)).toEqual([
    { startS: 0, endS: 1, threads: 2, events: 10 },
    { startS: 1, endS: 1.25, threads: 2, events: 4 },
  ]);
});

test('nothing after the last whole interval is no interval', () => {
  const { book: sums } = book(1);
  sums.add(0, tally(5));
  sums.end(0, tally(0));
  sums.close(1.0001);
  expect(sums.intervals).toHaveLength(1);
});

test('threads that were cut off count with what they had told', () => {
  const { book: sums } = book(2);
  sums.add(0, tally(5));
  sums.close(1.6);
  expect(sums.intervals.map(brief)).toEqual([
    { startS: 0, endS: 1, threads: 2, events: 5 },
    { startS: 1, endS: 1.6, threads: 1, events: 0 },
  ]);
  expect(sums.perThread).toEqual({ events: [5, 0], latencyS: [0.0005, 0] });
  expect(sums.counts).toEqual({ bytes: 50 });
});

test('the intervals add up to the totals', () => {
  const { book: sums } = book(3);
  for (let thread = 0; thread < 3; thread++) {
    for (let interval = 0; interval <= thread; interval++) sums.add(thread, tally(10 * (thread + 1), 250));
    sums.end(thread, tally(thread, 1_000));
  }
  sums.close(3.2);
  const events = sums.intervals.reduce((sum, each) => sum + each.events, 0);
  expect(events).toBe(sums.latency.count);
  expect(sums.perThread.events).toEqual([10, 41, 92]);
  expect(events).toBe(143);
  expect(sums.perThread.latencyS.reduce((sum, each) => sum + each, 0)).toBeCloseTo(sums.latency.sumUs / 1e6, 9);
});
