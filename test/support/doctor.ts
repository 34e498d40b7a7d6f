/** A server, its host, a client and a load with which all is well: tests change what they are about. */
import {
  type Collected,
  type HostLook,
  type IdleLook,
  type PlanFacts,
  type ServerLook,
  seen,
} from '../../src/doctor/collected.ts';
import type { HostFacts } from '../../src/observe/host-sample.ts';

const GIB = 2 ** 30;

export const SERVER_FACTS: HostFacts = {
  bootId: 'b1',
  'clock.available': 'tsc hpet',
  'clock.source': 'tsc',
  'cpu.frequencyDriver': 'acpi-cpufreq',
  'cpu.governor': 'performance',
  'cpu.idleWakeupUs': 10,
  'cpu.smt': false,
  'cpu.threads': 8,
  'cpu.turbo': false,
  'datadir.filesystem': 'ext4',
  'datadir.mountOptions': 'rw,noatime',
  'datadir.mountPoint': '/var/lib/mysql',
  'datadir.path': '/var/lib/mysql',
  'disk.model': 'Samsung SSD 990 PRO',
  'disk.name': 'nvme0n1',
  'disk.rotational': false,
  'disk.scheduler': 'none',
  'disk.sizeBytes': 1000 * GIB,
  'disk.writeCache': 'write back',
  'dmi.product': 'PowerEdge R650',
  'memory.dirtyBytes': 0.5 * GIB,
  'memory.numaNodes': 1,
  'memory.swapTotalBytes': 0,
  'memory.swappiness': 60,
  'memory.totalBytes': 64 * GIB,
  'memory.transparentHugepages': 'madvise',
  'network.eth0.receivePacketSteering': true,
  'network.eth0.receiveQueues': 2,
  'network.eth0.wireless': false,
  'network.localPorts': '32768-60999',
  'network.somaxconn': 4_096,
  'network.tcpTwReuse': 2,
  'server.cores': 8,
  'server.openFilesMax': 32_768,
  'server.processesMax': 100_000,
  'system.timers': 'e2scrub_all',
  'virtualization.container': 'none',
  'virtualization.hypervisor': 'none',
};

const IDLE: IdleLook = {
  elapsedS: 10,
  cores: 8,
  ownCpuRatio: 0.001,
  processes: ['mariadbd', 'systemd', 'sshd'],
  desktop: [],
  otherServers: [],
  figures: new Map([
    ['clock_speed.pi_throttled', 0],
    ['clock_speed.temperature_c', 45],
    ['clock_speed.thermal_throttles_per_s', 0],
    ['cpu.busiest_core_softirq', 0.01],
    ['cpu.busy', 0.01],
    ['cpu.steal', 0],
    ['memory_swap.swap_out_pages_per_s', 0],
    ['memory_swap.swap_used_bytes', 0],
    ['network.tcp_retransmitted_ratio', 0],
  ]),
};

const SERVER_HOST: HostLook = {
  description: 'ssh dba@db1',
  facts: SERVER_FACTS,
  idle: seen(IDLE),
  room: seen({ freeBytes: 500 * GIB, freeFiles: 1_000_000 }),
  flush: seen({
    directory: '/var/lib/mysql',
    fileSystem: 'ext4',
    flushes: 200,
    recordBytes: 512,
    p50Us: 400,
    maxUs: 900,
  }),
};

const CLIENT_HOST: HostLook = {
  ...SERVER_HOST,
  description: 'this machine',
  facts: { ...SERVER_FACTS, bootId: 'b2' },
  client: { openFilesMax: 20_000, timeWaitSockets: 5 },
};

const STATUS: Readonly<Record<string, string>> = {
  innodb_buffer_pool_bytes_data: String(1 * GIB),
  innodb_buffer_pool_load_status: 'Buffer pool(s) load completed at 261130 20:00:00',
  innodb_buffer_pool_pages_dirty: '10',
  innodb_buffer_pool_pages_total: '524288',
  innodb_checkpoint_age: '1000',
  innodb_history_list_length: '12',
  innodb_os_log_written: String(2 * GIB),
  questions: '1000',
};

export const VARIABLES: Readonly<Record<string, string>> = {
  back_log: '2000',
  innodb_buffer_pool_size: String(8 * GIB),
  innodb_deadlock_detect: 'ON',
  innodb_doublewrite: 'ON',
  innodb_flush_log_at_trx_commit: '1',
  innodb_flush_method: 'O_DIRECT',
  innodb_lock_wait_timeout: '50',
  innodb_log_file_size: String(1 * GIB),
  log_bin: 'OFF',
  max_connections: '2000',
  version_comment: 'mariadb.org binary distribution',
};

const SERVER: ServerLook = {
  flavor: 'mariadb',
  version: '11.4.2-MariaDB',
  variables: new Map(Object.entries(VARIABLES)),
  status: { earlier: statusOf(), later: statusOf({ questions: '1001' }), elapsedS: 10 },
  setAtRuntime: seen(new Map()),
  defaults: new Map(),
  tables: seen([{ name: 'sbtest1', bytes: 1 * GIB, rowsEstimate: 990_000 }]),
  roundTripUs: seen({ p50: 300, p99: 500, count: 200 }),
  clock: seen({ aheadMs: 3, uncertaintyMs: 1 }),
  replication: seen({ replicas: 0 }),
  isOverTcp: true,
};

export const PLAN: PlanFacts = {
  workload: 'oltp_read_write',
  threads: 64,
  timeS: 600,
  warmupS: 0,
  ratePerS: 0,
  events: 0,
  reconnectEveryEvents: 0,
  keys: 'uniform',
  writes: true,
  tables: [{ name: 'sbtest1', rowsMin: 1_000_000 }],
  mix: { reads: 14, writes: 4, others: 2 },
  mixNotes: [],
};

export function statusOf(changes: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries({ ...STATUS, ...changes }));
}

type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface HostChange extends Partial<Omit<HostLook, 'facts' | 'idle'>> {
  /** Undefined takes one away. */
  readonly facts?: Facts;
  readonly idle?: HostLook['idle'];
  readonly figures?: Readonly<Record<string, number | undefined>>;
  readonly idleParts?: Partial<Omit<IdleLook, 'figures'>>;
}

function changedHost(
  host: HostLook,
  { facts = {}, idle, figures = {}, idleParts = {}, ...rest }: HostChange,
): HostLook {
  const all = Object.entries({ ...host.facts, ...facts }).filter(([, value]) => value !== undefined);
  const allFigures = Object.entries({ ...Object.fromEntries(IDLE.figures), ...figures });
  const kept = allFigures.filter((each): each is [string, number] => each[1] !== undefined);
  return {
    ...host,
    ...rest,
    facts: Object.fromEntries(all) as HostFacts,
    idle: idle ?? seen({ ...IDLE, ...idleParts, figures: new Map(kept) }),
  };
}

export interface Change {
  readonly serverHost?: HostChange;
  readonly clientHost?: HostChange;
  readonly server?: Partial<ServerLook>;
  /** Undefined takes one away. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** At both looks. */
  readonly status?: Readonly<Record<string, string>>;
  readonly collected?: Partial<Collected>;
  readonly plan?: Partial<PlanFacts>;
}

/** All is well, but for the change. */
export function caseOf(change: Change = {}): { readonly collected: Collected; readonly plan: PlanFacts } {
  const { status, variables = {} } = change;
  const all = Object.entries({ ...VARIABLES, ...variables });
  const server: ServerLook = {
    ...SERVER,
    variables: new Map(all.filter((each): each is [string, string] => each[1] !== undefined)),
    ...(status === undefined ? {} : { status: { earlier: statusOf(status), later: statusOf(status), elapsedS: 10 } }),
    ...change.server,
  };
  const serverHost = seen(changedHost(SERVER_HOST, change.serverHost ?? {}));
  const collected: Collected = {
    server: seen(server),
    serverHost,
    clientHost: seen(changedHost(CLIENT_HOST, change.clientHost ?? {})),
    isOneHost: false,
    problems: seen([]),
    tookS: 1.2,
    ...change.collected,
  };
  return { collected, plan: { ...PLAN, ...change.plan } };
}
