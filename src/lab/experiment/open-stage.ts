/** Opens the stage of an experiment: which servers its variants need, and what none of them can be. */
import { assert } from '../../base/assert.ts';
import { UserError } from '../../base/errors.ts';
import type { ExperimentPlan, Variant } from '../../model/experiment.ts';
import { runShell } from '../shell.ts';
import { optionsWithEngine } from './engine.ts';
import { PrivateStage } from './private-stage.ts';
import { runTimeChanges } from './run-time-settings.ts';
import { ServerStage } from './server-stage.ts';
import type { EnteredStage, ResolvedVariant, Stage, StageRequest, StageView } from './stage.ts';
import { type StageWorld, THIS_STAGE_WORLD } from './stage-world.ts';

const PRIVATE = 'private';

/** Throws where the plan asks for something that a target cannot do; nothing has been started or changed then. */
export async function openStage(request: StageRequest, world: StageWorld = THIS_STAGE_WORLD): Promise<Stage> {
  const byTarget = new Map<string, ResolvedVariant[]>();
  for (const resolved of request.variants) {
    checkVariant(resolved, request);
    const target = targetOf(resolved.variant, request.plan);
    byTarget.set(target, [...(byTarget.get(target) ?? []), resolved]);
  }
  const stages = new Map<string, Stage>();
  for (const [target, resolved] of byTarget) {
    stages.set(
      target,
      target === PRIVATE ? new PrivateStage(request, resolved, world) : new ServerStage(request, target, resolved),
    );
  }
  return new WholeStage(request, stages);
}

/** All targets together, and the commands of variants around them. */
class WholeStage implements Stage {
  readonly #request: StageRequest;
  readonly #stages: ReadonlyMap<string, Stage>;
  /** Entered, and not left yet. */
  #current: { readonly stage: Stage; readonly variant: Variant } | undefined;

  constructor(request: StageRequest, stages: ReadonlyMap<string, Stage>) {
    this.#request = request;
    this.#stages = stages;
  }

  async check(view: StageView, signal: AbortSignal): Promise<void> {
    for (const stage of this.#stages.values()) await stage.check(view, signal);
  }

  async prepare(view: StageView, signal: AbortSignal): Promise<void> {
    for (const stage of this.#stages.values()) await stage.prepare(view, signal);
  }

  async enter(name: string, view: StageView, signal: AbortSignal): Promise<EnteredStage> {
    await this.leave(view);
    const resolved = this.#request.variants.find(({ variant }) => variant.name === name);
    assert(resolved !== undefined, `the experiment has a variant ${name}`);
    const { variant } = resolved;
    const stage = this.#stages.get(targetOf(variant, this.#request.plan));
    assert(stage !== undefined, 'each target has a stage');
    // From now on there is something to be left, even where the command fails half-way.
    this.#current = { stage, variant };
    if (variant.enter !== undefined) {
      view.onStep(`running: ${variant.enter}`);
      await runShell(variant.enter, view.onNote, signal);
    }
    return stage.enter(name, view, signal);
  }

  async leave(view: StageView): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    const { stage, variant } = current;
    try {
      await stage.leave(view);
    } finally {
      // Also after an interruption: it undoes what `enter` has done.
      if (variant.leave !== undefined) {
        view.onStep(`running: ${variant.leave}`);
        await runShell(variant.leave, view.onNote, new AbortController().signal);
      }
    }
  }

  async close(options: { readonly keepsData: boolean }, view: StageView): Promise<void> {
    const failures: unknown[] = [];
    await this.leave(view).catch((error) => failures.push(error));
    for (const stage of this.#stages.values()) await stage.close(options, view).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}

function targetOf(variant: Variant, plan: ExperimentPlan): string {
  return variant.target ?? plan.target;
}

function checkVariant(resolved: ResolvedVariant, { plan, allows }: StageRequest): void {
  const { variant } = resolved;
  const target = targetOf(variant, plan);
  runTimeChanges(variant);
  optionsWithEngine(resolved);
  const isCommand = variant.enter !== undefined || variant.leave !== undefined;
  if (isCommand && !allows.commands) {
    throw new UserError(`Variant '${variant.name}' runs commands in the shell of this host.`, {
      hint: 'Read them (enter, leave). If they are meant, say so with --allow-commands.',
    });
  }
  if (target === PRIVATE) checkPrivate(variant);
  else checkNamed(resolved, plan, target);
}

function checkPrivate({ name, persist }: Variant): void {
  if (Object.keys(persist ?? {}).length === 0) return;
  throw new UserError(`Variant '${name}' uses persist on a private server, which begins each run anew.`, {
    hint: 'Take settings in place of persist: they stand in its option file.',
  });
}

/** What only a server can do that is ours to start. */
function checkNamed(
  { variant, workload, workloadOptions, plan: load }: ResolvedVariant,
  plan: ExperimentPlan,
  target: string,
) {
  const { name } = variant;
  const settings = [...Object.keys(plan.settings), ...Object.keys(variant.settings ?? {})];
  const asks = (
    [
      [
        settings.length > 0,
        `settings in the option file (${settings.join(', ')})`,
        'Use global, which sets them while it runs',
      ],
      [variant.server !== undefined, 'another server program', 'Start that server yourself, and name it as the target'],
      [
        variant.dataDirectory !== undefined,
        'another data directory',
        'Start a server on it, and name that as the target',
      ],
      [variant.connect !== undefined, 'another way to connect', 'Say it in the URL of the target'],
      [plan.start.cache === 'cold', 'a cold start', 'Say `cache: warm` or `cache: as it is`'],
    ] as const
  ).find(([isAsked]) => isAsked);
  if (asks !== undefined) {
    const [, what, instead] = asks;
    throw new UserError(
      `Variant '${name}' asks for ${what}, which needs a private server, and its target is ${target}.`,
      {
        hint: `${instead}; or say \`target: private\`.`,
      },
    );
  }
  const writes = workload.needs(workloadOptions as never, load.threads).writes;
  if (plan.start.data !== 'restored' || !writes) return;
  throw new UserError(`The data of ${target} cannot be restored before each run, and the load changes it.`, {
    hint: 'Say `start: {data: prepared}` (dropped and loaded before each run) or `{data: kept}`; or take a private server.',
  });
}
