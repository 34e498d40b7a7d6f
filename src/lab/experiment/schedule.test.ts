import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExperimentPlan } from '../../model/experiment.ts';
import { readExperimentFile } from './file/read-file.ts';
import { schedule } from './schedule.ts';

const LETTERS = 'ABCDEFGHIJKLMNOP';

function planOf(variants: number, blocks: number, seed = 1): ExperimentPlan {
  const names = [...LETTERS.slice(0, variants)].join(': , ');
  const text = `workload: quiz\nvariants: {${names}: }\npairs: ${blocks}\nseed: ${seed}`;
  return readExperimentFile(text, { path: 'x.yaml' }).plan;
}

/** `AB`, one for each block. */
function ordersOf(plan: ExperimentPlan): string[] {
  const orders: string[] = [];
  for (const { block, variant } of schedule(plan)) orders[block - 1] = (orders[block - 1] ?? '') + variant;
  return orders;
}

const anyPlan = fc
  .record({
    variants: fc.integer({ min: 1, max: 9 }),
    blocks: fc.integer({ min: 1, max: 30 }),
    seed: fc.integer({ min: 1, max: 1e9 }),
  })
  .map(({ variants, blocks, seed }) => planOf(variants, blocks, seed));

describe('each block', () => {
  test('has every variant once', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const all = LETTERS.slice(0, plan.variants.length);
        expect(ordersOf(plan).map((order) => [...order].sort().join(''))).toEqual(
          Array.from({ length: plan.blocks }, () => all),
        );
      }),
    );
  });

  test('has a seed of its own, which its variants share', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const runs = schedule(plan);
        const seeds = new Map(runs.map(({ block, seed }) => [block, seed]));
        expect(runs.every(({ block, seed }) => seeds.get(block) === seed && seed > 0)).toBe(true);
        expect(new Set(seeds.values()).size).toBe(plan.blocks);
      }),
    );
  });
});

describe('over the blocks', () => {
  test('runs are numbered as they are done', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const runs = schedule(plan);
        expect(runs.map(({ number }) => number)).toEqual(
          Array.from({ length: plan.blocks * plan.variants.length }, (_, index) => index + 1),
        );
        expect(runs.map(({ block }) => block)).toEqual(runs.map(({ block }) => block).sort((a, b) => a - b));
      }),
    );
  });

  test('wherever one stops, no variant had a place twice more than another', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const letters = [...LETTERS.slice(0, plan.variants.length)];
        const orders = ordersOf(plan);
        for (let blocks = 1; blocks <= orders.length; blocks++) {
          for (let place = 0; place < letters.length; place++) {
            const done = orders.slice(0, blocks);
            const counts = letters.map((letter) => done.filter((order) => order[place] === letter).length);
            expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('after twice as many blocks as variants, each followed each other equally often', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 1e9 }), (variants, seed) => {
        const pairs = new Map<string, number>();
        for (const order of ordersOf(planOf(variants, 2 * variants, seed))) {
          for (let at = 1; at < order.length; at++) {
            const pair = order.slice(at - 1, at + 1);
            pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
          }
        }
        expect(pairs.size).toBe(variants * (variants - 1));
        expect([...new Set(pairs.values())]).toEqual([2]);
      }),
    );
  });

  test('with two variants a drift cancels out, even one that gets faster', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (seed) => {
        const orders = ordersOf(planOf(2, 24, seed));
        for (let from = 0; from < orders.length; from += 4) {
          const signs = orders.slice(from, from + 4).map((order) => (order === 'AB' ? 1 : -1));
          expect(signs.reduce((sum, sign) => sum + sign, 0)).toBe(0);
          expect(signs.reduce((sum, sign, block) => sum + sign * block, 0)).toBe(0);
        }
      }),
    );
  });
});

describe('the seed', () => {
  test('gives the same runs again', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(schedule(plan)).toEqual(schedule(plan));
      }),
    );
  });

  test('decides who begins: both do, over many seeds about equally often', () => {
    const first = Array.from({ length: 200 }, (_, seed) => schedule(planOf(2, 6, seed + 1))[0]?.variant);
    const count = first.filter((variant) => variant === 'A').length;
    expect(count).toBeGreaterThan(60);
    expect(count).toBeLessThan(140);
  });

  test('leaves no order out', () => {
    const orders = new Set(Array.from({ length: 200 }, (_, seed) => ordersOf(planOf(3, 1, seed + 1))[0]));
    expect([...orders].sort()).toEqual(['ABC', 'ACB', 'BAC', 'BCA', 'CAB', 'CBA']);
  });
});
