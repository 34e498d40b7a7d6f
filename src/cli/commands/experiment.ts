/** `sqldyno experiment`: variants in blocks, each run from the same start, and what comes of it. */
import { unreachable } from '../../base/assert.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import type { Problem } from '../../base/options-parse.ts';
import { beforehand } from '../../lab/experiment/beforehand.ts';
import { conductExperiment, type ExperimentRequest } from '../../lab/experiment/conduct.ts';
import { estimate } from '../../lab/experiment/estimate.ts';
import { draftExperiments, type ReadFileOptions, readExperiments } from '../../lab/experiment/file/read-file.ts';
import { findRecipe, listRecipes } from '../../lab/experiment/recipes.ts';
import { removeExperiment } from '../../lab/experiment/remove-experiment.ts';
import { schedule } from '../../lab/experiment/schedule.ts';
import type { OpenedTarget } from '../../lab/experiment/stage.ts';
import type { ExperimentPlan, ExperimentRecord } from '../../model/experiment.ts';
import { planText } from '../../report/experiment-plan-text.ts';
import { metricOf } from '../../stats/metrics.ts';
import { openExperiments } from '../../store/experiments.ts';
import { type ExperimentLine, experimentHelp, readExperimentLine } from '../experiment-line.ts';
import { renderExperiment } from '../experiment-report.ts';
import { openExperimentView } from '../experiment-view.ts';
import { openTarget } from '../open-target.ts';
import { wrapped } from '../options-help.ts';
import { ProblemsError } from '../problems.ts';
import { resolveVariants, type Shown, variantProblems } from '../resolve-variants.ts';
import { storeOption } from '../self-command.ts';
import type { Session } from '../session.ts';
import { jsonText, type Terminal, writeReport } from '../terminal.ts';
import { programVersion } from '../version.ts';
import type { LineWorld } from '../workload-line.ts';

export interface ExperimentWorld {
  readonly session: Session;
  readonly line: LineWorld;
  readonly storeDirectory: string | undefined;
}

export async function experimentCommand(args: readonly string[], world: ExperimentWorld): Promise<ExitCode> {
  const line = readExperimentLine(args);
  const { terminal } = world.session;
  for (const note of line.notes) terminal.warn(`Note: ${note}`);
  switch (line.command) {
    case 'help':
      terminal.say(experimentHelp(terminal.columns));
      return ExitCode.done;
    case 'recipes':
      return recipes(terminal);
    case 'recipe':
      return printRecipe(line, terminal);
    case 'plan':
      return showPlan(line, world);
    case 'run':
      return endExperiments(await runExperiments(line, world), world);
    case 'resume':
      return resume(line, world);
    case 'show':
      return show(line, world);
    case 'list':
      return list(world);
    case 'rm':
      return remove(line, world);
    default:
      return unreachable(line.command);
  }
}

function recipes(terminal: Terminal): ExitCode {
  const found = listRecipes();
  const length = Math.max(...found.map(({ name }) => name.length));
  for (const { name, question } of found) terminal.say(`  ${name.padEnd(length)}  ${question}`);
  terminal.say(
    '\nSee what one does: sqldyno experiment plan NAME. A copy of your own: sqldyno experiment recipe NAME > FILE',
  );
  terminal.json(jsonText({ recipes: found.map(({ name, question }) => ({ name, question })) }));
  return ExitCode.done;
}

function printRecipe({ words: [name = ''] }: ExperimentLine, terminal: Terminal): ExitCode {
  const { text } = findRecipe(name);
  terminal.say(text.trimEnd());
  terminal.json(jsonText({ name, text }));
  return ExitCode.done;
}

/** The plan, and nothing is touched. */
async function showPlan(line: ExperimentLine, world: ExperimentWorld): Promise<ExitCode> {
  const { terminal } = world.session;
  const plans = await readPlans(line, world);
  for (const [index, { plan, shown }] of plans.entries()) {
    if (index > 0) terminal.say('');
    terminal.say((await planInWords(plan, world.line, shown)).trimEnd());
  }
  terminal.json(jsonText({ plans: plans.map(({ plan }) => plan) }));
  return ExitCode.done;
}

export async function planInWords(plan: ExperimentPlan, world: LineWorld, shown?: Shown): Promise<string> {
  const variants = await resolveVariants(plan, world, shown);
  const facts = {
    runs: schedule(plan),
    estimate: estimate(plan, variants),
    beforehand: await beforehand(plan, variants),
  };
  return planText({ plan, ...facts });
}

/** All experiments of the file, one after another; the first that does not end well is the last. */
export async function runExperiments(
  line: ExperimentLine,
  world: ExperimentWorld,
): Promise<readonly ExperimentRecord[]> {
  const plans = await readPlans(line, world);
  const records: ExperimentRecord[] = [];
  for (const { plan } of plans) {
    const record = await conductShown(plan, {}, line, world);
    records.push(record);
    if (exitCodeOf(record) !== ExitCode.done) break;
  }
  return records;
}

async function resume(line: ExperimentLine, world: ExperimentWorld): Promise<ExitCode> {
  const experiments = openExperiments(world.storeDirectory);
  const { record } = await experiments.load(line.words[0] ?? 'latest');
  return endExperiments([await conductShown(record.plan, { resume: record.id }, line, world)], world);
}

export function endExperiments(
  records: readonly ExperimentRecord[],
  { session: { terminal }, storeDirectory }: ExperimentWorld,
): ExitCode {
  terminal.json(jsonText({ experiments: records }));
  for (const text of records.flatMap((record) => lastWords(record, storeDirectory))) terminal.warn(text);
  return records.map(exitCodeOf).find((code) => code !== ExitCode.done) ?? ExitCode.done;
}

/** Also for commands that make a plan of their own. */
export async function conductShown(
  plan: ExperimentPlan,
  taking: { readonly resume?: string },
  line: ConductLine & Pick<ExperimentLine, 'options'>,
  world: ExperimentWorld,
): Promise<ExperimentRecord> {
  const record = await conductPlan(plan, taking, line, world);
  await say(record, line.options, world);
  return record;
}

/** What of a command line says where an experiment is done, how it is watched, and what is allowed. */
export interface ConductLine extends Pick<ExperimentLine, 'target' | 'given' | 'host' | 'tag' | 'namesServer'> {
  readonly options: Pick<ExperimentLine['options'], 'allow_settings' | 'allow_commands'>;
}

/** For commands that have a report of their own, too. */
export async function conductPlan(
  plan: ExperimentPlan,
  taking: { readonly resume?: string },
  line: ConductLine,
  world: ExperimentWorld,
): Promise<ExperimentRecord> {
  const { terminal, command } = world.session;
  const onNote = (note: string) => terminal.warn(note);
  const { request, notes } = await readyExperiment(plan, taking, line, { ...world, command, onNote });
  for (const note of notes) terminal.say(`Note: ${note}`);
  return conductOnTerminal(request, plan, world);
}

/** Where an experiment is begun, if not from a terminal. */
export interface ConductWorld extends Pick<ExperimentWorld, 'line' | 'storeDirectory'> {
  /** As typed, secrets removed. */
  readonly command: readonly string[];
  readonly onNote: (line: string) => void;
}

/** The experiment as the lab takes it, and what should be known beforehand. Nothing is begun. */
export async function readyExperiment(
  plan: ExperimentPlan,
  { resume }: { readonly resume?: string },
  line: ConductLine,
  world: ConductWorld,
): Promise<{ readonly request: ExperimentRequest; readonly notes: readonly string[] }> {
  const variants = await resolveVariants(plan, world.line);
  const notes = new Set([...plan.notes, ...(await beforehand(plan, variants))]);
  const request: ExperimentRequest = {
    plan,
    variants,
    command: world.command,
    version: programVersion(),
    ...(world.storeDirectory === undefined ? {} : { storeDirectory: world.storeDirectory }),
    openTarget: (target, signal) => open(target, plan, { line, world, signal }),
    allows: { settings: line.options.allow_settings, commands: line.options.allow_commands },
    ...(line.host.observe ? { observe: observeOf(line) } : {}),
    tags: line.tag,
    ...(resume === undefined ? {} : { resume }),
  };
  return { request, notes: [...notes] };
}

async function conductOnTerminal(
  request: ExperimentRequest,
  plan: ExperimentPlan,
  { session }: ExperimentWorld,
): Promise<ExperimentRecord> {
  using view = openExperimentView(session, metricOf(plan.metric));
  return await conductExperiment(request, view, session.interrupts.signal);
}

interface Opening {
  readonly line: Pick<ExperimentLine, 'target' | 'given' | 'namesServer'>;
  readonly world: Pick<ConductWorld, 'storeDirectory' | 'onNote'>;
  readonly signal: AbortSignal;
}

const PRIVATE_SERVER = /^private:(.+)$/;

/** The password of a server that the file names comes from where it does for a run: never from the file. */
async function open(target: string, plan: ExperimentPlan, { line, world, signal }: Opening): Promise<OpenedTarget> {
  const { onNote } = world;
  const output = { store: world.storeDirectory ?? '' };
  const name = PRIVATE_SERVER.exec(target)?.[1];
  const isGivenOne = line.namesServer && target === plan.target;
  const given = isGivenOne ? line.given : new Set([...line.given, name === undefined ? 'url' : 'server']);
  const values = isGivenOne
    ? line.target
    : { ...line.target, ...(name === undefined ? { url: target } : { server: name }) };
  const opened = await openTarget({ target: values, given, output }, { signal, onNote, makesData: true });
  return { connections: opened.connections, isPrivate: opened.isPrivate };
}

/** An experiment on a server that the command line names: `--server=NAME`, or all else that says where it is. */
function targetOverride(line: ExperimentLine): string[] {
  return line.namesServer ? [`target=${targetNamed(line)}`] : [];
}

/** As the plan of an experiment has it. */
export function targetNamed({ target, given }: Pick<ExperimentLine, 'target' | 'given'>): string {
  if (given.has('server')) return `private:${target.server}`;
  if (given.has('url')) return withoutPassword(target.url);
  const [host = 'localhost'] = target.mysql_host;
  const [port = '3306'] = target.mysql_port;
  const [socket] = target.mysql_socket;
  const query = socket === undefined ? '' : `?socket=${encodeURIComponent(socket)}`;
  return `mysql://${target.mysql_user}@${host}:${port}/${target.mysql_db}${query}`;
}

function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^@/:]*):[^@/]*@/i, '$1@');
}

export interface WrittenPlan {
  readonly plan: ExperimentPlan;
  readonly shown: Shown;
}

/** All that is wrong is told at once: in the files, and in the lines that their variants stand for. */
async function readPlans(line: ExperimentLine, world: ExperimentWorld): Promise<readonly WrittenPlan[]> {
  const [word = ''] = line.words;
  const read = readFileOrRecipe(word, world);
  const { experiments, problems } = draftExperiments(read.text, readingOf(line, read));
  const told = problems.map(({ place, is, remedy }): Problem => {
    return { is: `${place.shown}: ${is}`, ...(remedy === undefined ? {} : { remedy }) };
  });
  const plans = experiments.map(({ plan, at, isWorkloadKnown }) => ({
    plan,
    shown: (place: readonly string[]) => at(place).shown,
    isWorkloadKnown,
  }));
  for (const { plan, shown, isWorkloadKnown } of plans) {
    if (isWorkloadKnown) told.push(...(await variantProblems(plan, world.line, shown)));
  }
  if (told.length > 0) throw new ProblemsError(told);
  return plans;
}

/** With what the line says otherwise than the text. */
export function plansOf(line: ExperimentLine, read: ReadText): readonly WrittenPlan[] {
  return readExperiments(read.text, readingOf(line, read)).map(({ plan, at }) => {
    return { plan, shown: (place) => at(place).shown };
  });
}

function readingOf(line: ExperimentLine, { path, isRecipe }: ReadText): ReadFileOptions {
  const { size: sizeGiven, pairs, set, only } = line.options;
  const size = sizeGiven === '' && isRecipe ? 'small' : sizeGiven;
  const overrides = [...set, ...targetOverride(line), ...(pairs === 0 ? [] : [`pairs=${pairs}`])];
  return { path, overrides, ...(size === '' ? {} : { size }), ...(only === '' ? {} : { only }) };
}

export interface ReadText {
  readonly text: string;
  readonly path: string;
  readonly isRecipe: boolean;
}

function readFileOrRecipe(word: string, { line }: ExperimentWorld): ReadText {
  if (!/[./]/.test(word)) {
    const { text } = findRecipe(word);
    return { text, path: word, isRecipe: true };
  }
  try {
    return { text: line.readText(word), path: word, isRecipe: false };
  } catch (cause) {
    throw new UserError(`${word} cannot be read (${(cause as NodeJS.ErrnoException).code ?? String(cause)}).`, {
      hint: 'Name a file, or one of: sqldyno experiment recipes',
      cause,
    });
  }
}

async function show({ words, options }: ExperimentLine, world: ExperimentWorld): Promise<ExitCode> {
  const { session, storeDirectory } = world;
  const { record } = await openExperiments(storeDirectory).load(words[0] ?? 'latest');
  await say(record, options, world);
  session.terminal.json(jsonText(record));
  return ExitCode.done;
}

const ANSWER_INDENT = '  ';

async function list({ session, storeDirectory }: ExperimentWorld): Promise<ExitCode> {
  const { terminal } = session;
  const { experiments, skipped } = await openExperiments(storeDirectory).list();
  if (experiments.length === 0) terminal.say('There is no experiment yet. Begin with: sqldyno experiment recipes');
  for (const { id, ending, is } of experiments) {
    terminal.say(`${id}  ${ending ?? 'cut off'}`);
    // A pipe gets it whole, for grep.
    const width = (terminal.stream.isTTY === true ? terminal.columns : Number.POSITIVE_INFINITY) - ANSWER_INDENT.length;
    for (const text of is === undefined ? [] : wrapped(is, width)) terminal.say(ANSWER_INDENT + text);
  }
  for (const { path, because } of skipped) terminal.warn(`Note: ${path}: ${because}`);
  terminal.json(jsonText({ experiments, skipped }));
  return ExitCode.done;
}

async function remove({ words }: ExperimentLine, { session, storeDirectory }: ExperimentWorld): Promise<ExitCode> {
  const removed: string[] = [];
  for (const word of words) {
    const id = await removeExperiment(word, storeDirectory);
    removed.push(id);
    session.terminal.say(`Removed the experiment ${id}; its runs stay.`);
  }
  session.terminal.json(jsonText({ removed }));
  return ExitCode.done;
}

async function say(
  record: ExperimentRecord,
  { format, to }: Pick<ExperimentLine['options'], 'format' | 'to'>,
  { session: { terminal }, storeDirectory }: ExperimentWorld,
): Promise<void> {
  const text = await renderExperiment(record, format, { terminal, storeDirectory });
  if (to === '') {
    terminal.say(text.trimEnd());
    return;
  }
  writeReport(to, text);
  terminal.say(`Written: ${to}`);
}

/** What must be seen also where stdout went to a file. */
function lastWords({ id, ending }: ExperimentRecord, storeDirectory: string | undefined): string[] {
  if (ending === undefined || !('cause' in ending)) return [];
  return [
    `sqldyno: The experiment is not done: ${ending.cause}`,
    `  What was measured is kept. Go on with: sqldyno experiment resume ${id}${storeOption(storeDirectory)}`,
  ];
}

export function exitCodeOf({ ending }: ExperimentRecord): ExitCode {
  if (ending?.kind === 'interrupted') return ExitCode.interrupted;
  return ending?.kind === 'failed' ? ExitCode.runFailed : ExitCode.done;
}

function observeOf({ host }: Pick<ExperimentLine, 'host'>): NonNullable<ExperimentRequest['observe']> {
  const { observe_interval: intervalS, host_ssh: ssh, host_metrics: metricsUrl } = host;
  return { intervalS, host: { ...(ssh === '' ? {} : { ssh }), ...(metricsUrl === '' ? {} : { metricsUrl }) } };
}
