import { describe, expect, test } from 'vitest';
import {
  CURVE,
  onCurve,
  POOL,
  type SampleSweepOptions,
  SWEEP_WISH,
  sampleSweep,
} from '../../../test/fixtures/sample-sweeps.ts';
import { sweepSchema } from '../../model/sweep-schema.ts';
import { analyseSweep } from './sweep.ts';

function analysed(options: SampleSweepOptions) {
  const { record, runs } = sampleSweep(options);
  const result = analyseSweep(record, runs);
  if (result === undefined) throw new Error('it is a sweep');
  expect(sweepSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  return result;
}

describe('over threads', () => {
  const ratesPerS = SWEEP_WISH.values.map((value) => onCurve(Number(value)));

  test('a curve is laid through all runs, and its peak told', () => {
    const { curve, values, is, knee } = analysed({ ratesPerS, scatter: 0.005, wish: { repeats: 5 } });
    expect(knee).toBeUndefined();
    if (curve?.is !== 'fitted') throw new Error('it is fitted');
    expect(curve.lambda.value).toBeCloseTo(CURVE.lambda, -1);
    const peak = Math.sqrt((1 - CURVE.sigma) / CURVE.kappa);
    expect(curve.peak?.n.interval.low).toBeLessThan(peak);
    expect(curve.peak?.n.interval.high).toBeGreaterThan(peak);
    expect(is).toMatch(/^Most is done with threads = (?:16|32): [\d,.]+\/s\. Throughput peaks near N = 2\d/);
    for (const [at, { curvePerS = 0, ratePerS }] of values.entries()) {
      expect(Math.abs(curvePerS / ratesPerS[at]! - 1)).toBeLessThan(0.02);
      expect(ratePerS?.min).toBeLessThanOrEqual(ratePerS!.median);
      expect(ratePerS?.max).toBeGreaterThanOrEqual(ratePerS!.median);
    }
  });

  test('how far it may be trusted is said', () => {
    const { notes } = analysed({ ratesPerS, scatter: 0.005 });
    expect(notes.join('\n')).toMatch(/trusted to N = 64, twice the largest N measured/);
  });

  test('values come in their order as numbers, whatever order they were given in', () => {
    const values = ['16', '2', '1', '8'];
    const result = analysed({ wish: { values }, ratesPerS: values.map((value) => onCurve(Number(value))) });
    expect(result.values.map(({ value }) => value)).toEqual(['1', '2', '8', '16']);
    expect(result.values.map(({ ratesPerS: rates }) => rates.length)).toEqual([3, 3, 3, 3]);
  });

  test('too few values give no curve, and why', () => {
    const { curve, notes } = analysed({ wish: { values: ['1', '2'] }, ratesPerS: [500, 900] });
    expect(curve).toMatchObject({ is: 'not-fitted' });
    expect(notes).toEqual([expect.stringMatching(/^No curve: 2 different N/)]);
  });
});

describe('over a size', () => {
  const pool = (ratesPerS: readonly number[], more: Partial<SampleSweepOptions> = {}) =>
    analysed({ wish: POOL, ratesPerS, ...more });

  test('the knee is the smallest that loses no more than the margin', () => {
    const { knee, is } = pool([310, 590, 1_010, 1_190, 1_195], { scatter: 0.002 });
    expect(knee).toMatchObject({ value: '256M', reference: '512M', sureFrom: '256M', isAtEnd: false });
    expect(knee?.comparisons.map(({ value, pairs }) => [value, pairs])).toEqual(POOL.values.map((value) => [value, 3]));
    expect(is).toMatch(/= 256M does as well as 512M \(1,\d+\/s\), within 2\.0 %; less does not\. That much is sure/);
  });

  test('where runs scatter, it says of which value it is sure', () => {
    const { knee, is } = pool([310, 590, 1_010, 1_190, 1_195], { scatter: 0.05, wish: { ...POOL, marginShare: 0.1 } });
    expect(knee?.reference).toMatch(/^(?:256M|512M)$/);
    expect(knee?.sureFrom).toBeUndefined();
    expect(is).toMatch(/The runs scatter: with 95 % it is sure of none below it\./);
  });

  test('where it rises to the end, the knee may lie beyond', () => {
    const { knee, is } = pool([100, 200, 300, 400, 500], { scatter: 0.002 });
    expect(knee).toMatchObject({ value: '512M', isAtEnd: true });
    expect(is).toMatch(/^The rate still rises at the largest innodb_buffer_pool_size, 512M/);
  });

  test('where all do as well, there is none', () => {
    const { knee, is } = pool([1_000, 1_001, 999, 1_002, 1_000], { scatter: 0.001 });
    expect(knee).toMatchObject({ value: '32M', sureFrom: '32M' });
    expect(is).toMatch(/^Every innodb_buffer_pool_size from 32M on does as well as 512M .* no knee is seen\.$/);
  });

  test('where more does harm, the best is what the others are compared with', () => {
    const { knee } = pool([500, 990, 1_000, 800, 600], { scatter: 0.001 });
    expect(knee).toMatchObject({ value: '64M', reference: '128M' });
  });

  test('where the best has no equal below it, it is the knee', () => {
    const { knee, is } = pool([500, 700, 1_000, 800, 600], { scatter: 0.001 });
    expect(knee).toMatchObject({ value: '128M', reference: '128M', isAtEnd: false });
    expect(is).toMatch(
      /^innodb_buffer_pool_size = 128M does best \(\d[\d,.]+\/s\); with less, more than 2\.0 % is lost\.$/,
    );
  });

  test('what drifts from block to block is not in the difference', () => {
    let run = 0;
    const drifting = {
      change: (record: { rates: { transactionsPerS: number; statementsPerS: number } }) => {
        const block = Math.floor(run++ / 5);
        return { rates: { ...record.rates, transactionsPerS: record.rates.transactionsPerS * 1.3 ** block } };
      },
    };
    const { knee, notes } = pool([310, 590, 1_010, 1_190, 1_195], { scatter: 0.002, ...drifting });
    expect(knee).toMatchObject({ value: '256M', sureFrom: '256M' });
    expect(notes).toEqual([expect.stringMatching(/^Runs of one value differ by up to 5\d\.\d %/)]);
  });

  test('one run of each tells where it seems to be, and that nothing is sure', () => {
    const { knee, notes } = pool([310, 590, 1_010, 1_190, 1_195], { wish: { ...POOL, repeats: 1 } });
    expect(knee).toMatchObject({ value: '256M' });
    expect(knee?.comparisons[0]).not.toHaveProperty('interval90');
    expect(notes.join('\n')).toMatch(/raise --repeats/);
  });
});

describe('over a rate', () => {
  const rate = (ratesPerS: readonly number[]) =>
    analysed({ wish: { over: 'rate', values: ['100', '200', '400'] }, ratesPerS });

  test.each([
    { ratesPerS: [100, 201, 398], says: 'The server keeps up with every rate that was tried, up to 400/s.' },
    { ratesPerS: [100, 199, 250], says: 'The server keeps up until 200/s; at 400/s only 250.0/s were done.' },
    { ratesPerS: [50, 52, 51], says: 'The server keeps up with none of the rates; at 100/s only 50.00/s were done.' },
  ])('$says', ({ ratesPerS, says }) => {
    const result = rate(ratesPerS);
    expect(result.is).toBe(says);
    expect(result).not.toHaveProperty('knee');
    expect(result).not.toHaveProperty('curve');
  });
});

test('values that are no numbers stay in their order, and the best is named', () => {
  const result = analysed({ wish: { over: 'rand_type', values: ['uniform', 'pareto'] }, ratesPerS: [900, 1_300] });
  expect(result.values.map(({ value }) => value)).toEqual(['uniform', 'pareto']);
  expect(result.is).toBe('Most is done with rand_type = pareto: 1,300/s.');
  expect(result.values[0]).not.toHaveProperty('number');
});

describe('cut short', () => {
  test('what was measured is reported', () => {
    const { record, runs } = sampleSweep({ ratesPerS: [500, 900, 1_500, 2_300, 2_900, 2_700], runsDone: 8 });
    const result = analyseSweep(record, runs);
    expect(result?.values.reduce((sum, value) => sum + value.runs.length, 0)).toBe(8);
    expect(result?.notes[0]).toMatch(/^It ended early: some values have fewer runs/);
    expect(result?.ending?.kind).toBe('interrupted');
  });

  test('before the first run there is nothing', () => {
    const { record } = sampleSweep({ wish: POOL, ratesPerS: [], runsDone: 0 });
    const result = analyseSweep(record, []);
    expect(result?.is).toBe('Nothing was measured.');
    expect(result?.values.every(({ ratePerS }) => ratePerS === undefined)).toBe(true);
  });
});

test('values that differ in durability are not of equal worth', () => {
  const { notes } = analysed({
    wish: { over: 'innodb_flush_log_at_trx_commit', of: 'settings', values: ['1', '2'] },
    ratesPerS: [500, 900],
    change: (_, value) => ({ durability: { is: value === '1' ? 'D4' : 'D2', because: '' } }),
  });
  expect(notes.join('\n')).toMatch(/differ in what a crash loses.*1 D4, 2 D2/);
});
