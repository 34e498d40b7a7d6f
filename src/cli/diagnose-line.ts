/** `sqldyno diagnose [RUN] [options]`: reads it, and tells all that is wrong. */
import { flag, integer, number, text, type ValuesOf } from '../base/options.ts';
import { type GivenOption, type Problem, parseOptions, pickValues, splitWords } from '../base/options-parse.ts';
import { HOST_OPTIONS, hostProblems } from './host-options.ts';
import { type OptionGroup, optionsHelp } from './options-help.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { ProblemsError } from './problems.ts';
import { NAMES_A_TARGET, TARGET_OPTIONS } from './target-options.ts';

/** One pair may come out so by chance, and has no second to disagree with. */
const PAIRS_MIN = 2;
const PAIRS_MAX = 30;
const TIME_S_MIN = 0.5;
const TIME_S_MAX = 3_600;

const { host_ssh, host_metrics } = HOST_OPTIONS;
const DIAGNOSE_OPTIONS = {
  probe: flag({
    default: false,
    help: 'try the first verdict: short runs of the same load in pairs, as it was (A) and with the one thing changed that the verdict names (B). They change data as the run did; what is changed on the server is put back',
  }),
  verdict: text({
    default: '',
    placeholder: 'ID',
    help: 'try this verdict, by its name in brackets, and not the first',
  }),
  pairs: integer({ default: 3, min: PAIRS_MIN, max: PAIRS_MAX, help: 'with --probe: how many pairs, A B B A A B ...' }),
  time: number({ default: 8, min: TIME_S_MIN, max: TIME_S_MAX, help: 'with --probe: seconds of each run' }),
  warmup_time: number({
    default: 0,
    min: 0,
    max: TIME_S_MAX,
    help: 'with --probe: seconds before each measurement; where it is not given, as long as the change needs',
  }),
  allow_settings: flag({
    default: false,
    help: 'with --probe: global variables of a server that is not private may be changed for a while',
  }),
  host_ssh,
  host_metrics,
} as const;

const { json, store, live, help } = OUTPUT_OPTIONS;
const OPTIONS = { ...DIAGNOSE_OPTIONS, ...TARGET_OPTIONS, json, store, live, help };

export interface DiagnoseLine {
  /** Absent: the newest that is not part of an experiment. */
  readonly run?: string;
  readonly options: ValuesOf<typeof DIAGNOSE_OPTIONS>;
  readonly target: ValuesOf<typeof TARGET_OPTIONS>;
  /** A server is named that is no private one. */
  readonly namesServer: boolean;
  /** Names of the options that were written. */
  readonly given: ReadonlySet<string>;
  readonly wantsHelp: boolean;
  readonly notes: readonly string[];
}

export function readDiagnoseLine(args: readonly string[]): DiagnoseLine {
  const split = splitWords(args, OPTIONS);
  const { words, url } = separateUrl(split.words);
  const parsed = parseOptions([...split.options, ...url], OPTIONS, { helpCommand: 'sqldyno diagnose --help' });
  const { values, given } = parsed;
  const [run, extra] = withoutCommand(words);
  const problems = [
    ...split.problems,
    ...parsed.problems,
    ...wordProblems(extra),
    ...probeProblems(values, given),
    ...hostProblems(given),
  ];
  const wantsHelp = values.help || run === 'help';
  if (problems.length > 0 && !wantsHelp) throw new ProblemsError(problems);
  return {
    ...(run === undefined ? {} : { run }),
    options: pickValues(DIAGNOSE_OPTIONS, values),
    target: pickValues(TARGET_OPTIONS, values),
    namesServer: NAMES_A_TARGET.some((name) => given.has(name)),
    given,
    wantsHelp,
    notes: parsed.notes,
  };
}

function withoutCommand(words: readonly string[]): string[] {
  const at = words.indexOf('diagnose');
  return words.filter((_, index) => index !== at);
}

/** A bare URL stands for `--url=URL`. */
function separateUrl(all: readonly string[]): { words: string[]; url: GivenOption[] } {
  const isUrl = (word: string) => /^[a-z]+:\/\//i.test(word);
  const url = all.filter(isUrl).map((value) => ({ name: 'url', written: '--url', value }));
  return { words: all.filter((word) => !isUrl(word)), url };
}

function wordProblems(extra: string | undefined): Problem[] {
  if (extra === undefined) return [];
  return [{ is: `'${extra}' is one word too many.`, remedy: 'Runs are diagnosed one at a time.' }];
}

const ONLY_WITH_PROBE = ['verdict', 'pairs', 'time', 'warmup_time', 'allow_settings', 'host_ssh', 'host_metrics'];

/** What would be passed over in silence. */
function probeProblems(values: { readonly probe: boolean }, given: ReadonlySet<string>): Problem[] {
  const only = ONLY_WITH_PROBE.filter((name) => given.has(name));
  if (values.probe || only.length === 0) return [];
  const names = only.map((name) => `--${name.replaceAll('_', '-')}`).join(', ');
  return [{ is: `${names}: nothing is tried without --probe.`, remedy: 'Add --probe.' }];
}

export function diagnoseHelp(columns: number): string {
  const groups: readonly OptionGroup[] = [
    { title: 'Options of the diagnosis', options: DIAGNOSE_OPTIONS },
    {
      title: 'Target options, for --probe on a server that is not private: records hold no password',
      options: TARGET_OPTIONS,
    },
    { title: 'Output options', options: { json, store, live } },
  ];
  return optionsHelp(groups, columns);
}
