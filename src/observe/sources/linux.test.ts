/** Finding one's way about hosts of several kinds, made of texts. */
import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../../test/support/host-files.ts';
import type { HostTarget } from '../host-sample.ts';
import { probeFactsOf } from '../probe-facts.ts';
import { LinuxHost } from './linux.ts';

const NOBODY: HostTarget = { clientPids: [] };
const ROOT = '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n';

function statLine(pid: number, name: string, ticks: number, threads = 1, startedTicks = 500): string {
  return `${pid} (${name}) S 1 1 1 0 -1 4194304 0 0 0 0 ${ticks} 0 0 0 20 0 ${threads} 0 ${startedTicks} 1 1\n`;
}

async function factsOf(texts: Record<string, string>, links: Record<string, string> = {}, target = NOBODY) {
  const host = await LinuxHost.open(fakeHost(texts, links), target);
  return host.facts();
}

describe('the disk of the data directory', () => {
  const DIRECTORY: HostTarget = { clientPids: [], dataDirectory: '/var/lib/mysql/' };
  const VIRTIO = '/sys/devices/pci0000:00/virtio1/block/vda';
  const QUEUE = {
    '/sys/block/vda/queue/rotational': '0\n',
    '/sys/block/vda/queue/scheduler': 'none [mq-deadline]\n',
    '/sys/block/vda/queue/write_cache': 'write back\n',
    '/sys/block/vda/size': '1000\n',
    '/sys/block/vda/device/vendor': '0x1af4\n',
  };

  test('a whole disk', async () => {
    const texts = { '/proc/self/mountinfo': ROOT, ...QUEUE };
    const facts = await factsOf(texts, { '/sys/dev/block/254:0': VIRTIO }, DIRECTORY);
    expect(facts).toMatchObject({
      'datadir.path': '/var/lib/mysql',
      'datadir.mountPoint': '/',
      'datadir.filesystem': 'ext4',
      'datadir.mountOptions': 'rw,relatime,discard',
      'disk.name': 'vda',
      'disk.rotational': false,
      'disk.scheduler': 'mq-deadline',
      'disk.writeCache': 'write back',
      'disk.sizeBytes': 512_000,
    });
    expect(facts).not.toHaveProperty('disk.partition');
    expect(probeFactsOf(facts)).toEqual({ dataDisk: 'vda' });
  });

  test('a partition stands for its disk', async () => {
    const texts = {
      '/proc/self/mountinfo': ROOT.replace('254:0', '254:1'),
      [`${VIRTIO}/vda1/partition`]: '1\n',
      ...QUEUE,
    };
    const facts = await factsOf(texts, { '/sys/dev/block/254:1': `${VIRTIO}/vda1` }, DIRECTORY);
    expect(facts).toMatchObject({ 'disk.name': 'vda', 'disk.partition': 'vda1' });
  });

  test('a volume is told as it is, with the disks below it', async () => {
    const dm = '/sys/devices/virtual/block/dm-0';
    const md = '/sys/devices/virtual/block/md0';
    const [a, b] = ['/sys/devices/pci0000:00/block/nvme0n1', '/sys/devices/pci0000:00/block/nvme1n1'];
    const texts = {
      '/proc/self/mountinfo': `${ROOT}36 27 253:0 / /var/lib/mysql rw - xfs /dev/mapper/vg-data rw\n`,
      [`${dm}/slaves/md0/size`]: '1\n',
      [`${md}/slaves/nvme0n1p1/size`]: '1\n',
      [`${md}/slaves/nvme1n1p1/size`]: '1\n',
      [`${a}/nvme0n1p1/partition`]: '1\n',
      [`${b}/nvme1n1p1/partition`]: '1\n',
      '/sys/block/nvme0n1/queue/rotational': '0\n',
      '/sys/block/nvme0n1/device/model': 'Samsung SSD 990 PRO\n',
      '/sys/block/dm-0/size': '2000\n',
    };
    const links = {
      '/sys/dev/block/253:0': dm,
      [`${dm}/slaves/md0`]: md,
      [`${md}/slaves/nvme0n1p1`]: `${a}/nvme0n1p1`,
      [`${md}/slaves/nvme1n1p1`]: `${b}/nvme1n1p1`,
    };
    const facts = await factsOf(texts, links, DIRECTORY);
    expect(facts).toMatchObject({
      'datadir.mountPoint': '/var/lib/mysql',
      'disk.name': 'dm-0',
      'disk.below': 'nvme0n1, nvme1n1',
      'disk.model': 'Samsung SSD 990 PRO',
      'disk.sizeBytes': 1_024_000,
    });
    expect(probeFactsOf(facts)).toEqual({ dataDisk: 'dm-0', dataDiskSlaves: ['nvme0n1', 'nvme1n1'] });
  });

  test('btrfs has no number of its own, and names its device', async () => {
    const texts = {
      '/proc/self/mountinfo': '27 1 0:33 /@ / rw - btrfs /dev/sda2 rw\n',
      '/sys/devices/x/block/sda/sda2/partition': '2\n',
    };
    const links = { '/dev/sda2': '/dev/sda2', '/sys/class/block/sda2': '/sys/devices/x/block/sda/sda2' };
    expect(await factsOf(texts, links, DIRECTORY)).toMatchObject({ 'datadir.filesystem': 'btrfs', 'disk.name': 'sda' });
  });

  test.each(['tmpfs tmpfs', 'overlay overlay', 'nfs4 filer:/export', 'zfs tank/mysql'])(
    '%s is on no disk',
    async (words) => {
      const facts = await factsOf({ '/proc/self/mountinfo': `27 1 0:33 / / rw - ${words} rw\n` }, {}, DIRECTORY);
      expect(facts).toMatchObject({ 'datadir.filesystem': words.split(' ')[0] });
      expect(facts).not.toHaveProperty('disk.name');
    },
  );

  test('a symbolic link is followed', async () => {
    const texts = { '/proc/self/mountinfo': `${ROOT}36 27 8:1 / /data rw - xfs /dev/sda1 rw\n` };
    const facts = await factsOf(texts, { '/var/lib/mysql/': '/data/mysql' }, DIRECTORY);
    expect(facts).toMatchObject({ 'datadir.path': '/data/mysql', 'datadir.filesystem': 'xfs' });
  });

  test('a server in a container has mounts of its own', async () => {
    const texts = {
      '/proc/self/mountinfo': ROOT,
      '/proc/70/mountinfo':
        '90 80 0:55 / / rw - overlay overlay rw\n91 90 8:17 /volumes/x /var/lib/mysql rw - xfs /dev/sdb1 rw\n',
      '/proc/70/stat': statLine(70, 'mariadbd', 100),
      '/proc/70/cgroup': '0::/system.slice/docker-abc.scope\n',
    };
    const target = { ...DIRECTORY, serverPid: 70 };
    const facts = await factsOf(texts, { '/sys/dev/block/8:17': '/sys/devices/x/block/sdb' }, target);
    expect(facts).toMatchObject({
      'datadir.filesystem': 'xfs',
      'disk.name': 'sdb',
      'server.container': 'docker',
    });
  });
});

describe('facts', () => {
  test('a Raspberry Pi', async () => {
    const facts = await factsOf({
      '/proc/sys/kernel/osrelease': '6.8.0-1004-raspi\n',
      '/proc/device-tree/model': 'Raspberry Pi 4 Model B Rev 1.4\0',
      '/proc/cpuinfo':
        'processor\t: 0\nFeatures\t: fp asimd crc32\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd08\n',
      '/sys/devices/system/cpu/online': '0-3\n',
      '/sys/devices/system/cpu/cpufreq/policy0/scaling_governor': 'ondemand\n',
      '/sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq': '1500000\n',
      '/sys/devices/system/clocksource/clocksource0/current_clocksource': 'arch_sys_counter\n',
      '/etc/os-release': 'NAME="Ubuntu"\nPRETTY_NAME="Ubuntu 24.04 LTS"\n',
      '/proc/meminfo': 'MemTotal: 1000 kB\nMemAvailable: 900 kB\n',
    });
    expect(facts).toMatchObject({
      'machine.model': 'Raspberry Pi 4 Model B Rev 1.4',
      'cpu.model': 'Cortex-A72',
      'cpu.threads': 4,
      'cpu.governor': 'ondemand',
      'cpu.frequencyMaxMhz': 1_500,
      'cpu.flag.crc32': true,
      architecture: 'aarch64',
      'clock.source': 'arch_sys_counter',
      distribution: 'Ubuntu 24.04 LTS',
      'virtualization.hypervisor': 'none',
      'virtualization.container': 'none',
    });
    // On ARM the absence of a flag of x86 says nothing.
    expect(facts).not.toHaveProperty('cpu.flag.hypervisor');
  });

  test('a large x86 server: turbo, SMT, NUMA, pages, governors that differ', async () => {
    const cpu = '/sys/devices/system/cpu';
    const facts = await factsOf({
      '/proc/cpuinfo': 'processor\t: 0\nflags\t\t: lm ept aes\n',
      [`${cpu}/smt/active`]: '1\n',
      [`${cpu}/intel_pstate/no_turbo`]: '1\n',
      [`${cpu}/cpufreq/policy0/scaling_governor`]: 'performance\n',
      [`${cpu}/cpufreq/policy1/scaling_governor`]: 'powersave\n',
      [`${cpu}/cpu0/cpufreq/base_frequency`]: '2400000\n',
      '/sys/devices/system/node/online': '0-1\n',
      '/sys/kernel/mm/transparent_hugepage/enabled': '[always] madvise never\n',
      '/proc/sys/vm/dirty_bytes': '0\n',
      '/proc/sys/vm/dirty_ratio': '20\n',
      '/proc/cmdline': 'root=/dev/sda1 secret=x mitigations=off quiet\n',
    });
    expect(facts).toMatchObject({
      'cpu.turbo': false,
      'cpu.smt': true,
      'cpu.governor': 'performance, powersave',
      'cpu.frequencyNominalMhz': 2_400,
      'cpu.flag.ept': true,
      'cpu.flag.npt': false,
      'cpu.flag.hypervisor': false,
      'memory.numaNodes': 2,
      'memory.transparentHugepages': 'always',
      'memory.dirtyRatio': 20,
      'kernel.mitigations': 'off',
    });
    expect(facts).not.toHaveProperty('memory.dirtyBytes');
    expect(JSON.stringify(facts)).not.toContain('secret');
  });

  test("the server's limits, and the processors it may use", async () => {
    const facts = await factsOf(
      {
        '/proc/70/stat': statLine(70, 'mysqld', 100),
        '/proc/70/status': 'Name:\tmysqld\nCpus_allowed_list:\t0-5\n',
        '/proc/70/limits':
          'Limit                     Soft Limit           Hard Limit           Units     \nMax processes             unlimited            unlimited            processes \nMax open files            10000                10000                files     \n',
        '/proc/70/cgroup': '0::/mysql\n',
        '/proc/self/mountinfo': '30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n',
        '/sys/fs/cgroup/mysql/cpu.max': '350000 100000\n',
        '/sys/devices/system/cpu/online': '0-7\n',
      },
      {},
      { clientPids: [], serverPid: 70 },
    );
    expect(facts).toMatchObject({
      'server.openFilesMax': 10_000,
      'server.processesMax': 'unlimited',
      'server.cores': 3.5,
      'cgroup.cpuLimit': 3.5,
      'cgroup.version': 2,
    });
    expect(probeFactsOf(facts)).toEqual({ serverCores: 3.5 });
  });

  test('links that are up, with their steering', async () => {
    const folder = '/sys/class/net/eth0';
    const facts = await factsOf({
      [`${folder}/device/vendor`]: '1\n',
      [`${folder}/operstate`]: 'up\n',
      [`${folder}/mtu`]: '1500\n',
      [`${folder}/speed`]: '10000\n',
      [`${folder}/queues/rx-0/rps_cpus`]: '00000000,0000ffff\n',
      [`${folder}/queues/rx-1/rps_cpus`]: '00000000,00000000\n',
      [`${folder}/queues/rx-0/rps_flow_cnt`]: '0\n',
      '/sys/class/net/wlan0/device/vendor': '1\n',
      '/sys/class/net/wlan0/wireless/x': '1\n',
      '/sys/class/net/wlan0/operstate': 'down\n',
    });
    expect(facts).toMatchObject({
      'network.eth0.speedMbps': 10_000,
      'network.eth0.mtu': 1_500,
      'network.eth0.wireless': false,
      'network.eth0.receiveQueues': 2,
      'network.eth0.receivePacketSteering': true,
      'network.eth0.receiveFlowSteering': false,
    });
    expect(Object.keys(facts).some((name) => name.startsWith('network.wlan0'))).toBe(false);
  });

  test('where nothing can be read, nothing is claimed but what is seen', async () => {
    expect(await factsOf({})).toEqual({ 'virtualization.container': 'none' });
  });
});

describe('samples', () => {
  const PROCESSES = {
    '/proc/70/stat': statLine(70, 'mysqld', 1_000, 300),
    '/proc/71/stat': statLine(71, 'backup', 50),
  };

  test('where nothing can be read, a sample is empty', async () => {
    const host = await LinuxHost.open(fakeHost({}), NOBODY);
    expect(await host.sample()).toEqual({});
  });

  test('all processes are looked at now and then, and stand in between', async () => {
    const files = fakeHost({ ...PROCESSES, '/proc/uptime': '1000.50 4000.00\n' });
    const host = await LinuxHost.open(files, { clientPids: [71] });
    const first = await host.sample();
    files.texts.set('/proc/uptime', '1001.50 4004.00\n');
    const second = await host.sample();
    const lists = files.asked.slice(-2).map((paths) => paths.includes('/proc/[0-9]*/stat'));
    expect(lists).toEqual([true, false]);
    expect(first.others).toEqual([{ pid: 70, name: 'mysqld', cpuS: 10, startedAtS: 5 }]);
    expect(second.others).toBe(first.others);
    expect(second.othersAtS).toBe(1_000.5);
    expect(second.clientCpuS).toBe(0.5);
  });

  test('of a server with many threads, their waiting is asked for now and then', async () => {
    const files = fakeHost({
      ...PROCESSES,
      '/proc/uptime': '1000.50 0\n',
      '/proc/70/task/70/schedstat': '5 2000000000 7\n',
    });
    const host = await LinuxHost.open(files, { clientPids: [], serverPid: 70 });
    const [first, second] = [await host.sample(), await host.sample()];
    expect(first.server).toMatchObject({ pid: 70, cpuS: 10, runDelayS: 2, runDelayAtS: 1_000.5 });
    expect(second.server).toMatchObject({ runDelayS: 2, runDelayAtS: 1_000.5 });
    expect(files.asked.slice(-2).map((paths) => paths.includes('/proc/70/task/*/schedstat'))).toEqual([true, false]);
  });

  test('of one with few, with every sample', async () => {
    const few = {
      '/proc/70/stat': statLine(70, 'mysqld', 1_000, 30),
      '/proc/70/task/70/schedstat': '5 2000000000 7\n',
    };
    const files = fakeHost(few);
    const host = await LinuxHost.open(files, { clientPids: [], serverPid: 70 });
    await host.sample();
    await host.sample();
    expect(files.asked.slice(-2).map((paths) => paths.includes('/proc/70/task/*/schedstat'))).toEqual([true, true]);
  });

  test('a server that ends is missing, and costs nothing else', async () => {
    const files = fakeHost({ ...PROCESSES, '/proc/stat': 'cpu  1 2 3 4 5 6 7 8 9\n' });
    const host = await LinuxHost.open(files, { clientPids: [], serverPid: 70 });
    expect((await host.sample()).server?.pid).toBe(70);
    files.texts.delete('/proc/70/stat');
    const sample = await host.sample();
    expect(sample.server).toBeUndefined();
    expect(sample.cpu?.user).toBe(0.01);
  });

  test('a pid file whose number belongs to something else is not believed', async () => {
    const files = fakeHost({ ...PROCESSES, '/run/mysqld.pid': '71\n' });
    const host = await LinuxHost.open(files, { clientPids: [], pidFile: '/run/mysqld.pid' });
    expect((await host.sample()).server?.pid).toBe(70);
  });

  test('frequency, temperature, throttling, and the complaints of a Raspberry Pi', async () => {
    const cpu = '/sys/devices/system/cpu';
    const host = await LinuxHost.open(
      fakeHost({
        [`${cpu}/cpufreq/policy0/scaling_cur_freq`]: '1000000\n',
        [`${cpu}/cpufreq/policy1/scaling_cur_freq`]: '2000000\n',
        [`${cpu}/cpufreq/policy0/cpuinfo_max_freq`]: '2400000\n',
        [`${cpu}/cpu0/thermal_throttle/core_throttle_count`]: '3\n',
        [`${cpu}/cpu1/thermal_throttle/core_throttle_count`]: '4\n',
        '/sys/class/thermal/thermal_zone0/temp': '48500\n',
        '/sys/class/thermal/thermal_zone0/type': 'x86_pkg_temp\n',
        '/sys/class/thermal/thermal_zone1/temp': '-274000\n',
        '/sys/class/thermal/thermal_zone2/temp': '91000\n',
        '/sys/class/thermal/thermal_zone2/type': 'iwlwifi_1\n',
        '/sys/class/hwmon/hwmon0/name': 'nvme\n',
        '/sys/class/hwmon/hwmon0/temp1_input': '99000\n',
        '/sys/class/hwmon/hwmon1/name': 'k10temp\n',
        '/sys/class/hwmon/hwmon1/temp1_input': '61250\n',
        '/sys/devices/platform/soc/soc:firmware/get_throttled': '50005\n',
      }),
      NOBODY,
    );
    expect(await host.sample()).toEqual({
      frequencyMhz: 1_500,
      frequencyMaxMhz: 2_400,
      temperatureC: 61.25,
      thermalThrottles: 7,
      piThrottled: 0x50005,
    });
  });

  test.each([
    { board: 'a Pi 4', folder: 'soc/soc:firmware', said: '0\n', bits: 0 },
    { board: 'a Pi 4 with too weak a supply', folder: 'soc/soc:firmware', said: '50005\n', bits: 0x50005 },
    {
      board: 'a Pi 5',
      folder: 'soc@107c000000/soc@107c000000:firmware',
      said: '0xe0008\n',
      bits: 0xe0008,
    },
    { board: 'a firmware that says something else', folder: 'soc/soc:firmware', said: 'error\n', bits: undefined },
  ])('$board', async ({ folder, said, bits }) => {
    const pi = {
      [`/sys/devices/platform/${folder}/get_throttled`]: said,
      '/sys/class/thermal/thermal_zone0/temp': '61322\n',
      '/sys/class/thermal/thermal_zone0/type': 'cpu-thermal\n',
      '/sys/class/hwmon/hwmon0/name': 'cpu_thermal\n',
      '/sys/class/hwmon/hwmon0/temp1_input': '61322\n',
      '/sys/class/hwmon/hwmon1/name': 'rpi_volt\n',
      '/sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq': '600000\n',
      '/sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq': '1800000\n',
    };
    const host = await LinuxHost.open(fakeHost(pi), NOBODY);
    const sample = await host.sample();
    expect(sample).toMatchObject({ frequencyMhz: 600, frequencyMaxMhz: 1_800, temperatureC: 61.322 });
    expect(sample.piThrottled).toBe(bits);
  });

  test('one frequency for each group of processors that share a clock, and of many groups some', async () => {
    const policies = Array.from({ length: 64 }, (_, at): [string, string] => [
      `/sys/devices/system/cpu/cpufreq/policy${at}/scaling_cur_freq`,
      `${at < 32 ? 1_000_000 : 3_000_000}\n`,
    ]);
    const files = fakeHost(Object.fromEntries(policies));
    const host = await LinuxHost.open(files, NOBODY);
    expect((await host.sample()).frequencyMhz).toBe(2_000);
    expect(files.asked.at(-1)!.filter((path) => path.endsWith('/scaling_cur_freq'))).toHaveLength(16);
  });

  test('a virtual machine has none of it', async () => {
    const host = await LinuxHost.open(fakeHost({ '/proc/loadavg': '0 0 0 1/1 1\n' }), NOBODY);
    const sample = await host.sample();
    for (const figure of ['frequencyMhz', 'temperatureC', 'thermalThrottles', 'piThrottled'])
      expect(sample).not.toHaveProperty(figure);
  });
});
