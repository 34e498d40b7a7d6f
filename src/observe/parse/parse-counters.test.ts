/** Files of /proc that count: of old and new kernels, 32-bit ones, containers, and what is cut off or missing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStat } from './cpu-times.ts';
import { isPartition, parseDiskstats } from './diskstats.ts';
import { parseMeminfo, parsePressure, parseSwapping } from './memory.ts';
import { parseNetDev, parseTcp } from './network.ts';
import {
  desktopAmong,
  parseProcessList,
  parseProcessStat,
  parseRunDelay,
  processCounters,
  serverAmong,
} from './process.ts';
import { chosenIn, known, lengthOfList, numberIn, numbersByName } from './text.ts';

describe('/proc/stat', () => {
  const STAT = [
    'cpu  1000 200 300 4000 50 6 7 8 90 0',
    'cpu0 600 100 200 2000 25 3 3 4 45 0',
    'cpu2 400 100 100 2000 25 3 4 4 45 0',
    'intr 75196267 0 0 0 1 1 13 0',
    'ctxt 356863486',
    'btime 1796056142',
  ].join('\n');

  test('seconds by kind, of all processors and of each; guests are in user already', () => {
    const { cpu, cores, contextSwitches } = parseStat(STAT);
    expect(cpu).toEqual({
      user: 10,
      nice: 2,
      system: 3,
      idle: 40,
      iowait: 0.5,
      irq: 0.06,
      softirq: 0.07,
      steal: 0.08,
    });
    expect(cores?.map(({ user }) => user)).toEqual([6, 4]);
    expect(contextSwitches).toBe(356_863_486);
  });

  test('a kernel before 2.6.11 knows no steal', () => {
    expect(parseStat('cpu  100 0 100 800 5 1 2\n').cpu).toMatchObject({ softirq: 0.02, steal: 0 });
  });

  test.each(['', 'cpu', 'cpu  1 2 x 4', 'nonsense'])("'%s' holds no times", (text) => {
    expect(parseStat(text)).toEqual({});
  });
});

describe('/proc/diskstats', () => {
  test('kernel 5.5 and newer count flushes', () => {
    const line =
      ' 254  0 vda 900718 68628 45059226 713788 3387346 1016425 276363472 1358379 3 348660 2247949 533500 795 822136528 99524 957737 76257';
    expect(parseDiskstats(line)).toEqual({
      vda: {
        reads: 900_718,
        readBytes: 45_059_226 * 512,
        readMs: 713_788,
        writes: 3_387_346,
        writtenBytes: 276_363_472 * 512,
        writeMs: 1_358_379,
        inFlight: 3,
        busyMs: 348_660,
        weightedMs: 2_247_949,
        flushes: 957_737,
        flushMs: 76_257,
      },
    });
  });

  test('older ones do not: 14 fields, and 18 with discards', () => {
    const fourteen = '   8       0 sda 10 1 20 3 40 5 60 7 0 9 10';
    const eighteen = '   8      16 sdb 10 1 20 3 40 5 60 7 0 9 10 11 12 13 14';
    const disks = parseDiskstats(`${fourteen}\n${eighteen}\n`);
    expect(disks['sda']).toMatchObject({ reads: 10, writtenBytes: 30_720, weightedMs: 10 });
    expect(disks['sda']).not.toHaveProperty('flushes');
    expect(disks['sdb']).not.toHaveProperty('flushes');
  });

  test('partitions are counted in their disks', () => {
    const names = [
      'sda',
      'sda1',
      'sda10',
      'nvme0n1',
      'nvme0n1p2',
      'mmcblk0',
      'mmcblk0p1',
      'md0',
      'dm-1',
      'loop1',
      'loop10',
      'sr0',
    ];
    const text = names.map((name) => `   8       0 ${name} 1 0 1 0 1 0 1 0 0 0 0`).join('\n');
    expect(Object.keys(parseDiskstats(text))).toEqual([
      'sda',
      'nvme0n1',
      'mmcblk0',
      'md0',
      'dm-1',
      'loop1',
      'loop10',
      'sr0',
    ]);
  });

  test('a Xen guest that has a partition only has that for a disk', () => {
    expect(Object.keys(parseDiskstats(' 202 1 xvda1 1 0 1 0 1 0 1 0 0 0 0'))).toEqual(['xvda1']);
    expect(isPartition('xvda1', (disk) => disk === 'xvda')).toBe(true);
  });

  test.each(['', '   8  1 sda1 5 6 7 8', '   8 0 sda a b c d e f g h i j k', 'x'])("'%s' is left out", (text) => {
    expect(parseDiskstats(text)).toEqual({});
  });
});

describe('memory', () => {
  test('/proc/meminfo', () => {
    const text =
      'MemTotal:       24684084 kB\nMemFree:  100 kB\nMemAvailable:   23770868 kB\nSwapTotal:  2048 kB\nSwapFree:  1024 kB\nDirty:   264 kB\n';
    expect(parseMeminfo(text)).toEqual({
      totalBytes: 24_684_084 * 1024,
      availableBytes: 23_770_868 * 1024,
      swapTotalBytes: 2_097_152,
      swapFreeBytes: 1_048_576,
      dirtyBytes: 264 * 1024,
    });
  });

  test('a kernel before 3.14 does not tell what is available', () => {
    const text = 'MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 20 kB\nCached: 300 kB\n';
    expect(parseMeminfo(text)).toMatchObject({ availableBytes: 420 * 1024, swapTotalBytes: 0 });
  });

  test('nothing of nothing', () => {
    expect(parseMeminfo('')).toBeUndefined();
    expect(parseSwapping('')).toEqual({});
  });

  test('/proc/vmstat', () => {
    expect(parseSwapping('nr_free_pages 5\npswpin 12\npswpout 345\n')).toEqual({
      swappedInPages: 12,
      swappedOutPages: 345,
    });
  });
});

describe('/proc/pressure', () => {
  const IO =
    'some avg10=0.00 avg60=0.55 avg300=0.91 total=169445289\nfull avg10=0.00 avg60=0.31 avg300=0.64 total=67319534\n';
  const CPU = 'some avg10=0.59 avg60=3.32 avg300=6.10 total=4892510991\n';

  test('running totals, not the smoothed averages', () => {
    expect(parsePressure(CPU, IO, IO)).toEqual({
      cpuSomeUs: 4_892_510_991,
      ioSomeUs: 169_445_289,
      ioFullUs: 67_319_534,
      memorySomeUs: 169_445_289,
      memoryFullUs: 67_319_534,
    });
  });

  test('what is not there is left out, all of it where the kernel has none', () => {
    expect(parsePressure(CPU, undefined, undefined)).toEqual({ cpuSomeUs: 4_892_510_991 });
    expect(parsePressure(undefined, undefined, undefined)).toBeUndefined();
  });
});

describe('network', () => {
  const DEV = [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo: 1857 30692    0    0    0     0          0         0 1857 30692    0    0    0     0       0          0',
    '  eth0:5060942181  126679    1    2    3     4          5         6 10864899   86320    7    8    9     0       0          0',
    'eth0:1: 5 6    0    0    0     0          0         0 7 8    0    0    0     0       0          0',
  ].join('\n');

  test('/proc/net/dev, with and without a space behind the colon', () => {
    const speeds = new Map([
      ['eth0', 10_000],
      ['lo', -1],
    ]);
    expect(parseNetDev(DEV, speeds)).toEqual({
      lo: { receivedBytes: 1857, receivedPackets: 30_692, sentBytes: 1857, sentPackets: 30_692, dropped: 0 },
      eth0: {
        receivedBytes: 5_060_942_181,
        receivedPackets: 126_679,
        sentBytes: 10_864_899,
        sentPackets: 86_320,
        dropped: 10,
        speedBitsPerS: 1e10,
      },
      'eth0:1': { receivedBytes: 5, receivedPackets: 6, sentBytes: 7, sentPackets: 8, dropped: 0 },
    });
  });

  test('/proc/net/snmp and netstat: names in one line, values in the next', () => {
    const snmp = 'Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm MaxConn OutSegs RetransSegs\nTcp: 1 -1 30771612 6896\n';
    const netstat = 'TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 0 7 29\nIpExt: InOctets\nIpExt: 5\n';
    expect(parseTcp(snmp, netstat)).toEqual({
      segmentsSent: 30_771_612,
      segmentsRetransmitted: 6_896,
      listenOverflows: 7,
      listenDrops: 29,
    });
    expect(parseTcp(snmp, undefined)).toEqual({ segmentsSent: 30_771_612, segmentsRetransmitted: 6_896 });
    expect(parseTcp(undefined, netstat)).toBeUndefined();
  });
});

describe('/proc/<pid>', () => {
  const STAT =
    '24062 (mariadbd) S 24043 24043 23377 0 -1 4194304 101 0 12 0 500 250 10 20 20 0 33 0 1181831 3133440 417 18446744073709551615 1 1';

  test('stat', () => {
    expect(parseProcessStat(STAT)).toEqual({
      pid: 24_062,
      name: 'mariadbd',
      parentPid: 24_043,
      majorFaults: 12,
      cpuS: 7.5,
      childrenCpuS: 0.3,
      threads: 33,
      startedAtS: 11_818.31,
    });
  });

  test.each(['a (b) c', 'x) S 1 (', 'two\nlines', '(sd-pam)'])("a name like '%s' is taken as it is", (name) => {
    const line = parseProcessStat(STAT.replace('mariadbd', name));
    expect(line).toMatchObject({ name, parentPid: 24_043, threads: 33 });
  });

  test('many of them, of which one is nonsense', () => {
    const text = `${STAT}\nnonsense\n${STAT.replace('24062', '5').replace('mariadbd', 'Xorg')}\n`;
    expect(parseProcessList(text).map(({ pid, name }) => [pid, name])).toEqual([
      [24_062, 'mariadbd'],
      [5, 'Xorg'],
    ]);
    expect(desktopAmong(parseProcessList(text))).toEqual(['Xorg']);
  });

  test('the only server there is, else none', () => {
    const named = (...names: readonly string[]) =>
      parseProcessList(
        names.map((name, at) => STAT.replace('24062', String(at + 1)).replace('mariadbd', name)).join('\n'),
      );
    expect(serverAmong(named('bash', 'mysqld', 'mysqld_exporter', 'mysqld_safe'))).toBe(2);
    expect(serverAmong(named('mariadbd', 'mysqld'))).toBeUndefined();
    expect(serverAmong(named('bash'))).toBeUndefined();
  });

  test('what may not be read is left out', () => {
    const io = 'rchar: 6976\nwchar: 0\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 0\n';
    const status = 'Name:\tmariadbd\nVmPeak:\t  999 kB\nVmRSS:\t   5000 kB\nThreads:\t33\n';
    expect(processCounters({ stat: STAT, status, io })).toMatchObject({
      readBytes: 4096,
      writtenBytes: 8192,
      residentBytes: 5_120_000,
      majorFaults: 12,
    });
    const bare = processCounters({ stat: STAT });
    expect(bare).toMatchObject({ pid: 24_062, cpuS: 7.5 });
    expect(bare).not.toHaveProperty('readBytes');
    expect(processCounters({ stat: undefined })).toBeUndefined();
  });

  test('the time all threads waited for a processor', () => {
    expect(parseRunDelay('569209 185535 3\n1 1000000000 5\n')).toBeCloseTo(1.000185535);
    expect(parseRunDelay('')).toBeUndefined();
    expect(parseRunDelay(undefined)).toBeUndefined();
  });
});

describe('small texts', () => {
  test.each([
    { text: '42\n', number: 42 },
    { text: '-1', number: -1 },
    { text: '0.5', number: 0.5 },
    { text: 'max', number: undefined },
    { text: '', number: undefined },
    { text: undefined, number: undefined },
  ])('the number in $text: $number', ({ text, number }) => {
    expect(numberIn(text)).toBe(number);
  });

  test.each([
    { text: '0-3\n', length: 4 },
    { text: '0', length: 1 },
    { text: '0-1,4,8-11', length: 7 },
    { text: '', length: undefined },
    { text: 'all', length: undefined },
  ])("'$text' names $length", ({ text, length }) => {
    expect(lengthOfList(text)).toBe(length);
  });

  test('the choice in brackets', () => {
    expect(chosenIn('none [mq-deadline] kyber\n')).toBe('mq-deadline');
    expect(chosenIn('none\n')).toBe('none');
    expect(chosenIn(undefined)).toBeUndefined();
  });

  test('what is undefined is left out, and zero is not', () => {
    expect(known({ a: 0, b: undefined, c: false })).toEqual({ a: 0, c: false });
  });

  test('any text gives numbers or none, never an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseStat(text);
        parseDiskstats(text);
        parseMeminfo(text);
        parseNetDev(text);
        parseProcessList(text);
        for (const value of numbersByName(text).values()) expect(value).not.toBeNaN();
      }),
    );
  });
});
