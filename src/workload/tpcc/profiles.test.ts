/** Mix, times and the cap that follows from them. */
import { describe, expect, test } from 'vitest';
import { type DeviationName, deviationsOf } from './deviations.ts';
import { capPerTerminal, RULES, TRANSACTION_NAMES, timesOf, weightsOf } from './profiles.ts';

const none = new Set<DeviationName>();

describe('the cap of ten terminals', () => {
  test.each([
    { on: ['mix_without_margin'], cap: 12.86, because: '45 new orders in 2,099 s, as the usual figure has it' },
    { on: ['mix_by_deck_shares'], cap: 12.605, because: '10 new orders in 476 s' },
    { on: ['mix_by_deck_shares', 'think_times_swapped'], cap: 12.605, because: 'both types have the same share' },
    { on: [], cap: 12.782, because: 'the margin of the other types is taken from new orders' },
  ] as const)('$on: $cap, $because', ({ on, cap }) => {
    const switches = new Set<DeviationName>(on);
    expect(capPerTerminal(weightsOf(switches), switches) * 10).toBeCloseTo(cap, 2);
  });

  test('is nothing where nothing was done', () => {
    const nothing = { new_order: 0, payment: 0, order_status: 0, delivery: 0, stock_level: 0 };
    expect(capPerTerminal(nothing, none)).toBe(0);
  });
});

test.each(['spec', 'sysbench-tpcc', 'hammerdb'] as const)('the weights of %s are above every minimum', (profile) => {
  const weights = weightsOf(deviationsOf({ profile, deviations: [] }));
  const sum = TRANSACTION_NAMES.reduce((all, name) => all + weights[name], 0);
  for (const name of TRANSACTION_NAMES) {
    expect((weights[name] / sum) * 100, name).toBeGreaterThan(RULES[name].shareMin ?? 0);
  }
});

test('users of hammerdb think longer after a delivery than after an order status', () => {
  const on = deviationsOf({ profile: 'hammerdb', deviations: [] });
  expect(timesOf('delivery', on).thinkMeanS).toBe(10);
  expect(timesOf('order_status', on).thinkMeanS).toBe(5);
  expect(timesOf('delivery', none).thinkMeanS).toBe(5);
  expect(timesOf('order_status', none).thinkMeanS).toBe(10);
  expect(timesOf('stock_level', on)).toEqual(timesOf('stock_level', none));
});
