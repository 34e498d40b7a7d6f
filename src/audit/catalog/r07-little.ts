/** R7: Little's law. As many transactions are under way as arrive in a second, times the seconds that each takes. */
import type { MeasuredFacts } from '../../foreign-output/facts.ts';
import { figure, rangeOf, times } from '../arithmetic.ts';
import { cannotTell, defineRule, fails, type Judged, passes } from '../rule.ts';
import { isPaced, threadsOf } from '../sizes.ts';

const MS = 1_000;
const ABOVE = 0.02;
/** Between transactions a thread is in none: much of its time where they are short. */
const BELOW = 0.05;
const BELOW_SHORT = 0.3;
const SHORT_MS = 1;

export default defineRule({
  id: 'R7',
  title: "transactions per second x average latency = threads (Little's law)",
  check: ({ measurements }) => measurements.flatMap(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged[] {
  const { transactionsPerS, eventsPerS, latencyAvgMs } = facts.cells;
  const rate = transactionsPerS ?? eventsPerS;
  const threads = threadsOf(facts);
  if (facts.tool !== 'sysbench' && (rate === undefined || latencyAvgMs === undefined)) return [];
  if (rate === undefined || threads === undefined) {
    return [cannotTell(facts, { is: `${rate === undefined ? 'The rate' : 'The number of threads'} is not there.` })];
  }
  if (latencyAvgMs === undefined) {
    const averageMs = (threads.value / rate.value) * MS;
    const arithmetic = [`${threads.value} / ${rate.written} = ${figure(averageMs, 1)} ms, which it must have been`];
    return [cannotTell(facts, { is: 'The average latency is not there.', arithmetic, cells: [rate] })];
  }
  if (isPaced(facts)) {
    return [cannotTell(facts, { is: 'Arrivals were by a schedule: threads may be idle.' })];
  }
  const busy = times(rangeOf(rate), rangeOf(latencyAvgMs));
  const below = latencyAvgMs.value < SHORT_MS ? BELOW_SHORT : BELOW;
  const holds = busy.low / MS <= threads.value * (1 + ABOVE) && busy.high / MS >= threads.value * (1 - below);
  const product = (rate.value * latencyAvgMs.value) / MS;
  const arithmetic = [
    `${rate.written} x ${figure(latencyAvgMs.value / MS, 5)} s = ${figure(product, 1)} under way, with ${threads.value} threads (${threads.from})`,
  ];
  const cells = [rate, latencyAvgMs, threads.cell];
  return [
    holds
      ? passes(facts, { is: 'Rate, latency and threads agree.', arithmetic, cells })
      : fails(facts, { is: 'Rate and latency belong to another number of threads.', arithmetic, cells }),
  ];
}
