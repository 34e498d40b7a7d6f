/** Stages of experiments for tests: plans with two variants or more, on small data, and what a stage tells. */
import { defaultsOf } from '../../src/base/options.ts';
import { openStage } from '../../src/lab/experiment/open-stage.ts';
import type { ResolvedVariant, StageRequest, StageView } from '../../src/lab/experiment/stage.ts';
import type { StageWorld } from '../../src/lab/experiment/stage-world.ts';
import type { ExperimentPlan, OptionValues, Variant } from '../../src/model/experiment.ts';
import type { ConnectOptions } from '../../src/wire/types.ts';
import { loadWorkload } from '../../src/workload/find.ts';
import { requestFor } from './lab.ts';

export interface TestExperiment extends Partial<Omit<ExperimentPlan, 'variants'>> {
  readonly id?: string;
  readonly storeDirectory: string;
  readonly variants: readonly Variant[];
  readonly allows?: Partial<StageRequest['allows']>;
  /** What `openTarget` gives. */
  readonly server?: ConnectOptions;
  readonly isPrivate?: boolean;
}

export const TABLE_ROWS = 500;

export async function stageRequest(experiment: TestExperiment): Promise<StageRequest> {
  const { id = 'e1', storeDirectory, allows, server, isPrivate = false, ...written } = experiment;
  const plan: ExperimentPlan = {
    name: 'test',
    target: 'private',
    workload: 'oltp_read_write',
    workloadOptions: { table_size: TABLE_ROWS },
    loadOptions: {},
    settings: { innodb_buffer_pool_size: '32M', innodb_log_file_size: '32M' },
    baseline: written.variants[0]?.name ?? '',
    design: { is: 'blocks' },
    blocks: 6,
    stop: { is: 'fixed' },
    start: { data: 'restored', cache: 'as it is' },
    metric: 'transactions/s',
    secondary: [],
    marginShare: 0.02,
    seed: 1,
    invalid: { stealShareMax: 0.1, errorShareMax: 0.01, swap: true, throttle: true, attemptsMax: 2 },
    notes: [],
    ...written,
  };
  return {
    id,
    plan,
    variants: await Promise.all(plan.variants.map((variant) => resolve(plan, variant))),
    storeDirectory,
    allows: { settings: false, commands: false, ...allows },
    openTarget: async () => {
      if (server === undefined) throw new Error('this experiment has no server that is named');
      return { connections: [server], isPrivate };
    },
  };
}

async function resolve(plan: ExperimentPlan, variant: Variant): Promise<ResolvedVariant> {
  const options: OptionValues = { ...plan.workloadOptions, ...variant.workload };
  const nowhere: ConnectOptions = { user: '', password: '', sslMode: 'DISABLED' };
  const bench = { target: nowhere, directory: '' } as Parameters<typeof requestFor>[0];
  const { plan: load } = await requestFor(bench, { workload: plan.workload, options });
  const { targets: _, ...rest } = load;
  const { workload } = await loadWorkload(plan.workload);
  return { variant, workload, workloadOptions: { ...defaultsOf(workload.options), ...options }, plan: rest };
}

export interface SeenStage extends StageView {
  readonly steps: string[];
  readonly notes: string[];
}

export function stageView(): SeenStage {
  const steps: string[] = [];
  const notes: string[] = [];
  return {
    steps,
    notes,
    onStep: (text) => steps.push(text),
    onAdvance: () => {},
    onNote: (line) => notes.push(line),
  };
}

export async function openTestStage(experiment: TestExperiment, world?: StageWorld) {
  const request = await stageRequest(experiment);
  const stage = await openStage(request, ...(world === undefined ? [] : [world]));
  const view = stageView();
  const { signal } = new AbortController();
  return {
    view,
    request,
    prepare: () => stage.prepare(view, signal),
    enter: (variant: string) => stage.enter(variant, view, signal),
    leave: () => stage.leave(view),
    close: (keepsData = false) => stage.close({ keepsData }, view),
  };
}
