/**
 * A Linux host through its files, however they are reached. What changes fast is read with every sample; all processes,
 * the clock's frequency and temperatures every few seconds, and what was read last stands in between.
 */
import { monotonicMs } from '../../base/clock.ts';
import type { HostFiles } from '../host-files.ts';
import type { HostFacts, HostSample, HostTarget, ProcessCounters, Room, SampleLook } from '../host-sample.ts';
import { cgroupCounters } from '../parse/cgroup.ts';
import { parseStat } from '../parse/cpu-times.ts';
import { parseDiskstats } from '../parse/diskstats.ts';
import { parseMeminfo, parsePressure, parseSwapping } from '../parse/memory.ts';
import { parseNetDev, parseTcp } from '../parse/network.ts';
import {
  desktopAmong,
  type ProcessLine,
  parseProcessList,
  parseProcessStat,
  parseRunDelay,
  processCounters,
} from '../parse/process.ts';
import { known, numbersIn } from '../parse/text.ts';
import { readFacts } from './host-facts.ts';
import { findServer, type HostMap, mapHost } from './host-map.ts';

/** Looking at every process costs some ten microseconds for each: at this pace even thousands are no burden. */
const SLOW_MS = 5_000;
/** So that a tick that comes a little early is not put off by a whole one. */
const SLOW_TOLERANCE_MS = 300;
/** Kept of all processes: those that have used the most. */
const OTHERS_MAX = 64;
/** With more threads than this, the waiting of each is asked for at the lower pace only. */
const THREADS_EACH_TICK_MAX = 128;
/** Hotter or colder, a sensor is broken, or not there. */
const TEMPERATURE_MAX_C = 150;

const FAST = {
  stat: '/proc/stat',
  uptime: '/proc/uptime',
  diskstats: '/proc/diskstats',
  meminfo: '/proc/meminfo',
  vmstat: '/proc/vmstat',
  pressureCpu: '/proc/pressure/cpu',
  pressureIo: '/proc/pressure/io',
  pressureMemory: '/proc/pressure/memory',
  netDev: '/proc/net/dev',
  snmp: '/proc/net/snmp',
  netstat: '/proc/net/netstat',
} as const;

const PROCESSES = '/proc/[0-9]*/stat';

/** What is read at the lower pace. */
type Slow = Partial<
  Pick<
    HostSample,
    'others' | 'othersAtS' | 'desktop' | 'frequencyMhz' | 'temperatureC' | 'thermalThrottles' | 'piThrottled'
  >
>;

/** What was read at the lower pace, and what the next look needs of it. */
interface Look {
  readonly atMs: number;
  readonly parts: Slow;
  readonly cpuSBy: ReadonlyMap<string, number>;
}

export class LinuxHost {
  readonly #files: HostFiles;
  readonly #target: HostTarget;
  readonly #map: HostMap;
  #serverPid: number | undefined;
  #serverThreads = 0;
  #runDelay: Pick<ProcessCounters, 'runDelayS' | 'runDelayAtS'> = {};
  #look: Look = { atMs: Number.NEGATIVE_INFINITY, parts: {}, cpuSBy: new Map() };

  private constructor(files: HostFiles, target: HostTarget, map: HostMap) {
    this.#files = files;
    this.#target = target;
    this.#map = map;
    this.#serverPid = map.serverPid;
  }

  static async open(files: HostFiles, target: HostTarget): Promise<LinuxHost> {
    return new LinuxHost(files, target, await mapHost(files, target));
  }

  async sample({ isWhole = false }: SampleLook = {}): Promise<HostSample> {
    const nowMs = monotonicMs();
    const isSlow = isWhole || nowMs - this.#look.atMs >= SLOW_MS - SLOW_TOLERANCE_MS;
    // It may have been started again, with another number.
    if (isSlow && this.#serverPid === undefined) this.#serverPid = await findServer(this.#files, this.#target);
    const server = serverPaths(this.#serverPid);
    const threads = isSlow || this.#serverThreads <= THREADS_EACH_TICK_MAX ? server?.threads : undefined;
    const { cpuStatFile } = this.#map.cgroup;
    const texts = await this.#files.read([
      ...Object.values(FAST),
      ...clientPaths(this.#target),
      ...(cpuStatFile === undefined ? [] : [cpuStatFile]),
      ...(server === undefined ? [] : [server.stat, server.status, server.io]),
      ...(threads === undefined ? [] : [threads]),
      ...(isSlow ? [PROCESSES, ...Object.values(this.#map.paths).flat()] : []),
    ]);
    const uptimeS = numbersIn(texts.get(FAST.uptime))[0];
    if (isSlow) this.#look = look(nowMs, texts, uptimeS, this.#map, this.#target, this.#look.cpuSBy);
    if (threads !== undefined) {
      this.#runDelay = known({ runDelayS: parseRunDelay(texts.get(threads)), runDelayAtS: uptimeS });
    }
    const ofServer = server === undefined ? undefined : this.#serverOf(texts, server);
    return {
      ...fastParts(texts, this.#map, this.#target),
      ...this.#look.parts,
      ...(ofServer === undefined ? {} : { server: ofServer }),
    };
  }

  facts(): Promise<HostFacts> {
    return readFacts(this.#files, this.#map);
  }

  async room(): Promise<Room | undefined> {
    const { dataDirectory } = this.#map;
    return dataDirectory && this.#files.room(dataDirectory.path);
  }

  #serverOf(texts: ReadonlyMap<string, string>, paths: ServerPaths): ProcessCounters | undefined {
    const stat = texts.get(paths.stat);
    const counters = processCounters({ stat, status: texts.get(paths.status), io: texts.get(paths.io) });
    this.#serverThreads = stat === undefined ? 0 : (parseProcessStat(stat)?.threads ?? 0);
    if (counters === undefined) {
      this.#serverPid = undefined;
      this.#runDelay = {};
      return undefined;
    }
    return { ...counters, ...(this.#runDelay.runDelayS === undefined ? {} : this.#runDelay) };
  }
}

function look(
  atMs: number,
  texts: ReadonlyMap<string, string>,
  uptimeS: number | undefined,
  map: HostMap,
  { clientPids }: HostTarget,
  cpuSBy: ReadonlyMap<string, number>,
): Look {
  const processes = parseProcessList(texts.get(PROCESSES) ?? '');
  const others = othersAmong(processes, clientPids, cpuSBy);
  return {
    atMs,
    parts: { ...known<Slow>({ others, othersAtS: uptimeS }), ...slowParts(texts, processes, map) },
    cpuSBy: new Map(processes.map((process) => [identityOf(process), process.cpuS])),
  };
}

interface ServerPaths {
  readonly stat: string;
  readonly status: string;
  readonly io: string;
  /** The process's own schedstat is that of its first thread only. */
  readonly threads: string;
}

function serverPaths(pid: number | undefined): ServerPaths | undefined {
  if (pid === undefined) return undefined;
  const folder = `/proc/${pid}`;
  return {
    stat: `${folder}/stat`,
    status: `${folder}/status`,
    io: `${folder}/io`,
    threads: `${folder}/task/*/schedstat`,
  };
}

function clientPaths({ clientPids }: HostTarget): string[] {
  return clientPids.map((pid) => `/proc/${pid}/stat`);
}

function fastParts(texts: ReadonlyMap<string, string>, map: HostMap, target: HostTarget): HostSample {
  const text = (name: keyof typeof FAST) => texts.get(FAST[name]);
  const stat = text('stat');
  const disks = text('diskstats');
  const networks = text('netDev');
  const clients = clientPaths(target).map((path) => processCounters({ stat: texts.get(path) })?.cpuS);
  const clientCpuS = clients.filter((cpuS) => cpuS !== undefined);
  return {
    ...(stat === undefined ? {} : parseStat(stat)),
    ...parseSwapping(text('vmstat') ?? ''),
    ...known<HostSample>({
      disks: disks === undefined ? undefined : parseDiskstats(disks),
      memory: parseMeminfo(text('meminfo') ?? ''),
      pressure: parsePressure(text('pressureCpu'), text('pressureIo'), text('pressureMemory')),
      networks: networks === undefined ? undefined : parseNetDev(networks, map.speedsMbps),
      tcp: parseTcp(text('snmp'), text('netstat')),
      cgroup: cgroupCounters(map.cgroup, texts.get(map.cgroup.cpuStatFile ?? '')),
      frequencyMaxMhz: map.frequencyMaxMhz,
      frequencyNominalMhz: map.frequencyNominalMhz,
      clientCpuS: clientCpuS.length === 0 ? undefined : clientCpuS.reduce((sum, cpuS) => sum + cpuS, 0),
    }),
  };
}

function slowParts(texts: ReadonlyMap<string, string>, processes: readonly ProcessLine[], map: HostMap): Slow {
  const { frequencies, temperatures, thermalThrottles, piThrottled } = map.paths;
  const numbersAt = (paths: readonly string[]) => paths.flatMap((path) => numbersIn(texts.get(path)));
  const khz = numbersAt(frequencies);
  const celsius = numbersAt(temperatures)
    .map((milli) => milli / 1000)
    .filter((degrees) => Math.abs(degrees) < TEMPERATURE_MAX_C);
  const throttles = numbersAt(thermalThrottles);
  // In hexadecimal, without a prefix.
  const pi = /^(?:0x)?([0-9a-f]+)$/i.exec(texts.get(piThrottled[0] ?? '')?.trim() ?? '')?.[1];
  return known<Slow>({
    desktop: processes.length === 0 ? undefined : desktopAmong(processes),
    frequencyMhz: khz.length === 0 ? undefined : sumOf(khz) / khz.length / 1000,
    temperatureC: celsius.length === 0 ? undefined : Math.max(...celsius),
    thermalThrottles: throttles.length === 0 ? undefined : sumOf(throttles),
    piThrottled: pi === undefined ? undefined : Number.parseInt(pi, 16),
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Those that used the most since the last look first, then those that have used the most at all. */
function othersAmong(
  processes: readonly ProcessLine[],
  clientPids: readonly number[],
  previousCpuS: ReadonlyMap<string, number>,
): ProcessCounters[] | undefined {
  if (processes.length === 0) return undefined;
  const used = (process: ProcessLine) => process.cpuS - (previousCpuS.get(identityOf(process)) ?? 0);
  const candidates = processes.filter(({ pid, cpuS }) => cpuS > 0 && !clientPids.includes(pid));
  return candidates
    .sort((a, b) => used(b) - used(a) || b.cpuS - a.cpuS)
    .slice(0, OTHERS_MAX)
    .map(({ pid, name, cpuS, startedAtS }) => ({ pid, name, cpuS, startedAtS }));
}

function identityOf({ pid, startedAtS }: ProcessLine): string {
  return `${pid} ${startedAtS}`;
}
