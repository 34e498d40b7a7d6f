/** R6: threads that always have a transaction under way spend the whole time in transactions. */
import type { MeasuredFacts } from '../../foreign-output/facts.ts';
import { exactly, figure, middle, overlap, rangeOf, times, widened } from '../arithmetic.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';
import { elapsedOf, isPaced, threadsOf } from '../sizes.ts';

const MS = 1_000;
/** More cannot be: nobody is in two transactions. The clocks are not stopped at one moment. */
const ABOVE = 0.01;
/** Less is what a thread does between transactions: a few microseconds, much beside a short one. */
const BELOW = 0.05;
const BELOW_SHORT = 0.3;
const SHORT_MS = 1;

export default defineRule({
  id: 'R6',
  title: 'the sum of the latencies = threads x the elapsed time',
  check: ({ measurements }) => measurements.filter(({ tool }) => tool === 'sysbench').map(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged {
  const { latencySumMs, timePerThreadS, latencyAvgMs } = facts.cells;
  const threads = threadsOf(facts);
  const elapsed = elapsedOf(facts);
  if (latencySumMs === undefined) return cannotTell(facts, { is: 'The sum of the latencies is not there.' });
  if (threads === undefined) return cannotTell(facts, { is: 'How many threads there were is not said.' });
  const steps: Step[] = [];
  const perThreadS = latencySumMs.value / MS / threads.value;
  if (timePerThreadS !== undefined) {
    const range = times(widened(rangeOf(timePerThreadS), { share: 1e-5 }), exactly(threads.value * MS));
    steps.push({
      holds: overlap(range, rangeOf(latencySumMs)),
      line: `${figure(latencySumMs.value / MS)} s / ${threads.value} = ${figure(perThreadS, 4)} s, and it says ${timePerThreadS.written} s a thread`,
      cells: [latencySumMs, timePerThreadS, threads.cell],
    });
  }
  if (elapsed !== undefined && !isPaced(facts)) {
    const below = (latencyAvgMs?.value ?? 0) < SHORT_MS ? BELOW_SHORT : BELOW;
    const { low, high } = elapsed.range;
    steps.push({
      holds: perThreadS <= high * (1 + ABOVE) && perThreadS >= low * (1 - below),
      line: `${figure(latencySumMs.value / MS)} s / ${threads.value} (${threads.from}) = ${figure(perThreadS)} s, in ${elapsed.how} (${figure((perThreadS / middle(elapsed.range)) * 100, 1)} %)`,
      cells: [latencySumMs, threads.cell, ...elapsed.cells],
    });
  }
  if (steps.length === 0) {
    const is = isPaced(facts)
      ? 'Arrivals were by a schedule: threads may wait, and transactions may queue.'
      : 'The elapsed time is not there.';
    return cannotTell(facts, { is });
  }
  return ofSteps(facts, steps, {
    passes: 'The threads were in transactions all the time.',
    fails: 'The latencies do not fill the time of the threads.',
  });
}
