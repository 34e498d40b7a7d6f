/** From the options of a load to its plan: every combination is checked here, and all problems are told at once. */
import { UserError } from '../base/errors.ts';
import type { ValuesOf } from '../base/options.ts';
import type { Problem } from '../base/options-parse.ts';
import { BATCHES_MIN } from '../stats/steady-state.ts';
import type { LOAD_OPTIONS } from './options.ts';
import type { ErrorPolicy, LoadPlan, RandSettings } from './plan.ts';
import { workersFor } from './workers.ts';

export type LoadValues = ValuesOf<typeof LOAD_OPTIONS>;
/** All but what is done, and to which server. */
export type LoadPart = Omit<LoadPlan, 'workload' | 'targets' | 'sequence'>;

export interface PlanWorld {
  /** Of this machine. */
  readonly cores: number;
  /** For `--rand-seed=0`. */
  drawSeed(): number;
}

/** Intervals are kept with every run, also where nothing is printed. */
const INTERVAL_S_DEFAULT = 1;
/** Of a longer run the intervals get longer: more than these no chart can show. */
const INTERVALS_DEFAULT_MAX = 3_600;
/** Shorter intervals cost the client more than the load does. */
const INTERVAL_S_MIN = 0.01;
/** sysbench takes as many. */
const CHECKPOINTS_MAX = 256;
/** Codes of the client library: CR_SERVER_GONE_ERROR, CR_TCP_CONNECTION, CR_SERVER_LOST and CR_SERVER_LOST_EXTENDED. */
const LOST_CONNECTION_CODES = [2006, 2011, 2013, 2055];

/** Throws a `UserError` with all problems. */
export function planLoad(values: LoadValues, world: PlanWorld): LoadPart {
  const problems = loadProblems(values);
  if (problems.length > 0) throw refusal(problems);
  return {
    threads: values.threads,
    workers: workersOf(values, world),
    timeS: values.time,
    events: values.events,
    eventsPerThread: values.events_per_thread,
    terminals: values.terminals,
    terminalTimeFactor: values.terminal_time_factor,
    warmupS: warmupOf(values),
    isWarmupAuto: values.warmup === 'auto',
    ratePerS: values.rate,
    arrivals: values.rate_arrivals,
    queueMax: values.queue_max,
    intervalS: intervalOf(values),
    checkpointsS: checkpointsOf(values),
    percentiles: percentilesOf(values),
    forcedShutdownS: forcedShutdownOf(values),
    threadInitTimeoutS: values.thread_init_timeout,
    rand: randOf(values),
    seed: values.rand_seed === 0 ? world.drawSeed() : values.rand_seed,
    validate: values.validate,
    preparedStatements: values.db_ps_mode === 'auto',
    errors: errorPolicyOf(values),
  };
}

/** What does not fit together; empty where `planLoad` will succeed. */
export function loadProblems(values: LoadValues): readonly Problem[] {
  return [
    ...workersProblems(values),
    ...timeProblems(values),
    ...terminalProblems(values),
    ...reportProblems(values),
    ...randProblems(values),
    ...errorPolicyProblems(values),
  ];
}

/** What is allowed and may surprise, each a sentence. */
export function loadNotes(plan: LoadPart): readonly string[] {
  const notes: string[] = [];
  if (plan.timeS === 0 && plan.events === 0 && plan.eventsPerThread === 0)
    notes.push('Neither --time nor --events ends this run: stop it with Ctrl-C.');
  if (plan.timeS > 0) {
    const late = plan.checkpointsS.filter((atS) => atS > plan.timeS);
    if (late.length > 0)
      notes.push(`--report-checkpoints: ${late.join(', ')} s lie after the end of time (${plan.timeS} s).`);
  }
  if (plan.events > 0 && plan.events < plan.threads) {
    notes.push(`--events=${plan.events} leaves ${plan.threads - plan.events} of ${plan.threads} threads without work.`);
  }
  return notes;
}

/** Long enough for a buffer pool of some gigabytes to fill from an SSD. */
const WARMUP_AUTO_S_MAX = 300;

function warmupOf({ warmup, warmup_time: givenS }: LoadValues): number {
  return warmup === 'auto' && givenS === 0 ? WARMUP_AUTO_S_MAX : givenS;
}

/** A worker without a terminal would have nothing to do. */
function workersOf({ workers, threads, terminals }: LoadValues, { cores }: PlanWorld): number {
  if (workers > 0) return workers;
  const helping = workersFor(threads, cores);
  return terminals > 0 ? Math.min(helping, terminals) : helping;
}

function refusal(problems: readonly Problem[]): UserError {
  const [first] = problems;
  if (first !== undefined && problems.length === 1) {
    return new UserError(first.is, first.remedy === undefined ? {} : { hint: first.remedy });
  }
  return new UserError(problems.map(({ is, remedy }) => (remedy === undefined ? is : `${is} ${remedy}`)).join('\n'));
}

function workersProblems({ workers, threads }: LoadValues): Problem[] {
  if (workers <= threads) return [];
  return [
    {
      is: `--workers=${workers} is more than --threads=${threads}: a worker without a connection has nothing to do.`,
      remedy: 'Leave --workers out, or raise --threads.',
    },
  ];
}

function timeProblems(values: LoadValues): Problem[] {
  const problems: Problem[] = [];
  const written = values.forced_shutdown;
  if (readForcedShutdown(written) === undefined) {
    problems.push({
      is: `--forced-shutdown=${written} is neither off, nor seconds, nor per cent.`,
      remedy: 'Write it like 5, 10% or off; alone it means 5%.',
    });
  } else if (written !== 'off' && values.time === 0) {
    problems.push({
      is: '--forced-shutdown counts from the end of --time, and --time=0 has none.',
      remedy: 'Give a --time, or leave --forced-shutdown out.',
    });
  }
  return problems;
}

function terminalProblems({ terminals, rate, workers, events, events_per_thread: perThread }: LoadValues): Problem[] {
  const problems: Problem[] = [];
  if (events > 0 && perThread > 0) {
    const is = `--events=${events} and --events-per-thread=${perThread} both limit the transactions.`;
    problems.push({ is, remedy: 'Give one of them.' });
  }
  if (terminals === 0 && rate === 0) return problems;
  if (terminals > 0 && rate > 0) {
    const is = '--terminals and --rate both say when transactions are due.';
    problems.push({ is, remedy: 'Give one of them.' });
  }
  if (perThread > 0) {
    const is = 'A number of transactions for every connection needs connections that work as fast as they can.';
    problems.push({ is, remedy: 'Leave out --terminals and --rate, or give --events or --time.' });
  }
  if (terminals > 0 && workers > terminals) {
    const is = `--workers=${workers} is more than --terminals=${terminals}: a worker without a terminal has nothing to do.`;
    problems.push({ is, remedy: 'Leave --workers out.' });
  }
  return problems;
}

function reportProblems(values: LoadValues): Problem[] {
  const problems: Problem[] = [];
  const shortestS = BATCHES_MIN * intervalOf(values);
  if (values.warmup === 'auto' && warmupOf(values) < shortestS) {
    problems.push({
      is: `--warmup-time=${values.warmup_time}: whether the load is steady can be told after ${BATCHES_MIN} intervals, ${shortestS} s, at the earliest.`,
      remedy: 'Raise --warmup-time, the limit of --warmup=auto, or lower --report-interval.',
    });
  }
  if (values.warmup === 'auto' && values.report_checkpoints.length > 0) {
    problems.push({
      is: '--report-checkpoints does not go with --warmup=auto: when measuring begins is not known before.',
      remedy: 'Give a --warmup-time instead, or leave the checkpoints out.',
    });
  }
  const interval = values.report_interval;
  if (interval > 0 && interval < INTERVAL_S_MIN) {
    problems.push({
      is: `--report-interval=${interval} is shorter than ${INTERVAL_S_MIN} s.`,
      remedy: `Give ${INTERVAL_S_MIN} or more, or 0 for none.`,
    });
  }
  const wrongCheckpoints = values.report_checkpoints.filter((text) => !(numberOf(text) > 0));
  if (wrongCheckpoints.length > 0) {
    problems.push({
      is: `--report-checkpoints: ${wrongCheckpoints.join(', ')} is no number of seconds above zero.`,
      remedy: 'Write them like 10,30,60.',
    });
  }
  if (values.report_checkpoints.length > CHECKPOINTS_MAX) {
    problems.push({ is: `--report-checkpoints takes ${CHECKPOINTS_MAX} at most.`, remedy: 'Use --report-interval.' });
  }
  if (values.percentile.length > 1 || values.percentile[0] !== '0') {
    const wrong = values.percentile.filter((text) => !(numberOf(text) > 0 && numberOf(text) <= 100));
    if (wrong.length > 0) {
      problems.push({
        is: `--percentile: ${wrong.join(', ')} does not lie above 0 and up to 100.`,
        remedy: 'Write them like 50,95,99.9; 0 alone shows none.',
      });
    }
  }
  return problems;
}

function randProblems(values: LoadValues): Problem[] {
  const h = values.rand_pareto_h;
  if (h > 0 && h < 1) return [];
  return [{ is: `--rand-pareto-h=${h} does not lie between 0 and 1.`, remedy: 'Give something like 0.2.' }];
}

function errorPolicyProblems(values: LoadValues): Problem[] {
  const problems: Problem[] = [];
  const written = values.mysql_ignore_errors;
  if (!isAll(written)) {
    const wrong = written.filter((text) => !/^\d+$/.test(text));
    if (wrong.length > 0) {
      problems.push({
        is: `--mysql-ignore-errors: ${wrong.join(', ')} is no error code.`,
        remedy: 'Write them like 1213,1020,1205, or all.',
      });
    }
  }
  if (readReconnect(values.reconnect) === undefined) {
    problems.push({
      is: `--reconnect=${values.reconnect} is no number of transactions.`,
      remedy: 'Write it alone to go on when a lost server is back, or like 100 to renew connections as well.',
    });
  }
  return problems;
}

function intervalOf({ report_interval: asked, time }: LoadValues): number {
  if (asked > 0) return asked;
  return Math.max(INTERVAL_S_DEFAULT, Math.ceil(time / INTERVALS_DEFAULT_MAX));
}

function checkpointsOf(values: LoadValues): readonly number[] {
  return [...new Set(values.report_checkpoints.map(numberOf))].sort((one, other) => one - other);
}

function percentilesOf({ percentile }: LoadValues): readonly number[] {
  if (percentile.length === 1 && percentile[0] === '0') return [];
  return [...new Set(percentile.map(numberOf))].sort((one, other) => one - other);
}

interface ForcedShutdown {
  readonly seconds?: number;
  readonly percent?: number;
}

/** Undefined where it cannot be read; an empty object for 'off'. */
function readForcedShutdown(written: string): ForcedShutdown | undefined {
  if (written === 'off') return {};
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(written);
  if (match === null) return undefined;
  return match[2] === '%' ? { percent: Number(match[1]) } : { seconds: Number(match[1]) };
}

function forcedShutdownOf({ forced_shutdown: written, time }: LoadValues): number | undefined {
  const { seconds, percent } = readForcedShutdown(written) ?? {};
  return percent === undefined ? seconds : (time * percent) / 100;
}

function randOf(values: LoadValues): RandSettings {
  return {
    type: values.rand_type,
    scrambled: values.rand_scrambled,
    specIter: values.rand_spec_iter,
    specPct: values.rand_spec_pct,
    specRes: values.rand_spec_res,
    paretoH: values.rand_pareto_h,
    zipfianExp: values.rand_zipfian_exp,
  };
}

/** 0: connections are kept; undefined where it cannot be read. */
function readReconnect(written: string): { resumes: boolean; everyEvents: number } | undefined {
  if (written === 'off') return { resumes: false, everyEvents: 0 };
  if (written === 'resume' || written === 'on') return { resumes: true, everyEvents: 0 };
  if (!/^\d+$/.test(written)) return undefined;
  return { resumes: Number(written) > 0, everyEvents: Number(written) };
}

function errorPolicyOf(values: LoadValues): ErrorPolicy {
  const written = values.mysql_ignore_errors;
  const ignore = isAll(written) ? ('all' as const) : written.map(numberOf);
  const { resumes, everyEvents } = readReconnect(values.reconnect) ?? { resumes: false, everyEvents: 0 };
  // sysbench reconnects where a lost connection is among the errors to be ignored.
  const ignoresLoss = ignore === 'all' || ignore.some((code) => LOST_CONNECTION_CODES.includes(code));
  return {
    ignore,
    attemptsMax: values.attempts_max,
    lostConnection: resumes || ignoresLoss ? 'resume' : 'stop',
    reconnectDeadlineS: values.reconnect_deadline,
    reconnectEveryEvents: everyEvents,
  };
}

function isAll(written: readonly string[]): boolean {
  return written.length === 1 && written[0]?.toLowerCase() === 'all';
}

/** NaN where it is no number in decimal notation. */
function numberOf(text: string): number {
  return /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}
