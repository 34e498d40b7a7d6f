/** Rounds, what cannot be measured, and what becomes of the repeats: with measurements of the test's own. */
import { describe, expect, test } from 'vitest';
import { UserError } from '../../base/errors.ts';
import type { Finding } from '../../model/run.ts';
import { Histogram } from '../../stats/histogram.ts';
import { toLatencyRecord } from '../../stats/latency-record.ts';
import type { Stops } from '../crew.ts';
import type { FigurePlan, Measured, Measurement } from './measurement.ts';
import { type CardProgress, runCard } from './run-card.ts';
import { trustOf } from './trust.ts';

function stops(): { readonly stops: Stops; interrupt(): void } {
  const soon = new AbortController();
  const atOnce = new AbortController();
  const interrupt = () => soon.abort(new Error('Interrupted by SIGINT.'));
  return { stops: { signal: soon.signal, atOnce: atOnce.signal }, interrupt };
}

function figure(id: string, changes: Partial<FigurePlan> = {}): FigurePlan {
  const common = { group: 'cpu', unit: 'events/s', better: 'higher', how: 'By hand.', settings: {} } as const;
  return { id, label: id, ...common, ...changes };
}

/** Gives its values in turn, and fails where one is an error. */
function measurementOf(
  id: string,
  values: readonly (number | Error | Measured)[],
  changes: Partial<Measurement> = {},
): Measurement & { readonly timesS: number[] } {
  const timesS: number[] = [];
  return {
    label: id,
    weight: 1,
    figures: [figure(id)],
    timesS,
    measure: async (timeS) => {
      const value = values[timesS.length]!;
      timesS.push(timeS);
      if (value instanceof Error) throw value;
      return typeof value === 'number' ? measured({ [id]: value }) : value;
    },
    ...changes,
  };
}

function measured(values: Measured['values'], changes: Partial<Measured> = {}): Measured {
  return { ending: { kind: 'time' }, values, elapsedS: 1, cpuS: 1, ...changes };
}

describe('rounds', () => {
  test('all are measured once, then all again, and share the time by their weights', async () => {
    const [a, b] = [measurementOf('a', [3, 1, 2]), measurementOf('b', [7, 7, 7], { weight: 3 })];
    const progress: CardProgress[] = [];
    const plan = { measurements: [a, b], timeS: 12 };
    const result = await runCard(plan, { onMeasuring: (each) => progress.push(each) }, stops().stops);
    expect(progress.map(({ label, round }) => `${label}${round}`)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect(progress.map(({ done }) => done * 12)).toEqual([0, 1, 4, 5, 8, 9]);
    expect(a.timesS).toEqual([1, 1, 1]);
    expect(b.timesS).toEqual([3, 3, 3]);
    expect(result).toMatchObject({ ending: { kind: 'time' }, missing: [], findings: [] });
    expect(result.figures).toMatchObject([
      { id: 'a', repeats: [3, 1, 2], median: 2, min: 1, max: 3, trust: { is: 'poor', by: 'scatter' } },
      { id: 'b', repeats: [7, 7, 7], median: 7, trust: { is: 'good' } },
    ]);
  });

  test('latencies of all rounds are one distribution', async () => {
    const latency = (us: number) => {
      const histogram = new Histogram();
      histogram.record(us);
      return measured({ a: us }, { latencies: { 'a.all': toLatencyRecord(histogram) } });
    };
    const plan = { measurements: [measurementOf('a', [latency(10), latency(30), latency(20)])], timeS: 1 };
    const { latencies } = await runCard(plan, {}, stops().stops);
    expect(latencies['a.all']).toMatchObject({ count: 3, minUs: 10, maxUs: 30, sumUs: 60 });
  });
});

describe('what cannot be measured', () => {
  test('is told, is not tried again, and costs no other figure', async () => {
    const refused = new UserError('There is no room.', { hint: 'Make some.' });
    const [a, b] = [measurementOf('a', [5, refused, 5]), measurementOf('b', [1, 1, 1])];
    const result = await runCard({ measurements: [a, b], timeS: 1 }, {}, stops().stops);
    expect(result.missing).toEqual([{ what: 'a', because: 'There is no room. Make some.' }]);
    expect(a.timesS).toHaveLength(2);
    expect(result.figures).toMatchObject([
      { id: 'a', repeats: [5], trust: { is: 'unknown' } },
      { id: 'b', repeats: [1, 1, 1] },
    ]);
  });

  test('so is what was cut off', async () => {
    const cut = measured({ a: 1 }, { ending: { kind: 'failed', cause: 'A thread ended.' } });
    const { missing, figures } = await runCard(
      { measurements: [measurementOf('a', [cut])], timeS: 1 },
      {},
      stops().stops,
    );
    expect({ missing, figures }).toEqual({ missing: [{ what: 'a', because: 'A thread ended.' }], figures: [] });
  });

  test('a mistake of ours is not hidden', async () => {
    const plan = { measurements: [measurementOf('a', [new TypeError('no function')])], timeS: 1 };
    await expect(runCard(plan, {}, stops().stops)).rejects.toThrow('no function');
  });
});

describe('interrupted', () => {
  test('what was measured until then is there, and what was under way is not', async () => {
    const { stops: given, interrupt } = stops();
    const b: Measurement = {
      ...measurementOf('b', []),
      measure: async () => {
        interrupt();
        return measured({ b: 1 }, { ending: { kind: 'interrupted', cause: 'Interrupted by SIGINT.' } });
      },
    };
    const result = await runCard({ measurements: [measurementOf('a', [5]), b], timeS: 1 }, {}, given);
    expect(result.ending).toEqual({ kind: 'interrupted', cause: 'Interrupted by SIGINT.' });
    expect(result.figures.map(({ id, repeats }) => ({ id, repeats }))).toEqual([{ id: 'a', repeats: [5] }]);
    expect(result.missing).toEqual([]);
  });

  test('so it is where the work is given up with an error', async () => {
    const { stops: given, interrupt } = stops();
    const a: Measurement = {
      ...measurementOf('a', []),
      measure: async () => {
        interrupt();
        throw new Error('given up');
      },
    };
    expect(await runCard({ measurements: [a], timeS: 1 }, {}, given)).toMatchObject({
      ending: { kind: 'interrupted' },
      figures: [],
      missing: [],
    });
  });
});

describe('findings', () => {
  const busy = (is: string): Finding => ({ id: 'busy', severity: 'warning', is, because: 'b', remedy: 'r' });

  test('make their figures poor, each with its own reason, and are told once', async () => {
    const judge = (is: string) => ({ judge: () => [busy(is)] });
    const [a, b] = [measurementOf('a', [1, 1, 1], judge('A is.')), measurementOf('b', [1, 1, 1], judge('B is.'))];
    const { figures, findings } = await runCard({ measurements: [a, b], timeS: 1 }, {}, stops().stops);
    expect(figures.map(({ trust }) => trust)).toEqual([
      { is: 'poor', by: 'doubt', because: 'A is.' },
      { is: 'poor', by: 'doubt', because: 'B is.' },
    ]);
    expect(findings).toEqual([busy('A is. So it was, or alike, in 2 measurements.')]);
  });

  test('are made of all repeats together', async () => {
    const totals: unknown[] = [];
    const judge: Measurement['judge'] = ({ elapsedS, cpuS }) => {
      totals.push({ elapsedS, cpuS });
      return [];
    };
    const values = [1, 2, 3].map((elapsedS) => measured({ a: 1 }, { elapsedS, cpuS: elapsedS * 2 }));
    await runCard({ measurements: [measurementOf('a', values, { judge })], timeS: 1 }, {}, stops().stops);
    expect(totals).toContainEqual({ elapsedS: 6, cpuS: 12 });
  });
});

test.each([
  { repeats: [100, 104, 102], is: 'good', because: 'they are within a twentieth' },
  { repeats: [100, 114, 105], is: 'fair', because: 'a seventh is more' },
  { repeats: [100, 130, 105], is: 'poor', because: 'and this is much' },
  { repeats: [100], is: 'unknown', because: 'one tells nothing of scatter' },
  { repeats: [0, 0, 5], is: 'poor', because: 'mostly nothing was done' },
])('$repeats are $is: $because', ({ repeats, is }) => {
  expect(trustOf(repeats, undefined)).toMatchObject({ is, by: 'scatter' });
});
