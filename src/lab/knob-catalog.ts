/** Which knob convicts or acquits which verdict, and what is to be done by hand where none can be turned. Pure. */
import { formatBytes, formatCount } from '../base/units.ts';
import type { Verdict } from '../model/judgement.ts';
import type { RunRecord } from '../model/run.ts';
import type { Expectation, Knob, KnobCase, KnobChoice, SettingChange } from './knob.ts';

/** Connections, caches of statements and the first group commits settle within it. */
const WARMUP_S = 2;
/** Of the rate, for what is said to set the pace: nothing in a short run scatters so much. */
const RISE_LARGE = 0.3;
const RISE = 0.1;
/** The processors are at their limit where half the sessions reach nearly as much. */
const FALL_SMALL = 0.05;

const CHOICES: Readonly<Record<string, (it: KnobCase, role: Verdict['role']) => KnobChoice>> = {
  commit: commitKnob,
  'read-io': readIoKnob,
  'redo-pressure': redoKnob,
  'log-buffer': logBufferKnob,
  'free-pages': freePagesKnob,
  'row-contention': rowsKnob,
  'server-cpu': serverCpuKnob,
  'network-latency': networkKnob,
  client: clientKnob,
  'connection-storm': connectionsKnob,
  'lossy-link': () => byHand('Another cable or another way cannot be laid from here.', HANDS.lossyLink),
  memory: () => byHand('A server that swaps must be started with less memory.', HANDS.memory),
  'network-bandwidth': () => byHand('A link cannot be widened from here.', HANDS.bandwidth),
  'other-processes': () => byHand('Other programs are not stopped from here.', HANDS.others),
  'purge-lag': () => byHand('Old versions pile up over minutes, and short runs do not show it.', HANDS.purge),
  'stolen-time': () => byHand('The hypervisor is not to be reached from here.', HANDS.stolen),
  throttling: () => byHand('Cooling and power are not to be reached from here.', HANDS.throttling),
};

const HANDS = {
  lossyLink: 'Run the same load over a cable, or on the server itself, and see whether retransmissions go.',
  memory: 'Start the server with half of innodb_buffer_pool_size, run again, and see whether swapping stops.',
  bandwidth: 'Ask for fewer bytes (fewer range reads, smaller rows), and see whether the rate rises.',
  others: 'Stop the programs that are named, and run again, in pairs with and without them.',
  purge: 'Raise innodb_purge_threads or end transactions that stay open, and run for minutes.',
  stolen: 'Run on a dedicated host, or with a higher quota.',
  throttling: 'Let the machine cool down, check its power supply, and run again.',
  pool: 'Start the server with innodb_buffer_pool_size half as large again, warm it up, and run again.',
  redo: 'Start the server with a redo log twice as large, and run again.',
  logBuffer: 'Start the server with twice the innodb_log_buffer_size, and run again.',
  rows: 'Prepare ten times the rows (--table-size, --scale) in another database, and run there with the same threads.',
  threads: 'Run with two threads: where the rate rises, the processors were not at their limit.',
  shortest: 'Nothing is shorter than this way: look at the other verdicts.',
  socket:
    "Run on the server's own machine, over its Unix socket (--mysql-socket): the rate should rise by 30 % or more.",
  client: 'Run a second sqldyno at the same time, from another machine: both together should reach 10 % more.',
  connections: 'Let the application keep its connections open (a pool), and see whether the rate rises.',
} as const;

/** In the order of the alphabet. */
export const PROBED_VERDICTS: readonly string[] = Object.keys(CHOICES).sort();

export function chooseKnob(id: string, role: Verdict['role'], it: KnobCase): KnobChoice {
  const choose = CHOICES[id];
  if (choose === undefined) return byHand(`No experiment is known for ${id}.`, 'See what its verdict says.');
  return choose(it, role);
}

function byHand(because: string, how: string): KnobChoice {
  return { is: 'by hand', because, how };
}

function knob(turned: Pick<Knob, 'turn' | 'a' | 'b' | 'expectations'> & Partial<Knob>): KnobChoice {
  return { is: 'knob', knob: { notes: [], warmupS: WARMUP_S, seeds: 'same', ...turned } };
}

function percentOf(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function rateRises(by: number): Expectation {
  return {
    of: 'transactions/s',
    is: `the rate rises by ${percentOf(by)} or more`,
    side: 'at least',
    bound: 1 + by,
    measure: ({ rates }) => rates.transactionsPerS,
  };
}

/** A figure of a probe, for each transaction. */
function falls(what: string, by: number, { probe, name, floor }: { probe: string; name: string; floor: number }) {
  return {
    of: `${what} per transaction`,
    is: `${what} per transaction fall by ${percentOf(by)} or more`,
    side: 'at most',
    bound: 1 - by,
    floor,
    measure: (record: RunRecord) => {
      const perS = record.series?.[probe]?.measured[name];
      return perS === undefined ? undefined : perS / record.rates.transactionsPerS;
    },
  } as const;
}

/** Undefined where the server has no such variable, or none that is a number. */
function numberIn({ variables }: KnobCase, name: string): number | undefined {
  const text = variables.get(name);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function settingsKnob(
  changes: readonly SettingChange[],
  rest: Pick<Knob, 'expectations'> & Partial<Knob>,
  label = '',
): KnobChoice {
  const said = (value: 'before' | 'asked') => changes.map((each) => `${each.name} = ${each[value]}`).join(', ');
  return knob({ turn: { is: 'settings', changes }, a: said('before'), b: `${said('asked')}${label}`, ...rest });
}

function commitKnob(it: KnobCase): KnobChoice {
  const flush = numberIn(it, 'innodb_flush_log_at_trx_commit');
  const sync = numberIn(it, 'sync_binlog');
  const hasBinlog = /^(?:ON|1)$/i.test(it.variables.get('log_bin') ?? '');
  const changes: SettingChange[] = [];
  if (flush === 1 || flush === 3) changes.push({ name: 'innodb_flush_log_at_trx_commit', before: flush, asked: 2 });
  if (hasBinlog && sync !== undefined && sync !== 0) changes.push({ name: 'sync_binlog', before: sync, asked: 0 });
  if (changes.length === 0) {
    const is = `innodb_flush_log_at_trx_commit is ${flush ?? 'not told'}${hasBinlog ? `, sync_binlog ${sync ?? 'not told'}` : ''}`;
    return byHand(
      `No commit waits for a flush here: ${is}.`,
      'Look for what else a COMMIT does: replication, triggers.',
    );
  }
  const notes = [
    'B is not durable: a crash of the operating system, or of the power, can lose about a second of commits.',
  ];
  if (it.flavor === 'mariadb' && changes.some(({ name }) => name.startsWith('innodb_'))) {
    notes.push(
      'On MariaDB this is not what innodb_flush_log_at_trx_commit = 2 in a configuration file does: there the server also opens its log through the page cache, with another speed and another loss.',
    );
  }
  return settingsKnob(changes, { expectations: [rateRises(RISE_LARGE)], notes }, ' (not durable)');
}

const POOL_FACTOR = 1.5;
/** Of the host's memory: the operating system and connections need the rest. */
const POOL_OF_MEMORY_MAX = 0.8;
const MISSES_FALL = 0.2;
/** What remains is the edge of a working set, which no pool takes away. */
const MISSES_PER_TRANSACTION_MIN = 0.1;
/** A verdict that reads set the pace foretells this too. */
const RISE_OF_READS = 0.05;
const FILL_S_MAX = 60;
const MIB = 2 ** 20;

function readIoKnob(it: KnobCase, role: Verdict['role']): KnobChoice {
  const before = numberIn(it, 'innodb_buffer_pool_size');
  if (before === undefined) return byHand('The server does not tell the size of its buffer pool.', HANDS.pool);
  const asked = Math.ceil((before * POOL_FACTOR) / MIB) * MIB;
  if (it.memoryBytes !== undefined && asked > it.memoryBytes * POOL_OF_MEMORY_MAX) {
    const memory = `a buffer pool of ${formatBytes(asked)} is too much for a host with ${formatBytes(it.memoryBytes)}`;
    return byHand(`It cannot be turned: ${memory}.`, `On a host with more memory: ${HANDS.pool}`);
  }
  const misses = falls('pages missed', MISSES_FALL, {
    probe: 'buffer_pool',
    name: 'misses_per_s',
    floor: MISSES_PER_TRANSACTION_MIN,
  });
  return settingsKnob([{ name: 'innodb_buffer_pool_size', before, asked }], {
    expectations: role === 'bottleneck' ? [misses, rateRises(RISE_OF_READS)] : [misses],
    notes: [
      'Every run has a seed of its own, made from that of the run: with one seed all would read the same rows, which the run before has left in memory.',
      ...(it.memoryBytes === undefined ? ['How much memory the host has is not known from here.'] : []),
    ],
    warmupS: fillS(it.record, asked - before),
    seeds: 'different',
  });
}

/** New room is filled by what is missed; half as long again, since later misses find pages there. */
function fillS({ series }: RunRecord, bytes: number): number {
  const perS = series?.['buffer_pool']?.measured['misses_per_s'] ?? 0;
  const pages = bytes / 16_384;
  return perS === 0 ? WARMUP_S : Math.min(FILL_S_MAX, Math.max(WARMUP_S, Math.ceil((POOL_FACTOR * pages) / perS)));
}

function redoKnob(it: KnobCase): KnobChoice {
  const names = ['innodb_redo_log_capacity', 'innodb_log_file_size'];
  const name = names.find((candidate) => numberIn(it, candidate) !== undefined);
  const before = name === undefined ? undefined : numberIn(it, name);
  if (name === undefined || before === undefined)
    return byHand('The server does not tell the size of its redo log.', HANDS.redo);
  return settingsKnob([{ name, before, asked: before * 2 }], { expectations: [rateRises(RISE)] });
}

const WAITS_FALL = 0.5;

function logBufferKnob(it: KnobCase): KnobChoice {
  const name = 'innodb_log_buffer_size';
  const before = numberIn(it, name);
  if (before === undefined) return byHand('The server does not tell the size of its log buffer.', HANDS.logBuffer);
  const expectations = [
    falls('waits for the log buffer', WAITS_FALL, { probe: 'redo_log', name: 'waits_per_s', floor: 0 }),
  ];
  return settingsKnob([{ name, before, asked: before * 2 }], { expectations });
}

function freePagesKnob(it: KnobCase): KnobChoice {
  const name = 'innodb_io_capacity_max';
  const before = numberIn(it, name);
  if (before === undefined) return byHand(`The server has no ${name}.`, HANDS.pool);
  const expectations = [
    falls('waits for a free page', WAITS_FALL, { probe: 'buffer_pool', name: 'wait_free_per_s', floor: 0 }),
  ];
  return settingsKnob([{ name, before, asked: before * 2 }], { expectations });
}

const ROWS_FACTOR = 10;
/** Fewer rows would only turn waiting into deadlocks. */
const ROWS_PER_THREAD_MIN = 100;
/** More are prepared in minutes, which is no small experiment any more. */
const ROWS_MAX = 20_000_000;
const WAREHOUSES_MAX = 50;

function rowsKnob(it: KnobCase): KnobChoice {
  const { record, plan, isPrivate } = it;
  const { name, options } = record.workload;
  const size = name === 'tpcc' ? 'scale' : 'table_size';
  const before = options[size];
  const tables = typeof options['tables'] === 'number' ? options['tables'] : 1;
  if (typeof before !== 'number') return byHand(`It is not known here how ${name} gets more rows.`, HANDS.rows);
  if (!isPrivate) return byHand('Other data is prepared on private servers only.', HANDS.rows);
  const asked = Math.max(before * ROWS_FACTOR, name === 'tpcc' ? 0 : plan.threads * ROWS_PER_THREAD_MIN);
  const most = name === 'tpcc' ? WAREHOUSES_MAX : ROWS_MAX;
  if (asked * tables > most) {
    const what = name === 'tpcc' ? 'warehouses' : 'rows';
    return byHand(`${formatCount(asked * tables)} ${what} take too long to prepare for an experiment.`, HANDS.rows);
  }
  return knob({
    turn: { is: 'data', options: { ...options, [size]: asked } },
    a: `${size} = ${before}`,
    b: `${size} = ${asked}, in a database of its own`,
    expectations: [rateRises(RISE)],
  });
}

function serverCpuKnob({ plan }: KnobCase): KnobChoice {
  const threads = Math.floor(plan.threads / 2);
  if (threads === 0) return byHand('There is one thread, which cannot be halved.', HANDS.threads);
  return knob({
    turn: { is: 'load', plan: { threads, workers: Math.min(plan.workers, threads) } },
    a: `${plan.threads} threads`,
    b: `${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    expectations: [
      {
        ...rateRises(0),
        is: `the rate falls by less than ${percentOf(FALL_SMALL)}`,
        bound: 1 - FALL_SMALL,
      },
    ],
  });
}

function networkKnob({ plan, socket }: KnobCase): KnobChoice {
  if (plan.targets.every(({ socketPath }) => socketPath !== undefined))
    return byHand('The run went over the Unix socket: there is no network to take away.', HANDS.shortest);
  if (!('path' in socket)) return byHand(socket.because, HANDS.socket);
  const { host = 'localhost', port = 3306 } = plan.targets[0] ?? {};
  return knob({
    turn: { is: 'load', plan: { targets: plan.targets.map((target) => ({ ...target, socketPath: socket.path })) } },
    a: `over TCP, ${host}:${port}`,
    b: `over the Unix socket ${socket.path}`,
    expectations: [rateRises(RISE_LARGE)],
  });
}

const WORKERS_FACTOR = 2;

function clientKnob({ plan, cores }: KnobCase): KnobChoice {
  const workers = Math.min(plan.workers * WORKERS_FACTOR, plan.threads, cores);
  if (workers <= plan.workers) {
    const because =
      plan.threads <= plan.workers
        ? `${plan.threads} threads keep no more than ${plan.workers} workers busy.`
        : `This machine has ${cores} processors for ${plan.workers} workers: none is to spare.`;
    return byHand(because, HANDS.client);
  }
  const said = (count: number) => `${count} ${count === 1 ? 'worker' : 'workers'}`;
  return knob({
    turn: { is: 'load', plan: { workers } },
    a: said(plan.workers),
    b: said(workers),
    expectations: [rateRises(RISE)],
  });
}

function connectionsKnob({ plan }: KnobCase): KnobChoice {
  const { reconnectEveryEvents } = plan.errors;
  if (reconnectEveryEvents === 0)
    return byHand('The connections of this load stay open: it is others who connect.', HANDS.connections);
  return knob({
    turn: { is: 'load', plan: { errors: { ...plan.errors, reconnectEveryEvents: 0 } } },
    a: `a new connection after every ${reconnectEveryEvents} transactions`,
    b: 'connections that stay open',
    expectations: [rateRises(RISE)],
  });
}
