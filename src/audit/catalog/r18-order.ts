/** R18: the least is not above the average, nor that above the most; percentiles lie between and rise. */
import type { Cell, Cells, MeasuredFacts, Percentile } from '../../foreign-output/facts.ts';
import { rangeOf } from '../arithmetic.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';

/** A percentile is the value of a step of its scale, which may lie above the highest latency in it. */
const SCALE_STEP = 0.02;

export default defineRule({
  id: 'R18',
  title: 'minimum <= average <= maximum, and percentiles between and in order',
  check: ({ measurements }) => measurements.flatMap(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged[] {
  const steps = [facts, ...facts.parts].flatMap(({ cells, percentiles }) => stepsOf(cells, percentiles));
  if (steps.length === 0) {
    return facts.tool === 'sysbench' ? [cannotTell(facts, { is: 'The latencies are not there.' })] : [];
  }
  return [ofSteps(facts, steps, { passes: 'The latencies are in order.', fails: 'The latencies are not in order.' })];
}

function stepsOf(cells: Cells, percentiles: readonly Percentile[]): Step[] {
  const { latencyMinMs: min, latencyAvgMs: avg, latencyMaxMs: max } = cells;
  const rising = [...percentiles].sort((one, other) => one.percentile - other.percentile).map(({ cell }) => cell);
  return [
    ...ordered([min, avg, max]),
    // Each new order is a transaction.
    ...ordered([cells.newOrdersPerMinute, cells.transactionsPerMinute]),
    ...ordered([cells.repeatMinS, cells.repeatAvgS, cells.repeatMaxS]),
    ...ordered(rising),
    ...ordered([min, rising[0]], SCALE_STEP),
    ...ordered([rising.at(-1), max], SCALE_STEP),
  ];
}

function ordered(all: readonly (Cell | undefined)[], slack = 0): Step[] {
  const cells = all.filter((cell) => cell !== undefined);
  if (cells.length < 2) return [];
  const holds = cells.every((cell, at) => {
    const next = cells[at + 1];
    return next === undefined || rangeOf(cell).low <= rangeOf(next).high * (1 + slack);
  });
  const line = cells.map(({ written, label }) => `${written} (${label})`).join(' <= ');
  return [{ holds, line: holds ? line : `not ${line}`, cells }];
}
