/** What the page can have done: each form is read as the command line that it stands for. */
import { UserError } from '../base/errors.ts';
import type { Option } from '../base/options.ts';
import { shellQuoted } from '../base/shell-words.ts';
import { conductExperiment } from '../lab/experiment/conduct.ts';
import { findRecipe } from '../lab/experiment/recipes.ts';
import { maintain } from '../lab/maintenance.ts';
import { runOnce } from '../lab/run.ts';
import { listPrivateServers, startPrivateServer, stopPrivateServer } from '../lab/server.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { ExperimentPlan } from '../model/experiment.ts';
import type { RunRecord } from '../model/run.ts';
import { openExperiments } from '../store/experiments.ts';
import type { DoctorForm, ExperimentForm, FormOption, RunForm, TargetForm, WorkloadForm } from '../web/api.ts';
import type { ReadyExperiment, ReadyRun, RunWatch, UiWorld } from '../web/ui-world.ts';
import { connect } from '../wire/connection.ts';
import { preflight } from '../workload/preflight.ts';
import { comparisonOf } from './commands/compare.ts';
import { checkupOf } from './commands/doctor.ts';
import { planInWords, plansOf, type ReadText, readyExperiment, type WrittenPlan } from './commands/experiment.ts';
import { explainConnectError } from './connect-errors.ts';
import { readDoctorLine } from './doctor-line.ts';
import { type ExperimentLine, readExperimentLine } from './experiment-line.ts';
import { openTarget } from './open-target.ts';
import { planOf } from './plan-of.ts';
import { redactCommand } from './redact.ts';
import { requestOf } from './run-and-report.ts';
import { problemsOf } from './tell-error.ts';
import { programVersion } from './version.ts';
import { type LineWorld, readWorkloadLine, type WorkloadLine } from './workload-line.ts';

export interface UiSurroundings {
  readonly line: LineWorld;
  readonly storeDirectory: string | undefined;
  /** For the terminal. */
  readonly onNote: (line: string) => void;
}

/** Disposed of, the private servers end that were started for the page; their data stays. */
export function openUiWorld(surroundings: UiSurroundings): UiWorld & AsyncDisposable {
  const { line, storeDirectory, onNote } = surroundings;
  const store = storeDirectory === undefined ? {} : { directory: storeDirectory };
  const own = new Set<string>();
  const servers: OwnServers = {
    /** What runs afterwards and did not before is the page's. */
    claiming: async (name, work) => {
      const wasRunning = await isRunning(name, storeDirectory);
      try {
        return await work();
      } finally {
        if (!wasRunning && (await isRunning(name, storeDirectory))) own.add(name);
      }
    },
  };
  return {
    version: programVersion(),
    ...(storeDirectory === undefined ? {} : { storeDirectory }),
    workloads: () => workloadForms(line),
    readRun: (form) => readRun(form, surroundings, servers),
    readExperiment: (form) => readExperiment(form, surroundings),
    plan: async (form) => {
      const { plan, shown } = planOfForm(form);
      return { name: plan.name, text: await planInWords(plan, line, shown) };
    },
    resume: async (id) => {
      const { record } = await openExperiments(storeDirectory).load(id);
      const words = ['experiment', 'resume', record.id];
      return ready(record.plan, readExperimentLine(words), { words, resume: record.id }, surroundings);
    },
    compare: ({ references, metric, anyway }) =>
      comparisonOf({ references, anyway, ...(metric === undefined ? {} : { metric }) }, storeDirectory),
    examine: (form, signal) => examine(form, surroundings, signal),
    startServer: (name, extraArguments, signal) =>
      servers.claiming(name, async () => {
        await startPrivateServer({ keep: true, name, extraArguments, signal, onNote, ...store });
      }),
    ownServers: () => own,
    problemsOf,
    [Symbol.asyncDispose]: async () => {
      for (const name of own) {
        if (await isRunning(name, storeDirectory)) await stopPrivateServer(name, store);
      }
    },
  };
}

interface OwnServers {
  claiming<T>(name: string, work: () => Promise<T>): Promise<T>;
}

async function isRunning(name: string, storeDirectory: string | undefined): Promise<boolean> {
  const servers = await listPrivateServers(storeDirectory);
  return servers.some(({ file, state }) => file.name === name && state === 'running');
}

/** What the form says otherwise, or what means nothing on a page. */
const NOT_ON_A_FORM = new Set(['report_interval', 'histogram']);

async function workloadForms(world: LineWorld): Promise<readonly WorkloadForm[]> {
  const found = await Promise.all(world.workloadNames.map((name) => world.loadWorkload(name)));
  // Rounds make and remove tables by themselves, and are no run that could be watched.
  const shown = found.filter(({ workload }) => workload.rounds === undefined);
  return shown.map(({ name, workload }) => {
    const { defaults = {} } = workload;
    return {
      name,
      summary: workload.summary,
      options: optionsOf(workload.options, {}),
      load: optionsOf(LOAD_OPTIONS, defaults),
      hasPrepare: workload.prepare !== undefined,
    };
  });
}

function optionsOf(
  schema: Readonly<Record<string, Option>>,
  defaults: Readonly<Record<string, unknown>>,
): readonly FormOption[] {
  return Object.entries(schema)
    .filter(([name, { hidden, secret }]) => !hidden && !secret && !NOT_ON_A_FORM.has(name))
    .map(([name, option]) => ({
      name,
      kind: option.kind,
      default: written(defaults[name] ?? option.default),
      help: option.help,
      ...('min' in option && option.min !== undefined ? { min: option.min } : {}),
      ...('max' in option && option.max !== undefined ? { max: option.max } : {}),
      ...(option.kind === 'choice' ? { choices: option.choices } : {}),
      ...(option.placeholder === undefined ? {} : { placeholder: option.placeholder }),
    }));
}

function written(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** As the words of a command line. */
function targetWords(target: TargetForm | undefined): string[] {
  if (target === undefined) return [];
  if (target.is === 'private') return [`--server=${target.name}`];
  const { url, password = '' } = target;
  return [`--url=${url}`, ...(password === '' ? [] : [`--mysql-password=${password}`])];
}

function optionWords(options: Readonly<Record<string, string>>): string[] {
  return Object.entries(options).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value}`);
}

/** A name only: a path would load a program from anywhere. */
function workloadWord(name: string, { workloadNames }: LineWorld): string {
  if (workloadNames.includes(name)) return name;
  throw new UserError(`There is no workload '${name}'.`, { hint: `There are: ${workloadNames.join(', ')}.` });
}

async function readRun(form: RunForm, { line: world, storeDirectory }: UiSurroundings, servers: OwnServers) {
  const words = [workloadWord(form.workload, world), ...optionWords(form.options), ...targetWords(form.target)];
  const tags = form.tags.length === 0 ? [] : [`--tag=${form.tags.join(',')}`];
  const store = storeDirectory === undefined ? [] : [`--store=${storeDirectory}`];
  const line = await readWorkloadLine([...words, ...tags, ...store, 'run'], world);
  if (line.found.workload.rounds !== undefined) {
    throw new UserError(`${line.found.name} runs in rounds, which the page does not show.`, {
      hint: 'Run it on a terminal.',
    });
  }
  const command = ['sqldyno', ...redactCommand([...words, ...tags, 'run'])];
  const plan = planOf(line);
  const ready: ReadyRun = {
    title: `The run of ${line.found.name}`,
    command: command.map(shellQuoted).join(' '),
    load: { timeS: plan.timeS, warmupS: plan.warmupS, percentile: plan.percentiles.find((each) => each > 0) ?? 95 },
    go: async (watch, signal) => {
      const open = () => openRunTarget(line, form.prepares, watch, signal);
      const { target } = form;
      const opened = await (target.is === 'private' ? servers.claiming(target.name, open) : open());
      const todo = { line, plan: { ...plan, targets: opened.connections }, isPrivate: opened.isPrivate };
      if (form.prepares) await prepareMissing(line, todo.plan, watch, signal);
      return runWatched(todo, command, watch, signal);
    },
  };
  return ready;
}

async function openRunTarget(line: WorkloadLine, makesData: boolean, watch: RunWatch, signal: AbortSignal) {
  watch.onStep(line.given.has('url') ? 'connecting' : 'getting the private server ready');
  const opened = await openTarget(line, { signal, onNote: watch.onNote, makesData });
  // Of a private server they tell how to end it on a terminal; one of the page's ends with the page.
  if (!opened.isPrivate) for (const note of opened.notes) watch.onNote(note);
  return opened;
}

async function runWatched(
  todo: Parameters<typeof requestOf>[0],
  command: readonly string[],
  watch: RunWatch,
  signal: AbortSignal,
): Promise<RunRecord> {
  try {
    return await runOnce(requestOf(todo, command), watch, signal);
  } catch (error) {
    const [target] = todo.plan.targets;
    throw target === undefined ? error : explainConnectError(error, target);
  }
}

/** What `prepare` would mend; anything else is for the user to decide. */
const MENDED_BY_PREPARE = new Set(['tables-missing', 'table-half-loaded']);

async function prepareMissing(line: WorkloadLine, plan: LoadPlan, watch: RunWatch, signal: AbortSignal): Promise<void> {
  const { workload, name } = line.found;
  const [target] = plan.targets;
  if (workload.prepare === undefined || target === undefined) return;
  const { threads, preparedStatements, seed, rand, targets } = plan;
  const problems = await (async () => {
    await using connection = await connect(target);
    return await preflight(connection, workload, line.workload, { threads, isPrepareRun: false, preparedStatements });
  })();
  if (!problems.some(({ id }) => MENDED_BY_PREPARE.has(id))) return;
  watch.onStep('making the data');
  const request = {
    ...{ targets, workload, threads, seed, rand, preparedStatements },
    workloadName: name,
    workloadOptions: line.workload,
  };
  await maintain('prepare', request, watch, signal);
}

/** Stands for a text that was typed or pasted. */
const PASTED = './experiment.yaml';

function experimentLine({ of, size, overrides, only, target }: ExperimentForm): {
  readonly line: ExperimentLine;
  readonly words: readonly string[];
} {
  const words = [
    'experiment',
    'run',
    'recipe' in of ? of.recipe : PASTED,
    ...(size === '' ? [] : [`--size=${size}`]),
    ...overrides.map((override) => `--set=${override}`),
    ...(only === '' ? [] : [`--only=${only}`]),
    ...targetWords(target),
  ];
  return { line: readExperimentLine(words), words };
}

function planOfForm(form: ExperimentForm): WrittenPlan {
  const { of } = form;
  const read: ReadText =
    'recipe' in of
      ? { text: findRecipe(of.recipe).text, path: of.recipe, isRecipe: true }
      : { text: of.text, path: PASTED, isRecipe: false };
  const plans = plansOf(experimentLine(form).line, read);
  const [plan] = plans;
  if (plan !== undefined && plans.length === 1) return plan;
  throw new UserError(
    `${read.path} holds ${plans.length} experiments: ${plans.map(({ plan: { name } }) => name).join(', ')}.`,
    {
      hint: 'Write the name of one of them under Only.',
    },
  );
}

async function readExperiment(form: ExperimentForm, surroundings: UiSurroundings): Promise<ReadyExperiment> {
  const { line, words } = experimentLine(form);
  return ready(planOfForm(form).plan, line, { words }, surroundings);
}

async function ready(
  plan: ExperimentPlan,
  line: ExperimentLine,
  { words, resume }: { readonly words: readonly string[]; readonly resume?: string },
  { line: world, storeDirectory, onNote }: UiSurroundings,
): Promise<ReadyExperiment> {
  const command = ['sqldyno', ...redactCommand(words)];
  const taking = resume === undefined ? {} : { resume };
  const { request, notes } = await readyExperiment(plan, taking, line, {
    line: world,
    storeDirectory,
    command,
    onNote,
  });
  return { plan, notes, go: (view, signal) => conductExperiment(request, view, signal) };
}

async function examine(form: DoctorForm, { line: world, storeDirectory, onNote }: UiSurroundings, signal: AbortSignal) {
  const workload = form.workload === '' ? [] : [workloadWord(form.workload, world), ...optionWords(form.options)];
  const store = storeDirectory === undefined ? [] : [`--store=${storeDirectory}`];
  const line = await readDoctorLine(['doctor', ...workload, ...targetWords(form.target), ...store], world);
  return checkupOf(line, { onNote, onWait: () => {}, signal });
}
