/** The sheet after a run: bounds, limits, the cap, and every deviation by name. */
import { describe, expect, test } from 'vitest';
import { closedRun } from '../../../test/fixtures/sample-runs.ts';
import { defaultsOf } from '../../base/options.ts';
import type { ConformanceLine, RunRecord } from '../../model/run.ts';
import { Histogram } from '../../stats/histogram.ts';
import { toLatencyRecord } from '../../stats/latency-record.ts';
import { tpccConformance } from './conformance.ts';
import { tpccOwnTerms } from './conformance-own-terms.ts';
import { capOf, newOrdersPerMinute } from './conformance-pace.ts';
import { minimumLine, shareBounds, shareLine } from './conformance-shares.ts';
import { type DeviationName, deviationsOf, PROFILE_NAMES } from './deviations.ts';
import { TPCC_OPTIONS, type TpccOptions } from './options.ts';

const none = new Set<DeviationName>();

describe('bounds of a share', () => {
  // scipy 1.x: binomtest(count, total).proportion_ci(0.99, 'wilson')
  test.each([
    { count: 10, total: 1_000, low: 0.004530055521673154, high: 0.02192928608366554 },
    { count: 0, total: 50, low: 0, high: 0.11715209171762797 },
    { count: 150, total: 1_000, low: 0.12322606611221885, high: 0.18138774932016594 },
    { count: 1, total: 1, low: 0.13097754328018596, high: 1 },
  ])('$count of $total', ({ count, total, low, high }) => {
    const bounds = shareBounds(count, total);
    expect(bounds.low).toBeCloseTo(low, 12);
    expect(bounds.high).toBeCloseTo(high, 12);
  });

  test.each([
    { count: 100, total: 10_000, conforms: 'yes', because: 'it is what is wanted' },
    { count: 120, total: 10_000, conforms: 'yes', because: 'chance reaches so far' },
    { count: 140, total: 10_000, conforms: 'no', because: 'chance does not reach so far' },
    { count: 0, total: 10_000, conforms: 'no', because: 'there should be a hundred' },
    { count: 0, total: 100, conforms: 'yes', because: 'of so few it may be none' },
    { count: 0, total: 0, conforms: 'unknown', because: 'nothing was drawn' },
  ] as const)('$count of $total, 1 % wanted: $conforms, $because', ({ count, total, conforms }) => {
    expect(shareLine({ is: 'share', count, total, wanted: 1 }).conforms).toBe(conforms);
  });

  test.each([
    { count: 431, hasMargin: true, conforms: 'yes' },
    { count: 429, hasMargin: true, conforms: 'unknown' },
    { count: 380, hasMargin: true, conforms: 'no' },
    { count: 429, hasMargin: false, conforms: 'deviates' },
  ] as const)('$count of 1,000, at least 43 %: $conforms', ({ conforms, ...rest }) => {
    expect(minimumLine({ is: 'share', total: 1_000, wanted: 43, ...rest }).conforms).toBe(conforms);
  });
});

interface Measured {
  readonly elapsedS?: number;
  readonly terminals?: number;
  readonly terminalTimeFactor?: number;
  readonly tallies?: Readonly<Record<string, number>>;
  /** Of all five types, milliseconds. */
  readonly serviceMs?: readonly number[];
  readonly responseMs?: readonly number[];
}

const COMMITTED = { new_order: 44_055, payment: 43_100, order_status: 4_100, delivery: 4_100, stock_level: 4_200 };
const TALLIES = {
  order_lines: 445_000,
  remote_order_lines: 4_420,
  payments: 43_100,
  remote_payments: 6_470,
  payments_by_name: 25_900,
  order_statuses: 4_100,
  order_statuses_by_name: 2_450,
  delivery_districts: 41_000,
  delivery_districts_skipped: 0,
};

function latencyOf(values: readonly number[]) {
  const histogram = new Histogram();
  for (const ms of values) histogram.record(ms * 1_000);
  return toLatencyRecord(histogram);
}

/** A good run: 100,000 transactions, each share as it should be. */
function runOf(measured: Measured = {}): RunRecord {
  const { elapsedS = 7_200, terminals = 0, terminalTimeFactor = 1, serviceMs = [5, 10, 20], responseMs } = measured;
  const run = closedRun();
  const latency = {
    service: latencyOf(serviceMs),
    ...(responseMs === undefined ? {} : { response: latencyOf(responseMs) }),
  };
  return {
    ...run,
    load: { ...run.load, ...(terminals === 0 ? {} : { mode: 'terminals', terminals, terminalTimeFactor }) },
    totals: {
      ...run.totals,
      elapsedS,
      transactions: { committed: 99_555, byName: COMMITTED, rolledBack: { new_order: 445 } },
      tallies: { ...TALLIES, ...measured.tallies },
    },
    latency: {
      ...run.latency,
      transactions: Object.fromEntries(Object.keys(COMMITTED).map((name) => [name, latency])),
    },
  };
}

function optionsOf(options: Partial<TpccOptions> = {}): TpccOptions {
  return { ...defaultsOf(TPCC_OPTIONS), scale: 10, ...options };
}

function lineOf(lines: readonly ConformanceLine[], is: string): ConformanceLine {
  const line = lines.find((candidate) => candidate.is === is);
  if (line === undefined) throw new Error(`no line '${is}' among: ${lines.map((each) => each.is).join('; ')}`);
  return line;
}

function marks(lines: readonly ConformanceLine[], mark: ConformanceLine['conforms']): string[] {
  return lines.filter(({ conforms }) => conforms === mark).map(({ is }) => is);
}

describe('the sheet', () => {
  test('of a good run flat out deviates in that nobody thinks, and in nothing else', () => {
    const lines = tpccConformance(runOf(), optionsOf());
    expect(marks(lines, 'no')).toEqual([]);
    expect(marks(lines, 'unknown')).toEqual([]);
    expect(marks(lines, 'deviates')).toEqual(['Keying and thinking times', 'New orders per minute', 'Home warehouse']);
    expect(lineOf(lines, 'Keying and thinking times').measured).toBe('no terminals: flat out');
  });

  test('of a good run with ten terminals a warehouse deviates in nothing', () => {
    // The cap of 100 terminals is 127 new orders a minute: 44,055 of them take nearly six hours.
    const lines = tpccConformance(runOf({ terminals: 100, elapsedS: 21_000 }), optionsOf());
    expect(lines.filter(({ conforms }) => conforms !== 'yes')).toEqual([]);
    expect(lineOf(lines, 'New orders per minute').measured).toBe('125.9, 99.5 % of the cap');
  });

  test.each([
    { terminals: 90, elapsedS: 24_000, deviates: ['Terminals per warehouse'] },
    { terminals: 100, elapsedS: 10_500, terminalTimeFactor: 0.5, deviates: ['Keying and thinking times'] },
  ])('of other users: $deviates', ({ deviates, ...measured }) => {
    const lines = tpccConformance(runOf(measured), optionsOf());
    expect(marks(lines, 'deviates')).toEqual(deviates);
    expect(marks(lines, 'no')).toEqual([]);
  });

  test.each([
    { elapsedS: 40_000, because: 'the server is too slow for so many' },
    { elapsedS: 18_000, because: 'nobody can be faster than the users' },
  ])('of a result outside the band: $because', ({ elapsedS }) => {
    const lines = tpccConformance(runOf({ terminals: 100, elapsedS }), optionsOf());
    expect(marks(lines, 'no')).toEqual(['New orders per minute']);
  });

  test('of one warehouse: nothing can be remote', () => {
    const lines = tpccConformance(
      runOf({ tallies: { remote_order_lines: 0, remote_payments: 0 } }),
      optionsOf({ scale: 1 }),
    );
    for (const is of ['Order lines from another warehouse', 'Payments at another warehouse']) {
      expect(lineOf(lines, is)).toMatchObject({ conforms: 'unknown', note: 'Not applicable: there is one warehouse.' });
    }
  });

  test.each([
    { tallies: { remote_order_lines: 0 }, is: 'Order lines from another warehouse' },
    { tallies: { remote_payments: 5_000 }, is: 'Payments at another warehouse' },
    { tallies: { payments_by_name: 21_550 }, is: 'Payments by last name' },
    { tallies: { order_statuses_by_name: 0 }, is: 'Order statuses by last name' },
    { tallies: { delivery_districts_skipped: 500 }, is: 'Districts that had nothing to deliver' },
    { tallies: { rows_not_found: 1 }, is: 'Transactions that missed a row they need' },
  ])('says no to $tallies', ({ tallies, is }) => {
    expect(marks(tpccConformance(runOf({ tallies }), optionsOf()), 'no')).toEqual([is]);
  });

  test('judges the 90th percentile of each type by its limit, with terminals that of the response', () => {
    const slow = Array.from({ length: 100 }, (_, index) => (index < 80 ? 10 : 6_000));
    const wrong = ['Nine of ten new orders', 'Nine of ten payments', 'Nine of ten order statuses'];
    expect(marks(tpccConformance(runOf({ serviceMs: slow }), optionsOf()), 'no')).toEqual(wrong);
    const waiting = runOf({ terminals: 100, elapsedS: 21_000, responseMs: slow });
    expect(marks(tpccConformance(waiting, optionsOf()), 'no')).toEqual(wrong);
    const waited = optionsOf({ deviations: ['delivery_not_deferred'] });
    expect(marks(tpccConformance(waiting, waited), 'no')).toEqual([...wrong, 'Nine of ten deliveries']);
  });

  test('says when a few transactions starve', () => {
    const starving = Array.from({ length: 100 }, (_, index) => (index < 95 ? 10 : 4_000));
    expect(marks(tpccConformance(runOf({ serviceMs: starving }), optionsOf()), 'no')).toEqual(['Mean response time']);
  });

  test('of a short run under read committed', () => {
    const lines = tpccConformance(runOf({ elapsedS: 60 }), optionsOf({ trx_level: 'RC' }));
    expect(marks(lines, 'deviates')).toEqual(expect.arrayContaining(['Isolation', 'Measured part']));
  });

  test.each(PROFILE_NAMES)('of %s names every deviation, with what it breaks', (profile) => {
    const options = optionsOf({ profile, enable_purge: profile === 'sysbench-tpcc' });
    const lines = tpccConformance(runOf(), options);
    for (const name of deviationsOf(options)) {
      const line = lineOf(lines, name);
      expect(line.conforms).toBe('deviates');
      expect(line.note).toMatch(/\.$/);
    }
    const notes = lines.map(({ note = '' }) => note).join(' ');
    expect(notes.includes('conditions 10 and 12 of check')).toBe(profile === 'hammerdb');
    expect(notes.includes('conditions 8, 9, 10 and 12 of check')).toBe(profile === 'sysbench-tpcc');
    expect(marks(lines, 'no')).toEqual([]);
  });

  test('of nothing done says that it does not know', () => {
    const { latency, ...run } = runOf();
    const empty: RunRecord = {
      ...run,
      latency: { ...latency, transactions: {} },
      totals: { ...run.totals, elapsedS: 0, transactions: { committed: 0, byName: {} }, tallies: {} },
    };
    const lines = tpccConformance(empty, optionsOf());
    expect(marks(lines, 'no')).toEqual([]);
    expect(JSON.stringify([lines, tpccOwnTerms(empty, optionsOf())])).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('new orders per minute', () => {
  test('are those that were committed', () => {
    expect(newOrdersPerMinute(runOf({ elapsedS: 60 }))).toBe(44_055);
  });

  test('have a cap by the mix that was measured', () => {
    // 44,500 new orders, of which 44,055 count, in the time that the users of 100 terminals take for 100,000.
    const seconds = 44_500 * 30 + 43_100 * 15 + 4_100 * 12 + 4_100 * 7 + 4_200 * 7;
    expect(capOf(runOf(), 100, none)).toBeCloseTo((44_055 / seconds) * 60 * 100, 9);
    expect(capOf(runOf({ terminals: 100, terminalTimeFactor: 0.1 }), 100, none)).toBeCloseTo(
      (44_055 / seconds) * 60 * 1_000,
      6,
    );
  });

  test('are told with every type, and as the tool would', () => {
    const run = runOf({ elapsedS: 60 });
    expect(tpccOwnTerms(run, optionsOf())).toEqual([
      'TPC-C-like workload:',
      '    new orders per minute     44,055.0 (committed; those rolled back on purpose do not count)',
      '    new_order                 44,055 committed, 445 rolled back on purpose, 90th percentile 20.00 ms',
      '    payment                   43,100 committed, 90th percentile 20.00 ms',
      '    order_status              4,100 committed, 90th percentile 20.00 ms',
      '    delivery                  4,100 committed, 90th percentile 20.00 ms',
      '    stock_level               4,200 committed, 90th percentile 20.00 ms',
    ]);
    const told = (profile: TpccOptions['profile']) => tpccOwnTerms(run, optionsOf({ profile })).join('\n');
    expect(told('sysbench-tpcc')).toContain('as the tool counts      44,500.0');
    expect(told('go-tpc')).toMatch(/efficiency +34,603\.4 % of 12\.86 per warehouse/);
    // With the 27 rollbacks that the engine sent after errors.
    expect(told('hammerdb')).toMatch(/transactions per minute +100,027\.0 /);
    expect(told('spec')).not.toMatch(/as the tool|tpmC/);
  });
});
