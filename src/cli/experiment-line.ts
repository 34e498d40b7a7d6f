/** `sqldyno experiment COMMAND [FILE|RECIPE|ID] [options]`: reads it, and tells all that is wrong. */
import { nearest } from '../base/did-you-mean.ts';
import { choice, flag, integer, list, text, type ValuesOf } from '../base/options.ts';
import { type GivenOption, type Problem, parseOptions, pickValues, splitWords } from '../base/options-parse.ts';
import { PAIRS_MAX } from '../lab/experiment/file/limits.ts';
import { HOST_OPTIONS, hostProblems } from './host-options.ts';
import { type OptionGroup, optionsHelp } from './options-help.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { ProblemsError } from './problems.ts';
import { NAMES_A_TARGET, TARGET_OPTIONS } from './target-options.ts';

export const EXPERIMENT_COMMANDS = ['run', 'plan', 'resume', 'show', 'list', 'rm', 'recipes', 'recipe'] as const;
export type ExperimentCommand = (typeof EXPERIMENT_COMMANDS)[number];

export const EXPERIMENT_FORMATS = ['text', 'markdown', 'html'] as const;
export type ExperimentFormat = (typeof EXPERIMENT_FORMATS)[number];

export const EXPERIMENT_OPTIONS = {
  size: text({
    default: '',
    placeholder: 'SIZE',
    help: "one of the file's sizes; of recipes: small, which takes minutes on two cores, or full, as large as what it redoes [small]; of other files [full]",
  }),
  only: text({ default: '', placeholder: 'NAME', help: 'this experiment alone, of a file that holds several' }),
  pairs: integer({
    default: 0,
    min: 0,
    max: PAIRS_MAX,
    help: `how often each variant runs, 1 to ${PAIRS_MAX}; 0: as the file says`,
  }),
  set: list({
    default: [],
    repeatable: true,
    placeholder: 'KEY=VALUE',
    help: 'another value than the file says, by its path: --set=load.time=30 --set=workload.table_size=10000',
  }),
  allow_settings: flag({
    default: false,
    help: 'global variables of a server that is not private may be changed for a while; they are put back',
  }),
  allow_commands: flag({ default: false, help: "the variants' commands for the shell may be run" }),
  format: choice({
    default: 'text',
    choices: EXPERIMENT_FORMATS,
    help: 'of what comes out; html is a page, for show --to=FILE',
  }),
  to: text({ default: '', placeholder: 'FILE', help: 'the report is written there, instead of here' }),
} as const;

const { json, store, live, help, tag } = OUTPUT_OPTIONS;
const OPTIONS = { ...EXPERIMENT_OPTIONS, ...TARGET_OPTIONS, ...HOST_OPTIONS, json, store, live, help, tag };

export interface ExperimentLine {
  readonly command: ExperimentCommand | 'help';
  /** File, recipe or id; several for `rm`. */
  readonly words: readonly string[];
  readonly options: ValuesOf<typeof EXPERIMENT_OPTIONS>;
  readonly target: ValuesOf<typeof TARGET_OPTIONS>;
  /** A server is named, in place of the file's. */
  readonly namesServer: boolean;
  readonly host: ValuesOf<typeof HOST_OPTIONS>;
  readonly tag: readonly string[];
  readonly given: ReadonlySet<string>;
  readonly notes: readonly string[];
}

export function readExperimentLine(args: readonly string[]): ExperimentLine {
  const split = splitWords(args, OPTIONS);
  const { words, url } = separateUrl(split.words);
  const parsed = parseOptions([...split.options, ...url], OPTIONS, { helpCommand: 'sqldyno experiment --help' });
  const { values, given } = parsed;
  const { command, rest, problems } = readCommand(withoutFirst(words, 'experiment'));
  const all = [...split.problems, ...parsed.problems, ...(values.help ? [] : problems), ...hostProblems(given)];
  if (all.length > 0) throw new ProblemsError(all);
  return {
    command: values.help ? 'help' : command,
    words: rest,
    options: pickValues(EXPERIMENT_OPTIONS, values),
    target: pickValues(TARGET_OPTIONS, values),
    namesServer: [...NAMES_A_TARGET, 'server'].some((name) => given.has(name)),
    host: pickValues(HOST_OPTIONS, values),
    tag: values.tag,
    given,
    notes: parsed.notes,
  };
}

interface ReadCommand {
  readonly command: ExperimentCommand | 'help';
  readonly rest: readonly string[];
  readonly problems: readonly Problem[];
}

/** A file or a recipe alone is run. */
function readCommand(words: readonly string[]): ReadCommand {
  const [first, ...others] = words;
  if (first === undefined || first === 'help') return { command: 'help', rest: [], problems: [] };
  const command = EXPERIMENT_COMMANDS.find((each) => each === first);
  const rest = command === undefined ? words : others;
  const is = command ?? 'run';
  return { command: is, rest, problems: problemsOfWords(is, rest, command === undefined ? first : undefined) };
}

const WORDS_OF: Readonly<
  Record<ExperimentCommand, { readonly min: number; readonly max: number; readonly what: string }>
> = {
  run: { min: 1, max: 1, what: 'a file or a recipe' },
  plan: { min: 1, max: 1, what: 'a file or a recipe' },
  recipe: { min: 1, max: 1, what: 'a recipe' },
  resume: { min: 0, max: 1, what: 'an experiment' },
  show: { min: 0, max: 1, what: 'an experiment' },
  list: { min: 0, max: 0, what: '' },
  recipes: { min: 0, max: 0, what: '' },
  rm: { min: 1, max: Number.POSITIVE_INFINITY, what: 'an experiment' },
};

function problemsOfWords(command: ExperimentCommand, words: readonly string[], bare: string | undefined): Problem[] {
  const { min, max, what } = WORDS_OF[command];
  if (words.length < min) {
    return [{ is: `experiment ${command}: name ${what}.`, remedy: 'See: sqldyno experiment recipes' }];
  }
  if (words.length <= max) return [];
  const meant = bare === undefined ? undefined : nearest(bare, EXPERIMENT_COMMANDS);
  const remedy = meant === undefined ? 'One at a time.' : `Did you mean ${meant}?`;
  return [{ is: `'${words[max]}' is one word too many for experiment ${command}.`, remedy }];
}

function withoutFirst(words: readonly string[], word: string): string[] {
  const at = words.indexOf(word);
  return words.filter((_, index) => index !== at);
}

/** A bare URL stands for `--url=URL`. */
function separateUrl(all: readonly string[]): { words: string[]; url: GivenOption[] } {
  const isUrl = (word: string) => /^[a-z]+:\/\//i.test(word);
  const url = all.filter(isUrl).map((value) => ({ name: 'url', written: '--url', value }));
  return { words: all.filter((word) => !isUrl(word)), url };
}

export function experimentHelp(columns: number): string {
  const groups: readonly OptionGroup[] = [
    { title: 'Options of the experiment', options: EXPERIMENT_OPTIONS },
    { title: "Options of the target, in place of the file's", options: TARGET_OPTIONS },
    { title: 'Options of observation', options: HOST_OPTIONS },
    { title: 'Output options', options: { json, store, live, tag } },
  ];
  return optionsHelp(groups, columns);
}
