/** What a control group allows a process: which files tell it, for both versions, and what they say (cgroups(7)). */
import type { CgroupCounters } from '../host-sample.ts';
import type { Mount } from './mounts.ts';
import { known, numberIn, numbersByName } from './text.ts';

/** The directories of one process's group, the group itself first, then those above it, whose limits hold as well. */
export interface CgroupPlaces {
  readonly version: 1 | 2;
  readonly cpu: readonly string[];
  readonly memory: readonly string[];
}

const NS_PER_US = 1e3;
/** Version 1 writes a number near 2^63 for no limit, rounded down to a page. */
const NO_LIMIT_BYTES_MIN = 2 ** 60;

/**
 * `cgroup` is /proc/<pid>/cgroup, `mounts` those of the reader. Where both versions are mounted, that one is meant
 * which holds the processor: a unified hierarchy beside it only sorts processes.
 */
export function cgroupPlaces(cgroup: string, mounts: readonly Mount[]): CgroupPlaces | undefined {
  const groups = cgroup.split('\n').flatMap((line) => {
    const match = /^\d+:([^:]*):(.*)$/.exec(line);
    return match === null ? [] : [{ controllers: match[1]!.split(','), path: match[2]! }];
  });
  const first = (controller: string) => {
    const group = groups.find(({ controllers }) => controllers.includes(controller));
    const mount = mounts.find(
      ({ filesystem, superOptions }) => filesystem === 'cgroup' && superOptions.includes(controller),
    );
    return group === undefined || mount === undefined ? [] : levels(group.path, mount);
  };
  const ofVersion1 = { version: 1, cpu: first('cpu'), memory: first('memory') } as const;
  if (ofVersion1.cpu.length > 0) return ofVersion1;
  const unified = mounts.find(({ filesystem }) => filesystem === 'cgroup2');
  const group = groups.find(({ controllers }) => controllers.length === 1 && controllers[0] === '');
  if (unified === undefined || group === undefined) return undefined;
  const all = levels(group.path, unified);
  return { version: 2, cpu: all, memory: all };
}

/** A container may see its own group as the root, and its path from outside all the same: then the root is meant. */
function levels(path: string, { root, mountPoint }: Mount): string[] {
  const isBelowRoot = root !== '/' && (path === root || path.startsWith(`${root}/`));
  const below = (isBelowRoot ? path.slice(root.length) : path)
    .split('/')
    .filter((part) => part !== '' && part !== '..');
  const count = below.length + 1;
  return Array.from({ length: count }, (_, up) => [mountPoint, ...below.slice(0, below.length - up)].join('/'));
}

const FILES = {
  1: { cpu: ['cpu.cfs_quota_us', 'cpu.cfs_period_us', 'cpu.stat'], memory: ['memory.limit_in_bytes'] },
  2: { cpu: ['cpu.max', 'cpu.stat'], memory: ['memory.max'] },
} as const;

/** Every file that may hold a limit. */
export function cgroupFiles({ version, cpu, memory }: CgroupPlaces): string[] {
  const files = FILES[version];
  return [
    ...cpu.flatMap((place) => files.cpu.map((file) => `${place}/${file}`)),
    ...memory.flatMap((place) => files.memory.map((file) => `${place}/${file}`)),
  ];
}

export interface CgroupLimits {
  readonly cpuLimit?: number;
  readonly memoryLimitBytes?: number;
  /** The file that counts how often the processor was taken away: of the level with the tightest limit. */
  readonly cpuStatFile?: string;
}

/** The tightest of all levels. */
export function cgroupLimits(places: CgroupPlaces, texts: ReadonlyMap<string, string>): CgroupLimits {
  let cpuLimit: number | undefined;
  let cpuStatFile: string | undefined;
  for (const place of places.cpu) {
    const limit = cpuLimitAt(places.version, place, texts);
    const statFile = `${place}/cpu.stat`;
    const isTighter = limit !== undefined && limit < (cpuLimit ?? Number.POSITIVE_INFINITY);
    if (isTighter) cpuLimit = limit;
    // The root of version 2 has the file, without the counts.
    const counts = numbersByName(texts.get(statFile)).has('nr_throttled');
    if (counts && (isTighter || cpuStatFile === undefined)) cpuStatFile = statFile;
  }
  const memoryFile = FILES[places.version].memory[0];
  const memory = places.memory.map((place) => numberIn(texts.get(`${place}/${memoryFile}`)));
  const limits = memory.filter((bytes) => bytes !== undefined && bytes < NO_LIMIT_BYTES_MIN);
  return known<CgroupLimits>({
    cpuLimit,
    cpuStatFile,
    memoryLimitBytes: limits.length === 0 ? undefined : Math.min(...(limits as number[])),
  });
}

function cpuLimitAt(version: 1 | 2, place: string, texts: ReadonlyMap<string, string>): number | undefined {
  if (version === 2) {
    const match = /^(\d+) (\d+)$/.exec(texts.get(`${place}/cpu.max`)?.trim() ?? '');
    return match === null ? undefined : Number(match[1]) / Number(match[2]);
  }
  const quotaUs = numberIn(texts.get(`${place}/cpu.cfs_quota_us`));
  const periodUs = numberIn(texts.get(`${place}/cpu.cfs_period_us`));
  return quotaUs === undefined || periodUs === undefined || quotaUs <= 0 ? undefined : quotaUs / periodUs;
}

/** `stat` is the text of `limits.cpuStatFile`; undefined where there is neither a limit nor a count. */
export function cgroupCounters(limits: CgroupLimits, stat: string | undefined): CgroupCounters | undefined {
  const { cpuLimit, memoryLimitBytes } = limits;
  const counts = numbersByName(stat);
  const throttledPeriods = counts.get('nr_throttled');
  if (throttledPeriods === undefined && cpuLimit === undefined && memoryLimitBytes === undefined) return undefined;
  const throttledNs = counts.get('throttled_time');
  return {
    ...known({ cpuLimit, memoryLimitBytes, periods: counts.get('nr_periods') }),
    throttledPeriods: throttledPeriods ?? 0,
    throttledUs: counts.get('throttled_usec') ?? (throttledNs ?? 0) / NS_PER_US,
  };
}
