import { expect, test } from 'vitest';
import { createRandom } from '../base/random.ts';
import { type Factor, type FactorialRun, factorialEffects, oneAtATimeEffects } from './factorial.ts';
import { normalQuantile } from './student-t.ts';

/** A simulation takes half a second; a machine that is busy with other things must not make it fail. */
const PATIENCE_MS = 60_000;

const POOL: Factor = { name: 'pool', levels: ['1G', '9G'] };
const FLUSH: Factor = { name: 'flush', levels: ['1', '2', '0'] };

interface Truth {
  readonly pool: number;
  readonly flush: Readonly<Record<string, number>>;
  readonly both: number;
}

/** Logarithms add up, blocks are as they like, and `noise` scatters each run. */
function runsOf(truth: Truth, blocks: number, noise: (block: number) => number): FactorialRun[] {
  return Array.from({ length: blocks }, (_, at) => at + 1).flatMap((block) =>
    POOL.levels.flatMap((pool) =>
      FLUSH.levels.map((flush) => {
        const isBig = pool === '9G';
        const log = (isBig ? truth.pool : 0) + truth.flush[flush]! + (isBig && flush === '2' ? truth.both : 0);
        return { block, levels: { pool, flush }, value: 1_000 * Math.exp(log + 0.3 * block + noise(block)) };
      }),
    ),
  );
}

const TRUTH: Truth = { pool: 0.2, flush: { 1: 0, 2: 0.1, 0: 0.05 }, both: 0.06 };

test('without scatter the effects are what they were made of; blocks fall out', () => {
  const { effects } = factorialEffects({ factors: [POOL, FLUSH], runs: runsOf(TRUTH, 3, () => 0) });
  const logs = Object.fromEntries(effects.map(({ of, to, effect }) => [`${of}: ${to}`, Math.log1p(effect)]));
  // Averaged over flush, the pool also gets a third of what both do together; flush 2 gets half of it.
  expect(logs['pool: 9G']).toBeCloseTo(0.2 + 0.06 / 3, 12);
  expect(logs['flush: 2']).toBeCloseTo(0.1 + 0.06 / 2, 12);
  expect(logs['flush: 0']).toBeCloseTo(0.05, 12);
  expect(logs['pool x flush: 9G x 2']).toBeCloseTo(0.06, 12);
  expect(logs['pool x flush: 9G x 0']).toBeCloseTo(0, 12);
  expect(effects).toHaveLength(5);
});

test('one at a time: each against the base alone, and the other cells are not asked for', () => {
  const needed = runsOf(TRUTH, 3, () => 0).filter(({ levels }) => levels['pool'] === '1G' || levels['flush'] === '1');
  const { effects, blocks } = oneAtATimeEffects({ factors: [POOL, FLUSH], runs: needed });
  expect(blocks).toBe(3);
  expect(effects.map(({ of, to, effect }) => [of, to, Number(Math.log1p(effect).toFixed(9))])).toEqual([
    ['pool', '9G', 0.2],
    ['flush', '2', 0.1],
    ['flush', '0', 0.05],
  ]);
  expect(factorialEffects({ factors: [POOL, FLUSH], runs: needed }).blocks).toBe(0);
});

test('a block with a cell that failed is left out whole, and named', () => {
  const runs = runsOf(TRUTH, 4, () => 0).map((run, at) => (at === 8 ? { ...run, value: 0 } : run));
  const { blocks, incomplete, effects } = factorialEffects({ factors: [POOL, FLUSH], runs });
  expect({ blocks, incomplete }).toEqual({ blocks: 3, incomplete: [2] });
  expect(Math.log1p(effects[0]!.effect)).toBeCloseTo(0.22, 12);
});

test('one block, or none: effects without an interval, p = 1, and no figure that is no number', () => {
  for (const blocks of [0, 1]) {
    const { effects } = factorialEffects({ factors: [POOL, FLUSH], runs: runsOf(TRUTH, blocks, () => 0) });
    for (const { effect, interval, p, pHolm, is } of effects) {
      expect([effect, interval.low, interval.high].every(Number.isFinite)).toBe(true);
      expect({ low: interval.low, p, pHolm }).toEqual({ low: -1, p: 1, pHolm: 1 });
      expect(is).toContain('too few complete blocks');
    }
  }
});

test('by simulation: where nothing has an effect, any is claimed in 5 % of experiments at most', {
  timeout: PATIENCE_MS,
}, () => {
  const random = createRandom(9);
  const nothing: Truth = { pool: 0, flush: { 1: 0, 2: 0, 0: 0 }, both: 0 };
  const trials = 1_000;
  let claims = 0;
  for (let trial = 0; trial < trials; trial++) {
    const runs = runsOf(nothing, 6, () => 0.03 * normalQuantile(random.next() || 0.5));
    if (factorialEffects({ factors: [POOL, FLUSH], runs }).effects.some(({ pHolm }) => pHolm < 0.05)) claims++;
  }
  // And three standard errors.
  expect(claims / trials).toBeLessThan(0.05 + 0.021);
  expect(claims).toBeGreaterThan(0);
});
