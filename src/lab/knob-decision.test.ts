/** Which pairs decide, and which do not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import type { ProbeComparison } from '../model/probe-result.ts';
import type { RunRecord } from '../model/run.ts';
import type { Expectation } from './knob.ts';
import { compare, decide, sentenceOf } from './knob-decision.ts';

function comparison(side: ProbeComparison['side'], bound: number, ratios: readonly number[]): ProbeComparison {
  return { of: 'transactions/s', is: 'something comes', side, bound, ratios, median: 1, pairsWithout: 0 };
}

describe('one expectation', () => {
  test.each([
    { side: 'at least', bound: 1.3, ratios: [1.3, 1.8, 5], outcome: 'convicted', because: 'the bound itself counts' },
    { side: 'at least', bound: 1.3, ratios: [1.29, 1, 0.5], outcome: 'acquitted', because: 'all lie short of it' },
    { side: 'at least', bound: 1.3, ratios: [1.29, 9, 9], outcome: 'undecided', because: 'one pair disagrees' },
    { side: 'at most', bound: 0.8, ratios: [0.8, 0.1], outcome: 'convicted', because: 'falling is meant' },
    { side: 'at most', bound: 0.8, ratios: [0.81, 1.2], outcome: 'acquitted', because: 'nothing fell enough' },
    { side: 'at least', bound: 0.95, ratios: [0.95, 1.1], outcome: 'convicted', because: 'not to fall is meant' },
  ] as const)('$ratios $side $bound: $outcome, since $because', ({ side, bound, ratios, outcome }) => {
    expect(decide([comparison(side, bound, ratios)])).toBe(outcome);
  });

  test('the order of the pairs is nothing to it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.1, max: 3, noNaN: true }), { minLength: 2, maxLength: 9 }), (ratios) => {
        const reversed = [...ratios].reverse();
        expect(decide([comparison('at least', 1.3, reversed)])).toBe(decide([comparison('at least', 1.3, ratios)]));
      }),
    );
  });

  test('what convicts a rise acquits a fall beyond the same bound', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1.01, max: 3, noNaN: true }), { minLength: 2 }), (ratios) => {
        expect(decide([comparison('at least', 1.005, ratios)])).toBe('convicted');
        expect(decide([comparison('at most', 1.005, ratios)])).toBe('acquitted');
      }),
    );
  });
});

describe('two expectations', () => {
  const came = comparison('at most', 0.8, [0.5, 0.6]);
  const failed = comparison('at least', 1.05, [1, 1.01]);
  const mixed = comparison('at least', 1.05, [1, 1.1]);

  test.each([
    { all: [came, came], outcome: 'convicted' },
    { all: [came, failed], outcome: 'acquitted' },
    { all: [failed, mixed], outcome: 'acquitted' },
    { all: [came, mixed], outcome: 'undecided' },
  ])('$outcome', ({ all, outcome }) => {
    expect(decide(all)).toBe(outcome);
    expect(sentenceOf('read-io', all).toLowerCase().startsWith(`${outcome}: where read-io is the cause, `)).toBe(true);
  });
});

describe('what is compared', () => {
  const rate: Expectation = {
    of: 'transactions/s',
    is: 'the rate rises',
    side: 'at least',
    bound: 1.1,
    measure: ({ rates }) => rates.transactionsPerS,
  };

  function withRate(transactionsPerS: number): RunRecord {
    const run = closedRun();
    return { ...run, rates: { ...run.rates, transactionsPerS } };
  }

  test('B to A, pair by pair, with the median of the ratios', () => {
    const pairs = [
      { a: withRate(100), b: withRate(150) },
      { a: withRate(200), b: withRate(220) },
      { a: withRate(100), b: withRate(300) },
    ];
    expect(compare(rate, pairs)).toMatchObject({ ratios: [1.5, 1.1, 3], median: 1.5, pairsWithout: 0 });
  });

  test('where A has next to none of it, there is nothing to take away', () => {
    const pairs = [
      { a: withRate(1), b: withRate(0) },
      { a: withRate(50), b: withRate(10) },
    ];
    expect(compare({ ...rate, floor: 1 }, pairs)).toMatchObject({ ratios: [1, 0.2], pairsWithout: 1 });
  });

  test('a run that could not see it decides nothing', () => {
    const blind: Expectation = { ...rate, measure: ({ series }) => series?.['nowhere']?.measured['nothing'] };
    expect(compare(blind, [{ a: withRate(1), b: withRate(2) }])).toBeUndefined();
  });
});
