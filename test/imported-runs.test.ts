/** What other tools measured, in every form in which our own runs are shown. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { entryNames, loadEntry } from '../src/base/catalog.ts';
import { compareRuns } from '../src/lab/compare/compare-runs.ts';
import { tells } from '../src/model/imported.ts';
import type { RunRecord } from '../src/model/run.ts';
import type { BinaryReport, Report } from '../src/report/report.ts';
import { METRIC_EXAMPLES, metricNamesOf, metricOf } from '../src/stats/metrics.ts';
import { summaryOf } from '../src/store/run-summary.ts';
import { importedRuns, importedText, importedWithHost } from './fixtures/sample-imported.ts';
import { closedRun } from './fixtures/sample-runs.ts';
import { foreignOutputNames } from './support/foreign-output.ts';
import { golden } from './support/golden.ts';

const CATALOG = new URL('../src/report/catalog/', import.meta.url);
const WITH_GOLDEN = entryNames(CATALOG).filter((name) => name !== 'html');

async function render(name: string, runs: readonly RunRecord[]): Promise<string> {
  const report = (await loadEntry(CATALOG, name)) as Report | BinaryReport;
  if ('render' in report) return report.render({ runs }).replace(/("histogram": ")[^"]+/g, '$1…');
  const rows = await parquetReadObjects({ file: new Uint8Array(await report.renderBytes({ runs })).buffer });
  return `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
}

const [SYSBENCH] = importedRuns('sysbench-1.0-histogram.txt');
const [EXCERPT] = importedRuns('small-server.txt');
const [SLAP] = importedRuns('mysqlslap.csv');
const [GO_TPC] = importedRuns('go-tpc.txt');
const [CUT] = importedRuns('sysbench-1.0-histogram.txt', (text) => text.slice(0, text.indexOf('[ 3s ]')));
const KINDS = { whole: importedWithHost(), excerpt: EXCERPT!, slap: SLAP!, 'go-tpc': GO_TPC!, cut: CUT! };

describe.each(WITH_GOLDEN)('%s', (name) => {
  test.each(Object.entries(KINDS))('of %s equals its golden file', async (kind, run) => {
    const { extension } = (await loadEntry(CATALOG, name)) as Report;
    const text = await render(name, [run]);
    const ending = extension === 'parquet' ? 'ndjson' : extension;
    await expect(text).toMatchFileSnapshot(golden(`${name}-imported-${kind}.${ending}`));
  });
});

test.each(entryNames(CATALOG))('%s prints no value that is none, of any tool', async (name) => {
  const runs = foreignOutputNames().flatMap((file) => importedRuns(file));
  // Our own script within a page knows such words.
  const text = (await render(name, runs)).replace(/<script>.*?<\/script>/s, '');
  expect(/NaN|Infinity|undefined|\[object/.exec(text)?.[0]).toBeUndefined();
});

describe('what nobody told is unknown, and no figure', () => {
  const all = foreignOutputNames().flatMap((file) => importedRuns(file));

  test.each(all.map((run) => [run.id, run] as const))('%s', (_, run) => {
    const paths: Readonly<Record<string, string>> = {
      'transactions/s': 'rates.transactionsPerS',
      'statements/s': 'rates.statementsPerS',
      elapsed: 'totals.elapsedS',
      transactions: 'totals.transactions',
      errors: 'totals.errors',
      reconnects: 'totals.reconnects',
    };
    for (const [metric, path] of Object.entries(paths)) {
      expect([metric, metricOf(metric).of(run) === undefined]).toEqual([metric, !tells(run, path)]);
    }
    for (const metric of [
      'retries',
      'rollbacks',
      'dropped',
      'unfinished',
      'cpuUsPerStatement',
      'rowsRead/transaction',
    ]) {
      expect([metric, metricOf(metric).of(run)]).toEqual([metric, undefined]);
    }
    const { mean, p95, max } = summaryOf('/x/y', run).latencyUs ?? {};
    expect([mean, p95, max].filter((us) => us === 0)).toEqual([]);
  });

  test('of sysbench, all that it prints is told, as it prints it', () => {
    const told = (metric: string) => metricOf(metric).of(SYSBENCH!);
    expect(['min', 'mean', 'max', 'p95'].map((name) => told(`${name}(transaction)`))).toEqual([0.84, 3, 8.87, 5.09]);
    expect([told('transactions/s'), told('errors'), told('errorShare')]).toEqual([1330.58, 0, 0]);
    // Of these there is only the histogram, whose steps are 2 % wide.
    expect(told('p99')).toBeGreaterThan(5.75);
    expect(told('p99')).toBeLessThan(6);
  });

  test('of kinds of transactions and parts of a suite too', () => {
    const told = (run: RunRecord | undefined, metric: string) => metricOf(metric).of(run!);
    expect(told(GO_TPC, 'p95(NEW_ORDER)')).toBe(62.9);
    expect(told(GO_TPC, 'mean(PAYMENT)')).toBe(14.9);
    expect(told(GO_TPC, 'transactions/s(PAYMENT)')).toBe(12456 / 60);
    expect(told(GO_TPC, 'p95')).toBeUndefined();
    expect(told(importedRuns('test-atis.txt')[0], 'part(insert)')).toBe(13);
    expect(told(SLAP, 'told(repeatAvgS)')).toBe(0.013);
    expect(metricOf('told(repeatAvgS)')).toMatchObject({ unit: 's', better: 'lower' });
    expect(metricOf('told(newOrdersPerMinute)')).toMatchObject({ unit: '1/min', better: 'higher' });
    expect(told(closedRun(), 'told(repeatAvgS)')).toBeUndefined();
  });

  test('errors that are only counted are of no kind, and none are none of any', () => {
    expect(metricOf('errors(1213)').of(SYSBENCH!)).toBe(0);
    expect(metricOf('errors').of(EXCERPT!)).toBe(3);
    expect(metricOf('errors(1213)').of(EXCERPT!)).toBeUndefined();
  });

  test('a hint names only what it tells', () => {
    const names = metricNamesOf(SLAP!);
    expect(names).toContain('told(repeatAvgS)');
    for (const name of names.filter((each) => !each.startsWith('p99('))) {
      expect([name, typeof metricOf(name).of(SLAP!)]).toEqual([name, 'number']);
    }
    expect(METRIC_EXAMPLES).toContain('told(NAME)');
  });
});

describe("the figures of the documents' own outputs", () => {
  test('a Raspberry Pi with tpcc and a read-only load', () => {
    const runs = importedRuns('small-server.txt');
    expect(runs.map((run) => [run.workload.name, run.rates.transactionsPerS, run.rates.statementsPerS])).toEqual([
      ['tpcc', 10.95, 289.62],
      ['oltp_read_only', 81.38, 1302.02],
      ['oltp_read_only', 86.64, 1386.22],
      ['load.py', 0, 3262.22],
      ['load.py', 0, 3446.84],
    ]);
    expect(runs.map(({ ending }) => ending.kind)).toEqual(['time', 'time', 'time', 'time', 'time']);
  });

  test('a buffer pool before and after', () => {
    const runs = importedRuns('pool-before-after.txt');
    expect(runs.map(({ rates }) => rates.transactionsPerS)).toEqual([585.27, 2511.73]);
    expect(runs.map((run) => metricOf('p95').of(run))).toEqual([86, 13.95]);
  });

  test('a table of volumes, with what is told of the volume under the names of its probes', () => {
    const runs = importedRuns('four-volumes.txt').slice(2);
    expect(runs.map(({ rates }) => rates.transactionsPerS)).toEqual([3470.37, 3600.93, 3733.12, 3690.2]);
    const latencies = runs.map((run) => metricOf('disk.data_disk.write_latency_ms').of(run));
    expect(latencies.every((ms) => typeof ms === 'number' && ms > 0)).toBe(true);
  });
});

describe('a log of the host beside it', () => {
  const run = importedWithHost();

  test('stands under the names of the probes, without the report since boot', () => {
    expect(Object.keys(run.series ?? {}).sort()).toEqual(['cpu', 'disk', 'memory_swap', 'progress']);
    expect(metricOf('cpu.busy').of(run)).toBeCloseTo(0.01, 9);
    expect(metricOf('disk.vda.writes_per_s').of(run)).toBe(0);
    // Nothing was written, so nothing took any time.
    expect(metricOf('disk.vda.write_latency_ms').of(run)).toBeUndefined();
    expect(run.series?.['disk']?.atS).toEqual([1]);
  });

  test('is told, with what is assumed of it', () => {
    const found = run.findings.filter(({ id }) => /iostat|vmstat/.test(id));
    expect(found.map(({ is }) => is)).toEqual([
      'Figures of the host are from iostat.txt, a log of iostat: 1 reports, one every 1 s.',
      'Figures of the host are from vmstat.txt, a log of vmstat: 1 reports, one every 1 s.',
    ]);
  });
});

describe('compared with our own', () => {
  const own = closedRun();
  const like = (of: Partial<RunRecord>): RunRecord => ({ ...SYSBENCH!, ...of });
  const named = (runs: readonly [RunRecord, RunRecord]) =>
    runs.map((run, at) => ({ name: 'AB'[at]!, runs: [run], change: {} }));
  const options = { metric: 'transactions/s', secondary: ['p95(transaction)'], marginShare: 0.02, anyway: false };

  test('nothing is refused for being imported, and it is said what is not known', () => {
    const { differences, pairing, result } = compareRuns(named([own, like({})]), options);
    expect(differences.filter(({ is }) => is === 'refused')).toEqual([]);
    expect(differences.map(({ what }) => what)).toEqual(['imported']);
    expect(differences[0]?.text).toMatch(/^B was measured by sysbench and imported: nothing was cross-checked/);
    expect(pairing).toBe('none');
    expect(result.notes).toEqual(expect.arrayContaining([differences[0]?.text]));
    expect(result.comparisons[0]?.verdict).toBe('UNDECIDED');
  });

  test('what its command says is held against ours', () => {
    const output = 'sysbench oltp_read_write --threads=4 --table-size=5 run\n\n';
    const [told] = importedRuns('sysbench-1.0-histogram.txt', (text) => output + text);
    expect(() => compareRuns(named([own, told!]), options)).toThrow(/table_size is not the same/);
    const [other] = importedText(`sysbench oltp_read_only --threads=4 run\n${output.slice(0, 0)}`, 'x.txt');
    expect(other).toBeUndefined();
  });

  test('several whose times nobody knows ran in no order', () => {
    const groups = ['A', 'B'].map((name, side) => ({
      name,
      change: {},
      runs: [0, 2].map((at) => like({ id: `${name}${at}`, startedAt: `2026-11-30T10:00:0${at + side}.000Z` })),
    }));
    expect(compareRuns(groups, options).pairing).toBe('none');
  });
});

/** The published documents themselves stay with whoever has them: SQLDYNO_SEEDS is their folder. */
const SEEDS = process.env['SQLDYNO_SEEDS'];

describe.skipIf(SEEDS === undefined)('the published documents (folder in SQLDYNO_SEEDS)', () => {
  const folder = SEEDS ?? '';
  const names = SEEDS === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.txt'));
  const rates = (start: string) => {
    const name = names.find((each) => each.startsWith(start)) ?? '';
    return importedText(readFileSync(join(folder, name), 'utf8'), name).map((run) => run.rates.transactionsPerS);
  };

  test.each([
    { start: '000', told: [10.95, 81.38, 86.64] },
    { start: '003', told: [585.27, 2511.73] },
    { start: '004', told: [347.37, 4434.57, 3470.37, 3600.93, 3733.12, 3690.2] },
  ])('$start gives its numbers as they stand', ({ start, told }) => {
    expect(rates(start)).toEqual(expect.arrayContaining(told));
  });
});
