/** What the command before an output says of the load, the seed and the workload's own options. */
import type { RunRecord } from '../model/run.ts';
import type { CommandLine, MeasuredFacts } from './facts.ts';

export interface ToldLoad {
  readonly load: RunRecord['load'];
  readonly seed: number | undefined;
  readonly options: Readonly<Record<string, string>>;
  /** Paths of the record's fields that are not told. */
  readonly unknown: readonly string[];
}

const SECRETS = /pass(?:word)?$|^p$/i;
/** Where the server is, and who asks: nothing of it is part of the work. */
const CONNECTION = /^(?:mysql_|pgsql_|h$|host$|u$|user$|P$|port$|S$|socket$|protocol$|db$|database$)/;
const OF_LOAD = new Set(
  [
    'threads num_threads time max_time events max_requests warmup_time rate tx_rate report_interval percentile',
    'report_checkpoints forced_shutdown thread_stack_size thread_init_timeout validate debug verbosity histogram',
    'luajit_cmd db_driver db_ps_mode db_debug test rand_seed init_rng help version',
  ]
    .join(' ')
    .split(' '),
);
const OF_KEYS = /^rand_/;

export function toldLoad(facts: MeasuredFacts): ToldLoad {
  const { cells, command, isPaced, toolVersion } = facts;
  const of = (...names: readonly string[]) => numberOf(command, names);
  const threads = cells.threads?.value ?? of('threads', 'num_threads');
  const timeS = of('time', 'max_time');
  const events = of('events', 'max_requests');
  const warmupS = of('warmup_time');
  const ratePerS = facts.ratePerS ?? (of('rate', 'tx_rate') || undefined);
  const randType = command?.options.get('rand_type');
  const psMode = command?.options.get('db_ps_mode');
  const percentile = of('percentile');
  const seed = of('rand_seed') || undefined;
  const isModeKnown = isPaced || toolVersion !== undefined || command !== undefined;
  const load: RunRecord['load'] = {
    mode: isPaced || ratePerS !== undefined ? 'open' : 'closed',
    threads: threads ?? 0,
    workers: 0,
    timeS: timeS ?? 0,
    events: events ?? 0,
    warmupS: warmupS ?? 0,
    ...(ratePerS === undefined ? {} : { ratePerS }),
    percentiles: percentile === undefined || percentile > 100 ? [] : [percentile],
    randType: randType ?? '',
    rand: {},
    errorPolicy: { ignore: [], attemptsMax: 0, lostConnection: 'stop', reconnectEveryEvents: 0 },
    preparedStatements: psMode === 'auto',
  };
  const told = {
    'load.mode': isModeKnown ? load.mode : undefined,
    'load.threads': threads,
    'load.workers': undefined,
    'load.timeS': timeS,
    'load.events': events,
    'load.warmupS': warmupS,
    'load.percentiles': percentile,
    'load.randType': randType,
    'load.rand': undefined,
    'load.errorPolicy': undefined,
    'load.preparedStatements': psMode,
    seed,
    workload: command,
  };
  return { load, seed, options: workloadOptions(command), unknown: absent(told) };
}

export function absent(values: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(values).filter((path) => values[path] === undefined);
}

/** Secrets made unreadable. */
export function commandWords({ program, options, words }: CommandLine): string[] {
  const shown = [...options].map(([name, value]) => {
    const text = SECRETS.test(name) ? '***' : value;
    return `--${name.replaceAll('_', '-')}${value === '' ? '' : `=${text}`}`;
  });
  return [program, ...shown, ...words];
}

/** A whole number that is not negative, or undefined: events may be written as 1e6, and a time as `60s` by others. */
function numberOf(command: CommandLine | undefined, names: readonly string[]): number | undefined {
  const written = names.map((name) => command?.options.get(name)).find((value) => value !== undefined && value !== '');
  const value = Number(written);
  return written !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function workloadOptions(command: CommandLine | undefined): Record<string, string> {
  const options = [...(command?.options ?? [])].filter(
    ([name]) => !CONNECTION.test(name) && !SECRETS.test(name) && !OF_LOAD.has(name) && !OF_KEYS.test(name),
  );
  return Object.fromEntries(options);
}
