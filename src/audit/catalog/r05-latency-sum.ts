/** R5: the average latency, times the events, is the sum. */
import type { Cells, MeasuredFacts } from '../../foreign-output/facts.ts';
import { exactly, figure, overlap, rangeOf, times, widened } from '../arithmetic.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';

/** Of the tools that keep exact sums, and of one that makes them from a coarse histogram. */
const SHARE = { exact: 0.000_2, coarse: 0.02 };

export default defineRule({
  id: 'R5',
  title: 'average latency x events = the sum of the latencies',
  check: ({ measurements }) => measurements.flatMap(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged[] {
  const share = facts.tool === 'go-tpc' ? SHARE.coarse : SHARE.exact;
  const steps = [facts.cells, ...facts.parts.map(({ cells }) => cells)].flatMap((cells) => stepsOf(cells, share));
  if (steps.length === 0) {
    return facts.tool === 'sysbench' ? [cannotTell(facts, { is: 'Average, sum and count are not all there.' })] : [];
  }
  return [
    ofSteps(facts, steps, {
      passes: 'Average, count and sum agree.',
      fails: 'The average and the count do not give the sum.',
    }),
  ];
}

function stepsOf({ latencyAvgMs, latencySumMs, events, transactions }: Cells, share: number): Step[] {
  const counted = events ?? transactions;
  if (latencyAvgMs === undefined || latencySumMs === undefined || counted === undefined || counted.value === 0)
    return [];
  const range = widened(times(rangeOf(latencyAvgMs), exactly(counted.value)), { share });
  const holds = overlap(range, rangeOf(latencySumMs));
  const sumMs = latencySumMs.value;
  const line =
    `${latencyAvgMs.written} x ${counted.written} = ${figure(latencyAvgMs.value * counted.value, 0)} ms, and the sum is ` +
    `${figure(sumMs, 0)} ms: ${figure(sumMs / counted.value, 3)} on average`;
  return [{ holds, line, cells: [latencyAvgMs, counted, latencySumMs] }];
}
