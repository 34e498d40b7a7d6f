/**
 * Runs a load for a moment on one connection, and has the server count what arrives: whether a workload sends what it
 * is meant to. It changes data as a run does; nothing is recorded.
 */
import { applyLoad } from '../load/engine.ts';
import type { ApplyLoad, LoadPlan } from '../load/plan.ts';
import { type CounterSnapshot, changeOf, counterReader } from '../observe/counters.ts';
import { openObservers } from './observers.ts';

export interface DryRunResult {
  readonly elapsedS: number;
  /** Attempts included that failed or were rolled back. */
  readonly transactions: number;
  readonly reads: number;
  readonly writes: number;
}

const DRY_RUN_S = 1;
const READS = ['Com_select'];
/** With those over several tables, and of rows that are read and written at once. */
const WRITES = [
  'Com_insert',
  'Com_update',
  'Com_delete',
  'Com_replace',
  'Com_insert_select',
  'Com_replace_select',
  'Com_update_multi',
  'Com_delete_multi',
];

/** Rejects as a run does where nothing could be loaded. */
export async function dryRun(plan: LoadPlan, signal: AbortSignal, load: ApplyLoad = applyLoad): Promise<DryRunResult> {
  const [target] = plan.targets;
  if (target === undefined) throw new Error('a plan has at least one target');
  await using observers = await openObservers([target]);
  const reader = counterReader(observers.first);
  let ready: CounterSnapshot | undefined;
  let finished: CounterSnapshot | undefined;
  const hooks = {
    onReady: async () => {
      ready = await reader.read();
    },
    onFinished: async () => {
      finished = await reader.read();
    },
  };
  const { totals } = await load(shortened(plan, target), hooks, signal);
  if (ready === undefined || finished === undefined)
    throw new Error('the engine did not say when it was ready and done');
  const change = changeOf(ready, finished);
  const sum = (names: readonly string[]) => change.of(...names.filter((name) => change.has(name)));
  const rolledBack = Object.values(totals.transactions.rolledBack ?? {}).reduce((all, count) => all + count, 0);
  return {
    elapsedS: totals.elapsedS,
    transactions: totals.transactions.committed + rolledBack + totals.retries,
    reads: sum(READS),
    writes: sum(WRITES),
  };
}

function shortened(plan: LoadPlan, target: LoadPlan['targets'][number]): LoadPlan {
  return {
    ...plan,
    targets: [target],
    threads: 1,
    workers: 1,
    timeS: DRY_RUN_S,
    events: 0,
    eventsPerThread: 0,
    warmupS: 0,
    isWarmupAuto: false,
    ratePerS: 0,
    terminals: 0,
    checkpointsS: [],
    forcedShutdownS: undefined,
  };
}
