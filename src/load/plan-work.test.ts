import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../base/options.ts';
import { LOAD_OPTIONS } from './options.ts';
import { valuesForWork, workProblems } from './plan-work.ts';

const defaults = defaultsOf(LOAD_OPTIONS);
const SEQUENCE = [
  { transaction: 'create', events: 2, isAlone: true },
  { transaction: 'read', events: 30 },
];

describe('the limits', () => {
  test.each([
    { work: { events: 50 }, given: {}, limits: { time: 0, events: 50, events_per_thread: 0 } },
    { work: { eventsPerThread: 7 }, given: {}, limits: { time: 0, events: 0, events_per_thread: 7 } },
    { work: { events: 50 }, given: { time: 3 }, limits: { time: 3, events: 0, events_per_thread: 0 } },
    { work: { events: 50 }, given: { events: 9 }, limits: { time: 10, events: 9, events_per_thread: 0 } },
    { work: { sequence: SEQUENCE }, given: {}, limits: { time: 0, events: 32, events_per_thread: 0 } },
    { work: { sequence: SEQUENCE }, given: { time: 3 }, limits: { time: 3, events: 32, events_per_thread: 0 } },
    { work: { sequence: SEQUENCE }, given: { events: 5 }, limits: { time: 10, events: 5, events_per_thread: 0 } },
    { work: { sequence: SEQUENCE }, given: { events: 99 }, limits: { time: 10, events: 32, events_per_thread: 0 } },
    { work: undefined, given: {}, limits: { time: 10, events: 0, events_per_thread: 0 } },
  ])('$work with $given', ({ work, given, limits }) => {
    const values = { ...defaults, ...given };
    expect(valuesForWork(values, new Set(Object.keys(given)), work)).toMatchObject(limits);
  });
});

test('users who think share 64 connections, unless it is said how many', () => {
  const values = { ...defaults, terminals: 10_000 };
  expect(valuesForWork(values, new Set(['terminals']), undefined).threads).toBe(64);
  expect(valuesForWork({ ...values, terminals: 3 }, new Set(['terminals']), undefined).threads).toBe(3);
  expect(valuesForWork(values, new Set(['terminals', 'threads']), undefined).threads).toBe(1);
});

test('the workload may say how many sessions there are, and --threads otherwise', () => {
  expect(valuesForWork(defaults, new Set(), { threads: 5 }).threads).toBe(5);
  expect(valuesForWork({ ...defaults, threads: 3 }, new Set(['threads']), { threads: 5 }).threads).toBe(3);
});

describe('a fixed order of transactions', () => {
  const work = { sequence: SEQUENCE };

  test('runs on one connection', () => {
    expect(workProblems(defaults, work)).toEqual([]);
  });

  test.each([
    { changes: { threads: 2 }, is: "'create' cannot be done on several connections" },
    { changes: { warmup_time: 1 }, is: '--warmup-time does not go with this workload' },
    { changes: { terminals: 5 }, is: '--terminals does not go with this workload' },
    { changes: { events_per_thread: 5 }, is: '--events-per-thread does not go with this workload' },
  ])('is refused with $changes', ({ changes, is }) => {
    expect(workProblems({ ...defaults, ...changes }, work).map((problem) => problem.is)).toEqual([
      expect.stringContaining(is),
    ]);
  });

  test('several connections are welcome where no part has to be alone', () => {
    expect(workProblems({ ...defaults, threads: 8 }, { sequence: SEQUENCE.slice(1) })).toEqual([]);
  });
});
