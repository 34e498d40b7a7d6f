/** `sqldyno [options] WORKLOAD [options] COMMAND`: reads it whole, and tells all that is wrong with it at once. */
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';
import { type OptionsSchema, type ValuesOf, withDefaults } from '../base/options.ts';
import type { GivenOption, Problem } from '../base/options-parse.ts';
import { parseOptions, pickValues, splitWords } from '../base/options-parse.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import { loadProblems } from '../load/plan-load.ts';
import { valuesForWork, workProblems } from '../load/plan-work.ts';
import type { Workload } from '../workload/workload.ts';
import { readConfigFile } from './config-file.ts';
import { HOST_OPTIONS, hostProblems } from './host-options.ts';
import { METRICS_OPTIONS } from './metrics-options.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { ProblemsError } from './problems.ts';
import { judgeSysbenchOptions, SYSBENCH_OPTIONS } from './sysbench-options.ts';
import { TARGET_OPTIONS } from './target-options.ts';

export const WORKLOAD_COMMANDS = ['prepare', 'print-sql', 'prewarm', 'run', 'check', 'cleanup', 'help'] as const;
export type WorkloadCommand = (typeof WORKLOAD_COMMANDS)[number];

/** sysbench 1.1 has both names for one thing. */
const COMMAND_ALIASES: Readonly<Record<string, WorkloadCommand>> = { warmup: 'prewarm' };

export interface FoundWorkload {
  readonly name: string;
  /** Where it is a file of the user's own. */
  readonly path?: string;
  readonly workload: Workload;
  /** Options that come with the word: of a SQL file, the file. */
  readonly preset?: Readonly<Record<string, string>>;
}

/** What reading a command line needs to know; tests hand in their own. */
export interface LineWorld {
  readonly workloadNames: readonly string[];
  /** Throws a UserError where there is none. */
  loadWorkload(nameOrPath: string): Promise<FoundWorkload>;
  readText(path: string): string;
}

export interface WorkloadLine {
  readonly found: FoundWorkload;
  readonly command: WorkloadCommand;
  readonly target: ValuesOf<typeof TARGET_OPTIONS>;
  readonly load: ValuesOf<typeof LOAD_OPTIONS>;
  readonly workload: Readonly<Record<string, unknown>>;
  readonly host: ValuesOf<typeof HOST_OPTIONS>;
  readonly output: ValuesOf<typeof OUTPUT_OPTIONS>;
  readonly metrics: ValuesOf<typeof METRICS_OPTIONS>;
  /** Names of the options that were written. */
  readonly given: ReadonlySet<string>;
  readonly notes: readonly string[];
}

/** Options that every workload takes. */
export const COMMON_OPTIONS = {
  ...TARGET_OPTIONS,
  ...LOAD_OPTIONS,
  ...HOST_OPTIONS,
  ...OUTPUT_OPTIONS,
  ...METRICS_OPTIONS,
  ...SYSBENCH_OPTIONS,
};

export async function readWorkloadLine(args: readonly string[], world: LineWorld): Promise<WorkloadLine> {
  const family = await familyOptions(world);
  const isReserved = (word: string) => isCommand(word) || world.workloadNames.includes(word);
  const first = splitWords(args, { ...family, ...COMMON_OPTIONS }, isReserved);
  const named = nameWorkload(first.words, first.options, world);
  const found = await world.loadWorkload(named.workload);
  const own = found.workload.options;
  // A workload of the user's own has options that were unknown until now.
  const split = splitWords(args, { ...family, ...COMMON_OPTIONS, ...own }, isReserved);
  const { words, url } = separateUrl(split.words);
  const options = [
    ...fileOptions(split.options, world),
    // With a source of its own, what is written otherwise repeats nothing.
    ...Object.entries(found.preset ?? {}).map(([name, value]) => ({ name, written: value, value, source: found.name })),
    ...split.options.filter(({ name }) => name !== 'test'),
    ...url,
  ];
  const schema = { ...withDefaults(COMMON_OPTIONS, found.workload.defaults), ...own };
  const parsed = parseOptions(options, schema, {
    elsewhere: (name) => (Object.hasOwn(family, name) ? `is no option of ${found.name}` : undefined),
    helpCommand: `sqldyno ${found.path === undefined ? found.name : named.workload} help`,
  });
  const judged = judgeSysbenchOptions(parsed.values, parsed.given);
  const rest = named.isByOption ? words : without(named.workload, words);
  const command = parsed.values.help ? HELP : readCommand(rest, found);
  const workload = readOptionFiles(found.workload, pickValues(own, parsed.values), world);
  const problems = [
    ...split.problems,
    ...parsed.problems,
    ...judged.problems,
    ...hostProblems(parsed.given),
    ...(workload.problem === undefined ? problemsOfLoad(found.workload, workload.values, parsed) : [workload.problem]),
    ...command.problems,
  ];
  if (problems.length > 0) throw new ProblemsError(problems);
  return {
    found,
    command: command.is,
    target: pickValues(TARGET_OPTIONS, parsed.values),
    load: pickValues(LOAD_OPTIONS, parsed.values),
    workload: workload.values,
    host: pickValues(HOST_OPTIONS, parsed.values),
    output: pickValues(OUTPUT_OPTIONS, parsed.values),
    metrics: pickValues(METRICS_OPTIONS, parsed.values),
    given: parsed.given,
    notes: [...named.notes, ...parsed.notes, ...judged.notes],
  };
}

interface ReadValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problem?: Problem;
}

/** With the text of the files that the workload's options name. */
function readOptionFiles(workload: Workload, values: ReadValues['values'], world: LineWorld): ReadValues {
  const read = (path: string) => {
    try {
      return world.readText(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw new UserError(`There is no file ${path}.`, { cause: error });
      throw new UserError(`${path} cannot be read (${code ?? String(error)}).`, { cause: error });
    }
  };
  try {
    return { values: workload.readFiles?.(values as never, read) ?? values };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message: is, hint: remedy } = error;
    return { values, problem: remedy === undefined ? { is } : { is, remedy } };
  }
}

/** The combination of the workload's own options first: where that is wrong, how much work it makes is unknown. */
function problemsOfLoad(
  workload: Workload,
  options: Readonly<Record<string, unknown>>,
  parsed: { readonly values: Readonly<Record<string, unknown>>; readonly given: ReadonlySet<string> },
): Problem[] {
  const load = pickValues(LOAD_OPTIONS, parsed.values as never);
  const own = (workload.validate?.(options as never) ?? []).map((is) => ({ is }));
  if (own.length > 0) return [...loadProblems(load), ...own];
  const work = workload.work?.(options as never);
  const values = valuesForWork(load, parsed.given, work);
  return [...loadProblems(values), ...workProblems(values, work)];
}

const HELP = { is: 'help', problems: [] } as const;

function without(word: string, words: readonly string[]): string[] {
  const index = words.indexOf(word);
  return words.filter((_, at) => at !== index);
}

/** All options of all workloads, to know which of them take a value. */
export async function familyOptions(world: LineWorld): Promise<OptionsSchema> {
  const all = await Promise.all(world.workloadNames.map((name) => world.loadWorkload(name)));
  return Object.assign({}, ...all.map(({ workload }) => workload.options));
}

interface Named {
  readonly workload: string;
  /** Old style: `--test=oltp_read_write`. */
  readonly isByOption: boolean;
  readonly notes: readonly string[];
}

function nameWorkload(allWords: readonly string[], options: readonly GivenOption[], world: LineWorld): Named {
  const { words } = separateUrl(allWords);
  const test = options.findLast(({ name }) => name === 'test')?.value;
  if (test !== undefined) {
    return { workload: test, isByOption: true, notes: ['--test is an old spelling: the name alone will do.'] };
  }
  const [word, next] = words;
  if (word === undefined) {
    throw new ProblemsError([{ is: 'No workload is named.', remedy: 'List them: sqldyno workloads' }]);
  }
  const isPasswordBare = options.some(({ name, value }) => name === 'mysql_password' && value === undefined);
  if (isPasswordBare && !isWorkload(word, world)) {
    const remedy = 'Write --mysql-password=PASSWORD; without =, it is asked for.';
    throw new ProblemsError([{ is: 'What follows --mysql-password is no workload.', remedy }]);
  }
  if (isCommand(word)) {
    const remedy = `Write the workload first: sqldyno ${next ?? 'oltp_read_write'} ${word}`;
    throw new ProblemsError([{ is: `'${word}' is a command, and a workload must come before it.`, remedy }]);
  }
  // Before it there may be values of options that only the workload itself declares.
  return { workload: words.find((each) => isWorkload(each, world)) ?? word, isByOption: false, notes: [] };
}

function isWorkload(word: string, world: LineWorld): boolean {
  return world.workloadNames.includes(word) || /\.(?:lua|sql|m?[jt]s)$/.test(word);
}

function isCommand(word: string): boolean {
  return Object.hasOwn(COMMAND_ALIASES, word) || WORKLOAD_COMMANDS.some((command) => command === word);
}

/** A bare URL stands for `--url=URL`. */
function separateUrl(words: readonly string[]): { words: string[]; url: GivenOption[] } {
  const isUrl = (word: string) => /^[a-z]+:\/\//i.test(word);
  const url = words.filter(isUrl).map((value) => ({ name: 'url', written: '--url', value }));
  return { words: words.filter((word) => !isUrl(word)), url };
}

/** What a file says is said before what the command line says. */
function fileOptions(options: readonly GivenOption[], world: LineWorld): GivenOption[] {
  return options.flatMap(({ name, value }) =>
    name === 'config_file' && value ? readConfigFile(value, world.readText) : [],
  );
}

function readCommand(
  words: readonly string[],
  { name, workload }: FoundWorkload,
): { is: WorkloadCommand; problems: Problem[] } {
  const [word, extra] = words;
  const all = WORKLOAD_COMMANDS.filter((each) => each !== 'print-sql' || workload.sql !== undefined).join(', ');
  if (word === undefined) {
    const remedy = `Add one of ${all}: sqldyno ${name} run`;
    return { is: 'help', problems: [{ is: `What is to be done with ${name}?`, remedy }] };
  }
  const command = COMMAND_ALIASES[word] ?? WORKLOAD_COMMANDS.find((each) => each === word);
  if (command === undefined) {
    const meant = nearest(word, [...WORKLOAD_COMMANDS, ...Object.keys(COMMAND_ALIASES)]);
    const remedy = meant === undefined ? `Commands: ${all}.` : `Did you mean ${meant}?`;
    return { is: 'help', problems: [{ is: `'${word}' is no command of ${name}.`, remedy }] };
  }
  if (extra === undefined) return { is: command, problems: [] };
  const remedy = 'A value with spaces needs quotes; an option takes its value after =.';
  return { is: command, problems: [{ is: `'${extra}' after the command is one word too many.`, remedy }] };
}
