/** `sqldyno search WORKLOAD [options] --limit='p99<20ms'`: reads it, and tells all that is wrong. */
import { UserError } from '../base/errors.ts';
import { integer, number, text, type ValuesOf } from '../base/options.ts';
import { type Problem, parseOptions } from '../base/options-parse.ts';
import { parseLimit } from '../lab/experiment/search-limit.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import type { SearchLimit } from '../model/search.ts';
import { metricsNotes } from './metrics-options.ts';
import { optionsHelp } from './options-help.ts';
import { divideOptions } from './own-options.ts';
import { ProblemsError } from './problems.ts';
import { type LineWorld, readWorkloadLine, WORKLOAD_COMMANDS, type WorkloadLine } from './workload-line.ts';

/** A vote needs an odd number, and beyond this the runs should be longer instead. */
const REPEATS_MAX = 15;
/** Closer than this no two runs agree. */
const PRECISION_PERCENT_MIN = 1;
const PRECISION_PERCENT_MAX = 100;
const RATE_MAX = 10_000_000;
const RATE_MIN = 0.02;
/** Few connections would be a queue of their own, and be found out as if they were the server. */
const THREADS_DEFAULT = 64;
/** The first transactions find connections idle and an empty queue. */
const WARMUP_SHARE_OF_TIME = 0.2;

export const SEARCH_OPTIONS = {
  limit: text({
    default: '',
    placeholder: 'METRIC<VALUE',
    help: "what must be kept, in quotes: 'p99<20ms', 'p99.9(new_order)<0.5s', 'mean<5ms'",
  }),
  rate_min: number({
    default: 0,
    min: 0,
    max: RATE_MAX,
    help: 'lowest rate to try; 0: a thousandth of what the server does flat out',
  }),
  rate_max: number({
    default: 0,
    min: 0,
    max: RATE_MAX,
    help: 'highest rate to try; 0: as high as it passes. With both no run flat out is needed',
  }),
  precision: text({
    default: '5%',
    placeholder: 'N%',
    help: 'how close the lowest rate that fails must be to the highest that passes',
  }),
  repeats: integer({
    default: 3,
    min: 1,
    max: REPEATS_MAX,
    help: 'runs at a rate, of which most must keep the limit; fewer where it is decided. Both rates that come out are tried again',
  }),
} as const;

export interface SearchLine {
  readonly load: WorkloadLine;
  readonly limit: SearchLimit;
  readonly precisionShare: number;
  readonly repeats: number;
  /** Absent: found out. */
  readonly rateMinPerS?: number;
  readonly rateMaxPerS?: number;
  readonly notes: readonly string[];
}

/** Undefined where help is wanted. */
export async function readSearchLine(args: readonly string[], world: LineWorld): Promise<SearchLine | undefined> {
  const { own, rest: all } = divideOptions(args, SEARCH_OPTIONS);
  const rest = withoutFirst(all, 'search');
  if (wantsHelp(rest)) return undefined;
  const parsed = parseOptions(own, SEARCH_OPTIONS, { helpCommand: 'sqldyno search --help' });
  const isComplete = rest.some((word) => WORKLOAD_COMMANDS.some((command) => command === word));
  const load = await readWorkloadLine(isComplete ? rest : [...rest, 'run'], world);
  const { values } = parsed;
  const limit = readLimit(values.limit);
  const precisionShare = readPrecision(values.precision);
  const problems = [
    ...parsed.problems,
    ...('problem' in limit ? [limit.problem] : []),
    ...('problem' in precisionShare ? [precisionShare.problem] : []),
    ...boundProblems(values),
    ...loadProblems(load),
  ];
  if (problems.length > 0 || 'problem' in limit || 'problem' in precisionShare) throw new ProblemsError(problems);
  const { rate_min: min, rate_max: max, repeats } = values;
  return {
    load: withDefaults(load),
    limit: limit.value,
    precisionShare: precisionShare.value,
    repeats,
    ...(min === 0 ? {} : { rateMinPerS: min }),
    ...(max === 0 ? {} : { rateMaxPerS: max }),
    notes: [...parsed.notes, ...load.notes, ...metricsNotes(load.given)],
  };
}

type Read<Value> = { readonly value: Value } | { readonly problem: Problem };

function readLimit(written: string): Read<SearchLimit> {
  if (written === '') {
    return { problem: { is: 'What must be kept is not said.', remedy: "Add --limit='p99<20ms'" } };
  }
  try {
    return { value: parseLimit(written) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message: is, hint } = error;
    return { problem: { is, ...(hint === undefined ? {} : { remedy: hint }) } };
  }
}

function readPrecision(written: string): Read<number> {
  const percent = Number(/^(\d+(?:\.\d+)?)%?$/.exec(written)?.[1]);
  if (percent >= PRECISION_PERCENT_MIN && percent <= PRECISION_PERCENT_MAX) return { value: percent / 100 };
  const is = `--precision=${written} is no share from ${PRECISION_PERCENT_MIN}% to ${PRECISION_PERCENT_MAX}%.`;
  return { problem: { is, remedy: 'Write it like 5%.' } };
}

function boundProblems({ rate_min: min, rate_max: max }: ValuesOf<typeof SEARCH_OPTIONS>): Problem[] {
  const tooLow = Object.entries({ 'rate-min': min, 'rate-max': max }).filter(([, rate]) => rate > 0 && rate < RATE_MIN);
  const problems: Problem[] = tooLow.map(([name, rate]) => ({
    is: `--${name}=${rate} is less than one transaction in ${1 / RATE_MIN} seconds.`,
    remedy: 'A search needs many in each run.',
  }));
  if (min > 0 && max > 0 && min >= max) {
    problems.push({
      is: `--rate-min=${min} is not below --rate-max=${max}.`,
      remedy: 'Exchange them, or leave one out.',
    });
  }
  return problems;
}

/** The search sets the rate; everything else that paces or bounds a run stands in its way. */
function loadProblems({ command, load, given, found, workload }: WorkloadLine): Problem[] {
  const problems: Problem[] = [];
  if (command !== 'run') {
    problems.push({ is: 'A search consists of runs, and of nothing else.', remedy: `Leave '${command}' out.` });
  }
  const work = found.workload.work?.(workload as never);
  if (found.workload.rounds !== undefined || work?.sequence !== undefined) {
    problems.push({
      is: `${found.name} does a fixed piece of work, which has no rate.`,
      remedy: 'Take another workload.',
    });
  }
  for (const name of ['rate', 'terminals', 'events', 'events_per_thread'] as const) {
    if (!given.has(name)) continue;
    const is = `--${name.replaceAll('_', '-')} does not go with a search, which sets the rate of each run.`;
    problems.push({ is, remedy: 'Leave it out.' });
  }
  if (load.time === 0) problems.push({ is: '--time=0: each run needs an end.', remedy: 'Give a --time.' });
  return problems;
}

function withDefaults(line: WorkloadLine): WorkloadLine {
  const { load, given } = line;
  const isWarmupGiven = given.has('warmup_time') || given.has('warmup');
  return {
    ...line,
    // A workload that says how much there is to do ends by it; here each run ends by its time.
    given: new Set([...given, 'time', 'threads']),
    load: {
      ...load,
      threads: given.has('threads') ? load.threads : THREADS_DEFAULT,
      warmup_time: isWarmupGiven ? load.warmup_time : load.time * WARMUP_SHARE_OF_TIME,
    },
  };
}

function wantsHelp(words: readonly string[]): boolean {
  return words.length === 0 || words.includes('help') || words.includes('--help') || words.includes('-h');
}

function withoutFirst(words: readonly string[], word: string): string[] {
  const at = words.indexOf(word);
  return words.filter((_, index) => index !== at);
}

const { time, threads, warmup_time } = LOAD_OPTIONS;

export function searchHelp(columns: number): string {
  const groups = [
    { title: 'Options of the search', options: SEARCH_OPTIONS },
    {
      title: 'Options of each run, with other defaults than elsewhere',
      options: {
        time,
        threads: { ...threads, default: THREADS_DEFAULT },
        warmup_time: { ...warmup_time, default: time.default * WARMUP_SHARE_OF_TIME },
      },
    },
  ];
  return [
    optionsHelp(groups, columns),
    '',
    'All other options are those of a run: sqldyno WORKLOAD help. The data must be there, as for a run: sqldyno WORKLOAD prepare.',
  ].join('\n');
}
