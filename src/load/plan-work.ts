/** Where it is the workload that knows how much there is to do: what that makes of the options of the load. */
import type { Problem } from '../base/options-parse.ts';
import type { Work } from '../workload/workload.ts';
import type { LoadValues } from './plan-load.ts';
import { eventsOfSequence } from './sequence.ts';

/** With users who think, most connections would be idle most of the time: more of them only cost memory. */
const TERMINAL_THREADS_DEFAULT = 64;

const LIMITS = ['time', 'events', 'events_per_thread'];

/** The values to plan with; `given` are the names of the options that were written. */
export function valuesForWork(values: LoadValues, given: ReadonlySet<string>, work: Work | undefined): LoadValues {
  const settled = { ...values };
  if (values.terminals > 0 && !given.has('threads')) {
    settled.threads = Math.min(values.terminals, TERMINAL_THREADS_DEFAULT);
  }
  if (work === undefined) return settled;
  if (work.threads !== undefined && !given.has('threads')) settled.threads = work.threads;
  if (!LIMITS.some((name) => given.has(name))) {
    settled.time = 0;
    settled.events = work.events ?? 0;
    settled.events_per_thread = work.eventsPerThread ?? 0;
  }
  if (work.sequence !== undefined && settled.events_per_thread === 0) {
    const all = eventsOfSequence(work.sequence);
    settled.events = settled.events === 0 ? all : Math.min(settled.events, all);
  }
  return settled;
}

/** What does not go with transactions in a fixed order. */
export function workProblems(values: LoadValues, work: Work | undefined): Problem[] {
  if (work?.sequence === undefined) return [];
  const problems: Problem[] = [];
  const alone = work.sequence.find(({ isAlone, events }) => isAlone === true && events > 0);
  if (values.threads > 1 && alone !== undefined) {
    problems.push({
      is: `--threads=${values.threads}: '${alone.transaction}' cannot be done on several connections at once.`,
      remedy: 'Take one thread, or leave that part out where the workload has an option for it.',
    });
  }
  const refused = [
    { name: '--warmup-time', isGiven: values.warmup_time > 0 },
    { name: '--terminals', isGiven: values.terminals > 0 },
    { name: '--events-per-thread', isGiven: values.events_per_thread > 0 },
  ];
  for (const { name, isGiven } of refused) {
    if (!isGiven) continue;
    const remedy = 'Leave it out.';
    problems.push({ is: `${name} does not go with this workload: its transactions come in a fixed order.`, remedy });
  }
  return problems;
}
