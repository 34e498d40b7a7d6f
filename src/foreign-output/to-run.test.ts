import { describe, expect, test } from 'vitest';
import { foreignOutput, foreignOutputNames } from '../../test/support/foreign-output.ts';
import type { Imported } from '../model/imported.ts';
import type { RunRecord } from '../model/run.ts';
import { runSchema } from '../model/run-schema.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';
import { readDocument } from './read-document.ts';
import { toImportedRun } from './to-run.ts';

function imported(text: string, source = 'file.txt'): (RunRecord & { imported: Imported })[] {
  const { measurements, lines } = readDocument(text);
  const startedAt = '2026-11-30T10:00:00.000Z';
  const place = { source, startedAt, isStartKnown: false, tags: [], version: '0.1.0', lines, sameBefore: 0 };
  return measurements.map((facts, at) => {
    const record = { ...toImportedRun(facts, place), id: `run-${at}` };
    return { ...record, imported: record.imported! };
  });
}

test.each(foreignOutputNames())('every result of %s is a record by the schema', (name) => {
  for (const record of imported(foreignOutput(name), name)) {
    expect(runSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
    expect(record.imported.source).toBe(name);
  }
});

test('what sysbench says is in the record, and its histogram keeps every event', () => {
  const [run] = imported(foreignOutput('sysbench-1.0-histogram.txt'));
  const record = run!;
  const about = record.imported;
  expect(record).toMatchObject({
    startedAt: '2026-11-30T10:00:00.000Z',
    endedAt: '2026-11-30T10:00:03.006Z',
    ending: { kind: 'time' },
    load: { mode: 'closed', threads: 4 },
    totals: {
      elapsedS: 3.0066,
      transactions: { committed: 4001 },
      statements: { read: 56014, write: 16004, other: 8002 },
    },
    rates: { transactionsPerS: 1330.58, statementsPerS: 26611.58 },
  });
  expect(record.intervals.map(({ endS, transactions }) => [endS, transactions])).toEqual([
    [1, 1362],
    [2, 1357],
    [3, 1276],
  ]);
  const { service } = record.latency.transactions['all']!;
  expect(service).toMatchObject({ count: 4001, minUs: 840, maxUs: 8870, sumUs: 12_003_150 });
  expect(fromLatencyRecord(service).percentileUs(95) / 1000).toBeCloseTo(5.09, 1);
  expect(about).toMatchObject({ tool: 'sysbench', toolVersion: '1.0.20', firstLine: 1, lastLine: 167, cutOff: [] });
  expect(about.figures).toMatchObject({ transactions: 4001, latencyAvgMs: 3, p95: 5.09 });
  expect(about.unknown).not.toContain('latency.transactions.all');
});

test('what is not told is named, and nothing is made up for it', () => {
  const [run] = imported(foreignOutput('small-server.txt'));
  expect(run!.imported.unknown).toEqual(
    expect.arrayContaining(['startedAt', 'target', 'client', 'load.randType', 'latency.transactions.all']),
  );
  const text = foreignOutput('small-server.txt');
  const [excerpt] = imported(text.slice(text.indexOf('The same without')));
  expect(excerpt!.imported.unknown).toEqual(expect.arrayContaining(['load.threads', 'load.mode', 'workload']));
  expect(run!.imported.unknown).not.toContain('totals.statements');
  expect(run!.latency.transactions['all']!.service.count).toBe(0);
  expect(run!.totals.elapsedS).toBeCloseTo(256 / 10.95, 9);
  expect(run!.crossCheck).toMatchObject({ is: 'impossible' });
});

test('secrets of the command are not in the record', () => {
  const [run] = imported(foreignOutput('small-server.txt'));
  expect(run!.command).toEqual(expect.arrayContaining(['tpcc.lua', '--mysql-password=***', '--scale=1']));
  expect(JSON.stringify(run)).not.toContain('secret');
  expect(run!.workload).toMatchObject({ name: 'tpcc', options: { scale: '1', tables: '1' } });
});

describe('an output that is not whole', () => {
  const text = foreignOutput('sysbench-1.0-histogram.txt');

  test('is a result all the same where the result is there, with what is missing', () => {
    const [run] = imported(text.slice(0, text.indexOf('General statistics')));
    expect(run).toMatchObject({
      ending: { kind: 'time' },
      totals: { transactions: { committed: 4001 } },
      imported: { cutOff: expect.arrayContaining(['the latencies']) },
    });
    const findings = [
      { id: 'imported-in-part', severity: 'warning' },
      { id: 'imported', severity: 'info' },
    ];
    expect(run!.findings).toMatchObject(findings);
    expect(run!.findings[0]!.is).toMatch(/the latencies/);
  });

  test('is none where it was cut before, and its lines of progress are kept', () => {
    const [run] = imported(text.slice(0, text.indexOf('[ 3s ]')));
    expect(run).toMatchObject({ ending: { kind: 'interrupted', cause: expect.stringMatching(/before its result/) } });
    expect(run!.intervals).toHaveLength(2);
    expect(run!.imported.unknown).toEqual(expect.arrayContaining(['totals.transactions', 'rates.transactionsPerS']));
  });
});

test('arrivals by a schedule are an open loop; checkpoints have the time between them', () => {
  expect(imported(foreignOutput('sysbench-1.0-rate.txt'))[0]!.load).toMatchObject({
    mode: 'open',
    ratePerS: 50,
  });
  const [, second] = imported(foreignOutput('sysbench-1.0-checkpoint.txt'));
  expect(second!.totals.elapsedS).toBeCloseTo(2, 2);
});

test('the command says what of the load and of the work is known', () => {
  const command = 'sysbench oltp_read_only --threads=4 --time=10 --db-ps-mode=disable --mysql-host=db1 --tables=10 run';
  const [run] = imported(`${command}\n\n${foreignOutput('sysbench-1.0-histogram.txt')}`);
  expect(run).toMatchObject({
    workload: { name: 'oltp_read_only', options: { tables: '10' } },
    load: { threads: 4, timeS: 10, preparedStatements: false },
  });
  expect(Object.keys(run!.workload.options)).toEqual(['tables']);
  expect(run!.imported.unknown).not.toContain('load.timeS');
  expect(run!.imported.unknown).toContain('load.randType');
});

test('kinds of transactions are counted together, and errors apart', () => {
  const [run] = imported(foreignOutput('go-tpc.txt'));
  expect(run).toMatchObject({
    totals: { elapsedS: 60, transactions: { committed: 1297 + 13044 + 12456 }, errors: [{ count: 3 }] },
    imported: { figures: { 'NEW_ORDER.p95': 62.9, 'PAYMENT.latencyAvgMs': 14.9, newOrdersPerMinute: 13044.3 } },
  });
  expect(Object.keys(run!.totals.transactions.byName)).toEqual(['DELIVERY', 'NEW_ORDER', 'PAYMENT']);
  expect(run!.rates.transactionsPerS).toBeCloseTo(26797 / 60, 9);
});

test('latencies of progress lines are a series', () => {
  const [run] = imported(foreignOutput('sysbench-1.0-histogram.txt'));
  const { atS, values } = run!.series!['progress']!;
  expect(atS).toEqual([1, 2, 3]);
  expect(values['latency_p95_ms']).toMatchObject({
    unit: 'ms',
    points: [4.74, 5.18, 5.28],
  });
});

test('one result has one hash wherever it stands, and two that are alike have two', () => {
  const text = foreignOutput('sysbench-1.0-cpu.txt');
  const [one] = imported(text);
  const [other] = imported(`\n\nAs I said:\n${text}`.replaceAll('\n', '\r\n'), 'elsewhere.txt');
  expect(other!.imported.sha256).toBe(one!.imported.sha256);
  const columns = imported(foreignOutput('four-volumes.txt'));
  expect(new Set(columns.map((run) => run.imported.sha256)).size).toBe(columns.length);
});
