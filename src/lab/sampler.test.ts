/** By a clock that the tests turn, with sources that answer as told. */
import { describe, expect, test } from 'vitest';
import { TurnedClock } from '../../test/support/load.ts';
import { defineProbe, type ProbeFacts } from '../observe/probe.ts';
import { Sampler, type SamplerSources } from './sampler.ts';

const FACTS: ProbeFacts = { variables: new Map(), flavor: 'mariadb' };

/** Questions per second, of servers whose counter goes up by 100 a second and by 500 in the third. */
const questions = defineProbe({
  summary: 'Questions.',
  source: 'server',
  between: (earlier, later, elapsedS) => {
    const [from, to] = [earlier, later].map(({ server }) => server?.status.get('Questions'));
    if (from === undefined || to === undefined) return 'The server was not read.';
    return { per_s: { value: (to - from) / elapsedS, unit: '1/s' } };
  },
});

function counted(clock: TurnedClock): NonNullable<SamplerSources['server']> {
  const questionsAt = (ms: number) => {
    const s = (ms - 1_000) / 1_000;
    return 100 * s + 400 * Math.min(1, Math.max(0, s - 2));
  };
  return { sample: async () => ({ status: new Map([['Questions', questionsAt(clock.now())]]) }) };
}

function sampler(clock: TurnedClock, sources: SamplerSources, intervalMs = 1_000): Sampler {
  const probes = new Map([['server_work', questions]]);
  return new Sampler({ world: clock, sources, probes, facts: FACTS, intervalMs });
}

describe('a series', () => {
  test('has a point for every interval, counted from the measured part, and its exact mean', async () => {
    const clock = new TurnedClock();
    const watching = sampler(clock, { server: counted(clock) });
    await watching.start();
    await clock.turnTo(2_000);
    await watching.beginMeasuring();
    await clock.turnTo(6_000);
    await watching.stop();
    const { series, missed, unseen } = watching.watched;
    expect(series['server_work']).toEqual({
      atS: [0, 1, 2, 3, 4],
      values: { per_s: { unit: '1/s', points: [100, 100, 500, 100, 100] } },
      measured: { per_s: 200 },
    });
    expect({ missed, unseen }).toEqual({ missed: 0, unseen: [] });
  });

  test('goes on by its schedule after a tick that took long', async () => {
    const clock = new TurnedClock();
    const usual = counted(clock);
    let calls = 0;
    const sample = async () => {
      if (++calls === 3) await new Promise<void>((resolve) => clock.after(2_500, resolve));
      return usual.sample();
    };
    const watching = sampler(clock, { server: { sample } });
    await watching.start();
    await watching.beginMeasuring();
    await clock.turnTo(7_000);
    await watching.stop();
    const { series, missed } = watching.watched;
    // Asked at 1.0 s, it answered at 3.5 s; the ticks of 2.0 and 3.0 s are left out.
    expect(series['server_work']!.atS.at(-1)).toBe(6);
    expect(missed).toBeGreaterThanOrEqual(2);
    expect(series['server_work']!.measured['per_s']).toBeCloseTo(1_000 / 6, 2);
  });
});

/** Processors' seconds of a host that has computed all the time since 1 s of the clock. */
function computing(clock: TurnedClock): NonNullable<SamplerSources['host']> {
  return { sample: async () => ({ contextSwitches: clock.now() }) };
}

const switches = defineProbe({
  summary: 'Context switches.',
  source: 'host',
  between: (earlier, later, elapsedS) => {
    const [from, to] = [earlier, later].map(({ host }) => host?.contextSwitches);
    if (from === undefined || to === undefined) return 'The host was not read.';
    return { per_s: { value: (to - from) / elapsedS, unit: '1/s' } };
  },
});

describe('a source that hangs', () => {
  /** From the given call on it answers no more. */
  function hanging(clock: TurnedClock, calls: number): NonNullable<SamplerSources['host']> {
    const usual = computing(clock);
    let asked = 0;
    return { sample: () => (++asked >= calls ? new Promise<never>(() => {}) : usual.sample()) };
  }

  async function watchedWith(sources: (clock: TurnedClock) => SamplerSources) {
    const clock = new TurnedClock();
    const probes = new Map([
      ['server_work', questions],
      ['host', switches],
    ]);
    const watching = new Sampler({ world: clock, sources: sources(clock), probes, facts: FACTS, intervalMs: 1_000 });
    await watching.start();
    await watching.beginMeasuring();
    await clock.turnTo(12_500);
    const stopped = watching.stop();
    await clock.turnTo(30_000);
    await stopped;
    return watching.watched;
  }

  test('neither thins the samples of another, nor moves the moment with which they end', async () => {
    const { series, sources } = await watchedWith((clock) => ({ server: counted(clock), host: hanging(clock, 6) }));
    expect(series['server_work']!.atS).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11.5]);
    // 1,150 + 400 in 11.5 s: time after the end, in which nothing was asked, would lower it.
    expect(series['server_work']!.measured['per_s']).toBeCloseTo(1_550 / 11.5, 3);
    expect(sources.find(({ of }) => of === 'server')).toMatchObject({ missed: 0, seenS: 11.5 });
  });

  test('keeps the figures of the time before, and tells how long that was', async () => {
    const { series, sources, unseen } = await watchedWith((clock) => ({
      server: counted(clock),
      host: hanging(clock, 6),
    }));
    expect(series['host']!.measured['per_s']).toBeCloseTo(1_000, 6);
    expect(sources.find(({ of }) => of === 'host')).toMatchObject({ answers: 5, seenS: 3 });
    expect(unseen).toContainEqual({ what: 'host', because: expect.stringContaining('within 5 s') });
  });

  test('an answer that comes long after the end is not what the measured part ends with', async () => {
    const { series } = await watchedWith((clock) => {
      const usual = counted(clock);
      const sample = async () => {
        if (clock.now() >= 12_500) await new Promise<void>((resolve) => clock.after(4_000, resolve));
        return usual.sample();
      };
      return { server: { sample } };
    });
    expect(series['server_work']!.measured['per_s']).toBeCloseTo(1_500 / 11, 3);
  });
});

describe('a source that fails', () => {
  test('if it is the client itself, costs its figures and not the run', async () => {
    const clock = new TurnedClock();
    const client = () => {
      throw new Error('ENOENT: no such file or directory, uv_resident_set_memory');
    };
    const watching = sampler(clock, { server: counted(clock), client });
    await watching.start();
    await watching.beginMeasuring();
    await clock.turnTo(4_000);
    await watching.stop();
    expect(watching.watched.series['server_work']!.atS).toHaveLength(3);
    expect(watching.watched.unseen).toEqual([{ what: 'client', because: expect.stringContaining('ENOENT') }]);
  });

  test('costs its figures and is told once', async () => {
    const clock = new TurnedClock();
    const host = { sample: () => Promise.reject(new Error('The connection to the host is lost.')) };
    const watching = sampler(clock, { server: counted(clock), host });
    await watching.start();
    await watching.beginMeasuring();
    await clock.turnTo(4_000);
    await watching.stop();
    const { series, unseen, missed } = watching.watched;
    expect(series['server_work']!.atS).toHaveLength(3);
    expect(unseen).toEqual([{ what: 'host', because: 'The connection to the host is lost.' }]);
    expect(missed).toBeGreaterThanOrEqual(4);
  });

  test('that never answers does not hold up the end', async () => {
    const clock = new TurnedClock();
    const host = { sample: () => new Promise<never>(() => {}) };
    const watching = sampler(clock, { server: counted(clock), host });
    const started = watching.start();
    await clock.turnTo(8_000);
    await started;
    const stopped = watching.stop();
    await clock.turnTo(20_000);
    await stopped;
    expect(watching.watched.unseen[0]).toMatchObject({ what: 'host', because: expect.stringContaining('within 5 s') });
  });

  test('that answers and tells nothing is told, too', async () => {
    const clock = new TurnedClock();
    const disk = defineProbe({ summary: 'Disks.', source: 'host', between: () => ({}) });
    const host = { sample: async () => ({}) };
    const parts = { world: clock, facts: FACTS, intervalMs: 1_000, sources: { host } };
    const watching = new Sampler({ ...parts, probes: new Map([['disk', disk]]) });
    await watching.start();
    await watching.beginMeasuring();
    await clock.turnTo(4_000);
    await watching.stop();
    expect(watching.watched.series).toEqual({});
    expect(watching.watched.unseen).toEqual([{ what: 'disk', because: expect.stringContaining('told nothing') }]);
  });

  test('nothing is asked once it has stopped', async () => {
    const clock = new TurnedClock();
    let calls = 0;
    const server = { sample: async () => ({ status: new Map([['Questions', ++calls]]) }) };
    const watching = sampler(clock, { server });
    await watching.start();
    await watching.stop();
    const until = calls;
    await clock.turnTo(60_000);
    expect(calls).toBe(until);
  });
});
