import { describe, expect, test } from 'vitest';
import { POOL, SWEEP_WISH } from '../../../test/fixtures/sample-sweeps.ts';
import type { ExperimentPlan, Variant } from '../../model/experiment.ts';
import { schedule } from './schedule.ts';
import { numberOf, planOfSweep, sweptBy } from './sweep-plan.ts';

describe('a sweep over threads', () => {
  const { plan, problems } = planOfSweep(SWEEP_WISH);

  test('is an experiment whose variants are the values, and the first is the baseline', () => {
    expect(problems).toEqual([]);
    expect(plan).toMatchObject({
      name: 'sweep-oltp-read-only-threads',
      target: 'private',
      workload: 'oltp_read_only',
      workloadOptions: { tables: 4 },
      loadOptions: { time: 10 },
      baseline: '1',
      design: { is: 'blocks' },
      blocks: 3,
      stop: { is: 'fixed' },
      start: { data: 'restored', cache: 'warm' },
      metric: 'transactions/s',
      marginShare: 0.02,
      seed: 7,
      notes: [],
    });
    expect(plan.variants.map(({ name, load }) => [name, load])).toEqual(
      [1, 2, 4, 8, 16, 32].map((threads) => [String(threads), { threads }]),
    );
  });

  test('has every value once in each block, in an order of its own', () => {
    const runs = schedule(plan);
    const orders = [1, 2, 3].map((block) => runs.filter((run) => run.block === block).map(({ variant }) => variant));
    for (const order of orders) expect([...order].sort()).toEqual([...SWEEP_WISH.values].sort());
    expect(new Set(orders.map(String)).size).toBe(3);
  });

  test('is known again by its plan', () => {
    expect(sweptBy(plan)).toEqual({
      over: 'threads',
      of: 'load',
      values: new Map(SWEEP_WISH.values.map((value) => [value, value])),
    });
  });
});

test('values keep the order in which they were given', () => {
  const { plan } = planOfSweep({ ...SWEEP_WISH, values: ['8', '2', '16'] });
  expect(plan.variants.map(({ name }) => name)).toEqual(['8', '2', '16']);
  expect(plan.baseline).toBe('8');
});

test('a setting stays as the option file takes it', () => {
  const { plan, problems } = planOfSweep({ ...SWEEP_WISH, ...POOL });
  expect(problems).toEqual([]);
  expect(plan.variants[2]).toEqual({
    name: '128M',
    is: 'innodb_buffer_pool_size 128M',
    settings: { innodb_buffer_pool_size: '128M' },
  });
  expect(sweptBy(plan)).toMatchObject({ of: 'settings', over: 'innodb_buffer_pool_size' });
});

test('values that cannot be names get some', () => {
  const values = ['READ-COMMITTED', 'a b', 'a/b', '-1'];
  const { plan, problems } = planOfSweep({ ...SWEEP_WISH, over: 'tx_isolation', of: 'settings', values });
  expect(problems).toEqual([]);
  expect(plan.variants.map(({ name }) => name)).toEqual(['READ-COMMITTED', 'a_b', 'a_b_3', '_1']);
  expect([...(sweptBy(plan)?.values.values() ?? [])]).toEqual(values);
});

test.each([
  { because: 'an option that there is not', wish: { over: 'thredas' }, says: /'thredas' is no option of the load/ },
  { because: 'a value that it does not take', wish: { values: ['1', 'many'] }, says: /--threads must be/ },
  {
    because: 'a setting of a server that is not private',
    wish: { ...POOL, target: 'mysql://ben@db1:3306/shop' },
    says: /An option file is for private servers alone/,
  },
  {
    because: 'a setting that a private server keeps to itself',
    wish: { ...POOL, over: 'datadir', values: ['a', 'b'] },
    says: /datadir/,
  },
])('$because is refused', ({ wish, says }) => {
  const { problems } = planOfSweep({ ...SWEEP_WISH, ...wish } as typeof SWEEP_WISH);
  expect(problems.map(({ is }) => is).join('\n')).toMatch(says);
});

describe('an experiment is no sweep where', () => {
  const { plan } = planOfSweep(SWEEP_WISH);
  test.each<{ because: string; variants: readonly Variant[] }>([
    { because: 'a variant changes nothing', variants: [{ name: 'as it is' }, { name: '8', load: { threads: 8 } }] },
    {
      because: 'variants change different things',
      variants: [
        { name: '8', load: { threads: 8 } },
        { name: 'slow', load: { rate: 8 } },
      ],
    },
    { because: 'a variant changes two things', variants: [{ name: 'a', load: { threads: 8, rate: 8 } }] },
    { because: 'it is something else that changes', variants: [{ name: 'a', engine: 'InnoDB' }] },
    { because: 'there are no variants', variants: [] },
  ])('$because', ({ variants }) => {
    expect(sweptBy({ ...plan, variants } as ExperimentPlan)).toBeUndefined();
  });
});

test.each([
  ['16', 16],
  ['0.5', 0.5],
  ['128M', 2 ** 27],
  ['1g', 2 ** 30],
  ['4K', 4_096],
  ['uniform', undefined],
  ['1.2.3', undefined],
  ['', undefined],
])('%s is the number %s', (value, number) => {
  expect(numberOf(value)).toBe(number);
});
