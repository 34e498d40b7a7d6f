/** R4: events, shared out over the threads, give the average of the fairness lines. */
import { exactly, figure, overlap, rangeOf, widened } from '../arithmetic.ts';
import { cannotTell, defineRule, fails, passes } from '../rule.ts';
import { threadsOf } from '../sizes.ts';

export default defineRule({
  id: 'R4',
  title: 'events / threads = the average events of a thread',
  check: ({ measurements }) =>
    measurements
      .filter(({ tool }) => tool === 'sysbench')
      .map((facts) => {
        const { events, eventsPerThread, transactions } = facts.cells;
        const counted = events ?? transactions;
        if (eventsPerThread === undefined || counted === undefined) {
          return cannotTell(facts, { is: 'The fairness lines are not there.' });
        }
        if (facts.isBetweenCheckpoints) {
          return cannotTell(facts, { is: 'At a checkpoint, threads and events are not counted at one moment.' });
        }
        const threads = threadsOf(facts);
        if (threads === undefined || threads.value === 0) {
          return cannotTell(facts, { is: 'How many threads there were is not said.' });
        }
        const share = counted.value / threads.value;
        const arithmetic = [
          `${counted.written} / ${threads.value} (${threads.from}) = ${figure(share, 4)}, and it says ${eventsPerThread.written}`,
        ];
        const cells = [counted, eventsPerThread, threads.cell];
        // A number of threads that comes from these very cells is only whole, or it is not.
        return overlap(widened(rangeOf(eventsPerThread), { share: 1e-9 }), exactly(share))
          ? passes(facts, { is: 'Events and threads give the average.', arithmetic, cells })
          : fails(facts, { is: 'Events and threads do not give the average.', arithmetic, cells });
      }),
});
