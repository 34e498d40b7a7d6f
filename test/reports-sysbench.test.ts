/** The form for scripts that read sysbench: read back, and laid beside what sysbench 1.0 printed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readDocument } from '../src/foreign-output/read-document.ts';
import type { RunRecord } from '../src/model/run.ts';
import sysbenchReport from '../src/report/catalog/sysbench.ts';
import { closedRun, failedRun, openRun } from './fixtures/sample-runs.ts';

const ORIGINAL = readFileSync(new URL('fixtures/foreign-output/sysbench-1.0-rate.txt', import.meta.url), 'utf8');

function read(run: RunRecord) {
  const { measurements } = readDocument(sysbenchReport.render({ runs: [run] }));
  expect(measurements).toHaveLength(1);
  return measurements[0]!;
}

test('a reader of sysbench finds the figures of the record', () => {
  const run = closedRun();
  const { tool, toolVersion, cells, percentiles, progress, cutOff } = read(run);
  expect({ tool, toolVersion, cutOff }).toEqual({ tool: 'sysbench', toolVersion: '1.0', cutOff: [] });
  const { committed } = run.totals.transactions;
  expect(cells.threads?.value).toBe(4);
  expect(cells.transactions?.value).toBe(committed);
  expect(cells.reads?.value).toBe(14 * committed);
  expect(percentiles.map(({ percentile }) => percentile)).toEqual([95]);
  expect(progress.map(({ endS, transactionsPerS }) => [endS, transactionsPerS])).toEqual([
    [1, 1_540],
    [2, 1_465],
    [3, 1_475],
  ]);
});

test('of several percentiles the first is told, as sysbench has one', () => {
  expect(read(openRun()).percentiles.map(({ percentile }) => percentile)).toEqual([50]);
});

test('its rate is told', () => expect(read(openRun()).ratePerS).toBe(100));

test('a script sees that a run failed before it sees figures', () => {
  const text = sysbenchReport.render({ runs: [failedRun()] });
  expect(text).toMatch(/^FATAL: FAILED: The server closed the connection of thread 3\.$/m);
  expect(text.indexOf('FATAL:')).toBeLessThan(text.indexOf('SQL statistics:'));
});

test('labels and columns of the statistics are those of sysbench 1.0', () => {
  expect(shapeOf(sysbenchReport.render({ runs: [closedRun()] }))).toEqual(shapeOf(ORIGINAL));
});

/** Without the numbers, and with the spaces whose number depends on them evened out. */
function shapeOf(text: string): string[] {
  const statistics = text.slice(text.indexOf('SQL statistics:')).trimEnd().split('\n');
  return statistics.map((line) =>
    line
      .replace(/\d+th percentile/, 'Nth percentile')
      // Counts stand left in their column, latencies right.
      .replace(/( {2,})(\d+\.\d+)$/, (_, gap: string, number: string) => `${' '.repeat(gap.length + number.length)}N`)
      .replaceAll(/\d+(?:\.(\d+))?/g, (_, decimals = '') => `N${decimals.length}`)
      .replaceAll(/ +\(/g, ' ('),
  );
}
