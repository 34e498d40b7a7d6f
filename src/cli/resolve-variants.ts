/** From the plan of an experiment to what the engine needs: each variant is read as the command line it stands for. */
import { UserError } from '../base/errors.ts';
import type { Problem } from '../base/options-parse.ts';
import type { ResolvedVariant } from '../lab/experiment/stage.ts';
import type { ExperimentPlan, OptionValues, Variant } from '../model/experiment.ts';
import { planOf } from './plan-of.ts';
import { ProblemsError } from './problems.ts';
import { type LineWorld, readWorkloadLine } from './workload-line.ts';

/** Where something of the plan is written, for people: `pools.yaml:7:3`. */
export type Shown = (path: readonly string[]) => string;

/**
 * Throws what is wrong in all variants at once: with its place in the file where that is known, else with the name of
 * the variant. What is wrong in all of them is told once.
 */
export async function resolveVariants(
  plan: ExperimentPlan,
  world: LineWorld,
  shown?: Shown,
): Promise<readonly ResolvedVariant[]> {
  const problems = new Map<string, Problem>();
  const resolved: ResolvedVariant[] = [];
  for (const variant of plan.variants) {
    try {
      resolved.push(await resolve(plan, variant, world));
    } catch (error) {
      for (const problem of problemsOf(error)) {
        const placed = { ...problem, is: `${placeOf(problem, { plan, variant, shown })}: ${problem.is}` };
        problems.set(placed.is, placed);
      }
    }
  }
  if (problems.size > 0) throw new ProblemsError([...problems.values()]);
  return resolved;
}

/** Of a plan that may have no variants yet: then what is wrong in any. */
export async function variantProblems(
  plan: ExperimentPlan,
  world: LineWorld,
  shown: Shown,
): Promise<readonly Problem[]> {
  const variants = plan.variants.length > 0 ? plan.variants : [{ name: 'any' }];
  try {
    await resolveVariants({ ...plan, variants }, world, shown);
    return [];
  } catch (error) {
    return problemsOf(error);
  }
}

async function resolve(plan: ExperimentPlan, variant: Variant, world: LineWorld): Promise<ResolvedVariant> {
  const line = await readWorkloadLine(argumentsOf(plan, variant), world);
  if (line.found.workload.rounds !== undefined) {
    throw new UserError(`${line.found.name} runs in rounds of its own, and an experiment has blocks.`, {
      hint: 'Take another workload; the options of the rounds can be variants.',
    });
  }
  return { variant, workload: line.found.workload, workloadOptions: line.workload, plan: planOf(line) };
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ProblemsError) return error.problems;
  if (!(error instanceof UserError)) throw error;
  return [{ is: error.message, ...(error.hint === undefined ? {} : { remedy: error.hint }) }];
}

interface Written {
  readonly plan: ExperimentPlan;
  readonly variant: Variant;
  readonly shown: Shown | undefined;
}

/** By the option that the problem names, if it names one that the file has; else the variant, or the workload. */
function placeOf({ is }: Problem, { plan, variant, shown }: Written): string {
  const named = [...is.matchAll(/--([a-z][a-z0-9_-]*)/g)].map(([, name = '']) => name.replaceAll('-', '_'));
  const parts = [
    { options: variant.workload, path: ['variants', variant.name, 'workload'] },
    { options: variant.load, path: ['variants', variant.name, 'load'] },
    { options: plan.workloadOptions, path: ['workload'] },
    { options: plan.loadOptions, path: ['load'] },
  ];
  for (const name of named) {
    const part = parts.find(({ options }) => options !== undefined && Object.hasOwn(options, name));
    if (part !== undefined && shown !== undefined) return shown([...part.path, name]);
  }
  if (shown !== undefined && is.includes(`'${plan.workload}'`)) return shown(['workload']);
  return `Variant '${variant.name}'`;
}

/** What the variant says goes before what all of them say. */
export function argumentsOf(plan: ExperimentPlan, variant: Variant): string[] {
  const options = {
    ...plan.workloadOptions,
    ...plan.loadOptions,
    ...variant.workload,
    ...variant.load,
    ...(variant.engine === undefined ? {} : { mysql_storage_engine: variant.engine }),
  };
  return [plan.workload, ...written({ rand_seed: plan.dataSeed ?? plan.seed, ...options }), 'run'];
}

function written(options: OptionValues): string[] {
  return Object.entries(options).map(([name, value]) => `--${name.replaceAll('_', '-')}=${textOf(value)}`);
}

function textOf(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
