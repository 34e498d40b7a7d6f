import { expect, test } from 'vitest';
import { closedRun, emptyRun, openRun, terminalsRun } from '../../test/fixtures/sample-runs.ts';
import { metricOf } from '../stats/metrics.ts';
import { summaryOf } from '../store/run-summary.ts';
import { FIGURE_NAMES, summaryFigure } from './summary-figure.ts';

test.each(FIGURE_NAMES)('%s is what the record itself would tell', (name) => {
  for (const run of [closedRun(), openRun(), terminalsRun(), emptyRun()]) {
    expect(summaryFigure(summaryOf('/runs/x', run), name)).toBe(metricOf(name).of(run));
  }
});

test('of other metrics a summary knows nothing', () => {
  for (const name of ['p99(commit)', 'toString', '__proto__'])
    expect(summaryFigure(summaryOf('/runs/x', closedRun()), name)).toBeUndefined();
});
