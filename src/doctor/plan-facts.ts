/** Of a load that is meant to run, what the checks need to know. */
import { mixCounts, mixNotes } from '../workload/mix.ts';
import type { Workload } from '../workload/workload.ts';
import type { DiskFacts, DryRun, PlanFacts } from './collected.ts';

/** The part of a load's plan that matters here. */
export interface PlannedLoad {
  readonly workload: { readonly name: string };
  readonly threads: number;
  readonly timeS: number;
  readonly warmupS: number;
  readonly ratePerS: number;
  readonly events: number;
  readonly eventsPerThread: number;
  readonly rand: { readonly type: string };
  readonly errors: { readonly reconnectEveryEvents: number };
}

/** What only the user can say, or a look that was asked for has shown. */
export interface PlanExtras {
  readonly dryRun?: DryRun;
  readonly disk?: DiskFacts;
}

export function planFacts(
  load: PlannedLoad,
  workload: Workload,
  options: Readonly<Record<string, unknown>>,
  extras: PlanExtras = {},
): PlanFacts {
  const { writes, tables } = workload.needs(options as never, load.threads);
  const counts = mixCounts(workload, options as never);
  return {
    workload: load.workload.name,
    threads: load.threads,
    timeS: load.timeS,
    warmupS: load.warmupS,
    ratePerS: load.ratePerS,
    events: load.eventsPerThread > 0 ? load.eventsPerThread * load.threads : load.events,
    reconnectEveryEvents: load.errors.reconnectEveryEvents,
    keys: load.rand.type,
    writes,
    tables: tables.map(({ name, rowsMin }) => ({ name, rowsMin })),
    ...(counts === undefined ? {} : { mix: { reads: counts.read, writes: counts.write, others: counts.other } }),
    mixNotes: mixNotes(workload, options),
    ...extras,
  };
}
