/** The environment fingerprint of a Linux host: what does not change during a run, and explains why another differs. */
import type { HostFiles } from '../host-files.ts';
import type { HostFacts } from '../host-sample.ts';
import { type CpuIdentity, parseCpuinfo } from '../parse/cpuinfo.ts';
import { parseMeminfo } from '../parse/memory.ts';
import { mountOf, mountOptions, parseMountinfo } from '../parse/mounts.ts';
import { chosenIn, known, lengthOfList, numberIn, numbersIn, wordsIn } from '../parse/text.ts';
import { CONTAINER_MARKS, containerInCgroup, containerOf, hypervisorOf } from '../parse/virtualization.ts';
import type { HostMap } from './host-map.ts';

type Facts = Record<string, string | number | boolean | undefined>;
/** The text of a file among those that were read. */
type TextOf = (path: string) => string | undefined;

const CPU = '/sys/devices/system/cpu';
const CLOCK = '/sys/devices/system/clocksource/clocksource0';
const VM = '/proc/sys/vm';
const DMI = '/sys/class/dmi/id';
const SECTOR_BYTES = 512;

/** Of one processor: what all have, as a rule. */
const IDLE_STATES = [`${CPU}/cpu0/cpuidle/state*/latency`, `${CPU}/cpu0/cpuidle/state*/disable`] as const;
/** systemd's own list of what it starts by the clock. */
const TIMERS = '/etc/systemd/system/timers.target.wants/*.timer';

const PATHS = [
  '/proc/sys/kernel/osrelease',
  '/proc/sys/kernel/arch',
  '/proc/sys/kernel/hostname',
  '/proc/sys/kernel/random/boot_id',
  '/proc/sys/kernel/sched_autogroup_enabled',
  '/proc/cmdline',
  '/etc/os-release',
  '/usr/lib/os-release',
  '/proc/cpuinfo',
  `${CPU}/online`,
  `${CPU}/smt/active`,
  `${CPU}/intel_pstate/no_turbo`,
  `${CPU}/cpufreq/boost`,
  `${CPU}/cpufreq/policy0/scaling_driver`,
  `${CPU}/cpufreq/policy*/scaling_governor`,
  `${CPU}/cpufreq/policy*/energy_performance_preference`,
  `${CPU}/cpuidle/current_driver`,
  ...IDLE_STATES,
  '/proc/meminfo',
  '/sys/kernel/mm/transparent_hugepage/enabled',
  `${VM}/swappiness`,
  `${VM}/dirty_ratio`,
  `${VM}/dirty_background_ratio`,
  `${VM}/dirty_bytes`,
  `${VM}/dirty_background_bytes`,
  `${VM}/overcommit_memory`,
  `${VM}/nr_hugepages`,
  `${VM}/zone_reclaim_mode`,
  '/sys/devices/system/node/online',
  `${DMI}/sys_vendor`,
  `${DMI}/product_name`,
  `${DMI}/product_version`,
  `${DMI}/bios_vendor`,
  `${DMI}/bios_version`,
  '/proc/device-tree/model',
  '/proc/device-tree/hypervisor/compatible',
  '/sys/hypervisor/type',
  '/proc/xen/capabilities',
  `${CLOCK}/current_clocksource`,
  `${CLOCK}/available_clocksource`,
  '/run/systemd/container',
  '/proc/1/environ',
  '/proc/1/cgroup',
  '/proc/self/mountinfo',
  '/proc/sys/net/core/somaxconn',
  '/proc/sys/net/core/rps_sock_flow_entries',
  '/proc/sys/net/ipv4/ip_local_port_range',
  '/proc/sys/net/ipv4/tcp_tw_reuse',
  '/proc/sys/net/ipv4/tcp_congestion_control',
  '/proc/sys/fs/file-max',
  '/proc/sys/fs/aio-max-nr',
] as const;

export async function readFacts(files: HostFiles, map: HostMap): Promise<HostFacts> {
  const devices = await files.match(['/sys/class/net/*/device', '/sys/class/net/*/wireless']);
  const [marks, timers] = [await files.match(Object.keys(CONTAINER_MARKS)), await files.match([TIMERS])];
  const interfaces = [...new Set(devices.map((path) => path.split('/').at(-2)!))];
  const paths = [...PATHS, ...diskPaths(map), ...serverPaths(map), ...interfaces.flatMap(interfacePaths)];
  const texts = await files.read(paths);
  const textOf: TextOf = (path) => texts.get(path);
  const cpu = parseCpuinfo(textOf('/proc/cpuinfo') ?? '');
  const facts: Facts = {
    ...systemFacts(textOf, cpu),
    ...cpuFacts(textOf, cpu, map),
    ...memoryFacts(textOf),
    ...virtualizationFacts(textOf, cpu, marks),
    ...clockAndLimits(textOf),
    'system.timers': timerNames(timers),
    ...dataDirectoryFacts(map),
    ...diskFacts(textOf, map),
    ...serverFacts(textOf, map, cpu.threads),
    ...Object.assign({}, ...interfaces.map((name) => interfaceFacts(name, textOf, devices, map))),
  };
  return known<Record<string, string | number | boolean>>(facts) as HostFacts;
}

function systemFacts(textOf: TextOf, cpu: CpuIdentity): Facts {
  const release = textOf('/etc/os-release') ?? textOf('/usr/lib/os-release') ?? '';
  return {
    hostname: wordsIn(textOf('/proc/sys/kernel/hostname')),
    bootId: wordsIn(textOf('/proc/sys/kernel/random/boot_id')),
    distribution: /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(release)?.[1],
    'kernel.release': wordsIn(textOf('/proc/sys/kernel/osrelease')),
    // Of the command line only what changes speed: the rest may name what is nobody's business.
    'kernel.mitigations': /(?:^|\s)mitigations=(\S+)/.exec(textOf('/proc/cmdline') ?? '')?.[1],
    'kernel.isolatedCpus': /(?:^|\s)isolcpus=(\S+)/.exec(textOf('/proc/cmdline') ?? '')?.[1],
    'kernel.schedAutogroup': numberIn(textOf('/proc/sys/kernel/sched_autogroup_enabled')),
    architecture: wordsIn(textOf('/proc/sys/kernel/arch')) ?? cpu.architecture,
  };
}

/** Each may be there on one kind of processor only, and then says something about speed. */
const FLAGS_THAT_MATTER = [
  'hypervisor',
  'npt',
  'ept',
  'aes',
  'avx2',
  'crc32',
  'pclmulqdq',
  'sse4_2',
  'atomics',
] as const;
/** Flags of which the absence says as much as the presence. */
const FLAGS_OF_X86 = ['hypervisor', 'npt', 'ept', 'aes'] as const;

function cpuFacts(textOf: TextOf, cpu: CpuIdentity, map: HostMap): Facts {
  const isX86 = cpu.architecture === 'x86_64' || cpu.architecture === 'i686';
  const flags = FLAGS_THAT_MATTER.filter(
    (flag) => cpu.flags.has(flag) || (isX86 && FLAGS_OF_X86.some((each) => each === flag)),
  );
  const smt = numberIn(textOf(`${CPU}/smt/active`));
  const noTurbo = numberIn(textOf(`${CPU}/intel_pstate/no_turbo`));
  const boost = numberIn(textOf(`${CPU}/cpufreq/boost`));
  const turbo = noTurbo === undefined ? boost === 1 : noTurbo === 0;
  const model = wordsIn(textOf('/proc/device-tree/model'));
  return {
    'cpu.model': cpu.model,
    'cpu.vendor': cpu.vendor,
    'cpu.threads': lengthOfList(textOf(`${CPU}/online`)) ?? cpu.threads,
    'cpu.cores': cpu.cores ?? (smt === 0 ? cpu.threads : undefined),
    'cpu.sockets': cpu.sockets,
    'cpu.smt': smt === undefined ? undefined : smt === 1,
    'cpu.microcode': cpu.microcode,
    ...Object.fromEntries(flags.map((flag) => [`cpu.flag.${flag}`, cpu.flags.has(flag)])),
    'cpu.governor': eachOnce(textOf(`${CPU}/cpufreq/policy*/scaling_governor`)),
    'cpu.energyPreference': eachOnce(textOf(`${CPU}/cpufreq/policy*/energy_performance_preference`)),
    'cpu.frequencyDriver': wordsIn(textOf(`${CPU}/cpufreq/policy0/scaling_driver`)),
    'cpu.frequencyMaxMhz': map.frequencyMaxMhz,
    'cpu.frequencyNominalMhz': map.frequencyNominalMhz,
    'cpu.turbo': noTurbo === undefined && boost === undefined ? undefined : turbo,
    'cpu.idleDriver': wordsIn(textOf(`${CPU}/cpuidle/current_driver`)),
    'cpu.idleWakeupUs': idleWakeupUs(textOf),
    'machine.model': model,
  };
}

/** From the deepest state of idleness that is allowed: how long a processor takes to wake up. */
function idleWakeupUs(textOf: TextOf): number | undefined {
  const [latencies = [], disabled = []] = IDLE_STATES.map((path) => numbersIn(textOf(path)));
  const allowed = latencies.filter((_, state) => disabled[state] !== 1);
  return allowed.length === 0 ? undefined : Math.max(...allowed);
}

/** `performance`, or `performance, powersave` where processors differ. */
function eachOnce(text: string | undefined): string | undefined {
  const words = [...new Set((text ?? '').split(/\s+/).filter((word) => word !== ''))].sort();
  return words.length === 0 ? undefined : words.join(', ');
}

function memoryFacts(textOf: TextOf): Facts {
  const memory = parseMeminfo(textOf('/proc/meminfo') ?? '');
  const setting = (name: string) => numberIn(textOf(`${VM}/${name}`));
  // Either the ratio or the bytes hold: the other reads 0.
  const unlessZero = (value: number | undefined) => (value === 0 ? undefined : value);
  return {
    'memory.totalBytes': memory?.totalBytes,
    'memory.swapTotalBytes': memory?.swapTotalBytes,
    'memory.numaNodes': lengthOfList(textOf('/sys/devices/system/node/online')),
    'memory.transparentHugepages': chosenIn(textOf('/sys/kernel/mm/transparent_hugepage/enabled')),
    'memory.hugepages': setting('nr_hugepages'),
    'memory.swappiness': setting('swappiness'),
    'memory.dirtyRatio': unlessZero(setting('dirty_ratio')),
    'memory.dirtyBackgroundRatio': unlessZero(setting('dirty_background_ratio')),
    'memory.dirtyBytes': unlessZero(setting('dirty_bytes')),
    'memory.dirtyBackgroundBytes': unlessZero(setting('dirty_background_bytes')),
    'memory.overcommit': setting('overcommit_memory'),
    'memory.zoneReclaim': setting('zone_reclaim_mode'),
  };
}

function virtualizationFacts(textOf: TextOf, cpu: CpuIdentity, marks: readonly string[]): Facts {
  const dmi = ['sys_vendor', 'product_name', 'bios_vendor'].map((name) => textOf(`${DMI}/${name}`));
  const hypervisor = hypervisorOf({
    dmi,
    hypervisorType: textOf('/sys/hypervisor/type'),
    deviceTree: textOf('/proc/device-tree/hypervisor/compatible'),
    xenCapabilities: textOf('/proc/xen/capabilities'),
    clockSources: textOf(`${CLOCK}/available_clocksource`),
    cpuFlags: cpu.flags,
    hasProcessors: cpu.threads !== undefined,
  });
  const root = mountOf('/', parseMountinfo(textOf('/proc/self/mountinfo') ?? ''));
  const container = containerOf({
    marks,
    systemd: textOf('/run/systemd/container'),
    environment: textOf('/proc/1/environ'),
    cgroup: textOf('/proc/1/cgroup'),
    rootOptions: root?.filesystem === 'overlay' ? mountOptions(root) : undefined,
    kernelRelease: textOf('/proc/sys/kernel/osrelease'),
  });
  return {
    'virtualization.hypervisor': hypervisor,
    'virtualization.container': container,
    'dmi.vendor': wordsIn(textOf(`${DMI}/sys_vendor`)),
    'dmi.product': wordsIn(textOf(`${DMI}/product_name`)),
    'dmi.productVersion': wordsIn(textOf(`${DMI}/product_version`)),
    'dmi.biosVersion': wordsIn(textOf(`${DMI}/bios_version`)),
  };
}

function clockAndLimits(textOf: TextOf): Facts {
  const net = (name: string) => textOf(`/proc/sys/net/${name}`);
  return {
    'clock.source': wordsIn(textOf(`${CLOCK}/current_clocksource`)),
    'clock.available': wordsIn(textOf(`${CLOCK}/available_clocksource`)),
    'network.somaxconn': numberIn(net('core/somaxconn')),
    'network.rpsSockFlowEntries': numberIn(net('core/rps_sock_flow_entries')),
    'network.localPorts': wordsIn(net('ipv4/ip_local_port_range'))?.replaceAll(/\s+/g, '-'),
    'network.tcpTwReuse': numberIn(net('ipv4/tcp_tw_reuse')),
    'network.congestionControl': wordsIn(net('ipv4/tcp_congestion_control')),
    'limits.fileMax': numberIn(textOf('/proc/sys/fs/file-max')),
    'limits.aioMax': numberIn(textOf('/proc/sys/fs/aio-max-nr')),
  };
}

function timerNames(paths: readonly string[]): string | undefined {
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1, -'.timer'.length));
  return names.length === 0 ? undefined : names.sort().join(', ');
}

function dataDirectoryFacts({ dataDirectory }: HostMap): Facts {
  const mount = dataDirectory?.mount;
  if (dataDirectory === undefined || mount === undefined) return {};
  return {
    'datadir.path': dataDirectory.path,
    'datadir.mountPoint': mount.mountPoint,
    'datadir.filesystem': mount.filesystem,
    'datadir.mountOptions': mountOptions(mount),
    'datadir.device': mount.source,
  };
}

const QUEUE = [
  'scheduler',
  'rotational',
  'write_cache',
  'nr_requests',
  'physical_block_size',
  'logical_block_size',
  'read_ahead_kb',
  'discard_max_bytes',
  'wbt_lat_usec',
] as const;

/** A volume has no model of its own: that of the first disk below it. */
function physicalDisk({ dataDirectory }: HostMap): string | undefined {
  return dataDirectory?.slaves[0] ?? dataDirectory?.disk;
}

function diskPaths(map: HostMap): string[] {
  const disk = map.dataDirectory?.disk;
  const physical = physicalDisk(map);
  if (disk === undefined || physical === undefined) return [];
  const ofModel = ['model', 'vendor', 'name', 'cid', 'life_time'].map(
    (name) => `/sys/block/${physical}/device/${name}`,
  );
  const queue = QUEUE.map((name) => `/sys/block/${physical}/queue/${name}`);
  return [...queue, ...ofModel, `/sys/block/${disk}/size`];
}

function diskFacts(textOf: TextOf, map: HostMap): Facts {
  const disk = map.dataDirectory?.disk;
  const physical = physicalDisk(map);
  if (disk === undefined || physical === undefined) return {};
  const queue = (name: (typeof QUEUE)[number]) => textOf(`/sys/block/${physical}/queue/${name}`);
  const device = (name: string) => wordsIn(textOf(`/sys/block/${physical}/device/${name}`));
  const rotational = numberIn(queue('rotational'));
  const sectors = numberIn(textOf(`/sys/block/${disk}/size`));
  const vendor = device('vendor');
  const model = device('model') ?? device('name');
  return {
    'disk.name': disk,
    'disk.partition': map.dataDirectory?.partition,
    'disk.below': map.dataDirectory?.slaves.length === 0 ? undefined : map.dataDirectory?.slaves.join(', '),
    // Virtio's vendor is a number; SATA disks all say ATA.
    'disk.model': vendor === undefined || /^0x|^ATA$/.test(vendor) ? model : [vendor, model].join(' ').trim(),
    'disk.sizeBytes': sectors === undefined ? undefined : sectors * SECTOR_BYTES,
    'disk.rotational': rotational === undefined ? undefined : rotational === 1,
    'disk.scheduler': chosenIn(queue('scheduler')),
    'disk.writeCache': wordsIn(queue('write_cache')),
    'disk.queueRequests': numberIn(queue('nr_requests')),
    'disk.physicalBlockBytes': numberIn(queue('physical_block_size')),
    'disk.logicalBlockBytes': numberIn(queue('logical_block_size')),
    'disk.readAheadKib': numberIn(queue('read_ahead_kb')),
    'disk.discard': discardOf(numberIn(queue('discard_max_bytes'))),
    'disk.lifeUsedPercent': lifeUsedPercent(device('life_time')),
    'disk.writebackThrottlingUs': numberIn(queue('wbt_lat_usec')),
  };
}

function discardOf(bytesMax: number | undefined): boolean | undefined {
  return bytesMax === undefined ? undefined : bytesMax > 0;
}

/** eMMC cards tell of their two kinds of cells how many tenths of their life are over, as `0x01 0x02`. */
function lifeUsedPercent(text: string | undefined): number | undefined {
  const tenths = [...(text ?? '').matchAll(/0x([0-9a-f]{2})/gi)].map((match) => Number.parseInt(match[1]!, 16));
  return tenths.length === 0 || Math.max(...tenths) === 0 ? undefined : Math.max(...tenths) * 10;
}

function serverPaths({ serverPid }: HostMap): string[] {
  return ['limits', 'status', 'cgroup'].map((name) => `/proc/${serverPid ?? 'self'}/${name}`);
}

function serverFacts(textOf: TextOf, { serverPid, cgroup }: HostMap, threads: number | undefined): Facts {
  const limits = {
    'cgroup.version': cgroup.version,
    'cgroup.cpuLimit': cgroup.cpuLimit,
    'cgroup.memoryLimitBytes': cgroup.memoryLimitBytes,
  };
  const folder = `/proc/${serverPid ?? 'self'}`;
  // Affinity and the control group's set of processors alike.
  const allowed = lengthOfList(/^Cpus_allowed_list:\s*(\S+)/m.exec(textOf(`${folder}/status`) ?? '')?.[1]);
  const cores = [threads, allowed, cgroup.cpuLimit].filter((count) => count !== undefined);
  const usable = cores.length === 0 ? undefined : Math.min(...cores);
  if (serverPid === undefined) return { ...limits, 'cpu.usable': usable };
  const text = textOf(`${folder}/limits`);
  return {
    ...limits,
    'server.cores': usable,
    'server.container': containerInCgroup(textOf(`${folder}/cgroup`)),
    'server.openFilesMax': softLimit(text, 'Max open files'),
    'server.processesMax': softLimit(text, 'Max processes'),
    'server.lockedMemoryMaxBytes': softLimit(text, 'Max locked memory'),
  };
}

export function softLimit(text: string | undefined, name: string): number | string | undefined {
  const found = new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(text ?? '')?.[1];
  return numberIn(found) ?? found;
}

function interfacePaths(name: string): string[] {
  const folder = `/sys/class/net/${name}`;
  return [
    `${folder}/mtu`,
    `${folder}/operstate`,
    `${folder}/queues/rx-*/rps_cpus`,
    `${folder}/queues/rx-*/rps_flow_cnt`,
  ];
}

/** Only of links that are up: an empty socket says nothing. */
function interfaceFacts(name: string, textOf: TextOf, devices: readonly string[], { speedsMbps }: HostMap): Facts {
  const folder = `/sys/class/net/${name}`;
  if (wordsIn(textOf(`${folder}/operstate`)) !== 'up') return {};
  const steering = (textOf(`${folder}/queues/rx-*/rps_cpus`) ?? '').split('\n').filter((mask) => mask !== '');
  const flows = (textOf(`${folder}/queues/rx-*/rps_flow_cnt`) ?? '').split('\n').filter((count) => count !== '');
  return {
    [`network.${name}.speedMbps`]: speedsMbps.get(name),
    [`network.${name}.mtu`]: numberIn(textOf(`${folder}/mtu`)),
    [`network.${name}.wireless`]: devices.includes(`${folder}/wireless`),
    [`network.${name}.receiveQueues`]: steering.length === 0 ? undefined : steering.length,
    // A mask of zeros: each queue's packets stay on the processor that took the interrupt.
    [`network.${name}.receivePacketSteering`]:
      steering.length === 0 ? undefined : steering.some((mask) => /[1-9a-f]/.test(mask)),
    [`network.${name}.receiveFlowSteering`]: flows.length === 0 ? undefined : flows.some((count) => Number(count) > 0),
  };
}
