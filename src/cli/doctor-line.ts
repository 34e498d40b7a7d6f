/** `sqldyno doctor [options] [WORKLOAD and its options]`: reads it, and tells all that is wrong. */
import { nearest } from '../base/did-you-mean.ts';
import { choice, flag, integer, list, number, type ValuesOf } from '../base/options.ts';
import { type GivenOption, type Problem, parseOptions, pickValues, splitWords } from '../base/options-parse.ts';
import { DISK_TYPES, DOCTOR_IDLE_S } from '../doctor/collected.ts';
import { loadChecks } from '../doctor/examine.ts';
import { HOST_OPTIONS, hostProblems } from './host-options.ts';
import { fitted, optionsHelp } from './options-help.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { divideOptions } from './own-options.ts';
import { ProblemsError } from './problems.ts';
import { TARGET_OPTIONS } from './target-options.ts';
import {
  COMMON_OPTIONS,
  familyOptions,
  type LineWorld,
  readWorkloadLine,
  WORKLOAD_COMMANDS,
  type WorkloadLine,
} from './workload-line.ts';

/** A shorter look tells nothing of a clock that counts in hundredths of a second. */
const SECONDS_MIN = 0.1;
const SECONDS_MAX = 3_600;
/** Of a card with one chip; no volume and no array has more than the highest. */
const IOPS_MAX = 100_000_000;
const UNKNOWN = 'unknown';

const { host_ssh, host_metrics } = HOST_OPTIONS;
export const DOCTOR_OPTIONS = {
  fix: flag({ default: false, help: 'print the commands that would remedy, by host; nothing of it is carried out' }),
  seconds: number({
    default: DOCTOR_IDLE_S,
    min: SECONDS_MIN,
    max: SECONDS_MAX,
    help: 'how long the hosts are watched without load, for what else they do',
  }),
  accept: list({
    default: [],
    placeholder: 'CHECK[,CHECK...]',
    help: 'checks whose bad news is known and meant, by their names in brackets: --accept=filesystem',
  }),
  dry_run: flag({
    default: false,
    help: "run the workload for a second, on one connection, and compare the server's counters with what was asked for. It changes data as a run does",
  }),
  disk_iops: integer({
    default: 0,
    min: 0,
    max: IOPS_MAX,
    placeholder: 'N',
    help: 'operations a second that the volume of the data is allowed; 0: not known',
  }),
  disk_type: choice({
    default: UNKNOWN,
    choices: [UNKNOWN, ...DISK_TYPES],
    placeholder: 'TYPE',
    help: `what an EBS volume is: ${DISK_TYPES.join(', ')}`,
  }),
  host_ssh,
  host_metrics,
} as const;

const TARGET_LINE = { ...TARGET_OPTIONS, ...OUTPUT_OPTIONS } as const;

export interface DoctorLine {
  readonly options: ValuesOf<typeof DOCTOR_OPTIONS>;
  readonly target: ValuesOf<typeof TARGET_OPTIONS>;
  readonly output: ValuesOf<typeof OUTPUT_OPTIONS>;
  /** Names of the options that were written. */
  readonly given: ReadonlySet<string>;
  /** Absent: no load is meant. */
  readonly load?: WorkloadLine;
  readonly wantsHelp: boolean;
  readonly notes: readonly string[];
}

export async function readDoctorLine(args: readonly string[], world: LineWorld): Promise<DoctorLine> {
  const { own, rest: all } = divideOptions(args, DOCTOR_OPTIONS);
  const rest = without('doctor', all);
  const parsed = await readOwn(own);
  const { words, options, problems } = splitWords(
    rest,
    { ...(await familyOptions(world)), ...COMMON_OPTIONS },
    (word) => isReserved(word, world),
  );
  const names = words.filter((word) => !isUrl(word) && word !== 'help');
  const wantsHelp = words.includes('help') || options.some(({ name }) => name === 'help');
  if (wantsHelp) return { ...targetOnly([], []), options: parsed.values, wantsHelp, notes: [] };
  if (names.length === 0 && !options.some(({ name }) => name === 'test')) {
    const line = targetOnly(words, options);
    const wrong = [...problems, ...parsed.problems, ...line.problems];
    if (wrong.length > 0) throw new ProblemsError(wrong);
    return { ...line, options: parsed.values, wantsHelp, notes: [...parsed.notes, ...line.notes] };
  }
  const load = await readWorkloadLine(names.some(isCommand) ? rest : [...rest, 'run'], world);
  const wrong = [...parsed.problems, ...(load.command === 'run' ? [] : [NOT_A_RUN])];
  if (wrong.length > 0) throw new ProblemsError(wrong);
  const { target, output, given } = load;
  return { options: parsed.values, target, output, given, load, wantsHelp, notes: [...parsed.notes, ...load.notes] };
}

async function readOwn(own: readonly GivenOption[]) {
  const parsed = parseOptions(own, DOCTOR_OPTIONS);
  const names = (await loadChecks()).map(({ id }) => id);
  const unknown = parsed.values.accept.filter((name) => !names.includes(name)).map((name) => unknownCheck(name, names));
  return { ...parsed, problems: [...parsed.problems, ...unknown, ...hostProblems(parsed.given)] };
}

/** It would be accepted in silence, and what it was meant for block all the same. */
function unknownCheck(name: string, names: readonly string[]): Problem {
  const meant = nearest(name, names);
  const remedy = meant === undefined ? `Checks: ${names.join(', ')}.` : `Did you mean ${meant}?`;
  return { is: `--accept: there is no check '${name}'.`, remedy };
}

const NOT_A_RUN = {
  is: 'The doctor examines before a run, and before nothing else.',
  remedy: 'Leave the command out: sqldyno doctor WORKLOAD and its options',
};

function without(word: string, words: readonly string[]): string[] {
  const at = words.indexOf(word);
  return words.filter((_, index) => index !== at);
}

function isUrl(word: string): boolean {
  return /^[a-z]+:\/\//i.test(word);
}

function isCommand(word: string): boolean {
  return WORKLOAD_COMMANDS.some((command) => command === word);
}

function isReserved(word: string, world: LineWorld): boolean {
  return isCommand(word) || world.workloadNames.includes(word);
}

function targetOnly(words: readonly string[], options: readonly GivenOption[]) {
  const url = words.filter(isUrl).map((value) => ({ name: 'url', written: '--url', value }));
  const { values, given, problems, notes } = parseOptions([...options, ...url], TARGET_LINE, {
    elsewhere: (name) =>
      Object.hasOwn(COMMON_OPTIONS, name) ? 'is an option of a load, and no workload is named' : undefined,
    helpCommand: 'sqldyno doctor --help',
  });
  return {
    target: pickValues(TARGET_OPTIONS, values),
    output: pickValues(OUTPUT_OPTIONS, values),
    given,
    problems,
    notes,
  };
}

export function doctorHelp(columns: number): string {
  const groups = [
    { title: 'Options of the doctor', options: DOCTOR_OPTIONS },
    { title: 'Target options (without any of these, a private server that runs is examined)', options: TARGET_OPTIONS },
    { title: 'Output options', options: OUTPUT_OPTIONS },
  ];
  const lines = [
    optionsHelp(groups, columns),
    '',
    'With a workload, its own options and those of the load may be given as for a run: they are checked against the server.',
    'Ends with 4 where something blocks: a run would be refused, or would not be valid.',
  ];
  return fitted(lines.join('\n'), columns);
}
