/**
 * Where on a host what is to be read lies: found out once, before the first sample, so that a sample is a fixed list of
 * files. Names and places differ between kernels, architectures and containers.
 */
import type { HostFiles } from '../host-files.ts';
import type { HostTarget } from '../host-sample.ts';
import { type CgroupLimits, cgroupFiles, cgroupLimits, cgroupPlaces } from '../parse/cgroup.ts';
import { type Mount, mountOf, parseMountinfo } from '../parse/mounts.ts';
import { isServerName, parseProcessList, parseProcessStat, serverAmong } from '../parse/process.ts';
import { isProcessorSensor, isProcessorZone } from '../parse/temperatures.ts';
import { numberIn } from '../parse/text.ts';

export interface DataDirectory {
  readonly path: string;
  readonly mount?: Mount;
  /** As in /proc/diskstats; absent where no block device, or more than one, is behind the file system. */
  readonly disk?: string;
  /** The partition, where the disk has some. */
  readonly partition?: string;
  /** Whole disks below a volume or an array. */
  readonly slaves: readonly string[];
}

export interface HostMap {
  readonly serverPid?: number;
  readonly dataDirectory?: DataDirectory;
  readonly cgroup: CgroupLimits & { readonly version?: 1 | 2 };
  readonly speedsMbps: ReadonlyMap<string, number>;
  readonly frequencyMaxMhz?: number;
  readonly frequencyNominalMhz?: number;
  readonly paths: HostPaths;
}

/** Empty where a host has none. */
export interface HostPaths {
  readonly frequencies: readonly string[];
  readonly temperatures: readonly string[];
  readonly thermalThrottles: readonly string[];
  readonly piThrottled: readonly string[];
}

const CPU = '/sys/devices/system/cpu';
/** A host with a policy for each of 128 processors would cost a millisecond; these are spread over all. */
const FREQUENCIES_MAX = 16;
const KHZ_PER_MHZ = 1000;

const WANTED = {
  frequencies: `${CPU}/cpufreq/policy*/scaling_cur_freq`,
  zones: '/sys/class/thermal/thermal_zone*/temp',
  zoneTypes: '/sys/class/thermal/thermal_zone*/type',
  sensors: '/sys/class/hwmon/hwmon*/name',
  throttles: `${CPU}/cpu*/thermal_throttle/core_throttle_count`,
  // Its parent differs between boards.
  pi: '/sys/devices/platform/*/*:firmware/get_throttled',
} as const;

export async function mapHost(files: HostFiles, target: HostTarget): Promise<HostMap> {
  const serverPid = await findServer(files, target);
  const [found, speeds] = await Promise.all([
    files.match(Object.values(WANTED)),
    files.match(['/sys/class/net/*/speed']),
  ]);
  const limits = [`${CPU}/cpufreq/policy0/cpuinfo_max_freq`, ...nominalPaths];
  const texts = await files.read([...speeds, ...limits, ...found.filter((path) => /\/(?:name|type)$/.test(path))]);
  const mounts = parseMountinfo((await files.read(['/proc/self/mountinfo'])).get('/proc/self/mountinfo') ?? '');
  const dataDirectory = await findDataDirectory(files, target, serverPid, mounts);
  const frequencyMaxKhz = numberIn(texts.get(limits[0]!));
  const nominalKhz = nominalKhzIn(texts);
  return {
    ...(serverPid === undefined ? {} : { serverPid }),
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
    cgroup: await findLimits(files, serverPid, mounts),
    speedsMbps: speedsIn(speeds, texts),
    ...(frequencyMaxKhz === undefined ? {} : { frequencyMaxMhz: frequencyMaxKhz / KHZ_PER_MHZ }),
    ...(nominalKhz === undefined ? {} : { frequencyNominalMhz: nominalKhz / KHZ_PER_MHZ }),
    paths: {
      frequencies: spread(
        found.filter((path) => path.endsWith('/scaling_cur_freq')),
        FREQUENCIES_MAX,
      ),
      temperatures: temperaturePaths(found, texts),
      thermalThrottles: found.some((path) => path.endsWith('_throttle_count')) ? [WANTED.throttles] : [],
      piThrottled: found.filter((path) => path.endsWith('/get_throttled')),
    },
  };
}

/** In kHz by Intel's driver, in MHz by ACPI's CPPC. */
const nominalPaths = [`${CPU}/cpu0/cpufreq/base_frequency`, `${CPU}/cpu0/acpi_cppc/nominal_freq`] as const;

function nominalKhzIn(texts: ReadonlyMap<string, string>): number | undefined {
  const khz = numberIn(texts.get(nominalPaths[0]));
  const mhz = numberIn(texts.get(nominalPaths[1]));
  return khz ?? (mhz === undefined || mhz === 0 ? undefined : mhz * KHZ_PER_MHZ);
}

function speedsIn(paths: readonly string[], texts: ReadonlyMap<string, string>): Map<string, number> {
  const speeds = paths.map((path): [string, number] => [path.split('/').at(-2)!, numberIn(texts.get(path)) ?? 0]);
  return new Map(speeds.filter(([, mbps]) => mbps > 0));
}

function temperaturePaths(found: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  const sensors = found.filter((path) => path.endsWith('/name') && isProcessorSensor(texts.get(path) ?? ''));
  const zones = found.filter(
    (path) => path.endsWith('/temp') && isProcessorZone(texts.get(path.replace(/temp$/, 'type')) ?? ''),
  );
  return [...zones, ...sensors.map((path) => path.replace(/name$/, 'temp*_input'))];
}

/** At most `count` of `all`, evenly. */
function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]!);
}

/** The pid that was told, the one in the server's pid file, or the only server there is. */
export async function findServer(files: HostFiles, target: HostTarget): Promise<number | undefined> {
  const { serverPid, pidFile } = target;
  if (serverPid !== undefined) {
    const path = `/proc/${serverPid}/stat`;
    return (await files.read([path])).has(path) ? serverPid : undefined;
  }
  if (pidFile !== undefined) {
    const pid = numberIn((await files.read([pidFile])).get(pidFile));
    const path = `/proc/${pid}/stat`;
    const stat = pid === undefined ? undefined : (await files.read([path])).get(path);
    // A number from inside a container, or of a server that has ended, may be another process here.
    if (stat !== undefined && isServerName(parseProcessStat(stat)?.name ?? '')) return pid;
  }
  const all = '/proc/[0-9]*/stat';
  return serverAmong(parseProcessList((await files.read([all])).get(all) ?? ''));
}

async function findLimits(
  files: HostFiles,
  serverPid: number | undefined,
  mounts: readonly Mount[],
): Promise<HostMap['cgroup']> {
  const path = serverPid === undefined ? '/proc/self/cgroup' : `/proc/${serverPid}/cgroup`;
  const cgroup = (await files.read([path])).get(path);
  const places = cgroup === undefined ? undefined : cgroupPlaces(cgroup, mounts);
  if (places === undefined) return {};
  return { version: places.version, ...cgroupLimits(places, await files.read(cgroupFiles(places))) };
}

async function findDataDirectory(
  files: HostFiles,
  { dataDirectory }: HostTarget,
  serverPid: number | undefined,
  own: readonly Mount[],
): Promise<DataDirectory | undefined> {
  if (dataDirectory === undefined) return undefined;
  // A server in a container has mounts, and paths, of its own.
  const path = `/proc/${serverPid}/mountinfo`;
  const text = serverPid === undefined ? undefined : (await files.read([path])).get(path);
  const mounts = text === undefined ? own : parseMountinfo(text);
  const isElsewhere = mounts.map(placeOf).join('\n') !== own.map(placeOf).join('\n');
  const resolved = isElsewhere ? dataDirectory : ((await files.resolve(dataDirectory)) ?? dataDirectory);
  const directory = resolved.length > 1 ? resolved.replace(/\/+$/, '') : resolved;
  const mount = mountOf(directory, mounts);
  if (mount === undefined) return { path: directory, slaves: [] };
  return { path: directory, mount, ...(await findDisk(files, mount)) };
}

function placeOf({ device, root, mountPoint }: Mount): string {
  return `${device} ${root} ${mountPoint}`;
}

type Disk = Pick<DataDirectory, 'disk' | 'partition' | 'slaves'>;

async function findDisk(files: HostFiles, { device, source }: Mount): Promise<Disk> {
  // btrfs and its like have no device number of their own, and name one of their devices.
  const isNumbered = !device.startsWith('0:');
  const named = isNumbered || !source.startsWith('/dev/') ? undefined : await files.resolve(source);
  const link = isNumbered ? `/sys/dev/block/${device}` : named?.replace('/dev/', '/sys/class/block/');
  const folder = link === undefined ? undefined : await files.resolve(link);
  if (folder === undefined) return { slaves: [] };
  const { disk, partition } = await wholeDisk(files, folder);
  const below = await disksBelow(files, folder);
  return { disk, ...(partition === undefined ? {} : { partition }), slaves: below.filter((name) => name !== disk) };
}

/** A partition's folder lies in that of its disk. */
async function wholeDisk(files: HostFiles, folder: string): Promise<{ disk: string; partition?: string }> {
  const names = folder.split('/');
  const name = names.at(-1) ?? folder;
  const isPart = (await files.match([`${folder}/partition`])).length > 0;
  return isPart ? { disk: names.at(-2) ?? name, partition: name } : { disk: name };
}

/** Volumes may lie on arrays, and arrays on partitions; deeper than this nobody builds. */
const LAYERS_MAX = 6;

async function disksBelow(files: HostFiles, folder: string, layer = 0): Promise<string[]> {
  const slaves = layer === LAYERS_MAX ? [] : await files.match([`${folder}/slaves/*`]);
  if (slaves.length === 0) return [(await wholeDisk(files, folder)).disk];
  const all: string[] = [];
  for (const slave of slaves) {
    const below = await files.resolve(slave);
    if (below !== undefined) all.push(...(await disksBelow(files, below, layer + 1)));
  }
  return [...new Set(all)].sort();
}
