/** `sqldyno [options] cpu|memory|fileio|threads|mutex [options] COMMAND`: reads it, and tells all that is wrong. */
import { nearest } from '../base/did-you-mean.ts';
import { defaultsOf, type OptionsSchema, type ValuesOf } from '../base/options.ts';
import { type GivenOption, type Problem, parseOptions, pickValues, splitWords } from '../base/options-parse.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import { type LoadValues, loadProblems } from '../load/plan-load.ts';
import type { HostTest } from '../machine/host-test.ts';
import { hostTest } from '../machine/host-tests.ts';
import { HOST_TEST_NAMES, type HostTestName } from '../model/host-test.ts';
import { readConfigFile } from './config-file.ts';
import {
  HOST_IGNORED_OPTIONS,
  HOST_LOAD_OPTIONS,
  HOST_OUTPUT_OPTIONS,
  judgeIgnored,
  whyNotHere,
} from './host-test-options.ts';
import { ProblemsError } from './problems.ts';
import { COMMON_OPTIONS } from './workload-line.ts';

export type HostTestCommand = 'prepare' | 'run' | 'cleanup' | 'help';

export interface HostTestLine {
  readonly test: HostTest;
  readonly command: HostTestCommand;
  readonly values: Readonly<Record<string, unknown>>;
  /** As for a load on a database: what these tests lack has its default. */
  readonly load: LoadValues;
  readonly output: ValuesOf<typeof HOST_OUTPUT_OPTIONS>;
  readonly notes: readonly string[];
}

const OWN_OPTIONS: OptionsSchema = Object.assign({}, ...HOST_TEST_NAMES.map((name) => hostTest(name).options));
const SHARED_OPTIONS = { ...HOST_IGNORED_OPTIONS, ...HOST_LOAD_OPTIONS, ...HOST_OUTPUT_OPTIONS } as const;
/** Enough to know which options take a value, wherever the name of the test stands. */
const SPLIT_OPTIONS: OptionsSchema = { ...COMMON_OPTIONS, ...OWN_OPTIONS, ...SHARED_OPTIONS };

/** The test that the words are about: by the first word, after help, or by --test, as old sysbench had it. */
export function hostTestOf(args: readonly string[]): HostTestName | undefined {
  const { words, options } = splitWords(args, SPLIT_OPTIONS, isReserved);
  const byOption = options.findLast(({ name }) => name === 'test')?.value;
  const [first, second] = words;
  return nameOf(byOption ?? (first === 'help' ? second : first));
}

function nameOf(word: string | undefined): HostTestName | undefined {
  return HOST_TEST_NAMES.find((name) => name === word);
}

function isReserved(word: string): boolean {
  return nameOf(word) !== undefined || ['prepare', 'run', 'cleanup', 'help'].includes(word);
}

export function readHostTestLine(
  name: HostTestName,
  args: readonly string[],
  readText: (path: string) => string,
): HostTestLine {
  const test = hostTest(name);
  const split = splitWords(args, SPLIT_OPTIONS, isReserved);
  const isOldStyle = split.options.some(({ name: option }) => option === 'test');
  const given = [
    ...fileOptions(split.options, readText),
    ...split.options.filter(({ name: option }) => option !== 'test'),
  ];
  const parsed = parseOptions(
    given,
    { ...SHARED_OPTIONS, ...test.options },
    { elsewhere: (option) => elsewhere(option, name), helpCommand: `sqldyno ${name} help` },
  );
  const values = pickValues(test.options, parsed.values);
  const load = { ...defaultsOf(LOAD_OPTIONS), ...pickValues(HOST_LOAD_OPTIONS, parsed.values) };
  const ignored = judgeIgnored(parsed.values, parsed.given);
  const command = readCommand(split.words, test, parsed.values.help);
  const problems = [
    ...split.problems,
    ...parsed.problems,
    ...ignored.problems,
    ...loadProblems(load),
    ...(test.problems?.(values as never) ?? []),
    ...command.problems,
  ];
  if (problems.length > 0) throw new ProblemsError(problems);
  return {
    test,
    command: command.is,
    values,
    load,
    output: pickValues(HOST_OUTPUT_OPTIONS, parsed.values),
    notes: [
      ...(isOldStyle ? ['--test is an old spelling: the name alone will do.'] : []),
      ...parsed.notes,
      ...ignored.notes,
      ...(command.is === 'run' ? endlessNotes(test, values, load) : []),
    ],
  };
}

function elsewhere(option: string, name: HostTestName): string | undefined {
  const other = HOST_TEST_NAMES.find((each) => Object.hasOwn(hostTest(each).options, option));
  if (other !== undefined) return `is an option of ${other}, not of ${name}`;
  return whyNotHere(option, Object.hasOwn(COMMON_OPTIONS, option));
}

/** What a file says is said before what the command line says. */
function fileOptions(options: readonly GivenOption[], readText: (path: string) => string): GivenOption[] {
  return options.flatMap(({ name, value }) => (name === 'config_file' && value ? readConfigFile(value, readText) : []));
}

function commandsOf({ name }: HostTest): readonly HostTestCommand[] {
  return name === 'fileio' ? ['prepare', 'run', 'cleanup', 'help'] : ['run', 'help'];
}

function readCommand(
  words: readonly string[],
  test: HostTest,
  wantsHelp: boolean,
): { readonly is: HostTestCommand; readonly problems: readonly Problem[] } {
  // The name may stand first, after help, or in an option.
  const at = words.indexOf(test.name);
  const [word, extra] = words.filter((_, index) => index !== at);
  if (wantsHelp) return { is: 'help', problems: [] };
  const commands = commandsOf(test);
  const all = commands.join(', ');
  if (word === undefined) {
    const remedy = `Add one of ${all}: sqldyno ${test.name} run`;
    return { is: 'help', problems: [{ is: `What is to be done with ${test.name}?`, remedy }] };
  }
  const command = commands.find((each) => each === word);
  if (command === undefined) {
    const meant = nearest(word, commands);
    const remedy = meant === undefined ? `Commands: ${all}.` : `Did you mean ${meant}?`;
    return { is: 'help', problems: [{ is: `'${word}' is no command of ${test.name}.`, remedy }] };
  }
  if (extra === undefined) return { is: command, problems: [] };
  const remedy = 'A value with spaces needs quotes; an option takes its value after =.';
  return { is: command, problems: [{ is: `'${extra}' after the command is one word too many.`, remedy }] };
}

function endlessNotes(test: HostTest, values: unknown, { time, events, threads }: LoadValues): string[] {
  const { eventsMax, eventsPerThread } = test.threadNeeds(values as never, threads);
  const isEndless = time === 0 && events === 0 && eventsMax === undefined && eventsPerThread === undefined;
  return isEndless ? ['Neither --time nor --events ends this run: stop it with Ctrl-C.'] : [];
}
