/** What was watched beside the load, over the measured part: the server, its host, and what watching cost. */
import { formatBytes, formatCount, formatDuration, formatPercent, formatSignificant } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import { valueLines } from '../layout.ts';

interface Figure {
  /** `PROBE.NAME`, as in docs/probes.md. */
  readonly of: string;
  readonly text: (value: number) => string;
}

/** Nothing at all needs no decimals. */
const number = (value: number) => (value === 0 ? '0' : formatSignificant(value));
const percent = (label: string) => (value: number) => `${label} ${formatPercent(value)}`;
const ms = (label: string) => (value: number) => `${label} ${number(value)} ms`;
const perS = (label: string) => (value: number) => `${number(value)} ${label}/s`;
const bytesPerS = (label: string) => (value: number) => `${formatBytes(value)}/s ${label}`;
const amount = (label: string) => (value: number) => `${number(value)} ${label}`;
/** A flag that should stand: it is told where it does not. */
const unless = (label: string) => (value: number) => (value === 1 ? '' : label);
const size = (label: string) => (value: number) => `${formatBytes(value)} ${label}`;

const SERVER: Readonly<Record<string, readonly Figure[]>> = {
  'buffer pool': [
    { of: 'buffer_pool.total_bytes', text: size('in all') },
    { of: 'buffer_pool.free_bytes', text: size('free') },
    { of: 'buffer_pool.dirty_bytes', text: size('dirty') },
    { of: 'buffer_pool.misses_per_s', text: perS('misses') },
    { of: 'buffer_pool.pages_written_per_s', text: perS('pages written back') },
  ],
  'redo log': [
    { of: 'redo_log.bytes_per_s', text: bytesPerS('written') },
    { of: 'redo_log.fsyncs_per_s', text: perS('flushes') },
    { of: 'redo_log.checkpoint_age_ratio', text: percent('checkpoint age at the end') },
  ],
  'row locks': [
    { of: 'row_locks.waiting', text: amount('sessions waiting') },
    { of: 'row_locks.mean_wait_ms', text: ms('a wait') },
    { of: 'row_locks.deadlocks_per_s', text: perS('deadlocks') },
  ],
  'binary log': [
    { of: 'binlog.commits_per_s', text: perS('commits') },
    { of: 'binlog.commits_per_group', text: amount('in a group') },
  ],
  replication: [
    { of: 'replication.seconds_behind', text: amount('s behind') },
    { of: 'replication.is_receiving', text: unless('NOT receiving') },
    { of: 'replication.is_applying', text: unless('NOT applying') },
    { of: 'replication.cluster_size', text: amount('members of a cluster') },
    { of: 'replication.cluster_is_synced', text: unless('this one NOT synced') },
    { of: 'replication.flow_control_paused', text: percent('paused by flow control') },
    { of: 'replication.certification_failures_per_s', text: perS('certifications failed') },
    { of: 'replication.receive_queue', text: amount('write sets to apply') },
  ],
};

const HOST: Readonly<Record<string, readonly Figure[]>> = {
  processors: [
    { of: 'cpu.busy', text: percent('busy') },
    { of: 'cpu.iowait', text: percent('iowait') },
    { of: 'cpu.steal', text: percent('steal') },
    { of: 'cpu.busiest_core', text: percent('busiest core') },
  ],
  'data disk': [
    { of: 'disk.data_disk.read_latency_ms', text: ms('read latency') },
    { of: 'disk.data_disk.write_latency_ms', text: ms('write latency') },
    { of: 'disk.data_disk.flush_latency_ms', text: ms('flush latency') },
    { of: 'disk.data_disk.queue_length', text: (value) => `queue length ${number(value)}` },
    { of: 'disk.data_disk.utilisation', text: percent('utilisation') },
    { of: 'disk.data_disk.reads_per_s', text: perS('reads') },
    { of: 'disk.data_disk.writes_per_s', text: perS('writes') },
    { of: 'disk.data_disk.read_bytes_per_s', text: bytesPerS('read') },
    { of: 'disk.data_disk.written_bytes_per_s', text: bytesPerS('written') },
  ],
  memory: [
    { of: 'memory_swap.available_bytes', text: size('available') },
    { of: 'memory_swap.swap_in_pages_per_s', text: perS('pages swapped in') },
    { of: 'memory_swap.swap_out_pages_per_s', text: perS('out') },
  ],
  pressure: [
    { of: 'pressure.cpu_some', text: percent('cpu') },
    { of: 'pressure.io_some', text: percent('io') },
    { of: 'pressure.memory_some', text: percent('memory') },
  ],
  network: [
    { of: 'network.total.received_bytes_per_s', text: bytesPerS('received') },
    { of: 'network.total.sent_bytes_per_s', text: bytesPerS('sent') },
    { of: 'network.tcp_retransmitted_ratio', text: percent('sent again') },
  ],
  'the server': [
    { of: 'server_process.cpu_cores', text: amount('processors used') },
    { of: 'server_process.waiting_threads', text: amount('threads waiting for one') },
    { of: 'server_process.resident_bytes', text: size('in memory') },
  ],
  others: [{ of: 'other_processes.cores', text: amount('processors used by other programs') }],
};

export function serverLines(run: RunRecord): string[] {
  return titled('The server, over the measured part:', linesOf(serverFacts(run)));
}

export function hostLines(run: RunRecord): string[] {
  const { observation } = run;
  const through = observation?.host === undefined ? '' : ` (${observation.host})`;
  return titled(`Its host${through}:`, linesOf(hostFacts(run)));
}

export function observationLines(run: RunRecord): string[] {
  return titled('Watching:', linesOf(observationFacts(run)));
}

/** What it is called, and its figures. */
type Fact = readonly [label: string, text: string];

export function serverFacts(run: RunRecord): Fact[] {
  return figureFacts(run, SERVER);
}

export function hostFacts(run: RunRecord): Fact[] {
  const facts = figureFacts(run, HOST);
  const roundTrip = run.environment?.roundTripUs;
  if (roundTrip === undefined) return facts;
  const text = `${number(roundTrip.p50 / 1000)} ms from the client and back, p99 ${number(roundTrip.p99 / 1000)} ms`;
  return [...facts, ['round trip', text]];
}

export function observationFacts({ observation, command }: RunRecord): Fact[] {
  if (observation === undefined) {
    const isOff = command.includes('--observe=off');
    return isOff ? [['samples', 'none (--observe=off): there is no diagnosis and no grade']] : [];
  }
  const { intervalS, samples, cost, unseen } = observation;
  const costs = [
    `${formatDuration(cost.clientCpuS)} of the client's CPU`,
    `${formatCount(cost.serverStatements)} statements`,
    `${formatBytes(cost.serverBytes)}`,
    ...(cost.hostCpuS === undefined ? [] : [`${formatDuration(cost.hostCpuS)} of the host's CPU`]),
  ];
  return [
    ['samples', `${formatCount(samples)}, every ${number(intervalS)} s${unanswered(observation)}`],
    ['cost', costs.join(', ')],
    ...unseen.map(({ what, because }): Fact => ['not seen', `${what}: ${because}`]),
  ];
}

/** Records of older versions do not tell which source it was. */
function unanswered({ samples, missed, sources }: NonNullable<RunRecord['observation']>): string {
  if (sources === undefined) return missed === 0 ? '' : `, ${formatCount(missed)} without the answer of some source`;
  const late = sources.filter((source) => source.missed > 0);
  return late
    .map((source) => `; the ${source.of} gave no answer to ${formatCount(source.missed)} of ${formatCount(samples)}`)
    .join('');
}

function figureFacts({ series = {} }: RunRecord, groups: Readonly<Record<string, readonly Figure[]>>): Fact[] {
  return Object.entries(groups).flatMap(([label, figures]) => {
    const texts = figures.flatMap(({ of, text }) => {
      const [probe = '', ...name] = of.split('.');
      const value = series[probe]?.measured[name.join('.')];
      const shown = value === undefined ? '' : text(value);
      return shown === '' ? [] : [shown];
    });
    return texts.length === 0 ? [] : [[label, texts.join(', ')]];
  });
}

function linesOf(facts: readonly Fact[]): string[] {
  return facts.flatMap(([label, text]) => valueLines(label, text));
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}
