/** The figures that probes make of two moments of a host and of the client, reckoned by hand. */
import { describe, expect, test } from 'vitest';
import { AFTER, BEFORE, cpuTimes, disk, ELAPSED_S, FACTS, MOMENTS, network } from '../../test/support/host-moments.ts';
import cgroup from './catalog/cgroup.ts';
import client from './catalog/client.ts';
import clockSpeed from './catalog/clock_speed.ts';
import cpu from './catalog/cpu.ts';
import diskProbe from './catalog/disk.ts';
import memorySwap from './catalog/memory_swap.ts';
import networkProbe from './catalog/network.ts';
import otherProcesses from './catalog/other_processes.ts';
import pressure from './catalog/pressure.ts';
import serverProcess from './catalog/server_process.ts';
import { increase, nameOf } from './host-change.ts';
import type { HostSample } from './host-sample.ts';
import type { Probe, ProbeFacts } from './probe.ts';

/** Values by name; what a probe says instead comes back as it is. */
function valuesOf(
  probe: Probe,
  {
    before = BEFORE,
    after = AFTER,
    facts = FACTS,
  }: { before?: HostSample; after?: HostSample; facts?: ProbeFacts } = {},
): Record<string, number> | string {
  const [earlier, later] = MOMENTS;
  const readings = probe.between({ ...earlier, host: before }, { ...later, host: after }, ELAPSED_S, facts);
  if (typeof readings === 'string') return readings;
  return Object.fromEntries(Object.entries(readings).map(([name, { value }]) => [name, Number(value.toFixed(6))]));
}

describe('cpu', () => {
  test('shares of all time; waiting for a disk and what the hypervisor took are not busy', () => {
    // 8 + 1 + 2 + 0.5 + 0.5 = 12 ran, 6 idle, 1 waited for disks, 1 was stolen: 20 in all.
    expect(valuesOf(cpu)).toEqual({
      busy: 0.6,
      user: 0.45,
      system: 0.1,
      iowait: 0.05,
      irq: 0.025,
      softirq: 0.025,
      steal: 0.05,
      busiest_core: 0.9,
      busiest_core_softirq: 0,
      context_switches_per_s: 5_000,
      'core0.busy': 0.9,
      'core1.busy': 0.3,
    });
  });

  test('idle time that goes back a little is none', () => {
    const before = { cpu: cpuTimes({ user: 10, idle: 100.02, iowait: 5 }) };
    const after = { cpu: cpuTimes({ user: 20, idle: 100, iowait: 5 }) };
    expect(valuesOf(cpu, { before, after })).toMatchObject({ busy: 1, iowait: 0 });
  });

  test('where no time has passed there is no share', () => {
    const still = { cpu: BEFORE.cpu ?? cpuTimes({}) };
    expect(valuesOf(cpu, { before: still, after: still })).toEqual({});
  });

  test('a processor that was switched on makes the others unknown', () => {
    const after = { ...AFTER, cores: [...(AFTER.cores ?? []), cpuTimes({ user: 1 })] };
    const values = valuesOf(cpu, { after });
    expect(values).toMatchObject({ busy: 0.6 });
    expect(values).not.toHaveProperty('core0.busy');
  });

  test('shows 64 processors, and finds the busiest of more', () => {
    const before = { cpu: cpuTimes({}), cores: Array.from({ length: 100 }, () => cpuTimes({})) };
    const cores = before.cores.map((_, number) =>
      cpuTimes({ user: number === 99 ? 1 : 0, idle: number === 99 ? 0 : 1 }),
    );
    const values = valuesOf(cpu, { before, after: { cpu: cpuTimes({ user: 1, idle: 99 }), cores } });
    expect(values).toMatchObject({ busiest_core: 1, 'core63.busy': 0 });
    expect(values).not.toHaveProperty('core64.busy');
  });
});

describe('disk', () => {
  test('requests, bytes, latencies, queue and utilisation, as iostat reckons them', () => {
    const figures = {
      reads_per_s: 10,
      writes_per_s: 100,
      flushes_per_s: 50,
      read_bytes_per_s: 163_840,
      written_bytes_per_s: 1_638_400,
      read_latency_ms: 2,
      write_latency_ms: 4,
      flush_latency_ms: 2,
      queue_length: 2,
      utilisation: 0.5,
    };
    const under = (name: string) => Object.entries(figures).map(([figure, value]) => [`${name}.${figure}`, value]);
    expect(valuesOf(diskProbe)).toEqual(Object.fromEntries([...under('sda'), ...under('data_disk')]));
  });

  test('no request, no latency', () => {
    const values = valuesOf(diskProbe, { after: { ...AFTER, disks: { sda: disk() } } });
    expect(values).toMatchObject({ 'sda.writes_per_s': 0, 'sda.utilisation': 0 });
    expect(values).not.toHaveProperty('sda.write_latency_ms');
  });

  test('a kernel that counts no flushes has no flush latency', () => {
    const without = ({ flushes: _, flushMs: __, ...rest }: ReturnType<typeof disk>) => rest;
    const before = { disks: { sda: without(disk()) } };
    const after = { disks: { sda: without(disk({ writes: 200 })) } };
    const values = valuesOf(diskProbe, { before, after });
    expect(values).toMatchObject({ 'sda.writes_per_s': 10 });
    expect(values).not.toHaveProperty('sda.flushes_per_s');
  });

  test('a counter of milliseconds that wraps after 49 days goes on', () => {
    const before = { disks: { sda: disk({ weightedMs: 2 ** 32 - 1_000 }) } };
    const after = { disks: { sda: disk({ weightedMs: 9_000 }) } };
    expect(valuesOf(diskProbe, { before, after })).toMatchObject({ 'sda.queue_length': 1 });
  });

  test('flushes of a volume are those of the disks below it', () => {
    const before = { disks: { 'dm-0': disk({ flushes: 0, flushMs: 0 }), nvme0n1: disk(), nvme1n1: disk() } };
    const after = {
      disks: {
        'dm-0': disk({ flushes: 0, flushMs: 0, writes: 200 }),
        nvme0n1: disk({ flushes: 17, flushMs: 34 }),
        nvme1n1: disk({ flushes: 37, flushMs: 54 }),
      },
    };
    const facts = { ...FACTS, dataDisk: 'dm-0', dataDiskSlaves: ['nvme0n1', 'nvme1n1'] };
    expect(valuesOf(diskProbe, { before, after, facts })).toMatchObject({
      'data_disk.writes_per_s': 10,
      'data_disk.flushes_per_s': 4,
      'data_disk.flush_latency_ms': 1.5,
    });
  });

  test('where the data directory is on no known disk, the disks are there all the same', () => {
    const { dataDisk: _, ...facts } = FACTS;
    const names = Object.keys(valuesOf(diskProbe, { facts }));
    expect(names.filter((name) => name.startsWith('sda.'))).toHaveLength(10);
    expect(names.some((name) => name.startsWith('data_disk.'))).toBe(false);
  });
});

test('memory_swap', () => {
  expect(valuesOf(memorySwap)).toEqual({
    total_bytes: 8e9,
    available_bytes: 4e9,
    available_ratio: 0.5,
    dirty_bytes: 2e6,
    swap_used_bytes: 5e8,
    swap_in_pages_per_s: 5,
    swap_out_pages_per_s: 20,
  });
});

test('pressure', () => {
  expect(valuesOf(pressure)).toEqual({ cpu_some: 0.5, io_some: 0.25, io_full: 0.1, memory_some: 0.01, memory_full: 0 });
});

describe('network', () => {
  test('each interface, all links together, and TCP', () => {
    expect(valuesOf(networkProbe)).toMatchObject({
      'lo.received_bytes_per_s': 5_000,
      'eth0.received_bytes_per_s': 10_000_000,
      'eth0.sent_bytes_per_s': 62_500_000,
      'eth0.sent_packets_per_s': 50_000,
      'eth0.dropped_per_s': 1,
      // 500 Mbit/s of 1 Gbit/s, in the busier direction.
      'eth0.utilisation': 0.5,
      'total.received_bytes_per_s': 10_000_000,
      'total.sent_bytes_per_s': 62_500_000,
      'total.utilisation': 0.5,
      tcp_retransmitted_ratio: 0.001,
      tcp_retransmitted_per_s: 10,
      listen_overflows_per_s: 2,
      listen_drops_per_s: 3,
    });
  });

  test('a link that does not tell its speed has no utilisation', () => {
    const before = { networks: { eth0: network() } };
    const after = { networks: { eth0: network({ sentBytes: 12_000 }) } };
    const values = valuesOf(networkProbe, { before, after });
    expect(values).toMatchObject({ 'eth0.sent_bytes_per_s': 1_000 });
    expect(values).not.toHaveProperty('eth0.utilisation');
  });

  test('where all are virtual, they are the total', () => {
    const before = { networks: { lo: network(), tap0: network() } };
    const after = { networks: { lo: network({ sentBytes: 9e9 }), tap0: network({ sentBytes: 12_000 }) } };
    expect(valuesOf(networkProbe, { before, after })).toMatchObject({ 'total.sent_bytes_per_s': 1_000 });
  });

  test("an interface's name is made fit for a name", () => {
    const before = { networks: { 'eth0.100': network() } };
    const after = { networks: { 'eth0.100': network({ sentBytes: 12_000 }) } };
    expect(valuesOf(networkProbe, { before, after })).toMatchObject({ 'eth0_100.sent_bytes_per_s': 1_000 });
  });
});

test('cgroup', () => {
  expect(valuesOf(cgroup)).toEqual({
    throttled_ratio: 0.25,
    throttled_cores: 0.2,
    cpu_limit_cores: 1.5,
    memory_limit_bytes: 4e9,
  });
});

/** A Pi that got too hot, as its firmware tells it. */
const AFTER_HEAT = [
  'pi_frequency_capped_since_boot',
  'pi_throttled_since_boot',
  'pi_soft_temperature_limit_since_boot',
];

describe('clock_speed', () => {
  test('frequency against both of its measures, temperature, and the bits of a Raspberry Pi', () => {
    expect(valuesOf(clockSpeed)).toEqual({
      frequency_mhz: 2_000,
      frequency_ratio: 0.5,
      nominal_ratio: 0.8,
      temperature_c: 81,
      thermal_throttles_per_s: 2,
      pi_under_voltage: 1,
      pi_under_voltage_since_boot: 1,
      pi_frequency_capped: 0,
      pi_frequency_capped_since_boot: 0,
      pi_throttled: 1,
      pi_throttled_since_boot: 1,
      pi_soft_temperature_limit: 0,
      pi_soft_temperature_limit_since_boot: 0,
    });
  });

  test.each([
    { bits: 0x00000, flags: [] },
    { bits: 0x00001, flags: ['pi_under_voltage'] },
    { bits: 0x00002, flags: ['pi_frequency_capped'] },
    { bits: 0x00004, flags: ['pi_throttled'] },
    { bits: 0x00008, flags: ['pi_soft_temperature_limit'] },
    { bits: 0x10000, flags: ['pi_under_voltage_since_boot'] },
    { bits: 0x20000, flags: ['pi_frequency_capped_since_boot'] },
    { bits: 0x40000, flags: ['pi_throttled_since_boot'] },
    { bits: 0x80000, flags: ['pi_soft_temperature_limit_since_boot'] },
    { bits: 0xe0008, flags: ['pi_soft_temperature_limit', ...AFTER_HEAT] },
  ])('the bits $bits of a Raspberry Pi: $flags', ({ bits, flags }) => {
    const values = valuesOf(clockSpeed, { before: {}, after: { piThrottled: bits } });
    const set = Object.entries(values).filter(([, value]) => value === 1);
    expect(set.map(([name]) => name).sort()).toEqual([...flags].sort());
    expect(Object.keys(values)).toHaveLength(8);
  });

  test('a virtual machine tells nothing of it', () => {
    expect(valuesOf(clockSpeed, { before: {}, after: {} })).toMatch(/virtual machines/);
  });
});

describe('server_process', () => {
  test('processors, waiting for one, input and output, faults, memory', () => {
    expect(valuesOf(serverProcess)).toEqual({
      cpu_cores: 0.6,
      cpu_ratio: 0.3,
      waiting_threads: 0.2,
      run_delay_ratio: 0.25,
      read_bytes_per_s: 1_000,
      written_bytes_per_s: 10_000,
      major_faults_per_s: 5,
      resident_bytes: 4e8,
    });
  });

  test('what waiting threads tell was not asked again in between', () => {
    const server = { ...AFTER.server!, runDelayS: 3, runDelayAtS: 1_000 };
    const values = valuesOf(serverProcess, { after: { ...AFTER, server } });
    expect(values).toMatchObject({ cpu_cores: 0.6 });
    expect(values).not.toHaveProperty('waiting_threads');
    expect(values).not.toHaveProperty('run_delay_ratio');
  });

  test('threads that ended took their waiting with them', () => {
    const server = { ...AFTER.server!, runDelayS: 1 };
    expect(valuesOf(serverProcess, { after: { ...AFTER, server } })).not.toHaveProperty('waiting_threads');
  });

  test('a server that was started again begins anew', () => {
    const server = { ...AFTER.server!, startedAtS: 1_005, cpuS: 1 };
    expect(valuesOf(serverProcess, { after: { ...AFTER, server } })).toEqual({});
  });

  test('what the kernel keeps from us is left out', () => {
    const bare = (cpuS: number) => ({ server: { pid: 77, name: 'mariadbd', cpuS, startedAtS: 5 } });
    expect(valuesOf(serverProcess, { before: bare(1), after: bare(3) })).toEqual({ cpu_cores: 0.2, cpu_ratio: 0.1 });
  });
});

describe('other_processes', () => {
  test('all that ran, without server, client and interrupts; the names of those that took the most', () => {
    // user, nice and system: 11 s; the server took 6, the client 2.
    expect(valuesOf(otherProcesses)).toEqual({
      cores: 0.3,
      cpu_ratio: 0.15,
      desktop_session: 1,
      'top.backup.cores': 0.15,
      'top.apt_1.cores': 0.07,
      'top.kworker.cores': 0.02,
    });
  });

  test('between two looks at all processes there is nothing new to tell of them', () => {
    const after = { ...AFTER, others: BEFORE.others!, othersAtS: 1_000 };
    expect(Object.keys(valuesOf(otherProcesses, { after }))).toEqual(['cores', 'cpu_ratio', 'desktop_session']);
  });

  test('shows five', () => {
    const others = Array.from({ length: 8 }, (_, pid) => ({ pid, name: `p${pid}`, cpuS: pid, startedAtS: 1_001 }));
    const names = Object.keys(valuesOf(otherProcesses, { after: { ...AFTER, others } }));
    expect(names.filter((name) => name.startsWith('top.'))).toEqual([7, 6, 5, 4, 3].map((pid) => `top.p${pid}.cores`));
  });

  test('where the server is not known, neither is what the rest took', () => {
    const { server: _, ...after } = AFTER;
    const values = valuesOf(otherProcesses, { after });
    expect(values).not.toHaveProperty('cores');
    expect(values).not.toHaveProperty('top.mariadbd.cores');
    expect(values).toMatchObject({ 'top.backup.cores': 0.15 });
  });

  test('a second server is another process, where the first is known', () => {
    const others = [...AFTER.others!, { pid: 66, name: 'mysqld', cpuS: 4, startedAtS: 1_001 }];
    expect(valuesOf(otherProcesses, { after: { ...AFTER, others } })).toMatchObject({ 'top.mysqld.cores': 0.4 });
  });
});

test('client', () => {
  expect(valuesOf(client)).toEqual({
    cpu_cores: 1.5,
    cpu_per_worker: 0.75,
    event_loop_utilization: 0.9,
    garbage_collection_ms_per_s: 50,
    run_delay_ratio: 0.25,
    waiting_threads: 0.5,
    resident_bytes: 2e8,
    'worker0.event_loop_utilization': 0.6,
    'worker1.event_loop_utilization': 0.9,
  });
});

describe('where there is nothing to be had', () => {
  const PROBES = {
    cgroup,
    clockSpeed,
    cpu,
    diskProbe,
    memorySwap,
    networkProbe,
    otherProcesses,
    pressure,
    serverProcess,
  };

  test.each(Object.entries(PROBES))('%s says so in a sentence', (_, probe) => {
    expect(probe.between({ atMs: 0 }, { atMs: 1 }, 1, FACTS)).toMatch(/^[A-Z].*\.$/);
    expect(probe.between({ atMs: 0, host: {} }, { atMs: 1, host: {} }, 1, FACTS)).toMatch(/^[A-Z].*\.$/);
  });

  test('the client too', () => {
    expect(client.between({ atMs: 0 }, { atMs: 1 }, 1, FACTS)).toMatch(/^[A-Z].*\.$/);
  });
});

test.each([
  { from: 5, to: 8, unit: 1, is: 3, because: 'it rose' },
  { from: 2 ** 32 - 2, to: 3, unit: 1, is: 5, because: 'it wrapped at 32 bits' },
  { from: (2 ** 32 - 2) * 512, to: 3 * 512, unit: 512, is: 5 * 512, because: 'its unit is a sector' },
  { from: 1_000, to: 3, unit: 1, is: undefined, because: 'it was set to zero' },
  { from: undefined, to: 3, unit: 1, is: undefined, because: 'it was not there' },
])('a counter from $from to $to: $is, since $because', ({ from, to, unit, is }) => {
  expect(increase(from, to, unit)).toBe(is);
});

test.each([
  { text: 'mariadbd', name: 'mariadbd' },
  { text: 'Web Content', name: 'Web_Content' },
  { text: '(sd-pam)', name: 'sd-pam' },
  { text: '../..', name: 'unnamed' },
])('$text as a part of a name: $name', ({ text, name }) => {
  expect(nameOf(text)).toBe(name);
});
