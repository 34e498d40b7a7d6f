/** The arithmetic of the open loop, by a clock that the tests turn: nothing here sleeps. */
import { describe, expect, test } from 'vitest';
import { DoubleServer, loadPlan, settle, TurnedClock } from '../../test/support/load.ts';
import { Histogram } from '../stats/histogram.ts';
import type { Workload } from '../workload/workload.ts';
import { TimerAlarm } from './alarm.ts';
import { createKeyDistribution } from './distribution.ts';
import { OpenLoop } from './open-loop.ts';
import { evenArrivals } from './pacer.ts';
import type { LoadPlan } from './plan.ts';
import { Names, Recorder } from './recorder.ts';
import { Sent } from './sent.ts';
import { LoadSession } from './session.ts';
import { StopSignal } from './stop-signal.ts';
import { TICKETS_BYTES, Tickets } from './tickets.ts';

const workload: Workload = {
  summary: 'One statement.',
  options: {},
  needs: () => ({ statementsPerSession: 1, writes: false, tables: [] }),
  session: async ({ connection }) => {
    const select = await connection.statement('select', 'read', 'SELECT 1');
    return {
      one: {
        weight: 1,
        run: async () => {
          await select.run();
        },
      },
    };
  },
};

/** The load begins at 1,000 ms of the turned clock; `delayMs` is how long a reply takes that is asked for at a time. */
async function openLoop(changes: Partial<LoadPlan>, delayMs: (askedAtMs: number) => number) {
  const plan = loadPlan({ ratePerS: 100, ...changes });
  const clock = new TurnedClock();
  const server = new DoubleServer(clock, () => ({ delayMs: delayMs(clock.now()) }));
  const names = new Names();
  const recorders = Array.from({ length: 3 }, () => new Recorder(names, plan.threads));
  const [warmup, measured, scratch] = recorders as [Recorder, Recorder, Recorder];
  const signal = new StopSignal(clock);
  const measureStartMs = 1_000 + plan.warmupS * 1_000;
  const endMs = plan.timeS === 0 ? Number.POSITIVE_INFINITY : measureStartMs + plan.timeS * 1_000;
  const sessionNumbers = Array.from({ length: plan.threads }, (_, number) => number);
  const loop: OpenLoop = new OpenLoop({
    schedule: { startMs: 1_000, measureStartMs, endMs },
    phases: { warmup, measured, isMeasuring: plan.warmupS === 0 },
    tickets: new Tickets(new SharedArrayBuffer(TICKETS_BYTES), plan.events),
    signal,
    pacer: evenArrivals(plan.ratePerS),
    sessions: sessionNumbers,
    sessionsOfAll: plan.threads,
    queueMax: plan.queueMax,
    alarm: new TimerAlarm(clock, () => loop.advance(clock.now())),
  });
  const parts = {
    plan,
    world: server.world(workload),
    workload,
    keys: createKeyDistribution(plan.rand),
    names,
    sent: new Sent(),
    signal,
    scratch,
    onNames: () => {
      for (const recorder of recorders) recorder.makeRoom();
    },
    onFatal: (error: unknown) => {
      throw error;
    },
    onLost: () => {},
    onResumed: () => {},
    onPart: () => {},
    onEventEnd: () => {},
  };
  const sessions = sessionNumbers.map((number) => new LoadSession(parts, number, number));
  await Promise.all(sessions.map((session) => session.open(1_000)));
  const runs = Promise.all(sessions.map((session) => session.run(loop, 1_000)));
  await settle();
  const stop = async () => {
    signal.stop();
    loop.stop(clock.now());
    await settle();
  };
  return { plan, clock, server, loop, warmup, measured, stop, runs };
}

function latencies(recorder: Recorder) {
  const { transactions, counts, lag } = recorder.take();
  const { committed, service, response, queue } = transactions[0]!;
  const of = (snapshot: typeof service) => Histogram.fromSnapshot(snapshot);
  return { committed, service: of(service), response: of(response), queue: of(queue), counts, lag };
}

test('a server that keeps up: response is service, and nobody waits', async () => {
  const { clock, measured } = await openLoop({ threads: 2 }, () => 4);
  await clock.turnTo(1_995);
  const { committed, service, response, queue, lag } = latencies(measured);
  // Due at 0, 10, … 990 ms.
  expect(committed).toBe(100);
  expect([service.minUs, service.maxUs]).toEqual([4_000, 4_000]);
  expect([response.minUs, response.maxUs]).toEqual([4_000, 4_000]);
  expect(queue.maxUs).toBe(0);
  // The first was due before a session had waited for it.
  expect(lag).toMatchObject({ count: 99, maxUs: 0 });
});

test('a server that does not: each event waits longer than the one before, and response = queue + service', async () => {
  const { clock, measured, loop } = await openLoop({ threads: 1 }, () => 15);
  // Due every 10 ms, done every 15 ms: event n begins n * 5 ms late.
  await clock.turnTo(1_000 + 150);
  const { committed, service, response, queue } = latencies(measured);
  expect(committed).toBe(10);
  expect([queue.minUs, queue.maxUs]).toEqual([0, 45_000]);
  expect([response.minUs, response.maxUs]).toEqual([15_000, 60_000]);
  expect(response.sumUs).toBe(queue.sumUs + service.sumUs);
  // 16 were due by 150 ms, 10 are done, and one has just begun.
  expect(loop.queueLength).toBe(5);
});

test('a stall of two seconds shows in the response times, and not in the service times', async () => {
  const stallFromMs = 3_000;
  const stallUntilMs = 5_000;
  const { clock, measured } = await openLoop({ threads: 4 }, (askedAtMs) => {
    const isStalled = askedAtMs >= stallFromMs && askedAtMs < stallUntilMs;
    return isStalled ? stallUntilMs - askedAtMs + 2 : 2;
  });
  await clock.turnTo(8_000);
  const { committed, service, response } = latencies(measured);
  expect(committed).toBe(700);
  // Four events were under way; two hundred more came while nobody answered.
  expect(service.percentileUs(99)).toBe(2_000);
  expect(response.percentileUs(50)).toBe(2_000);
  expect(response.percentileUs(99)).toBeGreaterThan(1_900_000);
  expect(response.maxUs).toBe(2_002_000);
});

describe('a full queue', () => {
  test('drops what comes, counts it, and goes on', async () => {
    const { clock, measured, loop, stop, runs } = await openLoop({ threads: 1, queueMax: 3, timeS: 1 }, () => 100);
    await clock.turnTo(2_000);
    await stop();
    await clock.turnBy(100);
    await runs;
    const { committed, counts } = latencies(measured);
    // 100 were due. Each of the ten that began is done, the one begun at the end of time too.
    expect(committed).toBe(10);
    expect(counts.unfinished).toBe(3);
    expect(counts.dropped).toBe(100 - 10 - 3);
    expect(loop.queueLength).toBe(0);
  });
});

describe('the end', () => {
  test('every arrival of the measured part is accounted for', async () => {
    const { clock, measured, stop, runs } = await openLoop({ threads: 2, timeS: 2 }, () => 37);
    await clock.turnTo(3_000);
    await stop();
    await clock.turnBy(37);
    await runs;
    const { committed, counts } = latencies(measured);
    expect(committed + counts.unfinished + counts.dropped).toBe(200);
    expect(counts.unfinished).toBeGreaterThan(0);
  });

  test('arrivals stop with the time, and sessions that wait go home', async () => {
    const { clock, measured, stop, runs } = await openLoop({ threads: 3, timeS: 0.5 }, () => 1);
    await clock.turnTo(1_500);
    await stop();
    await runs;
    await clock.turnBy(10_000);
    expect(latencies(measured).committed).toBe(50);
  });

  test('an early stop counts only what was due until then', async () => {
    const { clock, measured, stop, runs } = await openLoop({ threads: 1, timeS: 60 }, () => 1);
    await clock.turnTo(1_305);
    await stop();
    await runs;
    const { committed, counts } = latencies(measured);
    expect(committed).toBe(31);
    expect(counts.unfinished).toBe(0);
  });

  test('the limit of events is exact', async () => {
    const { clock, measured, server, runs } = await openLoop({ threads: 4, events: 25 }, () => 55);
    await clock.turnTo(4_000);
    await runs;
    expect(latencies(measured).committed).toBe(25);
    expect(server.requests).toHaveLength(25);
  });
});

test('what was due in the warm-up belongs to it, however late it begins', async () => {
  const plan = { threads: 1, warmupS: 0.1, timeS: 1 };
  const { clock, warmup, measured, stop } = await openLoop(plan, (askedAtMs) => (askedAtMs < 1_100 ? 50 : 1));
  await clock.turnTo(2_100);
  await stop();
  // Due at 0 … 90 ms in the warm-up, of which all but two began after it.
  expect(latencies(warmup).committed).toBe(10);
  expect(latencies(measured).committed).toBe(100);
});

test('the lag is only what a free session waited', async () => {
  const { clock, measured } = await openLoop({ threads: 1 }, () => 25);
  await clock.turnTo(1_200);
  // No arrival has found the session free.
  expect(measured.lag.count).toBe(0);
  expect(latencies(measured).queue.maxUs).toBeGreaterThan(0);
});

test('a timer that is late shows as lag and in the response', async () => {
  const { clock, measured } = await openLoop({ threads: 1 }, () => 1);
  await clock.turnTo(1_005);
  // The next is due at 1,010, but the thread gets no turn before 1,018.
  clock.nowMs = 1_018;
  await clock.turnTo(1_019);
  const { response, lag } = latencies(measured);
  expect(lag.maxUs).toBe(8_000);
  expect(response.maxUs).toBe(9_000);
});
