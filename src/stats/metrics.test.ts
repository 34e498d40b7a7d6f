import { describe, expect, test } from 'vitest';
import { closedRun, emptyRun, failedRun, openRun } from '../../test/fixtures/sample-runs.ts';
import { UserError } from '../base/errors.ts';
import type { RunRecord } from '../model/run.ts';
import { Histogram } from './histogram.ts';
import { toLatencyRecord } from './latency-record.ts';
import { METRIC_EXAMPLES, metricNamesOf, metricOf } from './metrics.ts';

function latency(...us: readonly number[]) {
  const histogram = new Histogram();
  for (const one of us) histogram.record(one);
  return toLatencyRecord(histogram);
}

const base = closedRun();
const elapsedS = 10;
const committed = 2_000;

/** Round figures, so that every expected value can be checked by eye. */
const run: RunRecord = {
  ...base,
  load: { ...base.load, threads: 1 },
  totals: {
    ...base.totals,
    elapsedS,
    transactions: { committed, byName: { read: 1_500, write: 500 } },
    rowsRead: 8_000,
    bytes: { sent: 100_000, received: 300_000 },
    retries: 5,
    errors: [
      { code: 1213, sqlState: '40001', symbol: 'ER_LOCK_DEADLOCK', count: 6, policy: 'retried', example: '' },
      { code: 1205, sqlState: 'HY000', symbol: 'ER_LOCK_WAIT_TIMEOUT', count: 4, policy: 'skipped', example: '' },
    ],
    tallies: { remoteLines: 31 },
  },
  rates: { transactionsPerS: committed / elapsedS, statementsPerS: 4_000 },
  latency: {
    transactions: {
      all: { service: latency(1_000, 2_000), response: latency(5_000, 9_000), queue: latency(4_000, 7_000) },
      read: { service: latency(1_000) },
      write: { service: latency(2_000, 500_000) },
    },
    statements: { read: latency(30), commit: latency(700) },
  },
  serverCost: { parts: [{ part: 'insert', elapsedS: 7.5, cpuS: 2.5, clientCpuS: 1, fsyncs: 12 }] },
  series: {
    disk: { atS: [], values: {}, measured: { 'data_disk.reads_per_s': 50, 'data_disk.utilisation': 0.4 } },
    server_process: { atS: [], values: {}, measured: { cpu_cores: 1.5, written_bytes_per_s: 1_638_400 } },
    redo_log: { atS: [], values: {}, measured: { fsyncs_per_s: 100 } },
    cpu: { atS: [], values: {}, measured: { busy: 0.75 } },
  },
};

describe('a figure of a run', () => {
  test.each([
    { name: 'transactions/s', is: 200, unit: '1/s', because: 'as the record says' },
    { name: 'transactions/s(write)', is: 50, unit: '1/s', because: '500 in 10 s' },
    { name: 'statements/s', is: 4_000, unit: '1/s', because: 'as the record says' },
    { name: 'elapsed', is: 10, unit: 's', because: 'of the measured part' },
    { name: 'errors', is: 10, unit: 'count', because: 'of all codes' },
    { name: 'errors(1213)', is: 6, unit: 'count', because: 'by code' },
    { name: 'errors(ER_LOCK_WAIT_TIMEOUT)', is: 4, unit: 'count', because: 'by symbol' },
    { name: 'errors(1062)', is: 0, unit: 'count', because: 'what did not happen is none, and not unknown' },
    { name: 'errorShare', is: 0.005, unit: 'ratio', because: '10 of 2,000' },
    { name: 'retries', is: 5, unit: 'count', because: 'as the record says' },
    { name: 'p50(transaction)', is: 5, unit: 'ms', because: 'of responses, since the loop is open' },
    { name: 'p99', is: 9, unit: 'ms', because: 'of all transactions where nothing else is said' },
    { name: 'max(transaction.service)', is: 2, unit: 'ms', because: 'asked for by name' },
    { name: 'min(transaction.queue)', is: 4, unit: 'ms', because: 'asked for by name' },
    { name: 'mean(transaction)', is: 7, unit: 'ms', because: 'of responses too' },
    { name: 'p99.9(write)', is: 500, unit: 'ms', because: 'one transaction by its name' },
    { name: 'p95(read)', is: 1, unit: 'ms', because: 'a transaction goes before a statement of its name' },
    { name: 'p95(statement:read)', is: 0.03, unit: 'ms', because: 'unless the statement is asked for' },
    { name: 'p95(commit)', is: 0.7, unit: 'ms', because: 'a statement by its name' },
    { name: 'serverCpuUs/transaction', is: 7_500, unit: 'us', because: '1.5 s a second for 200 transactions' },
    { name: 'diskReads/transaction', is: 0.25, unit: 'count', because: '50 a second for 200' },
    { name: 'fsyncs/transaction', is: 0.5, unit: 'count', because: '100 a second for 200' },
    { name: 'bytesWritten/transaction', is: 8_192, unit: 'bytes', because: '1.6 MB a second for 200' },
    { name: 'rowsRead/transaction', is: 4, unit: 'count', because: '8,000 for 2,000' },
    { name: 'networkBytes/transaction', is: 200, unit: 'bytes', because: 'both ways' },
    { name: 'part(insert)', is: 7.5, unit: 's', because: 'as the record says' },
    { name: 'partCpu(insert)', is: 2.5, unit: 's', because: 'as the record says' },
    { name: 'partFsyncs(insert)', is: 12, unit: 'count', because: 'as the record says' },
    { name: 'part(write)', is: 0.502, unit: 's', because: 'one session: its latencies are its time' },
    { name: 'tally(remoteLines)', is: 31, unit: 'count', because: 'as the record says' },
    { name: 'cpu.busy', is: 0.75, unit: 'ratio', because: 'as a probe says' },
    { name: 'disk.data_disk.utilisation', is: 0.4, unit: 'ratio', because: 'whose value has dots' },
    { name: 'server_process.written_bytes_per_s', is: 1_638_400, unit: 'bytes/s', because: 'its unit by its name' },
  ])('$name is $is $unit: $because', ({ name, is, unit }) => {
    const metric = metricOf(name);
    // A histogram keeps three digits.
    expect(Math.abs((metric.of(run) ?? Number.NaN) - is)).toBeLessThanOrEqual(is / 1_000);
    expect(metric.unit).toBe(unit);
  });

  test('in the closed loop a client waits for the service', () => {
    const closed = { ...run, latency: { ...run.latency, transactions: { all: { service: latency(1_000, 2_000) } } } };
    expect(metricOf('max(transaction)').of(closed)).toBe(2);
    expect(metricOf('max(transaction.queue)').of(closed)).toBeUndefined();
  });

  test.each([
    { name: 'p99(nobody)', because: 'no such transaction' },
    { name: 'diskWrites/transaction', because: 'the probe had no such value' },
    { name: 'memory_swap.dirty_bytes', because: 'no such probe' },
    { name: 'tally(constructor)', because: 'what every object has is no tally' },
    { name: 'part(remove)', because: 'no such part' },
  ])('$name is not told: $because', ({ name }) => {
    expect(metricOf(name).of(run)).toBeUndefined();
  });

  test('several sessions at once do not add up to a duration', () => {
    const many = { ...run, load: { ...run.load, threads: 8 } };
    expect(metricOf('part(write)').of(many)).toBeUndefined();
    expect(metricOf('part(insert)').of(many)).toBe(7.5);
  });

  test('a run that did nothing tells no latency and no share', () => {
    for (const name of ['p99(transaction)', 'errorShare', 'rowsRead/transaction', 'max(transaction)']) {
      expect(metricOf(name).of(emptyRun()), name).toBeUndefined();
    }
  });

  test('percentiles are those of the whole histogram, whatever the order they are asked in', () => {
    const record = openRun();
    const asked = ['p99.9', 'p50', 'p99', 'min', 'max', 'p95'].map((name) => metricOf(name).of(record) ?? 0);
    const [p999, p50, p99, min, max, p95] = asked as [number, number, number, number, number, number];
    const rising = [min, p50, p95, p99, p999, max];
    expect([...rising].sort((one, other) => one - other)).toEqual(rising);
    expect(min).toBeGreaterThan(0);
  });
});

describe('names', () => {
  test.each([
    { name: 'p99', full: 'p99(transaction)' },
    { name: ' p95( commit ) ', full: 'p95(commit)' },
    { name: 'part( insert )', full: 'part(insert)' },
  ])('$name is $full', ({ name, full }) => {
    expect(metricOf(name).name).toBe(full);
  });

  test.each([
    { name: 'transaction/s', hint: /Did you mean transactions\/s\?/ },
    { name: 'tps', hint: /Did you mean transactions\/s\?/ },
    {
      name: 'p100(transaction)',
      hint: /Did you mean p99\(transaction\)\? There are also transactions\/s, .*docs\/metrics\.md/,
    },
    { name: 'p0', hint: /There are/ },
    { name: 'p99.transaction', hint: /Did you mean p99\(transaction\)\?/ },
    { name: 'constructor', hint: /There are/ },
    { name: 'errors > 0', hint: /There are/ },
    { name: '', hint: /There are/ },
  ])("'$name' is refused", ({ name, hint }) => {
    const metric = () => metricOf(name);
    expect(metric).toThrow(UserError);
    // Several of them stand below each other.
    expect(metric).toThrow(expect.objectContaining({ hint: expect.stringMatching(/^.{20,160}$/) }));
    expect(metric).toThrow(expect.objectContaining({ hint: expect.stringMatching(hint) }));
  });

  test('every example is a metric, and says which way is better', () => {
    const better = Object.fromEntries(
      METRIC_EXAMPLES.map((name) => [name, metricOf(name.replace('PROBE.NAME', 'cpu.busy')).better]),
    );
    expect(better).toMatchObject({ 'transactions/s': 'higher', elapsed: 'lower', 'p99(transaction)': 'lower' });
  });

  test.each([
    { name: 'server_work.questions_per_s', better: 'higher' },
    { name: 'server_work.aborted_connects_per_s', better: 'lower' },
    { name: 'buffer_pool.miss_ratio', better: 'lower' },
    { name: 'clock_speed.frequency_ratio', better: 'higher' },
    { name: 'cpu.steal', better: 'lower' },
  ])('of $name, $better is better', ({ name, better }) => {
    expect(metricOf(name).better).toBe(better);
  });

  test('what a run says that it can tell, it can', () => {
    const told = ['transactions', 'p99(transaction)', 'p99(statement:read)', 'part(insert)', 'cpu.busy'];
    expect(metricNamesOf(run)).toEqual(expect.arrayContaining(told));
    for (const name of metricNamesOf(run)) expect(metricOf(name).of(run), name).toBeDefined();
    for (const record of [closedRun(), openRun(), failedRun(), emptyRun()]) {
      for (const name of metricNamesOf(record)) expect(() => metricOf(name).of(record), name).not.toThrow();
    }
  });
});
