import { expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import { checkpointText } from './checkpoint.ts';
import { latencyOfAll } from './percentiles.ts';
import { sysbenchStatistics } from './sysbench-statistics.ts';

test('a checkpoint is a stamp and the statistics, with a line between it and what follows', () => {
  const run = closedRun();
  const [totals, latency, percentiles] = [run.totals, latencyOfAll(run), [99]];
  const text = checkpointText({ atS: 2.0003, totals, latency }, percentiles);
  expect(text).toBe(`[ 2s ] Checkpoint report:\n${sysbenchStatistics({ totals, latency, percentiles })}\n`);
  expect(text).toContain('99th percentile:');
});
