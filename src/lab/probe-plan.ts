/** From the record of a run to the plan of short runs of the same load. */
import { basename } from 'node:path';
import { UserError } from '../base/errors.ts';
import { defaultsOf } from '../base/options.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import { type LoadPlan, RAND_TYPES, type RandSettings } from '../load/plan.ts';
import type { LoadSettings, RunRecord } from '../model/run.ts';
import type { ConnectOptions } from '../wire/types.ts';
import { type FoundWorkload, loadWorkload } from '../workload/find.ts';

/** As long as intervals are wherever nobody asks for others. */
const INTERVAL_S = 1;
/** Of an experiment's runs nobody watches the start: patience with many connections costs nothing. */
const THREAD_INIT_TIMEOUT_S = 120;

export interface ShortRun {
  readonly targets: readonly ConnectOptions[];
  readonly timeS: number;
}

/** Of a user's own file, the path is taken from the command of the run. */
export async function workloadOfRecord({ workload: { name }, command }: RunRecord): Promise<FoundWorkload> {
  const file = command.find((word) => /\.(?:sql|m?[jt]s)$/.test(word) && stemOf(word) === name);
  const found = await loadWorkload(file ?? name).catch((error) => {
    if (file === undefined || !(error instanceof UserError)) throw error;
    throw new UserError(`${error.message} It was the workload of this run.`, {
      hint: 'Give the command in the directory where the run was started.',
      cause: error,
    });
  });
  return found;
}

function stemOf(path: string): string {
  return basename(path).replace(/\.(?:sql|m?[jt]s)$/, '');
}

/** Throws where runs of this workload cannot be short, or cannot be repeated on the same data. */
export function planOfRecord(record: RunRecord, found: FoundWorkload, { targets, timeS }: ShortRun): LoadPlan {
  const { load, workload, seed } = record;
  refuseFixedOrder(record, found);
  const defaults = defaultsOf(LOAD_OPTIONS);
  return {
    workload: {
      name: workload.name,
      options: workload.options,
      ...(found.path === undefined ? {} : { path: found.path }),
    },
    targets,
    threads: load.threads,
    workers: load.workers,
    timeS,
    events: 0,
    eventsPerThread: 0,
    sequence: [],
    terminals: 0,
    terminalTimeFactor: 1,
    warmupS: 0,
    isWarmupAuto: false,
    ratePerS: 0,
    arrivals: 'poisson',
    queueMax: defaults.queue_max,
    intervalS: INTERVAL_S,
    checkpointsS: [],
    percentiles: load.percentiles,
    forcedShutdownS: undefined,
    threadInitTimeoutS: THREAD_INIT_TIMEOUT_S,
    rand: randOf(load),
    seed,
    validate: false,
    preparedStatements: load.preparedStatements,
    errors: { ...load.errorPolicy, reconnectDeadlineS: defaults.reconnect_deadline },
  };
}

function refuseFixedOrder({ workload }: RunRecord, { workload: found }: FoundWorkload): void {
  const isSequence = found.work?.(workload.options as never)?.sequence !== undefined;
  if (found.rounds === undefined && !isSequence) return;
  throw new UserError(`${workload.name} does a fixed piece of work, of which there is no short run to be repeated.`, {
    hint: 'Change what the verdict names by hand, and run it again, in turn with and without the change.',
  });
}

function randOf({ randType, rand }: LoadSettings): RandSettings {
  const [written, scrambled] = randType.split(', ');
  const type = RAND_TYPES.find((known) => known === written);
  if (type === undefined) throw new UserError(`The record's --rand-type, ${randType}, is not known to this version.`);
  const defaults = defaultsOf(LOAD_OPTIONS);
  return {
    type,
    scrambled: scrambled !== undefined,
    specIter: rand['rand_spec_iter'] ?? defaults.rand_spec_iter,
    specPct: rand['rand_spec_pct'] ?? defaults.rand_spec_pct,
    specRes: rand['rand_spec_res'] ?? defaults.rand_spec_res,
    paretoH: rand['rand_pareto_h'] ?? defaults.rand_pareto_h,
    zipfianExp: rand['rand_zipfian_exp'] ?? defaults.rand_zipfian_exp,
  };
}

/** What was otherwise in the run, each a sentence. */
export function pacingNotes({ load }: RunRecord): string[] {
  if (load.mode === 'closed') return [];
  const pace = load.mode === 'open' ? 'by a rate' : 'by users who think';
  return [`The run was paced ${pace}; these are not: only what goes as fast as it can shows what sets the pace.`];
}
