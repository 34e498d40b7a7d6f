/** Options of the tests of the machine beside their own: sysbench's general ones, and what becomes of the others. */
import { flag, integer, text } from '../base/options.ts';
import type { Problem } from '../base/options-parse.ts';
import { shownName } from '../base/options-parse.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';

/** Each is a thread of this process, with a V8 of its own that takes some megabytes. */
const THREADS_MAX = 1_024;

export const HOST_LOAD_OPTIONS = {
  threads: { ...LOAD_OPTIONS.threads, max: THREADS_MAX, help: 'threads of this program that work at the same time' },
  time: LOAD_OPTIONS.time,
  events: { ...LOAD_OPTIONS.events, help: 'events to run, over all threads; 0: no limit' },
  report_interval: LOAD_OPTIONS.report_interval,
  percentile: LOAD_OPTIONS.percentile,
  histogram: LOAD_OPTIONS.histogram,
  forced_shutdown: LOAD_OPTIONS.forced_shutdown,
  rand_seed: { ...LOAD_OPTIONS.rand_seed, help: 'equal seeds give equal places and locks; 0: one is drawn' },
} as const;

export const HOST_OUTPUT_OPTIONS = {
  json: OUTPUT_OPTIONS.json,
  live: OUTPUT_OPTIONS.live,
  help: OUTPUT_OPTIONS.help,
  config_file: OUTPUT_OPTIONS.config_file,
} as const;

const help = 'accepted for sysbench command lines';

/** Accepted, so that a line written for sysbench works. */
export const HOST_IGNORED_OPTIONS = {
  debug: flag({ default: false, help }),
  verbosity: integer({ default: 3, min: 0, max: 5, help }),
  validate: flag({ default: false, help }),
  thread_stack_size: text({ default: '64K', help }),
  thread_init_timeout: text({ default: '30', help }),
  luajit_cmd: text({ default: '', help }),
  memory_hugetlb: flag({ default: false, help }),
  db_driver: text({ default: 'mysql', help }),
  rand_type: text({ default: 'special', help }),
  rand_spec_iter: text({ default: '12', help }),
  rand_spec_pct: text({ default: '1', help }),
  rand_spec_res: text({ default: '75', help }),
  rand_pareto_h: text({ default: '0.2', help }),
  rand_zipfian_exp: text({ default: '0.8', help }),
} as const;

const UNIFORM = 'places and locks are drawn uniformly';
const WHY_IGNORED: Readonly<Record<keyof typeof HOST_IGNORED_OPTIONS, string>> = {
  debug: 'every report has the details',
  verbosity: 'what is printed does not depend on it',
  validate: 'what can be checked always is: the primes, and that the mutexes keep threads apart',
  thread_stack_size: 'threads have the stack that Node gives them',
  thread_init_timeout: 'there is nothing that threads could wait for',
  luajit_cmd: 'there is no Lua here',
  memory_hugetlb: 'V8 gives no say in the size of pages',
  db_driver: 'there is no database in this test',
  rand_type: UNIFORM,
  rand_spec_iter: UNIFORM,
  rand_spec_pct: UNIFORM,
  rand_spec_res: UNIFORM,
  rand_pareto_h: UNIFORM,
  rand_zipfian_exp: UNIFORM,
};

export function judgeIgnored(
  values: Readonly<Record<string, unknown>>,
  given: ReadonlySet<string>,
): { notes: string[]; problems: Problem[] } {
  const names = (Object.keys(WHY_IGNORED) as (keyof typeof WHY_IGNORED)[]).filter((name) => given.has(name));
  const isRefused = given.has('memory_hugetlb') && values['memory_hugetlb'] === true;
  return {
    notes: names
      .filter((name) => name !== 'memory_hugetlb')
      .map((name) => `${shownName(name)} has no effect: ${WHY_IGNORED[name]}.`),
    problems: isRefused
      ? [{ is: `--memory-hugetlb: ${WHY_IGNORED.memory_hugetlb}.`, remedy: 'Leave it out, or use sysbench itself.' }]
      : [],
  };
}

const NOT_KEPT = 'is no option of this test, whose result is not in the store: --json=FILE keeps it';

/** Ends of sentences that begin with the option, for options that loads of a database have. */
export function whyNotHere(name: string, isOfLoads: boolean): string | undefined {
  switch (name) {
    case 'rate':
    case 'tx_rate':
      return 'is no option of this test: its events follow one another at once';
    case 'report_checkpoints':
      return 'is no option of this test: use --report-interval';
    case 'warmup_time':
      return 'is no option of this test, whose threads are warm before the clock starts';
    case 'tag':
    case 'store':
      return NOT_KEPT;
    default:
      return isOfLoads ? 'is an option for loads on a database, and there is none in this test' : undefined;
  }
}
