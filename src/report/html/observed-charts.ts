/** Server, host and client on the run's own clock: the series that matter most drawn first, all others below them. */
import type { Series } from '../../model/observed.ts';
import type { RunRecord } from '../../model/run.ts';
import { own } from '../../stats/own.ts';
import { metricCell } from '../metric-cell.ts';
import { LINES_MAX } from './chart.ts';
import { type Child, element } from './element.ts';
import { folded } from './table.ts';
import { type NamedValues, type RunClock, timeChart } from './time-charts.ts';

interface ObservedChart {
  readonly title: string;
  /** `PROBE.NAME` of docs/probes.md, and what it is called here. Those of one chart have one unit. */
  readonly lines: Readonly<Record<string, string>>;
}

const SERVER: readonly ObservedChart[] = [
  {
    title: 'Sessions',
    lines: { 'server_work.threads_running': 'running', 'row_locks.waiting_now': 'waiting for a row lock' },
  },
  {
    title: 'Pages of the buffer pool',
    lines: {
      'buffer_pool.misses_per_s': 'misses',
      'buffer_pool.pages_written_per_s': 'written back',
      'buffer_pool.wait_free_per_s': 'waits for a free one',
    },
  },
  {
    title: 'Buffer pool',
    lines: {
      'buffer_pool.data_bytes': 'data',
      'buffer_pool.dirty_bytes': 'dirty',
      'buffer_pool.free_bytes': 'free',
    },
  },
  { title: 'Redo log written', lines: { 'redo_log.bytes_per_s': 'written' } },
  { title: 'Checkpoint age, of what the log holds', lines: { 'redo_log.checkpoint_age_ratio': 'age' } },
  { title: 'Flushes of InnoDB', lines: { 'redo_log.fsyncs_per_s': 'flushes' } },
  {
    title: 'Waits for row locks',
    lines: { 'row_locks.waits_per_s': 'waits', 'row_locks.deadlocks_per_s': 'deadlocks' },
  },
  { title: 'Transactions that share a flush', lines: { 'binlog.commits_per_group': 'in a group' } },
  { title: 'Row versions to be purged', lines: { 'server_internals.history_list_length': 'history list length' } },
  { title: 'Replication behind', lines: { 'replication.seconds_behind': 'behind' } },
  { title: 'Paused by flow control', lines: { 'replication.flow_control_paused': 'paused' } },
];

const HOST: readonly ObservedChart[] = [
  {
    title: 'Processors of the host',
    lines: {
      'cpu.user': 'user',
      'cpu.system': 'system',
      'cpu.iowait': 'iowait',
      'cpu.softirq': 'softirq',
      'cpu.steal': 'steal',
      'cpu.busiest_core': 'busiest core',
    },
  },
  {
    title: 'Processors used',
    lines: {
      'server_process.cpu_cores': 'server',
      'client.cpu_cores': 'client',
      'other_processes.cores': 'other programs',
      'cgroup.throttled_cores': 'kept from the server',
    },
  },
  {
    title: 'Pressure: time in which something waited',
    lines: {
      'pressure.cpu_some': 'for a processor',
      'pressure.io_some': 'for a disk',
      'pressure.memory_some': 'for memory',
    },
  },
  {
    title: 'Data disk, operations',
    lines: {
      'disk.data_disk.reads_per_s': 'reads',
      'disk.data_disk.writes_per_s': 'writes',
      'disk.data_disk.flushes_per_s': 'flushes',
    },
  },
  {
    title: 'Data disk, bytes',
    lines: { 'disk.data_disk.read_bytes_per_s': 'read', 'disk.data_disk.written_bytes_per_s': 'written' },
  },
  {
    title: 'Data disk, latency',
    lines: {
      'disk.data_disk.read_latency_ms': 'read',
      'disk.data_disk.write_latency_ms': 'write',
      'disk.data_disk.flush_latency_ms': 'flush',
    },
  },
  { title: 'Data disk, queue length', lines: { 'disk.data_disk.queue_length': 'requests' } },
  { title: 'Data disk, utilisation', lines: { 'disk.data_disk.utilisation': 'utilisation' } },
  { title: 'Memory available', lines: { 'memory_swap.available_bytes': 'available' } },
  {
    title: 'Pages swapped',
    lines: { 'memory_swap.swap_in_pages_per_s': 'in', 'memory_swap.swap_out_pages_per_s': 'out' },
  },
  {
    title: 'Network',
    lines: { 'network.total.received_bytes_per_s': 'received', 'network.total.sent_bytes_per_s': 'sent' },
  },
  { title: 'TCP segments sent again', lines: { 'network.tcp_retransmitted_per_s': 'sent again' } },
  { title: 'Clock of the processors', lines: { 'clock_speed.frequency_mhz': 'mean' } },
  { title: 'Temperature', lines: { 'clock_speed.temperature_c': 'hottest' } },
];

const CLIENT: readonly ObservedChart[] = [
  { title: 'Event loop of the busiest worker', lines: { 'client.event_loop_utilization': 'busy' } },
  { title: 'Collecting garbage', lines: { 'client.garbage_collection_ms_per_s': 'time' } },
];

export function serverCharts(run: RunRecord, clock: RunClock): Child[] {
  return chartsOf(SERVER, run, clock);
}

export function hostCharts(run: RunRecord, clock: RunClock): Child[] {
  return chartsOf(HOST, run, clock);
}

export function clientCharts(run: RunRecord, clock: RunClock): Child[] {
  return chartsOf(CLIENT, run, clock);
}

interface Found extends NamedValues {
  readonly unit: string;
  readonly atS: readonly number[];
}

function find({ series = {} }: RunRecord, of: string, name: string): Found | undefined {
  const [probe = '', ...value] = of.split('.');
  const watched = own(series, probe);
  const found = watched === undefined ? undefined : own(watched.values, value.join('.'));
  if (watched === undefined || found === undefined) return undefined;
  return { name, unit: found.unit, atS: watched.atS, values: found.points };
}

function chartsOf(charts: readonly ObservedChart[], run: RunRecord, clock: RunClock): Child[] {
  return charts.flatMap(({ title, lines }) => {
    const found = Object.entries(lines).flatMap(([of, name]) => find(run, of, name) ?? []);
    return drawnOf(title, found, clock);
  });
}

/** What never moved is told in words: a straight line would only take room. */
function drawnOf(title: string, found: readonly Found[], clock: RunClock): Child[] {
  const moving = found.filter(({ values }) => isMoving(values));
  const [first] = moving;
  if (first === undefined) return [];
  // Units are the probes' own: a server that tells another one is not drawn on this axis.
  const lines = moving.filter(({ unit }) => isSameScale(unit, first.unit)).slice(0, LINES_MAX);
  const still = found.filter((each) => !moving.includes(each)).flatMap(stillText);
  const chart = {
    title,
    unit: first.unit,
    atS: first.atS,
    lines: lines.map((each) => ({ name: each.name, values: onClock(each, first.atS) })),
    ...(still.length === 0 ? {} : { note: `Throughout: ${still.join(', ')}.` }),
  };
  return [timeChart(chart, clock)];
}

function isSameScale(one: string, other: string): boolean {
  const plain = (unit: string) => (unit === 'sessions' ? 'count' : unit);
  return plain(one) === plain(other);
}

function isMoving(values: readonly (number | null)[]): boolean {
  const first = values.find((value) => value !== null);
  return values.some((value) => value !== null && value !== first);
}

function stillText({ name, unit, values }: Found): string[] {
  const value = values.find((each) => each !== null);
  return value === undefined || value === null ? [] : [`${name} ${value === 0 ? '0' : metricCell(value, unit)}`];
}

/** Probes of one tick are asked one after another, so that their times differ by milliseconds. */
const SAME_MOMENT_S = 0.5;

function onClock({ atS, values }: Found, wanted: readonly number[]): (number | null)[] {
  if (atS === wanted) return [...values];
  let at = 0;
  return wanted.map((moment) => {
    while (at < atS.length - 1 && Math.abs(atS[at + 1]! - moment) <= Math.abs(atS[at]! - moment)) at++;
    const isThere = atS[at] !== undefined && Math.abs(atS[at]! - moment) <= SAME_MOMENT_S;
    return isThere ? (values[at] ?? null) : null;
  });
}

const SHOWN_ABOVE = new Set([...SERVER, ...HOST, ...CLIENT].flatMap(({ lines }) => Object.keys(lines)));
const PER_CHART = 6;

/** By probe and unit, as they come. */
export function otherCharts(run: RunRecord, clock: RunClock): Child {
  const { series = {} } = run;
  const charts = Object.entries(series).flatMap(([probe, watched]) => chartsOfProbe(probe, watched, clock));
  if (charts.length === 0) return null;
  return folded(`All other series that moved: ${charts.length} charts`, ...charts);
}

function chartsOfProbe(probe: string, { atS, values }: Series, clock: RunClock): Child[] {
  const groups = new Map<string, Found[]>();
  for (const [name, { unit, points }] of Object.entries(values)) {
    if (SHOWN_ABOVE.has(`${probe}.${name}`) || !isMoving(points)) continue;
    // Devices and programs are many, and each has a chart of its own.
    const part = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '';
    const key = `${unit}\n${/^(?:core\d+|top\..*|worker\d+)$/.test(part) ? '' : part}`;
    groups.set(key, [...(groups.get(key) ?? []), { name, unit, atS, values: points }]);
  }
  return [...groups.values()].flatMap((found) =>
    Array.from({ length: Math.ceil(found.length / PER_CHART) }, (_, part) =>
      drawnOf(probe, found.slice(part * PER_CHART, (part + 1) * PER_CHART), clock),
    ).flat(),
  );
}

export function nothingWatched(run: RunRecord): Child {
  const because = (run.observation?.unseen ?? []).map(({ what, because: why }) => `${what}: ${why}`);
  return element(
    'p',
    {},
    because.length === 0 ? 'It was not watched.' : `Nothing was seen of it. ${because.join(' ')}`,
  );
}
