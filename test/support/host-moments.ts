/** Two moments of a host on which everything is to be had: what happened in between is given in round numbers. */
import type { CpuTimes, DiskCounters, HostSample, NetworkCounters } from '../../src/observe/host-sample.ts';
import type { ClientSample, Moment, ProbeFacts } from '../../src/observe/probe.ts';

export const FACTS: ProbeFacts = { variables: new Map(), flavor: 'mariadb', dataDisk: 'sda', serverCores: 2 };

const NO_TIME: CpuTimes = { user: 0, nice: 0, system: 0, idle: 0, iowait: 0, irq: 0, softirq: 0, steal: 0 };

export function cpuTimes(parts: Partial<CpuTimes>): CpuTimes {
  return { ...NO_TIME, ...parts };
}

export function disk(parts: Partial<DiskCounters> = {}): DiskCounters {
  return {
    reads: 10,
    readBytes: 40_960,
    readMs: 5,
    writes: 100,
    writtenBytes: 819_200,
    writeMs: 50,
    inFlight: 0,
    busyMs: 30,
    weightedMs: 60,
    flushes: 7,
    flushMs: 14,
    ...parts,
  };
}

export function network(parts: Partial<NetworkCounters> = {}): NetworkCounters {
  return { receivedBytes: 1_000, sentBytes: 2_000, receivedPackets: 10, sentPackets: 20, dropped: 0, ...parts };
}

export const BEFORE: HostSample = {
  cpu: cpuTimes({ user: 100, idle: 500, iowait: 20, system: 50 }),
  cores: [cpuTimes({ user: 50, idle: 250 }), cpuTimes({ user: 50, idle: 250 })],
  disks: { sda: disk(), loop0: disk({ reads: 0, writes: 0 }) },
  memory: { totalBytes: 8e9, availableBytes: 5e9, dirtyBytes: 1e6, swapTotalBytes: 2e9, swapFreeBytes: 2e9 },
  swappedInPages: 100,
  swappedOutPages: 200,
  pressure: { cpuSomeUs: 1_000, ioSomeUs: 2_000, ioFullUs: 500, memorySomeUs: 0, memoryFullUs: 0 },
  networks: { lo: network(), eth0: network({ speedBitsPerS: 1e9 }), docker0: network() },
  tcp: { segmentsSent: 1_000, segmentsRetransmitted: 5, listenOverflows: 1, listenDrops: 2 },
  contextSwitches: 10_000,
  cgroup: { cpuLimit: 1.5, periods: 100, throttledPeriods: 10, throttledUs: 5_000, memoryLimitBytes: 4e9 },
  frequencyMhz: 2_000,
  frequencyMaxMhz: 4_000,
  frequencyNominalMhz: 2_500,
  temperatureC: 55,
  thermalThrottles: 3,
  piThrottled: 0,
  server: {
    pid: 77,
    name: 'mariadbd',
    cpuS: 40,
    startedAtS: 5,
    runDelayS: 3,
    runDelayAtS: 1_000,
    readBytes: 1_000,
    writtenBytes: 2_000,
    majorFaults: 4,
    residentBytes: 3e8,
  },
  clientCpuS: 20,
  others: [
    { pid: 77, name: 'mariadbd', cpuS: 40, startedAtS: 5 },
    { pid: 88, name: 'backup', cpuS: 10, startedAtS: 6 },
    { pid: 3, name: 'kworker/0:1', cpuS: 1, startedAtS: 0 },
  ],
  othersAtS: 1_000,
  desktop: [],
};

/** Ten seconds later. */
export const ELAPSED_S = 10;

export const AFTER: HostSample = {
  ...BEFORE,
  cpu: cpuTimes({ user: 108, nice: 1, idle: 506, iowait: 21, system: 52, irq: 0.5, softirq: 0.5, steal: 1 }),
  cores: [cpuTimes({ user: 59, idle: 251 }), cpuTimes({ user: 53, idle: 257, softirq: 0 })],
  disks: {
    sda: disk({
      reads: 110,
      readBytes: 1_679_360,
      readMs: 205,
      writes: 1_100,
      writtenBytes: 17_203_200,
      writeMs: 4_050,
      busyMs: 5_030,
      weightedMs: 20_060,
      flushes: 507,
      flushMs: 1_014,
    }),
    loop0: disk({ reads: 0, writes: 0 }),
  },
  memory: { totalBytes: 8e9, availableBytes: 4e9, dirtyBytes: 2e6, swapTotalBytes: 2e9, swapFreeBytes: 1.5e9 },
  swappedInPages: 150,
  swappedOutPages: 400,
  pressure: { cpuSomeUs: 5_001_000, ioSomeUs: 2_502_000, ioFullUs: 1_000_500, memorySomeUs: 100_000, memoryFullUs: 0 },
  networks: {
    lo: network({ receivedBytes: 51_000, receivedPackets: 110 }),
    eth0: network({
      receivedBytes: 100_001_000,
      sentBytes: 625_002_000,
      receivedPackets: 100_010,
      sentPackets: 500_020,
      dropped: 10,
      speedBitsPerS: 1e9,
    }),
    docker0: network({ receivedBytes: 100_001_000 }),
  },
  tcp: { segmentsSent: 101_000, segmentsRetransmitted: 105, listenOverflows: 21, listenDrops: 32 },
  contextSwitches: 60_000,
  cgroup: { cpuLimit: 1.5, periods: 200, throttledPeriods: 35, throttledUs: 2_005_000, memoryLimitBytes: 4e9 },
  temperatureC: 81,
  thermalThrottles: 23,
  piThrottled: 0x50005,
  server: {
    pid: 77,
    name: 'mariadbd',
    cpuS: 46,
    startedAtS: 5,
    runDelayS: 5,
    runDelayAtS: 1_010,
    readBytes: 11_000,
    writtenBytes: 102_000,
    majorFaults: 54,
    residentBytes: 4e8,
  },
  clientCpuS: 22,
  others: [
    { pid: 77, name: 'mariadbd', cpuS: 46, startedAtS: 5 },
    { pid: 88, name: 'backup', cpuS: 11.5, startedAtS: 6 },
    { pid: 99, name: 'apt (1)', cpuS: 0.7, startedAtS: 1_002 },
    { pid: 3, name: 'kworker/0:1', cpuS: 1.2, startedAtS: 0 },
    { pid: 4, name: 'kworker/1:2H', cpuS: 5, startedAtS: 0 },
  ],
  othersAtS: 1_010,
  desktop: ['Xorg', 'gnome-shell'],
};

const CLIENT_BEFORE: ClientSample = {
  cpuS: 10,
  eventLoopUtilizations: [0.5, 0.5],
  garbageCollectionMs: 100,
  runDelayS: 2,
  residentBytes: 1e8,
};
const CLIENT_AFTER: ClientSample = {
  cpuS: 25,
  eventLoopUtilizations: [0.6, 0.9],
  garbageCollectionMs: 600,
  runDelayS: 7,
  residentBytes: 2e8,
};

export const MOMENTS: readonly [Moment, Moment] = [
  { atMs: 0, host: BEFORE, client: CLIENT_BEFORE },
  { atMs: ELAPSED_S * 1000, host: AFTER, client: CLIENT_AFTER },
];
