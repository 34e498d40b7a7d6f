/** What a page of Prometheus' node_exporter says of a host, in the terms of a sample and of facts. */
import type {
  CpuTimes,
  DiskCounters,
  HostFacts,
  HostSample,
  MemoryGauges,
  NetworkCounters,
  PressureCounters,
  Room,
  TcpCounters,
} from '../host-sample.ts';
import { isPartition } from './diskstats.ts';
import { mountOf } from './mounts.ts';
import type { Metrics } from './prometheus.ts';
import { roomOf } from './room.ts';
import { isProcessorSensor, isProcessorZone } from './temperatures.ts';
import { known } from './text.ts';
import { hypervisorOf } from './virtualization.ts';

const MS_PER_S = 1e3;
const US_PER_S = 1e6;
const HZ_PER_MHZ = 1e6;
const BITS_PER_BYTE = 8;

/** The collectors whose figures change and are used: a page asked for with these costs the host less. */
export const COLLECTORS = [
  'cpu',
  'cpufreq',
  'diskstats',
  'hwmon',
  'meminfo',
  'netdev',
  'netstat',
  'pressure',
  'stat',
  'thermal_zone',
  'vmstat',
] as const;

/** Of the whole page, what both functions below look at. */
export function isNodeMetric(name: string): boolean {
  return name.startsWith('node_') || name === 'process_cpu_seconds_total';
}

export function sampleOfMetrics(metrics: Metrics): HostSample {
  const cores = coresIn(metrics);
  const disks = disksIn(metrics);
  const networks = networksIn(metrics);
  const hertz = valuesOf(metrics, 'node_cpu_scaling_frequency_hertz', 'node_cpu_frequency_hertz');
  const hertzMax = valuesOf(metrics, 'node_cpu_scaling_frequency_max_hertz', 'node_cpu_frequency_max_hertz');
  const celsius = temperaturesIn(metrics);
  const throttles = valuesOf(metrics, 'node_cpu_core_throttles_total');
  return known<HostSample>({
    cpu: cores.length === 0 ? undefined : cores.reduce(added),
    cores: cores.length === 0 ? undefined : cores,
    disks: Object.keys(disks).length === 0 ? undefined : disks,
    memory: memoryIn(metrics),
    swappedInPages: oneOf(metrics, 'node_vmstat_pswpin'),
    swappedOutPages: oneOf(metrics, 'node_vmstat_pswpout'),
    pressure: pressureIn(metrics),
    networks: Object.keys(networks).length === 0 ? undefined : networks,
    tcp: tcpIn(metrics),
    contextSwitches: oneOf(metrics, 'node_context_switches_total'),
    frequencyMhz: hertz.length === 0 ? undefined : sumOf(hertz) / hertz.length / HZ_PER_MHZ,
    frequencyMaxMhz: hertzMax.length === 0 ? undefined : Math.max(...hertzMax) / HZ_PER_MHZ,
    temperatureC: celsius.length === 0 ? undefined : Math.max(...celsius),
    thermalThrottles: throttles.length === 0 ? undefined : sumOf(throttles),
  });
}

/** The values of the first of these metrics that is there. */
/** Of processors, as a thermal zone or a sensor calls itself. */
function temperaturesIn(metrics: Metrics): number[] {
  const zones = (metrics.get('node_thermal_zone_temp') ?? []).filter(({ labels }) =>
    isProcessorZone(labels['type'] ?? ''),
  );
  const names = metrics.get('node_hwmon_chip_names') ?? [];
  const chips = names.filter(({ labels }) => isProcessorSensor(labels['chip_name'] ?? ''));
  const ofProcessors = chips.map(({ labels }) => labels['chip']);
  const sensors = (metrics.get('node_hwmon_temp_celsius') ?? []).filter(({ labels }) =>
    ofProcessors.includes(labels['chip']),
  );
  return [...zones, ...sensors].map(({ value }) => value).filter(Number.isFinite);
}

function valuesOf(metrics: Metrics, ...names: readonly string[]): number[] {
  const samples = names.map((name) => metrics.get(name)).find((found) => found !== undefined) ?? [];
  return samples.map(({ value }) => value).filter(Number.isFinite);
}

function oneOf(metrics: Metrics, name: string): number | undefined {
  return valuesOf(metrics, name)[0];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

const MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'] as const;

/** The collector keeps `guest` apart, and inside `user` as well, like the kernel. */
function coresIn(metrics: Metrics): CpuTimes[] {
  const byCpu = new Map<number, Record<(typeof MODES)[number], number>>();
  for (const { labels, value } of metrics.get('node_cpu_seconds_total') ?? []) {
    const mode = MODES.find((each) => each === labels['mode']);
    const number = Number(labels['cpu']);
    if (mode === undefined || !Number.isInteger(number) || !Number.isFinite(value)) continue;
    const times = byCpu.get(number) ?? {
      user: 0,
      nice: 0,
      system: 0,
      idle: 0,
      iowait: 0,
      irq: 0,
      softirq: 0,
      steal: 0,
    };
    times[mode] = value;
    byCpu.set(number, times);
  }
  return [...byCpu].sort(([a], [b]) => a - b).map(([, times]) => times);
}

function added(a: CpuTimes, b: CpuTimes): CpuTimes {
  return Object.fromEntries(MODES.map((mode) => [mode, a[mode] + b[mode]])) as unknown as CpuTimes;
}

/** What `make` makes of each device that the first metric names, given a reader of the device's other metrics. */
function byDevice<T>(metrics: Metrics, first: string, make: (of: (name: string) => number | undefined) => T) {
  const indexes = new Map<string, ReadonlyMap<string | undefined, number>>();
  const indexOf = (name: string) => {
    const known = indexes.get(name);
    if (known !== undefined) return known;
    const index = new Map((metrics.get(name) ?? []).map(({ labels, value }) => [labels['device'], value]));
    indexes.set(name, index);
    return index;
  };
  const devices = [...indexOf(first).keys()].filter((device) => device !== undefined);
  return Object.fromEntries(devices.map((device) => [device, make((name) => indexOf(name).get(device))]));
}

/** In seconds there, in milliseconds here; rounded, since a float adds digits that mean nothing. */
function msOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * MS_PER_S);
}

function disksIn(metrics: Metrics): Readonly<Record<string, DiskCounters>> {
  const all = byDevice<DiskCounters>(metrics, 'node_disk_reads_completed_total', (of) => {
    const disk = (name: string) => of(`node_disk_${name}`);
    return {
      reads: disk('reads_completed_total') ?? 0,
      readBytes: disk('read_bytes_total') ?? 0,
      readMs: msOf(disk('read_time_seconds_total')) ?? 0,
      writes: disk('writes_completed_total') ?? 0,
      writtenBytes: disk('written_bytes_total') ?? 0,
      writeMs: msOf(disk('write_time_seconds_total')) ?? 0,
      inFlight: disk('io_now') ?? 0,
      busyMs: msOf(disk('io_time_seconds_total')) ?? 0,
      weightedMs: msOf(disk('io_time_weighted_seconds_total')) ?? 0,
      ...known({
        flushes: disk('flush_requests_total'),
        flushMs: msOf(disk('flush_requests_time_seconds_total')),
      }),
    };
  });
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isPartition(name, (disk) => disk in all)));
}

function networksIn(metrics: Metrics): Readonly<Record<string, NetworkCounters>> {
  return byDevice<NetworkCounters>(metrics, 'node_network_receive_bytes_total', (of) => {
    const network = (name: string) => of(`node_network_${name}`) ?? 0;
    const speedBytesPerS = network('speed_bytes');
    return {
      receivedBytes: network('receive_bytes_total'),
      sentBytes: network('transmit_bytes_total'),
      receivedPackets: network('receive_packets_total'),
      sentPackets: network('transmit_packets_total'),
      dropped: network('receive_drop_total') + network('transmit_drop_total'),
      // Negative where the driver does not know.
      ...(speedBytesPerS > 0 ? { speedBitsPerS: speedBytesPerS * BITS_PER_BYTE } : {}),
    };
  });
}

function memoryIn(metrics: Metrics): MemoryGauges | undefined {
  const bytes = (name: string) => oneOf(metrics, `node_memory_${name}_bytes`);
  const totalBytes = bytes('MemTotal');
  const availableBytes = bytes('MemAvailable');
  if (totalBytes === undefined || availableBytes === undefined) return undefined;
  return {
    totalBytes,
    availableBytes,
    swapTotalBytes: bytes('SwapTotal') ?? 0,
    swapFreeBytes: bytes('SwapFree') ?? 0,
    ...known({ dirtyBytes: bytes('Dirty') }),
  };
}

/** `waiting` is some, `stalled` is full. */
function pressureIn(metrics: Metrics): PressureCounters | undefined {
  const us = (name: string) => {
    const seconds = oneOf(metrics, `node_pressure_${name}_seconds_total`);
    return seconds === undefined ? undefined : Math.round(seconds * US_PER_S);
  };
  const counters = known<PressureCounters>({
    cpuSomeUs: us('cpu_waiting'),
    ioSomeUs: us('io_waiting'),
    ioFullUs: us('io_stalled'),
    memorySomeUs: us('memory_waiting'),
    memoryFullUs: us('memory_stalled'),
  });
  return Object.keys(counters).length === 0 ? undefined : counters;
}

function tcpIn(metrics: Metrics): TcpCounters | undefined {
  const segmentsSent = oneOf(metrics, 'node_netstat_Tcp_OutSegs');
  const segmentsRetransmitted = oneOf(metrics, 'node_netstat_Tcp_RetransSegs');
  if (segmentsSent === undefined || segmentsRetransmitted === undefined) return undefined;
  return {
    segmentsSent,
    segmentsRetransmitted,
    ...known({
      listenOverflows: oneOf(metrics, 'node_netstat_TcpExt_ListenOverflows'),
      listenDrops: oneOf(metrics, 'node_netstat_TcpExt_ListenDrops'),
    }),
  };
}

function labelsOf(metrics: Metrics, name: string): Readonly<Record<string, string>> {
  return metrics.get(name)?.[0]?.labels ?? {};
}

function unlessEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The same names as of a host that is read directly, as far as the page goes. */
export function factsOfMetrics(metrics: Metrics, dataDirectory: string | undefined): HostFacts {
  const uname = labelsOf(metrics, 'node_uname_info');
  const dmi = labelsOf(metrics, 'node_dmi_info');
  const cpu = labelsOf(metrics, 'node_cpu_info');
  const sample = sampleOfMetrics(metrics);
  const available = (metrics.get('node_time_clocksource_available_info') ?? []).map(
    ({ labels }) => labels['clocksource'],
  );
  const facts = {
    hostname: unlessEmpty(uname['nodename']),
    distribution: unlessEmpty(labelsOf(metrics, 'node_os_info')['pretty_name']),
    'kernel.release': unlessEmpty(uname['release']),
    architecture: unlessEmpty(uname['machine']),
    'cpu.model': unlessEmpty(cpu['model_name']),
    'cpu.vendor': unlessEmpty(cpu['vendor']),
    'cpu.microcode': unlessEmpty(cpu['microcode']),
    'cpu.threads': sample.cores?.length,
    'cpu.frequencyMaxMhz': sample.frequencyMaxMhz,
    'memory.totalBytes': sample.memory?.totalBytes,
    'memory.swapTotalBytes': sample.memory?.swapTotalBytes,
    'virtualization.hypervisor': hypervisorOf({
      dmi: [dmi['system_vendor'], dmi['product_name'], dmi['bios_vendor']],
      hypervisorType: undefined,
      deviceTree: undefined,
      xenCapabilities: undefined,
      clockSources: available.join(' '),
      cpuFlags: new Set(),
      // The page does not tell the processors' flags: no sign of a hypervisor is no sign of none.
      hasProcessors: false,
    }),
    'dmi.vendor': unlessEmpty(dmi['system_vendor']),
    'dmi.product': unlessEmpty(dmi['product_name']),
    'dmi.productVersion': unlessEmpty(dmi['product_version']),
    'dmi.biosVersion': unlessEmpty(dmi['bios_version']),
    'clock.source': unlessEmpty(labelsOf(metrics, 'node_time_clocksource_current_info')['clocksource']),
    ...dataDirectoryFacts(metrics, dataDirectory, sample),
  };
  return known<Record<string, string | number | boolean>>(facts) as HostFacts;
}

export function roomOfMetrics(metrics: Metrics, path: string | undefined): Room | undefined {
  const mount = mountIn(metrics, path);
  const of = (name: string) =>
    metrics.get(name)?.find(({ labels }) => labels['mountpoint'] === mount?.mountPoint)?.value;
  const freeBytes = of('node_filesystem_avail_bytes');
  if (mount === undefined || freeBytes === undefined) return undefined;
  return roomOf(freeBytes, of('node_filesystem_files') ?? 0, of('node_filesystem_files_free') ?? 0);
}

function mountIn(metrics: Metrics, path: string | undefined) {
  const mounts = (metrics.get('node_filesystem_size_bytes') ?? []).map(({ labels }) => ({
    mountPoint: labels['mountpoint'] ?? '',
    device: labels['device'] ?? '',
    filesystem: labels['fstype'] ?? '',
  }));
  return path === undefined ? undefined : mountOf(path, mounts);
}

function dataDirectoryFacts(metrics: Metrics, path: string | undefined, { disks = {} }: HostSample) {
  const mount = mountIn(metrics, path);
  if (path === undefined || mount === undefined) return {};
  const disk = diskOf(metrics, mount.device, Object.keys(disks));
  const info = metrics.get('node_disk_info')?.find(({ labels }) => labels['device'] === disk)?.labels ?? {};
  return {
    'datadir.path': path,
    'datadir.mountPoint': mount.mountPoint,
    'datadir.filesystem': unlessEmpty(mount.filesystem),
    'datadir.device': unlessEmpty(mount.device),
    'disk.name': disk,
    'disk.model': unlessEmpty(info['model']),
  };
}

/** /dev/sda1 is on sda; of a volume the page tells the number by its name. */
function diskOf(metrics: Metrics, device: string, disks: readonly string[]): string | undefined {
  const name = device.replace(/^\/dev\/(?:mapper\/)?/, '');
  const mapped = metrics.get('node_disk_device_mapper_info')?.find(({ labels }) => labels['name'] === name);
  const wanted = mapped?.labels['device'] ?? name;
  return disks.find((disk) => disk === wanted) ?? disks.find((disk) => isPartition(wanted, (each) => each === disk));
}
