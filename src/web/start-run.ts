/** Begins a run, and tells the page of it until it is kept. */
import { runHeadline } from '../report/run-headline.ts';
import type { Activities } from './activity.ts';
import type { LiveRun } from './api.ts';
import { loadView } from './live-load.ts';
import type { ReadyRun } from './ui-world.ts';

export function startRun(activities: Activities, ready: ReadyRun): LiveRun {
  const { title, command, load } = ready;
  return activities.begin<LiveRun>({ is: 'run', title, command, step: 'looking at the server' }, async (teller) => {
    const watch = {
      ...loadView(teller, load, 1),
      onStep: (step: string) => teller.change({ step }),
      onAdvance: (of: string, done: number, total: number) => teller.change({ progress: { of, done, total } }),
    };
    const record = await ready.go(watch, teller.signal);
    const { ending } = record;
    return {
      run: record.id,
      headline: runHeadline(record),
      ...('cause' in ending ? { state: ending.kind === 'interrupted' ? 'done' : 'failed', step: ending.cause } : {}),
    };
  });
}
