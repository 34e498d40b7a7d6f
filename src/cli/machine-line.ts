/** `sqldyno machine [list|show [CARD]] [options]`: reads it, and tells all that is wrong. */
import { nearest } from '../base/did-you-mean.ts';
import { choice, flag, number, text, type ValuesOf } from '../base/options.ts';
import { type GivenOption, type Problem, parseOptions, pickValues, splitWords } from '../base/options-parse.ts';
import { type OptionGroup, optionsHelp } from './options-help.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { ProblemsError } from './problems.ts';
import { NAMES_A_TARGET, TARGET_OPTIONS } from './target-options.ts';

/** Less is no measurement on any machine; tests of the program ask for it. */
const SECONDS_MIN = 0.1;
const SECONDS_MAX = 3_600;
const QUICK_SECONDS = 5;

const MACHINE_OPTIONS = {
  file_dir: text({
    default: '',
    placeholder: 'DIR',
    help:
      "where commits, reads and writes are measured: a server's data directory, for one; default: the store, where private " +
      'servers have their data',
  }),
  seconds: number({
    default: 30,
    min: SECONDS_MIN,
    max: SECONDS_MAX,
    help: `how long to measure in all; getting ready comes on top. With --quick: ${QUICK_SECONDS}`,
  }),
  quick: flag({
    default: false,
    help: 'shorter, a smaller file, fewer queue depths, and only the larger block of memory',
  }),
  file_engine: choice({
    default: 'auto',
    choices: ['auto', 'fio', 'sqldyno'],
    help: 'who reads and writes: fio, where it is installed, or threads of this program',
  }),
  name: text({ default: '', placeholder: 'NAME', help: 'what the machine is called; default: its host name' }),
  compare: text({
    default: '',
    placeholder: 'FILE|NAME',
    help: "another card, to be laid beside this one: its file, its id or a part of it, or a machine's name",
  }),
} as const;

const { json, store, live, help } = OUTPUT_OPTIONS;
const OPTIONS = { ...MACHINE_OPTIONS, ...TARGET_OPTIONS, json, store, live, help };

export type MachineAction =
  | { readonly is: 'measure' | 'list' | 'help' }
  | { readonly is: 'show'; readonly card: string };

export interface MachineLine {
  readonly action: MachineAction;
  readonly options: ValuesOf<typeof MACHINE_OPTIONS>;
  /** With what --quick makes of it. */
  readonly timeS: number;
  readonly target: ValuesOf<typeof TARGET_OPTIONS>;
  /** A server is named, or a private one. */
  readonly hasTarget: boolean;
  /** Names of the options that were written. */
  readonly given: ReadonlySet<string>;
  readonly notes: readonly string[];
}

export function readMachineLine(args: readonly string[]): MachineLine {
  const split = splitWords(args, OPTIONS);
  const { words, url } = separateUrl(split.words);
  const parsed = parseOptions([...split.options, ...url], OPTIONS, { helpCommand: 'sqldyno machine --help' });
  const { values, given } = parsed;
  const action = readAction(words.slice(1), values.help);
  const problems = [...split.problems, ...parsed.problems, ...action.problems];
  if (problems.length > 0) throw new ProblemsError(problems);
  const options = pickValues(MACHINE_OPTIONS, values);
  return {
    action: action.is,
    options,
    timeS: options.quick && !given.has('seconds') ? QUICK_SECONDS : options.seconds,
    target: pickValues(TARGET_OPTIONS, values),
    hasTarget: given.has('server') || NAMES_A_TARGET.some((name) => given.has(name)),
    given,
    notes: parsed.notes,
  };
}

/** A bare URL stands for `--url=URL`. */
function separateUrl(all: readonly string[]): { words: string[]; url: GivenOption[] } {
  const isUrl = (word: string) => /^[a-z]+:\/\//i.test(word);
  const url = all.filter(isUrl).map((value) => ({ name: 'url', written: '--url', value }));
  return { words: all.filter((word) => !isUrl(word)), url };
}

const ACTIONS = ['list', 'show', 'help'] as const;

function readAction(
  [word, ...rest]: readonly string[],
  wantsHelp: boolean,
): { readonly is: MachineAction; readonly problems: readonly Problem[] } {
  if (wantsHelp || word === 'help') return { is: { is: 'help' }, problems: [] };
  const [extra] = word === 'show' ? rest.slice(1) : rest;
  const remedy = 'A value with spaces needs quotes; an option takes its value after =.';
  const problems = extra === undefined ? [] : [{ is: `'${extra}' is one word too many.`, remedy }];
  switch (word) {
    case undefined:
      return { is: { is: 'measure' }, problems };
    case 'list':
      return { is: { is: 'list' }, problems };
    case 'show':
      return { is: { is: 'show', card: rest[0] ?? 'latest' }, problems };
    default: {
      const meant = nearest(word, ACTIONS);
      const hint =
        meant === undefined ? 'To measure, write nothing after machine but options.' : `Did you mean ${meant}?`;
      return { is: { is: 'measure' }, problems: [{ is: `'${word}' is no command of machine.`, remedy: hint }] };
    }
  }
}

export function machineHelp(columns: number): string {
  const groups: readonly OptionGroup[] = [
    { title: 'Machine options', options: MACHINE_OPTIONS },
    { title: 'Target options, to measure the way to a server', options: TARGET_OPTIONS },
    { title: 'Output options', options: { json, store, live } },
  ];
  return optionsHelp(groups, columns);
}
