/** Options of the load: sysbench's names and defaults, and what sysbench lacks. `plan-load.ts` makes a plan of them. */
import { choice, flag, integer, list, number, text } from '../base/options.ts';
import { SEED_MAX } from '../base/random.ts';
import { RAND_TYPES } from './plan.ts';

/** No server admits more connections: the highest value of max_connections. */
const THREADS_MAX = 100_000;
/** A thread costs memory and gains nothing beyond the cores. */
const WORKERS_MAX = 1_024;
/** Each costs a few dozen bytes. */
const TERMINALS_MAX = 10_000_000;
/** sysbench's ring of waiting events has as many places. */
const QUEUE_MAX_DEFAULT = 131_072;

export const LOAD_OPTIONS = {
  threads: integer({
    default: 1,
    min: 1,
    max: THREADS_MAX,
    help: 'connections that work at the same time',
    deprecated: ['num-threads'],
  }),
  workers: integer({
    default: 0,
    min: 0,
    max: WORKERS_MAX,
    help: 'threads of the client that drive the connections; 0: as many as help',
  }),
  time: number({ default: 10, min: 0, help: 'seconds to measure; 0: no limit', deprecated: ['max-time'] }),
  events: integer({
    default: 0,
    min: 0,
    help: 'transactions to run, over all connections; 0: no limit',
    deprecated: ['max-requests'],
  }),
  events_per_thread: integer({
    default: 0,
    min: 0,
    help: 'transactions of every connection; 0: no limit',
  }),
  warmup: choice({
    default: 'fixed',
    choices: ['fixed', 'auto'],
    help: 'auto: measuring begins when the load is steady; --warmup-time is then the longest it may take, 300 if not given',
  }),
  warmup_time: number({ default: 0, min: 0, help: 'seconds to run before measuring; nothing of it is in the totals' }),
  rate: number({
    default: 0,
    min: 0,
    help: 'transactions due per second, fractions too, whether or not the server keeps up; 0: as fast as possible',
    deprecated: ['tx-rate'],
  }),
  rate_arrivals: choice({
    default: 'poisson',
    choices: ['poisson', 'even'],
    help: 'with --rate: random gaps, as between independent users, or equal ones',
  }),
  queue_max: integer({
    default: QUEUE_MAX_DEFAULT,
    min: 1,
    max: 2 ** 24,
    help: 'with --rate: transactions that may wait; with --terminals, deferred ones; more are counted as dropped',
  }),
  terminals: integer({
    default: 0,
    min: 0,
    max: TERMINALS_MAX,
    help: 'users who key in, wait for the reply and think, sharing the connections; 0: none, all connections flat out',
  }),
  terminal_time_factor: number({
    default: 1,
    min: 0,
    help: 'with --terminals: keying and thinking times are multiplied by it',
  }),
  report_interval: number({
    default: 0,
    min: 0,
    help: 'seconds between lines of interim results, fractions too; 0: none',
  }),
  report_checkpoints: list({
    default: [],
    help: 'seconds of the measured part at which a full report of the part since the last one is given',
  }),
  percentile: list({ default: ['95'], help: 'percentiles of latency to show, such as 50,95,99.9; 0: none' }),
  histogram: flag({ default: false, help: 'show the histogram of latencies' }),
  forced_shutdown: text({
    default: 'off',
    bare: '5%',
    help: 'seconds after the end of time, or per cent of it as in 10%, at which what still runs is cut; alone: 5%',
  }),
  thread_init_timeout: number({ default: 30, min: 0.001, help: 'seconds for all connections to get ready' }),
  rand_type: choice({ default: 'special', choices: RAND_TYPES, help: 'how keys are drawn' }),
  rand_scrambled: flag({
    default: false,
    help: 'spread hot keys over the table, instead of leaving them side by side',
  }),
  rand_spec_iter: integer({ default: 12, min: 1, max: 1_000, help: 'gaussian and special: uniform numbers per draw' }),
  rand_spec_pct: number({ default: 1, min: 0, max: 100, help: 'special: per cent of the keys that are hot' }),
  rand_spec_res: number({ default: 75, min: 0, max: 100, help: 'special: per cent of the draws that hit hot keys' }),
  rand_pareto_h: number({
    default: 0.2,
    min: 0,
    max: 1,
    help: 'pareto: share of the keys that gets 1 - h of the draws',
  }),
  rand_zipfian_exp: number({ default: 0.8, min: 0, help: 'zipfian: exponent theta' }),
  rand_seed: integer({
    default: 0,
    min: 0,
    max: SEED_MAX,
    help: 'equal seeds give equal data and equal statements; 0: one is drawn, and kept with the run',
  }),
  validate: flag({ default: false, help: 'check what the server answers, where the workload knows what is right' }),
  db_ps_mode: choice({
    default: 'auto',
    choices: ['auto', 'disable'],
    help: 'prepared statements, or statements as text',
  }),
  mysql_ignore_errors: list({
    default: ['1213', '1020', '1205'],
    help: 'error codes after which a transaction is rolled back and tried again, or all',
  }),
  attempts_max: integer({
    default: 20,
    min: 1,
    max: 1_000_000,
    help: 'attempts of one transaction, the first included; then it is skipped and counted',
  }),
  reconnect: text({
    default: '0',
    bare: 'resume',
    help: 'alone: go on when a lost server is back; =N: do so, and open a new connection after every N transactions',
  }),
  reconnect_deadline: number({
    default: 60,
    min: 0,
    help: 'with --reconnect: seconds for a lost server to come back before the run fails',
  }),
} as const;
