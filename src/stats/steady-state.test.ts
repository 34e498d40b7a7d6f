/** Coverage by simulation: series whose truth is known, with the scatter that real runs have. */
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../base/random.ts';
import { BATCHES_MIN, type SteadyState, steadyState } from './steady-state.ts';

const SERIES = 200;

/** Batches of 1,000/s times `shape`, with 5 % of scatter of which neighbours share 0.6. */
function series(random: Random, length: number, shape: (at: number) => number): number[] {
  let shared = 0;
  return Array.from({ length }, (_, at) => {
    shared = 0.6 * shared + Math.sqrt(1 - 0.36) * normal(random);
    // A batch is the mean of five seconds, whose scatter is about half of that of one.
    return 1_000 * shape(at) * Math.exp(0.025 * shared);
  });
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log1p(-random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** Share of simulated runs for which `holds`. */
function share(length: number, shape: (at: number) => number, holds: (found: SteadyState) => boolean): number {
  let count = 0;
  for (let run = 0; run < SERIES; run++) {
    if (holds(steadyState(series(createRandom(20_261_130, run), length, shape)))) count++;
  }
  return count / SERIES;
}

const unsteady = ({ is }: SteadyState) => is === 'unsteady';

describe('of random arrivals', () => {
  /** Events per second in batches of 2.5 s, as many as a minute has, where they arrive at random. */
  function arrivals(random: Random, perBatch: (at: number) => number): number[] {
    return Array.from({ length: 24 }, (_, at) => {
      let count = -1;
      for (let waited = 0; waited < perBatch(at); count++) waited += -Math.log1p(-random.next());
      return count / 2.5;
    });
  }

  function steadyShare(perBatch: (at: number) => number, chance: object): number {
    let count = 0;
    for (let run = 0; run < SERIES; run++) {
      if (steadyState(arrivals(createRandom(41, run), perBatch), chance).is === 'steady') count++;
    }
    return count / SERIES;
  }

  test.each([10, 75, 1_000])('%i in a batch, what chance does is no unsteadiness', (mean) => {
    expect(steadyShare(() => mean, { eventsPerBatch: mean })).toBeGreaterThan(0.95);
  });

  test('which it looks like, where it is not known that they are', () => {
    expect(steadyShare(() => 75, {})).toBeLessThan(0.8);
  });

  test('a real drift is found all the same', () => {
    expect(steadyShare((at) => 300 * (1 + at / 24), { eventsPerBatch: 450 })).toBeLessThan(0.05);
  });
});

describe('of runs of three minutes, in batches of five seconds', () => {
  test('those that are steady are nearly always taken for it', () => {
    expect(
      share(
        36,
        () => 1,
        ({ is }) => is === 'steady',
      ),
    ).toBeGreaterThan(0.85);
  });

  test('a warm-up is cut off, and what is left is right to half a per cent', () => {
    const warmUp = (at: number) => 1 - 0.6 * Math.exp(-at / 2);
    expect(share(36, warmUp, ({ cut, beginning }) => cut >= 3 && beginning === 'slower')).toBeGreaterThan(0.9);
    const means: number[] = [];
    for (let run = 0; run < SERIES; run++) {
      const rates = series(createRandom(7, run), 36, warmUp);
      const { cut } = steadyState(rates);
      const kept = rates.slice(cut);
      means.push(kept.reduce((sum, rate) => sum + rate, 0) / kept.length);
    }
    const bias = means.reduce((sum, rate) => sum + rate, 0) / means.length / 1_000 - 1;
    expect(Math.abs(bias)).toBeLessThan(0.005);
  });

  test('a step of ten per cent is found', () => {
    expect(share(36, (at) => (at < 24 ? 1 : 0.9), unsteady)).toBeGreaterThan(0.97);
  });

  test('a cliff at the end is found, and called one', () => {
    expect(
      share(
        36,
        (at) => (at < 32 ? 1 : 0.5),
        ({ signs }) => signs[0] === 'cliff',
      ),
    ).toBeGreaterThan(0.97);
  });

  test('stalls are found and counted', () => {
    const stalls = (at: number) => (at % 9 === 4 ? 0.3 : 1);
    expect(share(36, stalls, ({ signs, stalls: count }) => signs.includes('stalls') && count >= 2)).toBeGreaterThan(
      0.9,
    );
  });

  test('a drift of thirty per cent is found', () => {
    expect(share(36, (at) => 1 - (0.3 * at) / 36, unsteady)).toBeGreaterThan(0.97);
  });

  test('what ran out at the beginning is told: the rest is slower', () => {
    const runOut = (at: number) => (at < 9 ? 2 : 1);
    expect(share(36, runOut, ({ beginning }) => beginning === 'faster')).toBeGreaterThan(0.9);
  });
});

test('fewer batches than needed, or none with any work, say nothing', () => {
  expect(steadyState(Array.from({ length: BATCHES_MIN - 1 }, () => 1_000)).is).toBe('too-short');
  expect(steadyState(Array.from({ length: BATCHES_MIN }, () => 0)).is).toBe('too-short');
  expect(steadyState(Array.from({ length: BATCHES_MIN }, () => 1_000)).is).toBe('steady');
});

test('a batch in which nothing was done is a stall, not a mistake of arithmetic', () => {
  const found = steadyState(Array.from({ length: 30 }, (_, at) => (at === 20 ? 0 : 1_000 + (at % 3))));
  expect(found).toMatchObject({ is: 'unsteady', signs: ['stalls'], stalls: 1 });
});
