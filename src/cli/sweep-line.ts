/** `sqldyno sweep WORKLOAD [options] --over=threads --values=1,2,4,8`: reads it, and tells all that is wrong. */
import { nearest } from '../base/did-you-mean.ts';
import { flag, integer, list, type OptionsSchema, text, type ValuesOf } from '../base/options.ts';
import { canonicalName, type Problem, parseOptions, pickValues, splitWords } from '../base/options-parse.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import type { SweepOf } from '../model/sweep.ts';
import { HOST_OPTIONS, hostProblems } from './host-options.ts';
import { metricsNotes } from './metrics-options.ts';
import { optionsHelp } from './options-help.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { divideOptions } from './own-options.ts';
import { ProblemsError } from './problems.ts';
import { NAMES_A_TARGET, TARGET_OPTIONS } from './target-options.ts';
import { type LineWorld, readWorkloadLine, WORKLOAD_COMMANDS, type WorkloadLine } from './workload-line.ts';

const REPEATS_MAX = 30;
const VALUES_MIN = 2;
const MARGIN_PERCENT_MAX = 50;
const LATEST = 'latest';

const SWEEP_OPTIONS = {
  over: text({
    default: '',
    placeholder: 'NAME',
    help: 'what is swept: an option of the load or of the workload (threads, rate, table_size), or a variable of the server (innodb_buffer_pool_size), for which a private server is started again',
  }),
  values: list({ default: [], placeholder: 'A,B,...', help: 'its values; all of them come once in each block' }),
  repeats: integer({ default: 3, min: 1, max: REPEATS_MAX, help: 'blocks: how often each value is measured' }),
  margin: text({
    default: '2%',
    placeholder: 'N%',
    help: 'a loss smaller than this does not matter: the knee is the smallest value that loses no more',
  }),
  continue: text({
    default: '',
    bare: LATEST,
    placeholder: 'ID',
    help: 'go on with a sweep that was cut short, or report on one again; alone: the newest experiment',
  }),
  allow_settings: flag({
    default: false,
    help: 'global variables of a server that is not private may be changed for a while; they are put back',
  }),
} as const;

const TARGET_LINE = { ...TARGET_OPTIONS, ...HOST_OPTIONS, ...OUTPUT_OPTIONS } as const;

/** Where it is done, and how it is watched. */
export interface SweepPlace {
  readonly target: ValuesOf<typeof TARGET_OPTIONS>;
  /** A server is named that is no new private one. */
  readonly namesServer: boolean;
  readonly host: ValuesOf<typeof HOST_OPTIONS>;
  readonly tag: readonly string[];
  readonly given: ReadonlySet<string>;
  readonly options: { readonly allow_settings: boolean; readonly allow_commands: false };
  readonly notes: readonly string[];
}

export type SweepLine =
  | { readonly is: 'help' }
  | { readonly is: 'continue'; readonly place: SweepPlace; readonly id: string }
  | {
      readonly is: 'new';
      readonly place: SweepPlace;
      readonly load: WorkloadLine;
      /** Name or path, for which the options below are meant. */
      readonly workload: string;
      /** As written, without the one that is swept. */
      readonly workloadOptions: Readonly<Record<string, string>>;
      readonly loadOptions: Readonly<Record<string, string>>;
      readonly over: string;
      readonly of: SweepOf;
      readonly values: readonly string[];
      readonly repeats: number;
      readonly marginShare: number;
    };

export async function readSweepLine(args: readonly string[], world: LineWorld): Promise<SweepLine> {
  const { own, rest: all } = divideOptions(args, SWEEP_OPTIONS);
  const rest = withoutFirst(all, 'sweep');
  const parsed = parseOptions(own, SWEEP_OPTIONS, { helpCommand: 'sqldyno sweep --help' });
  const { values: wish } = parsed;
  const wantsHelp = rest.some((word) => ['help', '--help', '-h'].includes(word));
  if (wantsHelp || (rest.length === 0 && wish.continue === '')) return { is: 'help' };
  const options = { allow_settings: wish.allow_settings, allow_commands: false } as const;
  if (wish.continue !== '') return readContinued(rest, { ...parsed, options, id: wish.continue });
  const isComplete = rest.some((word) => WORKLOAD_COMMANDS.some((command) => command === word));
  const load = await readWorkloadLine(isComplete ? rest : [...rest, 'run'], world);
  const swept = whatIsSwept(wish, load);
  const margin = marginOf(wish.margin);
  const problems = [...parsed.problems, ...swept.problems, ...valueProblems(wish), ...margin.problems, ...fits(load)];
  if (problems.length > 0) throw new ProblemsError(problems);
  const { workloadOptions, loadOptions } = writtenOptions(rest, load);
  return {
    is: 'new',
    place: { ...placeOf(load), options, notes: [...parsed.notes, ...load.notes, ...metricsNotes(load.given)] },
    load,
    workload: load.found.path ?? load.found.name,
    workloadOptions,
    loadOptions,
    over: swept.over,
    of: swept.of,
    values: wish.values,
    repeats: wish.repeats,
    marginShare: margin.share,
  };
}

type OwnValues = ValuesOf<typeof SWEEP_OPTIONS>;

interface Continued {
  readonly id: string;
  readonly given: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly options: SweepPlace['options'];
}

/** What is swept stands in the experiment; what is missing there is the password. */
function readContinued(rest: readonly string[], { id, options, ...own }: Continued): SweepLine {
  const { words, options: written, problems: ofWords } = splitWords(rest, TARGET_LINE);
  const urls = words.filter(isUrl).map((value) => ({ name: 'url', written: '--url', value }));
  const parsed = parseOptions([...written, ...urls], TARGET_LINE, { helpCommand: 'sqldyno sweep --help' });
  const superfluous = [
    ...words.filter((word) => !isUrl(word)).map((word) => `'${word}'`),
    ...['over', 'values', 'repeats', 'margin'].filter((name) => own.given.has(name)).map((name) => `--${name}`),
  ];
  const remedy = 'Leave it out, or begin a new sweep without --continue.';
  const problems = [
    ...own.problems,
    ...ofWords,
    ...parsed.problems,
    ...hostProblems(parsed.given),
    ...superfluous.map((what) => ({ is: `${what}: what is swept is known from the experiment.`, remedy })),
  ];
  if (problems.length > 0) throw new ProblemsError(problems);
  const { values, given } = parsed;
  const line = {
    target: pickValues(TARGET_OPTIONS, values),
    host: pickValues(HOST_OPTIONS, values),
    output: pickValues(OUTPUT_OPTIONS, values),
    given,
  };
  return { is: 'continue', id, place: { ...placeOf(line), options, notes: [...own.notes, ...parsed.notes] } };
}

function placeOf({ target, host, output, given }: Pick<WorkloadLine, 'target' | 'host' | 'output' | 'given'>) {
  const namesServer = [...NAMES_A_TARGET, 'server'].some((name) => given.has(name));
  return { target, namesServer, host, tag: output.tag, given };
}

interface Swept {
  readonly over: string;
  readonly of: SweepOf;
  readonly problems: readonly Problem[];
}

const OF_ONE_SERVER = 'Name one in --over, or make an experiment file whose variants have targets of their own.';

function whatIsSwept({ over: written }: OwnValues, line: WorkloadLine): Swept {
  const over = canonicalName(written);
  const own = line.found.workload.options;
  const of = sweptOf(over, line);
  const refused = (is: string, remedy: string): Swept => ({ over, of, problems: [{ is, remedy }] });
  if (over === '') return refused('What is swept is not said.', 'Add --over=threads --values=1,2,4,8,16');
  if (Object.hasOwn(TARGET_LINE, over)) {
    return refused(`--over=${written}: that is no option of the load, the workload or the server.`, OF_ONE_SERVER);
  }
  if (line.given.has(over)) {
    const shown = `--${over.replaceAll('_', '-')}`;
    return refused(`${shown} is given, and swept too.`, 'Leave it out: its values are those of --values.');
  }
  if (of === 'load' || of === 'workload') return { over, of, problems: [] };
  const meant = nearest(over, [...Object.keys(LOAD_OPTIONS), ...Object.keys(own)]);
  if (meant !== undefined) return refused(`--over=${written} is no option.`, `Did you mean --over=${meant}?`);
  return { over, of, problems: [] };
}

function sweptOf(over: string, { found, given }: WorkloadLine): SweepOf {
  if (Object.hasOwn(found.workload.options, over)) return 'workload';
  if (Object.hasOwn(LOAD_OPTIONS, over)) return 'load';
  return [...NAMES_A_TARGET, 'server'].some((name) => given.has(name)) ? 'global' : 'settings';
}

function valueProblems({ values }: OwnValues): Problem[] {
  const twice = values.find((value, at) => values.indexOf(value) !== at);
  if (twice !== undefined) {
    return [{ is: `--values: ${twice} is there twice.`, remedy: 'For more runs of each, raise --repeats.' }];
  }
  if (values.length >= VALUES_MIN) return [];
  return [{ is: `--values: a sweep needs ${VALUES_MIN} and more.`, remedy: 'Write them like 1,2,4,8,16.' }];
}

function marginOf(written: string): { readonly share: number; readonly problems: readonly Problem[] } {
  const percent = Number(/^(\d+(?:\.\d+)?)%?$/.exec(written)?.[1]);
  if (percent > 0 && percent < MARGIN_PERCENT_MAX) return { share: percent / 100, problems: [] };
  const is = `--margin=${written} is no share above 0% and below ${MARGIN_PERCENT_MAX}%.`;
  return { share: 0, problems: [{ is, remedy: 'Write it like 2%.' }] };
}

function fits({ command, found }: WorkloadLine): Problem[] {
  if (command !== 'run') {
    return [{ is: 'A sweep prepares and runs by itself.', remedy: `Leave '${command}' out.` }];
  }
  if (found.workload.rounds === undefined) return [];
  const is = `${found.name} runs in rounds of its own, and a sweep has blocks.`;
  return [{ is, remedy: 'Take another workload.' }];
}

/** As they were typed: what a plan keeps must still be a command line. Where a file says it, as it was read. */
function writtenOptions(rest: readonly string[], { load, workload, found, given }: WorkloadLine) {
  const own: OptionsSchema = found.workload.options;
  const schema = { ...LOAD_OPTIONS, ...own };
  const { options } = splitWords(rest, { ...TARGET_LINE, ...schema });
  const typed = parseOptions(options, schema);
  const textsOf = (names: readonly string[], read: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      names
        .filter((name) => given.has(name))
        .map((name) => {
          const value = typed.given.has(name) ? typed.values[name as keyof typeof typed.values] : read[name];
          return [name, found.preset?.[name] ?? textOf(value)];
        }),
    );
  return {
    workloadOptions: textsOf(Object.keys(own), workload),
    loadOptions: textsOf(
      Object.keys(LOAD_OPTIONS).filter((name) => !Object.hasOwn(own, name)),
      load,
    ),
  };
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

function withoutFirst(words: readonly string[], word: string): string[] {
  const at = words.indexOf(word);
  return words.filter((_, index) => index !== at);
}

function isUrl(word: string): boolean {
  return /^[a-z]+:\/\//i.test(word);
}

export function sweepHelp(columns: number): string {
  const groups = [
    { title: 'Options of the sweep', options: SWEEP_OPTIONS },
    {
      title: 'Target options (without any of these, a private server is made for the sweep, and removed after it)',
      options: TARGET_OPTIONS,
    },
  ];
  return [
    optionsHelp(groups, columns),
    '',
    'All other options are those of a run: sqldyno WORKLOAD help. The data is prepared once; on a private server it is',
    'restored before each run. Ctrl-C keeps what was measured, and reports on it.',
  ].join('\n');
}
