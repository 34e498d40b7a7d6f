/** From what a file says to the plan: defaults, and what does not go together. */

import { nearest } from '../../../base/did-you-mean.ts';
import { UserError } from '../../../base/errors.ts';
import { deriveSeed } from '../../../base/random.ts';
import type { ExperimentPlan, InvalidRules, StartState, Variant } from '../../../model/experiment.ts';
import { metricOf } from '../../../stats/metrics.ts';
import { checkSettings } from '../option-file.ts';
import { readLoad, readOptions } from './option-values.ts';
import { PAIRS_FOR_VERDICT, type WrittenExperiment } from './schema.ts';
import type { Path } from './tree.ts';
import { type NamesAt, type PathProblem, readVariants } from './variants.ts';

const PAIRS_DEFAULT = 8;
const MARGIN_DEFAULT = 0.02;
const METRIC_DEFAULT = 'transactions/s';
const INVALID_DEFAULT: InvalidRules = {
  stealShareMax: 0.1,
  // Deadlocks that are tried again are part of many workloads; a server that refuses work is another matter.
  errorShareMax: 0.05,
  swap: true,
  throttle: true,
  attemptsMax: 3,
};
const PRIVATE = 'private';
/** Short enough to be read out and typed again. */
const SEED_RANGE = 1_000_000_000;
/** The same in all experiments: what is called otherwise is not to load other data. */
const DATA_SEED = 1;

export interface Settled {
  readonly plan: ExperimentPlan;
  readonly problems: readonly PathProblem[];
}

/** `fallbackName`: where the file gives none. */
export function settle(written: WrittenExperiment, fallbackName: string, namesAt?: NamesAt): Settled {
  const { variants, baseline, design, problems: ofVariants } = readVariants(written, namesAt);
  const { name: workload = '', ...workloadOptions } = written.workload;
  const load = readLoad(written.load ?? {});
  const name = written.name ?? fallbackName;
  const { target = PRIVATE, pairs = PAIRS_DEFAULT, secondary = [], metric = METRIC_DEFAULT } = written;
  const plan: ExperimentPlan = {
    name,
    ...(written.question === undefined ? {} : { question: written.question }),
    target,
    workload,
    workloadOptions: readOptions(workloadOptions),
    loadOptions: load.values,
    settings: written.settings ?? {},
    variants: priced(variants, written.prices),
    baseline,
    design,
    blocks: pairs,
    stop: { is: written.stop ?? 'fixed' },
    start: startOf(written, isPrivatePlan(target, variants)),
    metric,
    secondary,
    marginShare: written.margin ?? MARGIN_DEFAULT,
    seed: written.seed ?? (deriveSeed(0, 'experiment', name) % SEED_RANGE) + 1,
    ...(written.seed === undefined ? { dataSeed: DATA_SEED } : {}),
    invalid: rulesOf(written),
    notes: [...(written.notes ?? []), ...notesOf(pairs, variants, written), ...metricNotes([metric, ...secondary])],
  };
  const problems = [
    ...ofVariants,
    ...load.problems.map(({ option, problem }) => ({ path: ['load', option], ...problem })),
    ...workloadProblems(workload),
    ...metricProblems(metric, secondary),
    ...priceProblems(written, variants),
    ...targetProblems(target, ['target']),
    ...Object.entries(written.variants ?? {}).flatMap(([variant, change]) =>
      targetProblems(change.target, ['variants', variant, 'target']),
    ),
    ...privateProblems(plan, written),
    ...settingProblems(written),
    ...commandProblems(written),
  ];
  return { plan, problems };
}

function priced(variants: readonly Variant[], prices: WrittenExperiment['prices']): readonly Variant[] {
  return variants.map((variant) => {
    const pricePerMonth = prices?.[variant.name];
    return pricePerMonth === undefined ? variant : { ...variant, pricePerMonth };
  });
}

function isPrivatePlan(target: string, variants: readonly Variant[]): boolean {
  return variants.every((variant) => (variant.target ?? target) === PRIVATE);
}

/** Only the data directory of a server of its own can be put back. */
function startOf({ start }: WrittenExperiment, isPrivate: boolean): StartState {
  return { data: start?.data ?? (isPrivate ? 'restored' : 'kept'), cache: start?.cache ?? 'warm' };
}

function rulesOf({ invalid = {} }: WrittenExperiment): InvalidRules {
  return {
    stealShareMax: invalid.steal ?? INVALID_DEFAULT.stealShareMax,
    errorShareMax: invalid.errors ?? INVALID_DEFAULT.errorShareMax,
    swap: invalid.swap ?? INVALID_DEFAULT.swap,
    throttle: invalid.throttle ?? INVALID_DEFAULT.throttle,
    attemptsMax: invalid.attempts ?? INVALID_DEFAULT.attemptsMax,
  };
}

function notesOf(pairs: number, variants: readonly Variant[], { stop }: WrittenExperiment): string[] {
  const notes: string[] = [];
  if (variants.length === 1)
    notes.push('There is one variant: its figures are given with their spread, and compared with nothing.');
  else if (pairs < PAIRS_FOR_VERDICT) {
    notes.push(`${pairs} pairs cannot give a verdict: it takes ${PAIRS_FOR_VERDICT} at least, whatever they show.`);
  }
  if (stop === 'sequential' && pairs <= PAIRS_FOR_VERDICT) {
    notes.push(`The first look is at ${PAIRS_FOR_VERDICT} pairs, so with ${pairs} nothing can end early.`);
  }
  return notes;
}

/** Names that always mean something; those of a workload's own show only in its runs. */
const MEASURED = ['transaction', 'transactions', 'statement', 'statements'];

/** What a workload calls its own is known when it has run, so this cannot be refused. */
function metricNotes(metrics: readonly string[]): string[] {
  return metrics.flatMap((metric) => {
    const measured = /\(([^.)]+)(?:\.\w+)?\)$/.exec(metric)?.[1]?.trim();
    const meant = measured === undefined || MEASURED.includes(measured) ? undefined : nearest(measured, MEASURED);
    if (meant === undefined) return [];
    return [`${metric} is told only if the workload calls something of its own ${measured}. Did you mean ${meant}?`];
  });
}

function workloadProblems(workload: string): PathProblem[] {
  if (workload !== '') return [];
  const remedy = 'Begin the line with it, as in oltp_read_only --tables=10; or name it: {name: oltp_read_only}.';
  return [{ path: ['workload'], is: 'The workload has no name.', remedy }];
}

function metricProblems(metric: string, secondary: readonly string[]): PathProblem[] {
  const named = [
    { name: metric, path: ['metric'] as Path },
    ...secondary.map((name, index) => ({ name, path: ['secondary', index] as Path })),
  ];
  return named.flatMap(({ name, path }) => {
    const problem = problemOf(() => metricOf(name));
    return problem === undefined ? [] : [{ path, ...problem }];
  });
}

function priceProblems({ prices = {} }: WrittenExperiment, variants: readonly Variant[]): PathProblem[] {
  const names = variants.map(({ name }) => name);
  return Object.keys(prices)
    .filter((name) => names.length > 0 && !names.includes(name))
    .map((name) => ({
      path: ['prices', name],
      is: `'${name}' is no variant.`,
      remedy: `There are: ${names.join(', ')}.`,
    }));
}

function targetProblems(target: string | undefined, path: Path): PathProblem[] {
  if (target === undefined || target === PRIVATE || /^private:[A-Za-z0-9][\w.-]*$/.test(target)) return [];
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined || !['mysql:', 'mariadb:'].includes(url.protocol)) {
    const remedy = 'Write private, private:NAME, or a URL such as mysql://user@host:3306/db';
    return [{ path, is: `'${redacted(target)}' is no target.`, remedy }];
  }
  if (url.password === '') return [];
  const remedy = 'Leave it out, and give it by MYSQL_PWD, --mysql-password-file or --ask-password.';
  return [{ path, is: 'A password has no place in a file that is kept with the results.', remedy }];
}

/** What looks like a URL may hold a password, also where it is none. */
function redacted(target: string): string {
  return target.replace(/:[^:@/]*@/, ':…@');
}

/** Files, data directories and restarts are a private server's; others are left as they are. */
function privateProblems(plan: ExperimentPlan, written: WrittenExperiment): PathProblem[] {
  if (isPrivatePlan(plan.target, plan.variants)) return [];
  const problems: PathProblem[] = [];
  const refuse = (path: Path, what: string) => {
    const remedy = 'Take target: private, or change what the server allows while it runs, with global.';
    problems.push({ path, is: `${what} is for private servers alone.`, remedy });
  };
  if (plan.target !== PRIVATE && Object.keys(plan.settings).length > 0) refuse(['settings'], 'An option file');
  if (written.start?.data === 'restored') refuse(['start', 'data'], 'A data directory that is put back');
  if (written.start?.cache === 'cold') refuse(['start', 'cache'], 'A start anew for each run');
  for (const { name, target, settings, server, dataDirectory, connect } of plan.variants) {
    if ((target ?? plan.target) === PRIVATE) continue;
    const path = ['variants', name];
    if (settings !== undefined) refuse([...path, 'settings'], 'An option file');
    if (server !== undefined) refuse([...path, 'server'], 'Another program');
    if (dataDirectory !== undefined) refuse([...path, 'dataDirectory'], 'A data directory');
    if (connect !== undefined) refuse([...path, 'connect'], 'A choice between socket and TCP');
  }
  return problems;
}

/** Names that a private server keeps to itself, and names that are none. */
function settingProblems(written: WrittenExperiment): PathProblem[] {
  const places: { readonly settings: Readonly<Record<string, string>>; readonly path: Path }[] = [
    { settings: written.settings ?? {}, path: ['settings'] },
  ];
  for (const [name, { settings = {} }] of Object.entries(written.variants ?? {})) {
    places.push({ settings, path: ['variants', name, 'settings'] });
  }
  for (const kind of ['factors', 'matrix'] as const) {
    for (const [factor, levels] of Object.entries(written[kind] ?? {})) {
      for (const [level, { settings = {} }] of Object.entries(levels)) {
        places.push({ settings, path: [kind, factor, level, 'settings'] });
      }
    }
  }
  return places.flatMap(({ settings, path }) =>
    Object.entries(settings).flatMap(([name, value]) => {
      const problem = problemOf(() => checkSettings({ [name]: value }));
      return problem === undefined ? [] : [{ path: [...path, name], ...problem }];
    }),
  );
}

function commandProblems({ variants = {} }: WrittenExperiment): PathProblem[] {
  return Object.entries(variants)
    .filter(([, { enter, leave }]) => enter === undefined && leave !== undefined)
    .map(([name]) => ({
      path: ['variants', name, 'leave'],
      is: 'leave undoes what enter did, and there is no enter.',
      remedy: 'Add enter, or move the command there.',
    }));
}

function problemOf(check: () => unknown): { readonly is: string; readonly remedy?: string } | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.hint === undefined ? { is: error.message } : { is: error.message, remedy: error.hint };
  }
}
