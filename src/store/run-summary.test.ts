import { describe, expect, test } from 'vitest';
import { closedRun, emptyRun, openRun } from '../../test/fixtures/sample-runs.ts';
import type { RunRecord } from '../model/run.ts';
import { machineKeyOf, workloadKeyOf } from './run-keys.ts';
import { isWanted, type RunFilter, summaryOf } from './run-summary.ts';

const PLACE = { id: '20261130-x-pool-aaaa', name: 'pool', variant: 'large', block: 2, number: 3, attempt: 1 };

describe('a summary', () => {
  test('has the figures of the record, and percentiles of its histogram', () => {
    const run = closedRun();
    const { service } = run.latency.transactions['all']!;
    const summary = summaryOf('/store/runs/one', run);
    expect(summary).toMatchObject({ id: 'one', errors: 27, elapsedS: run.totals.elapsedS, mode: 'closed' });
    const { p50, p95, p99, max, mean } = summary.latencyUs!;
    expect([mean, max]).toEqual([service.meanUs, service.maxUs]);
    const rising = [service.minUs, p50, p95, p99, max];
    expect(rising).toEqual([...rising].sort((one, other) => Number(one) - Number(other)));
  });

  test('tells the response where events were due, as it is what users wait for', () => {
    const run = openRun();
    const { response, service } = run.latency.transactions['all']!;
    const { mean } = summaryOf('/store/runs/one', run).latencyUs!;
    expect(mean).toBe(response!.meanUs);
    expect(mean).not.toBe(service.meanUs);
  });

  test('has no latency where nothing was measured, or the histogram is damaged', () => {
    expect(summaryOf('/store/runs/one', emptyRun()).latencyUs).toBeUndefined();
    const run = closedRun();
    const all = { service: { ...run.latency.transactions['all']!.service, histogram: 'AAAA' } };
    const damaged = { ...run, latency: { ...run.latency, transactions: { all } } };
    expect(summaryOf('/store/runs/one', damaged).latencyUs).toBeUndefined();
  });
});

describe('a filter', () => {
  const run = summaryOf('/store/runs/one', { ...closedRun(), experiment: PLACE, tags: ['before', 'nightly'] });

  test.each<{ filter: RunFilter; is: boolean; because: string }>([
    { filter: {}, is: true, because: 'nothing is asked for' },
    { filter: { workload: 'oltp_read_write' }, is: true, because: 'it is its workload' },
    { filter: { workload: 'oltp' }, is: false, because: 'a workload is named whole' },
    { filter: { tags: ['before', 'nightly'] }, is: true, because: 'it has all of the tags' },
    { filter: { tags: ['before', 'after'] }, is: false, because: 'it has not all of them' },
    { filter: { experiment: 'pool' }, is: true, because: 'it is of an experiment of that name' },
    { filter: { experiment: PLACE.id }, is: true, because: 'it is of that very experiment' },
    { filter: { experiment: 'pool', variant: 'small' }, is: false, because: 'it is another variant' },
    { filter: { since: run.startedAt }, is: true, because: 'it began just then' },
    { filter: { until: run.startedAt }, is: false, because: 'it did not begin before' },
    { filter: { target: 'MARIADB' }, is: true, because: 'letters are alike in any case' },
    { filter: { target: 'mysql 8' }, is: false, because: 'it is another server' },
    { filter: { isValid: false }, is: !run.isValid, because: 'it is asked for what proves nothing' },
    { filter: { host: 'elsewhere' }, is: false, because: 'it was not measured there' },
  ])('$filter: $is, as $because', ({ filter, is }) => {
    expect(isWanted(run, filter)).toBe(is);
  });
});

describe('keys', () => {
  const FACTS = {
    hostname: 'pi4',
    'cpu.model': 'Cortex-A72',
    'cpu.threads': 4,
    'memory.totalBytes': 4_000_000_000,
    'virtualization.container': 'none',
    'kernel.release': '6.1',
  };
  const on = (changes: object): RunRecord => {
    const facts = { ...FACTS, ...changes };
    return { ...closedRun(), environment: { server: {}, host: facts, client: facts } };
  };

  test.each([
    { changes: {}, isSame: true, because: 'nothing has changed' },
    { changes: { 'kernel.release': '6.6' }, isSame: true, because: 'an update makes no other machine' },
    {
      changes: { 'memory.totalBytes': 4_010_000_000 },
      isSame: true,
      because: 'a kernel keeps more or less for itself',
    },
    { changes: { 'cpu.threads': 2 }, isSame: false, because: 'half the processors are gone' },
    { changes: { hostname: 'pi5' }, isSame: false, because: 'it is another one' },
  ])('of a machine: same $isSame, as $because', ({ changes, isSame }) => {
    expect(machineKeyOf(on(changes)) === machineKeyOf(on({}))).toBe(isSame);
  });

  test('of a machine leave out the name of a container, which is another at each start', () => {
    const inside = (hostname: string) => on({ hostname, 'virtualization.container': 'docker' });
    expect(machineKeyOf(inside('3f2a'))).toBe(machineKeyOf(inside('9c1b')));
    expect(machineKeyOf(inside('3f2a'))).toMatch(/^Cortex-A72-[0-9a-f]{10}$/);
  });

  test('of a workload do not depend on the order of options, and do on every value', () => {
    const run = closedRun();
    const { options } = run.workload;
    const reversed = Object.fromEntries(Object.entries(options).reverse());
    const withOptions = (changed: object) => ({ ...run, workload: { ...run.workload, options: { ...changed } } });
    expect(workloadKeyOf(withOptions(reversed))).toBe(workloadKeyOf(run));
    expect(workloadKeyOf(withOptions({ ...options, tables: 2 }))).not.toBe(workloadKeyOf(run));
    expect(workloadKeyOf({ ...run, load: { ...run.load, threads: 5 } })).not.toBe(workloadKeyOf(run));
    expect(workloadKeyOf({ ...run, seed: 1 } as RunRecord)).toBe(workloadKeyOf(run));
  });
});
