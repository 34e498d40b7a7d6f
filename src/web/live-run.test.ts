import { expect, test } from 'vitest';
import { closedRun, openRun } from '../../test/fixtures/sample-runs.ts';
import type { RunView } from '../lab/run.ts';
import { LiveRun } from './live-run.ts';

const NOBODY: RunView = {};
const FACTS = { facts: { workload: 'a "b"\n', threads: '4' }, percentiles: [95] };

/** Of the line with this beginning. */
function figureOf(text: string, beginning: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${beginning} `));
  return line === undefined ? undefined : Number(line.slice(beginning.length + 1));
}

test('before the first interval it says what is run, and what it is doing', () => {
  const live = new LiveRun();
  live.watching(NOBODY, FACTS).onPhase?.('connecting');
  const text = live.openMetrics();
  expect(text).toContain('sqldyno_live_run_info{workload="a \\"b\\"\\n",threads="4"} 1');
  expect(figureOf(text, 'sqldyno_live_phase{sqldyno_live_phase="connecting"}')).toBe(1);
  expect(figureOf(text, 'sqldyno_live_phase{sqldyno_live_phase="measuring"}')).toBe(0);
  expect(text).not.toContain('sqldyno_live_transactions');
  expect(text.endsWith('\n# EOF\n')).toBe(true);
});

test('counts what intervals tell, warm-up apart, and passes all on', () => {
  const live = new LiveRun();
  const seen: string[] = [];
  const view = live.watching(
    { onPhase: (phase) => void seen.push(phase), onInterval: ({ endS }) => void seen.push(String(endS)) },
    FACTS,
  );
  const { intervals } = closedRun();
  view.onPhase?.('measuring');
  for (const interval of intervals) view.onInterval?.(interval);
  expect(seen).toEqual(['measuring', '0', '1', '2', '3']);
  const text = live.openMetrics();
  const measured = intervals.filter(({ isWarmup }) => !isWarmup);
  const sum = measured.reduce((total, { transactions }) => total + transactions, 0);
  expect(figureOf(text, 'sqldyno_live_transactions_total{part="warm-up"}')).toBe(900);
  expect(figureOf(text, 'sqldyno_live_transactions_total{part="measured"}')).toBe(sum);
  expect(figureOf(text, 'sqldyno_live_statements_total{part="measured",kind="read"}')).toBe(14 * sum);
  expect(figureOf(text, 'sqldyno_live_errors_total{part="measured"}')).toBe(27);
  expect(figureOf(text, 'sqldyno_live_latency_seconds_count{part="measured"}')).toBe(sum);
  expect(figureOf(text, 'sqldyno_live_latency_seconds_bucket{part="measured",le="+Inf"}')).toBe(sum);
  expect(figureOf(text, 'sqldyno_live_transactions_per_second')).toBe(1_475);
  expect(figureOf(text, 'sqldyno_live_interval_end_seconds')).toBe(3);
  expect(text).not.toContain('queue_length');
});

test('buckets rise, and hold what their bound says', () => {
  const live = new LiveRun();
  const [first] = closedRun().intervals.filter(({ isWarmup }) => !isWarmup);
  live.watching(NOBODY, FACTS).onInterval?.(first!);
  const buckets = [...live.openMetrics().matchAll(/_bucket\{part="measured",le="([^"]+)"\} (\d+)/g)];
  const counts = buckets.map(([, , count]) => Number(count));
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
  const { minUs, maxUs, count } = first!.latency;
  for (const [, le, below] of buckets) {
    if (Number(le) * 1e6 < minUs) expect(Number(below)).toBe(0);
    if (le === '+Inf' || Number(le) * 1e6 > maxUs * 1.001) expect(Number(below)).toBe(count);
  }
});

test('the queue of the open loop is told', () => {
  const live = new LiveRun();
  const view = live.watching(NOBODY, FACTS);
  for (const interval of openRun().intervals) view.onInterval?.(interval);
  const text = live.openMetrics();
  expect(figureOf(text, 'sqldyno_live_queue_length')).toBe(14);
  expect(figureOf(text, 'sqldyno_live_dropped_total{part="measured"}')).toBe(1_200);
});

test('the next run begins at nothing', () => {
  const live = new LiveRun();
  const view = live.watching(NOBODY, FACTS);
  for (const interval of closedRun().intervals) view.onInterval?.(interval);
  expect(live.openMetrics()).toContain('_total');
  live.watching(NOBODY, { ...FACTS, facts: { workload: 'next' } });
  const text = live.openMetrics();
  expect(text).toContain('workload="next"');
  expect(text).not.toContain('_total');
});
