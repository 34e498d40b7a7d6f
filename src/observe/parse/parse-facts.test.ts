/** Files that say what a host is: processors of several makes, mounts, control groups, hypervisors and containers. */
import { describe, expect, test } from 'vitest';
import { cgroupCounters, cgroupFiles, cgroupLimits, cgroupPlaces } from './cgroup.ts';
import { parseCpuinfo } from './cpuinfo.ts';
import { mountOf, mountOptions, parseMountinfo } from './mounts.ts';
import { type ContainerTexts, containerOf, hypervisorOf, type VirtualizationTexts } from './virtualization.ts';

describe('/proc/cpuinfo', () => {
  const X86 = (processor: number, core: number) =>
    [
      `processor\t: ${processor}`,
      'vendor_id\t: AuthenticAMD',
      'model name\t: AMD EPYC',
      'microcode\t: 0x1000065',
      'physical id\t: 0',
      `core id\t\t: ${core}`,
      'flags\t\t: fpu lm aes hypervisor npt',
      '',
    ].join('\n');

  test('x86: threads and cores are told apart', () => {
    const identity = parseCpuinfo([X86(0, 0), X86(1, 0), X86(2, 1), X86(3, 1)].join('\n'));
    expect(identity).toMatchObject({
      model: 'AMD EPYC',
      vendor: 'AuthenticAMD',
      threads: 4,
      cores: 2,
      sockets: 1,
      architecture: 'x86_64',
    });
    expect([...identity.flags]).toEqual(['fpu', 'lm', 'aes', 'hypervisor', 'npt']);
  });

  test('a Raspberry Pi 4 with a 64-bit kernel: numbers only, the board in a block of its own', () => {
    const core = (number: number) =>
      `processor\t: ${number}\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd evtstrm crc32 cpuid\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd08\n`;
    const text = `${[0, 1, 2, 3].map(core).join('\n')}\nRevision\t: c03114\nSerial\t\t: 1\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n`;
    const identity = parseCpuinfo(text);
    expect(identity).toMatchObject({ model: 'Cortex-A72', vendor: 'ARM', threads: 4, architecture: 'aarch64' });
    expect(identity).not.toHaveProperty('cores');
  });

  test('the same with a 32-bit kernel', () => {
    const text =
      'processor\t: 0\nmodel name\t: ARMv7 Processor rev 3 (v7l)\nFeatures\t: half thumb vfp neon vfpv4 crc32\nCPU implementer\t: 0x41\nCPU architecture: 7\nCPU part\t: 0xd08\n\nHardware\t: BCM2711\n';
    expect(parseCpuinfo(text)).toMatchObject({ model: 'Cortex-A72', architecture: 'armv7l', threads: 1 });
  });

  test('a core that is not known by name is told by number', () => {
    const text = 'processor\t: 0\nCPU implementer\t: 0x99\nCPU architecture: 8\nCPU part\t: 0x123\nFeatures\t: asimd\n';
    expect(parseCpuinfo(text)).toMatchObject({ model: 'implementer 0x99 part 0x123' });
  });

  test('POWER and RISC-V', () => {
    expect(parseCpuinfo('processor\t: 0\ncpu\t\t: POWER9, altivec supported\n').model).toBe(
      'POWER9, altivec supported',
    );
    expect(parseCpuinfo('processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nuarch\t\t: sifive,u74-mc\n')).toMatchObject({
      model: 'sifive,u74-mc',
      architecture: 'riscv64',
    });
  });

  test('nothing of nothing', () => {
    expect(parseCpuinfo('')).toEqual({ flags: new Set() });
  });
});

describe('/proc/self/mountinfo', () => {
  const MOUNTS = parseMountinfo(
    [
      '27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard,data=ordered',
      '36 27 8:17 / /var/lib/mysql rw,noatime - xfs /dev/sdb1 rw,attr2',
      '37 27 0:33 / /var/lib/mysql-files rw - tmpfs tmpfs rw',
      '38 27 8:33 /sub/dir /data\\040base rw master:2 propagate_from:1 - btrfs /dev/sdc1 rw',
      'nonsense',
    ].join('\n'),
  );

  test.each([
    { path: '/var/lib/mysql/db', filesystem: 'xfs', because: 'it lies below' },
    { path: '/var/lib/mysql', filesystem: 'xfs', because: 'it is the mount point' },
    { path: '/var/lib/mysql2', filesystem: 'ext4', because: 'it only begins like it' },
    { path: '/data base/x', filesystem: 'btrfs', because: 'spaces are written in octal' },
    { path: '/', filesystem: 'ext4', because: 'it is the root' },
  ])('$path is on $filesystem: $because', ({ path, filesystem }) => {
    expect(mountOf(path, MOUNTS)?.filesystem).toBe(filesystem);
  });

  test('of two mounts at one place the later covers the earlier', () => {
    const twice = parseMountinfo('1 0 8:1 / /a rw - ext4 /dev/sda1 rw\n2 1 8:2 / /a rw - xfs /dev/sda2 rw\n');
    expect(mountOf('/a/b', twice)?.device).toBe('8:2');
  });

  test('options of the mount and of the file system, each once', () => {
    expect(mountOptions(MOUNTS[0]!)).toBe('rw,relatime,discard,data=ordered');
    expect(MOUNTS[3]).toMatchObject({ root: '/sub/dir', source: '/dev/sdc1' });
    expect(mountOf('/x', [])).toBeUndefined();
  });
});

describe('control groups', () => {
  const UNIFIED = parseMountinfo('30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw');
  const FIRST = parseMountinfo(
    [
      '32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct',
      '35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory',
      '41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
    ].join('\n'),
  );

  test('version 2: the group and all above it, the tightest limit, the counts of where it is', () => {
    const places = cgroupPlaces('0::/system.slice/mariadb.service\n', UNIFIED);
    expect(places).toMatchObject({
      version: 2,
      cpu: ['/sys/fs/cgroup/system.slice/mariadb.service', '/sys/fs/cgroup/system.slice', '/sys/fs/cgroup'],
    });
    const stat = 'usage_usec 5\nnr_periods 10\nnr_throttled 3\nthrottled_usec 4000\n';
    const texts = new Map([
      ['/sys/fs/cgroup/system.slice/mariadb.service/cpu.max', 'max 100000\n'],
      ['/sys/fs/cgroup/system.slice/mariadb.service/cpu.stat', stat],
      ['/sys/fs/cgroup/system.slice/mariadb.service/memory.max', '2147483648\n'],
      ['/sys/fs/cgroup/system.slice/cpu.max', '150000 100000\n'],
      ['/sys/fs/cgroup/system.slice/cpu.stat', stat],
      ['/sys/fs/cgroup/system.slice/memory.max', 'max\n'],
      ['/sys/fs/cgroup/cpu.stat', 'usage_usec 5\n'],
    ]);
    const limits = cgroupLimits(places!, texts);
    expect(limits).toEqual({
      cpuLimit: 1.5,
      memoryLimitBytes: 2_147_483_648,
      cpuStatFile: '/sys/fs/cgroup/system.slice/cpu.stat',
    });
    expect(cgroupCounters(limits, stat)).toEqual({
      cpuLimit: 1.5,
      memoryLimitBytes: 2_147_483_648,
      periods: 10,
      throttledPeriods: 3,
      throttledUs: 4_000,
    });
    expect(cgroupFiles(places!)).toContain('/sys/fs/cgroup/system.slice/cpu.max');
  });

  test('version 1, with a unified hierarchy beside it that limits nothing', () => {
    const cgroup = '4:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc\n0::/docker/abc\n';
    const places = cgroupPlaces(cgroup, FIRST);
    expect(places).toMatchObject({ version: 1 });
    const at = '/sys/fs/cgroup/cpu,cpuacct/docker/abc';
    const stat = 'nr_periods 100\nnr_throttled 25\nthrottled_time 7000000\n';
    const texts = new Map([
      [`${at}/cpu.cfs_quota_us`, '50000\n'],
      [`${at}/cpu.cfs_period_us`, '100000\n'],
      [`${at}/cpu.stat`, stat],
      ['/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes', '9223372036854771712\n'],
    ]);
    const limits = cgroupLimits(places!, texts);
    expect(limits).toEqual({ cpuLimit: 0.5, cpuStatFile: `${at}/cpu.stat` });
    expect(cgroupCounters(limits, stat)).toMatchObject({ periods: 100, throttledPeriods: 25, throttledUs: 7_000 });
  });

  test('a container of version 1 sees the group it is in as the root of the mount', () => {
    const mounts = parseMountinfo('32 31 0:29 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu');
    expect(cgroupPlaces('2:cpu:/docker/abc\n', mounts)?.cpu).toEqual(['/sys/fs/cgroup/cpu']);
    expect(cgroupPlaces('2:cpu:/docker/abc/inner\n', mounts)?.cpu[0]).toBe('/sys/fs/cgroup/cpu/inner');
  });

  test('a container of version 2 with a name space of its own', () => {
    expect(cgroupPlaces('0::/\n', UNIFIED)?.cpu).toEqual(['/sys/fs/cgroup']);
    expect(cgroupPlaces('0::/../other\n', UNIFIED)?.cpu[0]).toBe('/sys/fs/cgroup/other');
  });

  test('no limit and no count, no group', () => {
    expect(cgroupPlaces('', UNIFIED)).toBeUndefined();
    expect(cgroupPlaces('0::/\n', [])).toBeUndefined();
    expect(cgroupCounters({}, undefined)).toBeUndefined();
    expect(cgroupCounters({ cpuLimit: 2 }, undefined)).toEqual({ cpuLimit: 2, throttledPeriods: 0, throttledUs: 0 });
  });
});

describe('virtual machines', () => {
  const METAL: VirtualizationTexts = {
    dmi: ['Dell Inc.', 'PowerEdge R650', 'Dell Inc.'],
    hypervisorType: undefined,
    deviceTree: undefined,
    xenCapabilities: undefined,
    clockSources: 'tsc hpet acpi_pm',
    cpuFlags: new Set(['lm', 'ept']),
    hasProcessors: true,
  };

  test.each<{ is: string | undefined; texts: Partial<VirtualizationTexts>; because: string }>([
    { is: 'none', texts: {}, because: 'nothing speaks of one' },
    { is: 'kvm', texts: { dmi: [], clockSources: 'tsc kvm-clock' }, because: 'a small one has no firmware' },
    { is: 'kvm', texts: { dmi: ['QEMU', 'Standard PC (Q35)'], clockSources: 'kvm-clock' }, because: 'QEMU under KVM' },
    { is: 'qemu', texts: { dmi: ['QEMU', 'Standard PC (Q35)'], clockSources: 'tsc' }, because: 'QEMU emulates' },
    { is: 'vmware', texts: { dmi: ['VMware, Inc.', 'VMware7,1'] }, because: 'its firmware says so' },
    { is: 'virtualbox', texts: { dmi: ['innotek GmbH', 'VirtualBox'] }, because: 'its firmware says so' },
    { is: 'hyper-v', texts: { dmi: ['Microsoft Corporation', 'Virtual Machine'] }, because: 'its firmware says so' },
    { is: 'none', texts: { dmi: ['Microsoft Corporation', 'Surface Laptop'] }, because: 'they make laptops too' },
    { is: 'amazon', texts: { dmi: ['Amazon EC2', 'r5.8xlarge'], clockSources: 'kvm-clock' }, because: 'a cloud' },
    { is: 'xen', texts: { dmi: ['Xen', 'HVM domU'] }, because: 'its firmware says so' },
    { is: 'xen', texts: { dmi: [], hypervisorType: 'xen\n' }, because: 'a guest without firmware' },
    { is: 'none', texts: { hypervisorType: 'xen\n', xenCapabilities: 'control_d\n' }, because: "Xen's own domain" },
    { is: 'kvm', texts: { dmi: [], deviceTree: 'linux,kvm\0' }, because: 'a guest on ARM' },
    { is: 'unknown', texts: { cpuFlags: new Set(['hypervisor']) }, because: 'the processor says so, and no more' },
    { is: undefined, texts: { hasProcessors: false }, because: 'nothing could be read' },
  ])('$is: $because', ({ is, texts }) => {
    expect(hypervisorOf({ ...METAL, ...texts })).toBe(is);
  });
});

describe('containers', () => {
  const OUTSIDE: ContainerTexts = {
    marks: [],
    systemd: undefined,
    environment: undefined,
    cgroup: '0::/init.scope\n',
    rootOptions: undefined,
    kernelRelease: '6.1.0',
  };

  test.each<{ is: string; texts: Partial<ContainerTexts>; because: string }>([
    { is: 'none', texts: {}, because: 'nothing speaks of one' },
    { is: 'docker', texts: { marks: ['/.dockerenv'] }, because: 'of its mark' },
    { is: 'podman', texts: { marks: ['/run/.containerenv'] }, because: 'of its mark' },
    {
      is: 'kubernetes',
      texts: { marks: ['/.dockerenv', '/var/run/secrets/kubernetes.io'] },
      because: 'Docker below it says less',
    },
    { is: 'systemd-nspawn', texts: { systemd: 'systemd-nspawn\n' }, because: 'systemd was told' },
    { is: 'lxc', texts: { environment: 'TERM=linux\0container=lxc\0' }, because: 'its first process was told' },
    { is: 'kubernetes', texts: { cgroup: '0::/kubepods.slice/x\n' }, because: "of its group's name" },
    { is: 'docker', texts: { rootOptions: 'rw,upperdir=/var/lib/docker/overlay2/x/diff' }, because: 'of its root' },
    { is: 'wsl', texts: { kernelRelease: '5.15.90.1-microsoft-standard-WSL2' }, because: "of its kernel's name" },
  ])('$is, because $because', ({ is, texts }) => {
    expect(containerOf({ ...OUTSIDE, ...texts })).toBe(is);
  });
});
