import { expect, test } from 'vitest';
import { CONTROL_BYTES, Control } from './control.ts';
import { type EventRunner, type LoopLimits, runEvents, type Tally } from './event-loop.ts';

const UNLIMITED: LoopLimits = {
  timeMs: Number.POSITIVE_INFINITY,
  intervalMs: Number.POSITIVE_INFINITY,
  eventsMax: Number.POSITIVE_INFINITY,
};

/** Events that take a fixed time of a clock that only they turn. */
function trial(eventMs: number, options: { limits?: Partial<LoopLimits>; eventsMax?: number; together?: number } = {}) {
  let nowMs = 1_000;
  let done = 0;
  const intervals: Tally[] = [];
  const control = new Control(new SharedArrayBuffer(CONTROL_BYTES), options.eventsMax ?? 0);
  const calls: number[] = [];
  const runner: EventRunner = {
    eventsTogetherMax: options.together ?? 1,
    run: (events) => {
      nowMs += events * eventMs;
      done += events;
      calls.push(events);
      if (done >= 10_000) control.stop();
    },
    counts: () => ({ done }),
  };
  const end = runEvents(runner, { ...UNLIMITED, ...options.limits }, control, {
    now: () => nowMs,
    onInterval: (tally) => intervals.push(tally),
  });
  return { end, intervals, calls, done };
}

test.each([
  {
    limits: { timeMs: 95 },
    eventsMax: 0,
    done: 10,
    because: 'time',
    is: 'an event that was begun in time is finished',
  },
  { limits: { timeMs: 100 }, eventsMax: 0, done: 10, because: 'time', is: 'none begins when the time is over' },
  { limits: {}, eventsMax: 7, done: 7, because: 'events', is: 'all events were dealt out' },
  { limits: { eventsMax: 3 }, eventsMax: 7, done: 3, because: 'events', is: 'a thread has a limit of its own' },
  { limits: {}, eventsMax: 0, done: 10_000, because: 'stopped', is: 'somebody told it to stop' },
])('ends after $done events: $is', ({ limits, eventsMax, done, because }) => {
  const { end, ...trialEnd } = trial(10, { limits, eventsMax });
  expect(trialEnd.done).toBe(done);
  expect(end).toMatchObject({ because, elapsedMs: done * 10 });
  expect(end.rest.latency.count).toBe(done);
});

test('every interval has its own events and counts; an event belongs to the interval in which it ended', () => {
  const { end, intervals } = trial(30, { limits: { timeMs: 250, intervalMs: 100 } });
  expect(intervals.map(({ latency }) => latency.count)).toEqual([4, 3]);
  expect(intervals.map(({ counts }) => counts['done'])).toEqual([4, 3]);
  expect(end.rest.counts).toEqual({ done: 2 });
  expect(end.rest.latency.count).toBe(2);
});

test('an event that spans intervals leaves empty ones behind', () => {
  const { intervals } = trial(250, { limits: { timeMs: 1, intervalMs: 100 } });
  expect(intervals.map(({ latency }) => latency.count)).toEqual([1, 0]);
});

test('events far below a look at the clock are timed together, each with their mean, and none too many', () => {
  const { end, calls } = trial(0.001, { eventsMax: 1_000, together: 64 });
  expect(calls.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 32]);
  expect(calls.reduce((sum, events) => sum + events, 0)).toBe(1_000);
  expect(end.rest.latency.count).toBe(1_000);
  expect(end.rest.latency.sumUs).toBeCloseTo(1_000, 5);
});

test('events that are long enough are timed one by one, whatever would be allowed', () => {
  const { calls } = trial(1, { eventsMax: 20, together: 64 });
  expect(calls).toEqual(Array(20).fill(1));
});

test('all threads together take no more events than there are, also beyond 32 bits', () => {
  const shared = new SharedArrayBuffer(CONTROL_BYTES);
  const eventsMax = 2 ** 33 + 5;
  const [one, other] = [new Control(shared, eventsMax), new Control(shared, eventsMax)];
  expect(one.take(2 ** 32)).toBe(2 ** 32);
  expect(other.take(2 ** 32)).toBe(2 ** 32);
  expect(one.take(4)).toBe(4);
  expect(other.take(4)).toBe(1);
  expect(one.take(4)).toBe(0);
});
