/** Users who key in and think, by a clock that the tests turn: nothing here sleeps. */
import { describe, expect, test } from 'vitest';
import { DoubleServer, loadPlan, settle, TurnedClock } from '../../test/support/load.ts';
import { Histogram } from '../stats/histogram.ts';
import type { Transaction, Workload } from '../workload/workload.ts';
import { TimerAlarm } from './alarm.ts';
import { createKeyDistribution } from './distribution.ts';
import type { LoadPlan } from './plan.ts';
import { Names, Recorder } from './recorder.ts';
import { Sent } from './sent.ts';
import { LoadSession } from './session.ts';
import { StopSignal } from './stop-signal.ts';
import { TerminalLoop } from './terminal-loop.ts';
import { TICKETS_BYTES, Tickets } from './tickets.ts';

/** A user keys in for two seconds and thinks for three on average. */
const TIMES = { keyingS: 2, thinkMeanS: 3 };

interface Seen {
  readonly terminal: number;
  readonly index: number;
  readonly atMs: number;
}

function workloadOf(seen: Seen[], clock: TurnedClock, times: Partial<Transaction>): Workload {
  return {
    summary: 'One statement.',
    options: {},
    needs: () => ({ statementsPerSession: 1, writes: false, tables: [] }),
    session: async ({ connection }) => {
      const select = await connection.statement('select', 'read', 'SELECT 1');
      return {
        one: {
          weight: 1,
          ...times,
          run: async ({ terminal, index }) => {
            seen.push({ terminal, index, atMs: clock.nowMs });
            await select.run();
          },
        },
      };
    },
  };
}

interface Setting extends Partial<LoadPlan> {
  readonly worker?: number;
  readonly times?: Partial<Transaction>;
  readonly delayMs?: number;
}

/** The load begins at 1,000 ms of the turned clock; every reply takes `delayMs`. */
async function terminalLoop({ worker = 0, times = TIMES, delayMs = 4, ...changes }: Setting) {
  const plan = loadPlan({ terminals: 20, threads: 4, queueMax: 100, ...changes });
  const clock = new TurnedClock();
  const seen: Seen[] = [];
  const workload = workloadOf(seen, clock, times);
  const server = new DoubleServer(clock, () => ({ delayMs }));
  const names = new Names();
  const recorders = Array.from({ length: 3 }, () => new Recorder(names, plan.threads));
  const [warmup, measured, scratch] = recorders as [Recorder, Recorder, Recorder];
  const signal = new StopSignal(clock);
  const endMs = plan.timeS === 0 ? Number.POSITIVE_INFINITY : 1_000 + plan.timeS * 1_000;
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
  const sessions = Array.from({ length: plan.threads }, (_, number) => new LoadSession(parts, number, number));
  await Promise.all(sessions.map((session) => session.open(1_000)));
  const loop: TerminalLoop = new TerminalLoop({
    schedule: { startMs: 1_000, measureStartMs: 1_000, endMs },
    phases: { warmup, measured, isMeasuring: true },
    tickets: new Tickets(new SharedArrayBuffer(TICKETS_BYTES), plan.events),
    signal,
    choices: sessions[0]!.choices,
    terminals: plan.terminals,
    worker,
    workers: plan.workers,
    timeFactor: plan.terminalTimeFactor,
    seed: plan.seed,
    queueMax: plan.queueMax,
    alarm: new TimerAlarm(clock, () => loop.advance(clock.now())),
  });
  const runs = Promise.all(sessions.map((session) => session.run(loop, 1_000)));
  await settle();
  const stop = async () => {
    signal.stop();
    loop.stop(clock.now());
    await settle();
  };
  return { clock, seen, loop, measured, stop, runs };
}

function latencies(recorder: Recorder) {
  const { transactions, counts } = recorder.take();
  const { committed, service, response } = transactions[0]!;
  const of = (snapshot: typeof service) => Histogram.fromSnapshot(snapshot);
  return { committed, service: of(service), response: of(response), counts };
}

describe('the cycle of a user', () => {
  test('keys in, waits, thinks: never more often than once in the keying time, and on average as the times say', async () => {
    const { clock, seen } = await terminalLoop({ terminals: 50 });
    await clock.turnTo(1_000 + 200_000);
    for (let terminal = 0; terminal < 50; terminal++) {
      const times = seen.filter((each) => each.terminal === terminal).map(({ atMs }) => atMs);
      const gaps = times.slice(1).map((atMs, at) => atMs - times[at]!);
      // Keying takes 2,000 ms and the reply 4; thinking may be nothing.
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_004);
    }
    // 50 users with a cycle of 5.004 s: 1,998 in 200 s; exponential times scatter by about 1 / sqrt(1,998) * 3/5.
    expect(seen.length).toBeGreaterThan(1_998 * 0.93);
    expect(seen.length).toBeLessThan(1_998 * 1.07);
  });

  test('the time factor shortens both', async () => {
    const { clock, seen } = await terminalLoop({ terminals: 50, terminalTimeFactor: 0.1 });
    await clock.turnTo(1_000 + 20_000);
    expect(seen.length).toBeGreaterThan(1_998 * 0.9);
  });

  test('response counts from the moment the keys are in, although no connection is free', async () => {
    const { clock, measured } = await terminalLoop({ terminals: 40, threads: 1, delayMs: 400 });
    await clock.turnTo(61_000);
    const { committed, service, response } = latencies(measured);
    expect(committed).toBeGreaterThan(100);
    expect([service.minUs, service.maxUs]).toEqual([400_000, 400_000]);
    expect(response.minUs).toBeGreaterThanOrEqual(400_000);
    // One connection does 2.5 a second, and 40 users ask for nearly 8: they wait for each other.
    expect(response.percentileUs(50)).toBeGreaterThan(5_000_000);
  });
});

test('the same users do the same things, in whatever worker they are', async () => {
  const alone = await terminalLoop({ terminals: 10, workers: 1 });
  await alone.clock.turnTo(41_000);
  const shared = await Promise.all(
    [0, 1].map(async (worker) => {
      const { clock, seen } = await terminalLoop({ terminals: 10, workers: 2, worker, threads: 4 });
      await clock.turnTo(41_000);
      return seen;
    }),
  );
  const byTime = (all: readonly Seen[]) => [...all].sort((one, other) => one.index - other.index);
  expect(byTime(shared.flat())).toEqual(byTime(alone.seen));
  expect(new Set(alone.seen.map(({ index }) => index)).size).toBe(alone.seen.length);
});

describe('a deferred transaction', () => {
  test('lets its user go on at once', async () => {
    const times = { ...TIMES, isDeferred: true };
    const { clock, seen, measured } = await terminalLoop({ terminals: 20, threads: 1, delayMs: 400, times });
    await clock.turnTo(41_000);
    // One connection does 100 in 40 s. The users have queued as many as with a server that answers at once.
    expect(seen.length).toBeLessThanOrEqual(100);
    const { counts, response } = latencies(measured);
    expect(response.maxUs).toBeGreaterThan(1_000_000);
    expect(counts.dropped).toBe(0);
  });

  test('is dropped, and counted, where too many wait', async () => {
    const times = { ...TIMES, isDeferred: true };
    const { clock, measured, loop } = await terminalLoop({ threads: 1, delayMs: 60_000, times, queueMax: 3 });
    await clock.turnTo(31_000);
    loop.advance(clock.nowMs);
    expect(loop.queueLength).toBe(3);
    expect(latencies(measured).counts.dropped).toBeGreaterThan(10);
  });
});

describe('the end', () => {
  test('nothing begins after the time, and whoever was due and waited is counted', async () => {
    const { clock, measured, stop, runs } = await terminalLoop({ terminals: 40, threads: 1, delayMs: 400, timeS: 20 });
    await clock.turnTo(21_000);
    await stop();
    await clock.turnBy(400);
    await runs;
    const { committed, counts } = latencies(measured);
    expect(committed).toBeLessThanOrEqual(51);
    expect(counts.unfinished).toBeGreaterThan(5);
    expect(counts.unfinished).toBeLessThanOrEqual(39);
  });

  test('the limit of events is exact', async () => {
    const { clock, seen, runs } = await terminalLoop({ events: 25 });
    await clock.turnTo(201_000);
    await runs;
    expect(seen).toHaveLength(25);
  });
});
