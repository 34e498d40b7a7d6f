/** Every check on both sides of its threshold, and without what it looks at. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Change, caseOf, statusOf } from '../../test/support/doctor.ts';
import type { CheckLevel, CheckPlace, CheckResult } from '../model/checkup.ts';
import { type Collected, type PlanFacts, seen, unseenBecause } from './collected.ts';
import { loadChecks, preflightChecks } from './examine.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;
const HIDDEN = unseenBecause('It is hidden.');
const IN_STEP = { sources: 1, isReceiving: true, isApplying: true, secondsBehind: 0 };

interface Row {
  readonly check: string;
  readonly level: CheckLevel;
  readonly why: string;
  readonly change: Change;
  /** What the sentence, or its reason, must hold. */
  readonly says?: RegExp;
  readonly place?: CheckPlace;
}

function row(check: string, level: CheckLevel, why: string, change: Change, says?: RegExp, place?: CheckPlace): Row {
  return {
    check,
    level,
    why,
    change,
    ...(says === undefined ? {} : { says }),
    ...(place === undefined ? {} : { place }),
  };
}

/** A fact of the server's host. */
function fact(name: string, value: string | number | boolean | undefined): Change {
  return { serverHost: { facts: { [name]: value } } };
}

function figure(name: string, value: number | undefined): Change {
  return { serverHost: { figures: { [name]: value } } };
}

function onEbs(disk: PlanFacts['disk'], sizeGib: number, timeS: number): Change {
  const facts = { 'disk.model': 'Amazon Elastic Block Store', 'disk.sizeBytes': sizeGib * GIB };
  return { serverHost: { facts }, plan: { timeS, ...(disk === undefined ? {} : { disk }) } };
}

/** As much as does not fit into the pool of 8 GiB. */
function data(gib: number): NonNullable<Change['server']> {
  return { tables: seen([{ name: 'sbtest1', bytes: gib * GIB, rowsEstimate: 1_000_000 }]) };
}

const FLUSH = { directory: '/var/lib/mysql', fileSystem: 'ext4', flushes: 200, recordBytes: 512, maxUs: 900 };

const ROWS: readonly Row[] = [
  row('governor', 'ok', 'as it should be', {}),
  row('governor', 'warning', 'slows down when idle', fact('cpu.governor', 'powersave'), /powersave/),
  row('governor', 'warning', 'not all alike', fact('cpu.governor', 'performance, schedutil')),
  row('governor', 'unseen', 'a virtual machine', fact('cpu.governor', undefined)),
  row(
    'governor',
    'warning',
    "the client's own",
    { clientHost: { facts: { 'cpu.governor': 'ondemand' } } },
    /ondemand/,
    'client host',
  ),

  row('turbo-and-smt', 'ok', 'both off', {}),
  row('turbo-and-smt', 'info', 'turbo', fact('cpu.turbo', true), /On: turbo\./),
  row('turbo-and-smt', 'info', 'threads that share cores', fact('cpu.smt', true), /hyper-threads/),
  row('turbo-and-smt', 'unseen', 'neither is told', {
    serverHost: { facts: { 'cpu.turbo': undefined, 'cpu.smt': undefined } },
  }),

  row('idle-states', 'ok', 'shallow', fact('cpu.idleWakeupUs', 50)),
  row('idle-states', 'info', 'deep', fact('cpu.idleWakeupUs', 133), /133 us/),
  row('idle-states', 'unseen', 'not told', fact('cpu.idleWakeupUs', undefined)),

  row('transparent-hugepages', 'ok', 'only for those who ask', fact('memory.transparentHugepages', 'never')),
  row('transparent-hugepages', 'warning', 'for all', fact('memory.transparentHugepages', 'always')),
  row('transparent-hugepages', 'unseen', 'not told', fact('memory.transparentHugepages', undefined)),

  row('swapping', 'ok', 'no swap, whatever swappiness', {}),
  row('swapping', 'ok', 'swap that is avoided', {
    serverHost: { facts: { 'memory.swapTotalBytes': GIB, 'memory.swappiness': 10 } },
  }),
  row(
    'swapping',
    'warning',
    'swap that is used gladly',
    { serverHost: { facts: { 'memory.swapTotalBytes': GIB, 'memory.swappiness': 11 } } },
    /swappiness is 11/,
  ),
  row(
    'swapping',
    'block',
    'swapping now',
    {
      serverHost: {
        facts: { 'memory.swapTotalBytes': GIB, 'memory.swappiness': 1 },
        figures: { 'memory_swap.swap_out_pages_per_s': 30 },
      },
    },
    /30 pages a second/,
  ),
  row('swapping', 'unseen', 'not told', fact('memory.swapTotalBytes', undefined)),
  row(
    'swapping',
    'unseen',
    'never watched',
    { serverHost: { facts: { 'memory.swapTotalBytes': GIB }, idle: HIDDEN } },
    /hidden/,
  ),

  row('dirty-limits', 'ok', 'a gibibyte', fact('memory.dirtyBytes', GIB)),
  row(
    'dirty-limits',
    'info',
    'a fifth of all memory',
    { serverHost: { facts: { 'memory.dirtyBytes': undefined, 'memory.dirtyRatio': 20 } } },
    /12\.8 GiB/,
  ),
  row('dirty-limits', 'unseen', 'neither limit is told', { serverHost: { facts: { 'memory.dirtyBytes': undefined } } }),

  row('disk-queue', 'ok', 'flash needs no sorting', {}),
  row('disk-queue', 'warning', 'a turning disk does', fact('disk.rotational', true)),
  row(
    'disk-queue',
    'ok',
    'a virtual disk only says that it turns',
    { serverHost: { facts: { 'disk.rotational': true, 'virtualization.hypervisor': 'kvm' } } },
    /or virtual/,
  ),
  row('disk-queue', 'ok', 'sorted', {
    serverHost: { facts: { 'disk.rotational': true, 'disk.scheduler': 'mq-deadline' } },
  }),
  row('disk-queue', 'unseen', 'no disk of its own', fact('disk.name', undefined)),
  row('disk-queue', 'unseen', 'only a name', fact('disk.scheduler', undefined), /only its name/),

  row('filesystem', 'ok', 'ext4', {}),
  row('filesystem', 'block', 'memory', fact('datadir.filesystem', 'tmpfs'), /in memory/),
  row('filesystem', 'block', 'layers of a container', fact('datadir.filesystem', 'overlay'), /layers/),
  row('filesystem', 'block', 'a network', fact('datadir.filesystem', 'nfs4'), /another host/),
  row('filesystem', 'block', 'a file system in user space', fact('datadir.filesystem', 'fuse.sshfs')),
  row('filesystem', 'warning', 'no barriers', fact('datadir.mountOptions', 'rw,nobarrier')),
  row(
    'filesystem',
    'warning',
    'no barriers, in other words',
    fact('datadir.mountOptions', 'rw,barrier=0,data=ordered'),
  ),
  row('filesystem', 'info', 'copies what it changes', fact('datadir.filesystem', 'btrfs')),
  row('filesystem', 'info', 'writes everything twice', fact('datadir.mountOptions', 'rw,data=journal'), /twice/),
  row('filesystem', 'unseen', 'unknown', fact('datadir.filesystem', undefined)),

  row('flush-honoured', 'ok', 'as long as flash takes', {}),
  row('flush-honoured', 'ok', 'just plausible', { serverHost: { flush: seen({ ...FLUSH, p50Us: 20 }) } }),
  row(
    'flush-honoured',
    'warning',
    'too fast',
    { serverHost: { flush: seen({ ...FLUSH, p50Us: 19 }) } },
    /probably ignored/,
  ),
  row('flush-honoured', 'ok', 'as fast, and says that it has no cache', {
    serverHost: { facts: { 'disk.writeCache': 'write through' }, flush: seen({ ...FLUSH, p50Us: 12 }) },
  }),
  row(
    'flush-honoured',
    'warning',
    'faster than it turns',
    { serverHost: { facts: { 'disk.rotational': true }, flush: seen({ ...FLUSH, p50Us: 900 }) } },
    /turns/,
  ),
  row('flush-honoured', 'ok', 'as slow as it turns', {
    serverHost: { facts: { 'disk.rotational': true }, flush: seen({ ...FLUSH, p50Us: 8_000 }) },
  }),
  row('flush-honoured', 'unseen', 'memory', {
    serverHost: { flush: seen({ ...FLUSH, fileSystem: 'tmpfs', p50Us: 1 }) },
  }),
  row('flush-honoured', 'unseen', 'another host', { serverHost: { flush: HIDDEN } }, /hidden/),

  row('process-limits', 'ok', 'files for all', {}),
  row('process-limits', 'ok', 'just enough', fact('server.openFilesMax', 130)),
  row('process-limits', 'warning', 'too few files', fact('server.openFilesMax', 129), /129 files/),
  row('process-limits', 'warning', 'too few threads', fact('server.processesMax', 163), /163 threads/),
  row('process-limits', 'ok', 'no limit', fact('server.openFilesMax', 'unlimited')),
  row('process-limits', 'unseen', "another user's process", fact('server.openFilesMax', undefined)),
  row(
    'process-limits',
    'warning',
    "the client's own",
    { clientHost: { client: { openFilesMax: 163 } } },
    /This program/,
    'client host',
  ),
  row(
    'process-limits',
    'ok',
    "the client's own suffice",
    { clientHost: { client: { openFilesMax: 164 } } },
    /This program/,
    'client host',
  ),
  row('process-limits', 'unseen', 'no Linux', { clientHost: { client: {} } }, /not told/, 'client host'),

  row('local-ports', 'ok', 'many', {}),
  row('local-ports', 'warning', 'one for each connection', {
    clientHost: { facts: { 'network.localPorts': '60000-60060' } },
  }),
  row(
    'local-ports',
    'warning',
    'new ones all the time',
    { plan: { reconnectEveryEvents: 10, ratePerS: 3_800 } },
    /380 new connections/,
  ),
  row('local-ports', 'ok', 'new ones, but not too many', { plan: { reconnectEveryEvents: 10, ratePerS: 3_700 } }),
  row('local-ports', 'ok', 'new ones, on ports that are used again', {
    plan: { reconnectEveryEvents: 10, ratePerS: 3_800 },
    clientHost: { facts: { 'network.tcpTwReuse': 1 } },
  }),
  row('local-ports', 'info', 'new ones, at a rate that nobody knows', { plan: { reconnectEveryEvents: 10 } }),
  row(
    'local-ports',
    'warning',
    'left from the run before',
    { clientHost: { client: { timeWaitSockets: 25_000 } } },
    /still wait/,
  ),
  row('local-ports', 'ok', 'a Unix socket', {
    server: { isOverTcp: false },
    clientHost: { facts: { 'network.localPorts': '60000-60001' } },
  }),
  row('local-ports', 'unseen', 'not told', { clientHost: { facts: { 'network.localPorts': undefined } } }),

  row('listen-backlog', 'ok', 'just enough', { variables: { back_log: '64' } }),
  row('listen-backlog', 'warning', 'the server queues too few', { variables: { back_log: '63' } }, /63 can queue/),
  row('listen-backlog', 'warning', 'the kernel queues too few', fact('network.somaxconn', 63)),
  row('listen-backlog', 'warning', 'both queue too few', {
    variables: { back_log: '63' },
    serverHost: { facts: { 'network.somaxconn': 63 } },
  }),
  row('listen-backlog', 'unseen', 'neither is told', {
    variables: { back_log: undefined },
    serverHost: { facts: { 'network.somaxconn': undefined } },
  }),

  row('packet-steering', 'ok', 'steered', {}),
  row(
    'packet-steering',
    'info',
    'two queues for eight processors',
    fact('network.eth0.receivePacketSteering', false),
    /2 of 8 processors/,
  ),
  row('packet-steering', 'ok', 'as many queues as processors', {
    serverHost: { facts: { 'network.eth0.receivePacketSteering': false, 'network.eth0.receiveQueues': 8 } },
  }),
  row('packet-steering', 'ok', 'no link is used', {
    serverHost: { facts: { 'network.eth0.receivePacketSteering': false } },
    collected: { isOneHost: true },
  }),
  row('packet-steering', 'warning', 'one processor full of packets', figure('cpu.busiest_core_softirq', 0.81)),
  row('packet-steering', 'unseen', 'no link is told', {
    serverHost: { facts: { 'network.eth0.receiveQueues': undefined } },
  }),

  row('numa', 'ok', 'one node', {}),
  row('numa', 'warning', 'two', fact('memory.numaNodes', 2)),
  row('numa', 'ok', 'two, spread over', {
    ...fact('memory.numaNodes', 2),
    variables: { innodb_numa_interleave: 'ON' },
  }),
  row('numa', 'unseen', 'not told', fact('memory.numaNodes', undefined)),

  row('clock', 'ok', 'fast, and together', {}),
  row('clock', 'warning', 'slow to read', fact('clock.source', 'hpet'), /slow to read/),
  row('clock', 'warning', 'behind', { server: { clock: seen({ aheadMs: -900, uncertaintyMs: 10 }) } }, /0\.9 s behind/),
  row('clock', 'ok', 'apart by less than can be told', {
    server: { clock: seen({ aheadMs: 900, uncertaintyMs: 450 }) },
  }),
  row('clock', 'ok', 'one clock', {
    server: { clock: seen({ aheadMs: 900, uncertaintyMs: 1 }) },
    collected: { isOneHost: true },
  }),
  row('clock', 'unseen', 'not told', fact('clock.source', undefined)),

  row('stolen-time', 'ok', 'none', {}),
  row('stolen-time', 'ok', 'next to none', figure('cpu.steal', 0.009), /virtual machines .*steal 0\.9 %/),
  row('stolen-time', 'info', 'a little', figure('cpu.steal', 0.029)),
  row('stolen-time', 'block', 'without any load', figure('cpu.steal', 0.03), /3\.0 %/),
  row(
    'stolen-time',
    'block',
    'a group that is throttled at rest',
    figure('cgroup.throttled_ratio', 0.1),
    /control group/,
  ),
  row('stolen-time', 'unseen', 'times are not told', figure('cpu.steal', undefined)),
  row('stolen-time', 'unseen', 'never watched', { serverHost: { idle: HIDDEN } }),

  row('background-load', 'ok', 'at rest', {}),
  row('background-load', 'ok', 'busy with ourselves', {
    serverHost: { figures: { 'cpu.busy': 0.24 }, idleParts: { ownCpuRatio: 0.2 } },
  }),
  row(
    'background-load',
    'warning',
    'busy',
    { serverHost: { figures: { 'cpu.busy': 0.052, 'other_processes.top.chrome.cores': 0.4 } } },
    /chrome 0\.40/,
  ),
  row('background-load', 'block', 'very busy', figure('cpu.busy', 0.202)),
  row(
    'background-load',
    'warning',
    'a desktop',
    { serverHost: { idleParts: { desktop: ['Xorg'] } } },
    /desktop session \(Xorg\)/,
  ),
  row(
    'background-load',
    'warning',
    'another server',
    { serverHost: { idleParts: { otherServers: ['mysqld 77'] } } },
    /another database server \(mysqld 77\)/,
  ),
  row('background-load', 'warning', 'an update', { serverHost: { idleParts: { processes: ['apt-get'] } } }, /updates/),
  row(
    'background-load',
    'warning',
    'a backup',
    { serverHost: { idleParts: { processes: ['mariadb-backup'] } } },
    /backups/,
  ),
  row('background-load', 'info', 'timers', fact('system.timers', 'apt-daily, e2scrub_all'), /: apt-daily\./),
  row('background-load', 'unseen', 'never watched', { serverHost: { idle: HIDDEN } }),
  row('background-load', 'unseen', 'times are not told', figure('cpu.busy', undefined)),

  row('throttling', 'ok', 'cool', {}),
  row('throttling', 'block', 'under-voltage now', figure('clock_speed.pi_under_voltage', 1), /under-voltage/),
  row('throttling', 'block', 'heat now', figure('clock_speed.thermal_throttles_per_s', 1), /heat/),
  row('throttling', 'warning', 'since boot', figure('clock_speed.pi_throttled_since_boot', 1)),
  row('throttling', 'warning', 'hot at rest', figure('clock_speed.temperature_c', 80)),
  row('throttling', 'ok', 'warm', figure('clock_speed.temperature_c', 79)),
  row('throttling', 'unseen', 'a virtual machine', {
    serverHost: {
      figures: {
        'clock_speed.temperature_c': undefined,
        'clock_speed.pi_throttled': undefined,
        'clock_speed.thermal_throttles_per_s': undefined,
      },
    },
  }),
  row('throttling', 'unseen', 'never watched', { serverHost: { idle: HIDDEN } }),

  row('same-host', 'ok', 'apart', {}),
  row('same-host', 'warning', 'together', { collected: { isOneHost: true } }),
  row('same-host', 'unseen', 'no server', { collected: { server: HIDDEN } }),
  row('same-host', 'unseen', 'an address that may be any', { collected: { isOneHost: undefined as never } }),

  row('link', 'ok', 'even', {}),
  row('link', 'warning', 'radio only', { clientHost: { facts: { 'network.eth0.wireless': true } } }, /radio/),
  row(
    'link',
    'info',
    'radio beside a cable',
    { clientHost: { facts: { 'network.wlan0.wireless': true, 'network.wlan0.receiveQueues': 1 } } },
    /wlan0/,
  ),
  row(
    'link',
    'warning',
    'a long tail',
    { server: { roundTripUs: seen({ p50: 300, p99: 1_600, count: 100 }) } },
    /uneven/,
  ),
  row(
    'link',
    'ok',
    'a long tail of a few',
    { server: { roundTripUs: seen({ p50: 9_000, p99: 60_000, count: 11 }) } },
    /the slowest of 11/,
  ),
  row('link', 'ok', 'a long tail of next to nothing', {
    server: { roundTripUs: seen({ p50: 50, p99: 900, count: 100 }) },
  }),
  row(
    'link',
    'warning',
    'lossy',
    { clientHost: { figures: { 'network.tcp_retransmitted_ratio': 0.002 } } },
    /sent again/,
  ),
  row('link', 'ok', 'no link', { collected: { isOneHost: true }, server: { roundTripUs: HIDDEN } }),
  row('link', 'unseen', 'no round trip', { server: { roundTripUs: HIDDEN } }),

  row('room', 'ok', 'plenty', {}),
  row(
    'room',
    'block',
    'a known number of writes would fill it',
    { plan: { ratePerS: 1_000 }, serverHost: { room: seen({ freeBytes: 4 * GIB }) } },
    /writes add up/,
  ),
  row('room', 'ok', 'a known number of writes would not', {
    plan: { ratePerS: 1_000 },
    serverHost: { room: seen({ freeBytes: 5 * GIB }) },
  }),
  row(
    'room',
    'warning',
    'a fast server might',
    { serverHost: { room: seen({ freeBytes: 11 * GIB }) } },
    /If the server writes/,
  ),
  row('room', 'ok', 'a fast server would not', { serverHost: { room: seen({ freeBytes: 12 * GIB }) } }),
  row('room', 'warning', 'the binary log takes as much again', {
    serverHost: { room: seen({ freeBytes: 12 * GIB }) },
    variables: { log_bin: 'ON' },
  }),
  row('room', 'block', 'next to nothing', {
    plan: { writes: false },
    serverHost: { room: seen({ freeBytes: 500 * MIB }) },
  }),
  row(
    'room',
    'block',
    'no inodes',
    { serverHost: { room: seen({ freeBytes: 500 * GIB, freeFiles: 900 }) } },
    /900 inodes/,
  ),
  row('room', 'unseen', 'not told', { serverHost: { room: HIDDEN } }),

  row('server-build', 'ok', 'a release', {}),
  row('server-build', 'block', 'by its version', { server: { version: '10.11.2-MariaDB-debug-log' } }, /debug/),
  row('server-build', 'block', 'by a variable that only such a build has', { variables: { debug_dbug: '' } }),
  row('server-build', 'block', 'by its sanitizer', { variables: { have_sanitizer: 'ASAN' } }, /ASAN/),
  row('server-build', 'ok', 'no sanitizer', { variables: { have_sanitizer: '' } }),
  row('server-build', 'unseen', 'no server', { collected: { server: HIDDEN } }),

  row('settings-drift', 'ok', 'as in its files', {}),
  row(
    'settings-drift',
    'block',
    'the flush',
    { server: { setAtRuntime: seen(new Map([['innodb_flush_log_at_trx_commit', '2']])) } },
    /innodb_flush_log_at_trx_commit/,
  ),
  row(
    'settings-drift',
    'info',
    'anything else',
    { server: { setAtRuntime: seen(new Map([['max_connections', '2000']])) } },
    /max_connections/,
  ),
  row(
    'settings-drift',
    'info',
    'the flush, put back to its default as after an experiment',
    {
      server: {
        setAtRuntime: seen(new Map([['innodb_flush_log_at_trx_commit', '1']])),
        defaults: new Map([['innodb_flush_log_at_trx_commit', '1']]),
      },
    },
    /to what is the default: innodb_flush_log_at_trx_commit\./,
  ),
  row(
    'settings-drift',
    'block',
    'the flush, to something else than its default',
    {
      server: {
        setAtRuntime: seen(
          new Map([
            ['sync_binlog', '1'],
            ['innodb_flush_log_at_trx_commit', '1'],
          ]),
        ),
        defaults: new Map([
          ['sync_binlog', '0'],
          ['innodb_flush_log_at_trx_commit', '1'],
        ]),
      },
    },
    /^Set while the server ran: sync_binlog\.$/m,
  ),
  row('settings-drift', 'ok', 'the flush, put back to what the server was started with', {
    server: {
      setAtRuntime: seen(new Map([['innodb_flush_log_at_trx_commit', '2']])),
      startedWith: new Map([['innodb_flush_log_at_trx_commit', '2']]),
    },
  }),
  row('settings-drift', 'block', 'the flush, otherwise than the server was started with', {
    server: {
      setAtRuntime: seen(new Map([['innodb_flush_log_at_trx_commit', '2']])),
      startedWith: new Map([['innodb_flush_log_at_trx_commit', '0']]),
    },
  }),
  row('settings-drift', 'block', 'the flush, to its default, where the server was started with another value', {
    server: {
      setAtRuntime: seen(new Map([['innodb_flush_log_at_trx_commit', '1']])),
      defaults: new Map([['innodb_flush_log_at_trx_commit', '1']]),
      startedWith: new Map([['innodb_flush_log_at_trx_commit', '2']]),
    },
  }),
  row('settings-drift', 'unseen', 'not told', { server: { setAtRuntime: HIDDEN } }),

  row('durability', 'ok', 'everything flushed', {}, /^D4/),
  row('durability', 'info', 'flushed once a second', { variables: { innodb_flush_log_at_trx_commit: '2' } }, /^D2/),
  row('durability', 'info', 'lost when killed', { variables: { innodb_flush_log_at_trx_commit: '0' } }, /^D1/),
  row('durability', 'warning', 'pages that cannot be repaired', { variables: { innodb_doublewrite: 'OFF' } }, /^D0/),
  row(
    'durability',
    'unseen',
    'a disk that lies',
    { serverHost: { flush: seen({ ...FLUSH, p50Us: 5 }) } },
    /ignores flushes/,
  ),
  row('durability', 'unseen', 'no barriers', fact('datadir.mountOptions', 'rw,nobarrier'), /without barriers/),
  row('durability', 'unseen', 'not told', { variables: { innodb_flush_log_at_trx_commit: undefined } }),

  row('replication', 'ok', 'nothing', {}),
  row('replication', 'info', 'a binary log', { variables: { log_bin: 'ON', binlog_format: 'ROW' } }, /\(ROW\)/),
  row(
    'replication',
    'info',
    'replicas that are waited for',
    {
      variables: { log_bin: 'ON', rpl_semi_sync_master_enabled: 'ON' },
      server: { replication: seen({ replicas: 2 }) },
    },
    /2 replicas read it/,
  ),
  row(
    'replication',
    'info',
    'a replica itself',
    { server: { replication: seen({ replica: IN_STEP, replicas: 0 }) } },
    /a replica itself/,
  ),
  row(
    'replication',
    'warning',
    'a replica that catches up',
    { server: { replication: seen({ replica: { ...IN_STEP, secondsBehind: 5 }, replicas: 0 }) } },
    /5 s behind/,
  ),
  row(
    'replication',
    'warning',
    'a replica that is half stopped',
    { server: { replication: seen({ replica: { ...IN_STEP, isApplying: false }, replicas: 0 }) } },
    /receives and does not apply/,
  ),
  row(
    'replication',
    'info',
    'a replica that is stopped',
    { server: { replication: seen({ replica: { sources: 1, isReceiving: false, isApplying: false }, replicas: 0 }) } },
    /a replica itself/,
  ),
  row(
    'replication',
    'info',
    'a member of a cluster',
    { server: { replication: seen({ replicas: 0, cluster: { size: 3, status: 'Primary', state: 'Synced' } }) } },
    /Galera cluster of 3 \(Synced\)/,
  ),
  row(
    'replication',
    'warning',
    'a member that gives its data to another',
    {
      server: { replication: seen({ replicas: 0, cluster: { size: 3, status: 'Primary', state: 'Donor/Desynced' } }) },
    },
    /not in step/,
  ),
  row('replication', 'info', 'not all of it seen', { server: { replication: HIDDEN } }, /hidden/),
  row('replication', 'unseen', 'no server', { collected: { server: HIDDEN } }),

  row('table-statistics', 'ok', 'as they should be', {}),
  row('table-statistics', 'ok', 'off as InnoDB is', {
    server: { tables: seen([{ name: 'sbtest1', bytes: GIB, rowsEstimate: 500_000 }]) },
  }),
  row(
    'table-statistics',
    'warning',
    'of before the load',
    { server: { tables: seen([{ name: 'sbtest1', bytes: GIB, rowsEstimate: 499_999 }]) } },
    /believes/,
  ),
  row(
    'table-statistics',
    'block',
    'rows are missing',
    {
      collected: {
        problems: seen([{ id: 'too-few-rows', severity: 'stop', is: 'sbtest1 has too few rows.', remedy: 'Prepare.' }]),
      },
    },
    /too few/,
  ),
  row('table-statistics', 'warning', 'rows that will not be used', {
    collected: { problems: seen([{ id: 'more-rows', severity: 'warning', is: 'sbtest1 has more.', remedy: 'More.' }]) },
  }),
  row('table-statistics', 'unseen', 'not told', { server: { tables: HIDDEN } }),
  row('table-statistics', 'unseen', 'never looked', { collected: { problems: HIDDEN } }),

  row('data-size', 'ok', 'in memory', {}, /In memory/),
  row('data-size', 'info', 'just', { server: data(6.5) }, /Just/),
  row('data-size', 'info', 'partly', { server: data(10) }, /Partly on disk/),
  row('data-size', 'info', 'mostly', { server: data(17) }, /Mostly on disk/),
  row(
    'data-size',
    'warning',
    "in the system's memory",
    { server: data(10), variables: { innodb_flush_method: 'fsync' } },
    /of the system/,
  ),
  row('data-size', 'warning', "in the system's memory, by a newer variable", {
    server: data(10),
    variables: { innodb_data_file_buffering: 'ON' },
  }),
  row(
    'data-size',
    'info',
    'buffered, and larger than all memory',
    { server: data(65), variables: { innodb_flush_method: 'fsync' } },
    /Mostly/,
  ),
  row('data-size', 'unseen', 'nothing is shown', { server: { tables: seen([]) } }),
  row('data-size', 'unseen', 'not told', { server: { tables: HIDDEN } }),
  row(
    'data-size',
    'unseen',
    'statistics too old to say',
    { server: { tables: seen([{ name: 'sbtest1', bytes: 16_384, rowsEstimate: 0 }]) } },
    /too old/,
  ),

  row('pool-warm', 'ok', 'warm', {}),
  row(
    'pool-warm',
    'block',
    'loading',
    { status: { innodb_buffer_pool_load_status: 'Loaded 100/6000 pages' } },
    /100\/6000/,
  ),
  row('pool-warm', 'ok', 'never meant to load', {
    status: { innodb_buffer_pool_load_status: 'Buffer pool(s) load not yet started' },
  }),
  row('pool-warm', 'warning', 'cold', { status: { innodb_buffer_pool_bytes_data: String(500 * MIB) } }),
  row('pool-warm', 'info', 'cold, with a warm-up', {
    status: { innodb_buffer_pool_bytes_data: String(500 * MIB) },
    plan: { warmupS: 60 },
  }),
  row('pool-warm', 'ok', 'cold, but small', { status: { innodb_buffer_pool_bytes_data: '1' }, server: data(0.06) }),
  row('pool-warm', 'unseen', 'not told', { status: { innodb_buffer_pool_bytes_data: '' } }),

  row('start-state', 'ok', 'at rest', {}),
  row(
    'start-state',
    'warning',
    'dirty pages',
    { status: { innodb_buffer_pool_pages_dirty: '52429' } },
    /not written yet/,
  ),
  row('start-state', 'ok', 'a few dirty pages', { status: { innodb_buffer_pool_pages_dirty: '52428' } }),
  row(
    'start-state',
    'warning',
    'a redo log that is full',
    { status: { innodb_checkpoint_age: String(0.11 * GIB) } },
    /redo log/,
  ),
  row(
    'start-state',
    'warning',
    "the same in MySQL's words",
    {
      status: {
        innodb_checkpoint_age: '',
        innodb_redo_log_current_lsn: String(5 * GIB),
        innodb_redo_log_checkpoint_lsn: String(4.8 * GIB),
        innodb_redo_log_capacity_resized: String(GIB),
      },
    },
    /20\.0 % full/,
  ),
  row('start-state', 'warning', 'purge', { status: { innodb_history_list_length: '10001' } }, /purged/),
  row(
    'start-state',
    'warning',
    'others at work',
    { server: { status: { earlier: statusOf(), later: statusOf({ questions: '1201' }), elapsedS: 10 } } },
    /20 statements a second/,
  ),
  row('start-state', 'ok', 'watched for too short a time to tell', {
    server: { status: { earlier: statusOf(), later: statusOf({ questions: '1201' }), elapsedS: 0.4 } },
  }),
  row('start-state', 'unseen', 'not told', {
    status: { innodb_buffer_pool_pages_dirty: '', innodb_checkpoint_age: '' },
  }),

  row('redo-wrapped', 'ok', 'been round', {}),
  row('redo-wrapped', 'warning', 'not yet', { status: { innodb_os_log_written: String(0.9 * GIB) } }, /not been round/),
  row('redo-wrapped', 'ok', 'nothing is written', { status: { innodb_os_log_written: '1' }, plan: { writes: false } }),
  row('redo-wrapped', 'warning', "by MySQL's capacity", { variables: { innodb_redo_log_capacity: String(3 * GIB) } }),
  row('redo-wrapped', 'unseen', 'not told', { status: { innodb_os_log_written: '' } }),

  row('flash', 'ok', 'no flash', fact('disk.rotational', true)),
  row('flash', 'ok', 'nothing is written', { plan: { writes: false } }),
  row('flash', 'info', 'discarded at once', fact('datadir.mountOptions', 'rw,discard'), /discard/),
  row('flash', 'info', 'a worn card', fact('disk.lifeUsedPercent', 90), /90 %/),
  row('flash', 'unseen', 'new or used', {}),
  row('flash', 'unseen', 'not told', fact('disk.rotational', undefined)),

  row('limits', 'ok', 'all fit', {}),
  row(
    'limits',
    'block',
    'connections',
    {
      collected: {
        problems: seen([
          {
            id: 'max-connections',
            severity: 'stop',
            is: '1,026 more connections are needed.',
            remedy: 'SET GLOBAL max_connections = 1130; or fewer --threads.',
          },
        ]),
      },
    },
    /1,026/,
  ),
  row('limits', 'ok', 'what is wrong with tables is told elsewhere', {
    collected: { problems: seen([{ id: 'gaps', severity: 'warning', is: 'Gaps.', remedy: 'Prepare.' }]) },
  }),
  row('limits', 'warning', 'deadlocks that nobody looks for', { variables: { innodb_deadlock_detect: 'OFF' } }, /50 s/),
  row('limits', 'ok', 'deadlocks that end soon', {
    variables: { innodb_deadlock_detect: 'OFF', innodb_lock_wait_timeout: '10' },
  }),
  row('limits', 'unseen', 'never looked', { collected: { problems: HIDDEN } }),

  row('mix', 'ok', 'the usual one', {}, /14 reads/),
  row(
    'mix',
    'block',
    'a part is left out',
    { plan: { mixNotes: ['these options ask for no reads'] } },
    /^These options ask for no reads\.$/m,
  ),
  row(
    'mix',
    'ok',
    'counted as asked for',
    { plan: { dryRun: { elapsedS: 1, transactions: 100, reads: 1_400, writes: 400 } } },
    /1,400 reads/,
  ),
  row(
    'mix',
    'block',
    'never arrived',
    { plan: { dryRun: { elapsedS: 1, transactions: 100, reads: 0, writes: 400 } } },
    /missing/,
  ),
  row('mix', 'block', 'nothing was done', { plan: { dryRun: { elapsedS: 1, transactions: 0, reads: 0, writes: 0 } } }),
  row('mix', 'warning', 'far off', { plan: { dryRun: { elapsedS: 1, transactions: 100, reads: 1_400, writes: 540 } } }),
  row('mix', 'ok', 'nearly', { plan: { dryRun: { elapsedS: 1, transactions: 100, reads: 1_400, writes: 530 } } }),
  row('mix', 'info', 'too few to tell', {
    plan: { dryRun: { elapsedS: 1, transactions: 10, reads: 140, writes: 60 } },
  }),

  row('feasibility', 'ok', 'all in memory', {}),
  row('feasibility', 'unseen', 'of the disk nothing is known', { server: data(16) }, /--disk-iops|not known/),
  row('feasibility', 'info', 'a ceiling', { server: data(16), plan: { disk: { iops: 3_000 } } }, /333 transactions/),
  row('feasibility', 'info', 'below it', { server: data(16), plan: { disk: { iops: 3_000 }, ratePerS: 333 } }),
  row('feasibility', 'warning', 'above it', { server: data(16), plan: { disk: { iops: 3_000 }, ratePerS: 334 } }),
  row(
    'feasibility',
    'unseen',
    'hot keys',
    { server: data(16), plan: { keys: 'special', disk: { iops: 3_000 } } },
    /special/,
  ),

  row('burst-credits', 'ok', 'nothing lent', {}),
  row('burst-credits', 'warning', 'the test ends as the bucket does', onEbs({ type: 'gp2' }, 500, 3_600), /1 h 00 min/),
  row('burst-credits', 'info', 'the test is longer', onEbs({ type: 'gp2' }, 500, 3_601), /1,500 from then on/),
  row('burst-credits', 'ok', 'large enough to need no credits', onEbs({ type: 'gp2' }, 1_000, 600)),
  row('burst-credits', 'warning', 'a disk that turns', onEbs({ type: 'st1' }, 1_024, 600)),
  row('burst-credits', 'ok', 'a type without credits', onEbs({ type: 'gp3' }, 500, 3_600)),
  row('burst-credits', 'warning', 'lent processors', fact('dmi.product', 't3.micro'), /t3\.micro/),
  row('burst-credits', 'ok', 'no lent processors', fact('dmi.product', 'r5.8xlarge')),
  row('burst-credits', 'unseen', 'a volume that may be any', onEbs(undefined, 500, 3_600)),
];

async function resultOf({ check, change, place }: Row): Promise<CheckResult> {
  const { collected, plan } = caseOf(change);
  const results = await preflightChecks(collected, plan);
  const found = results.filter((each) => each.check === check && (place === undefined || each.of === place));
  const [first] = found;
  if (first === undefined) throw new Error(`there is no check ${check}`);
  return first;
}

describe('each check on both sides, and where it cannot see', () => {
  test.each(ROWS)('$check: $level, $why', async (each) => {
    const { level, is, because = '', remedy } = await resultOf(each);
    expect({ level, is }).toMatchObject({ level: each.level });
    if (each.says !== undefined) expect(`${is}\n${because}`).toMatch(each.says);
    expect(is).toMatch(/\.$/);
    const commands = [...(remedy?.shell ?? []), ...(remedy?.sql ?? [])];
    // A colon promises commands.
    if (remedy !== undefined && commands.length === 0) expect(remedy.is).not.toMatch(/:$/);
    if (commands.length > 0) expect(remedy?.is).toMatch(/\S/);
    if (level !== 'block' && level !== 'warning') return;
    expect(because).toMatch(/\.$/);
    expect(remedy?.is).toMatch(/\S/);
  });

  test('there are 35, each with a number and an id of its own', async () => {
    const checks = await loadChecks();
    expect(checks.map(({ number }) => number)).toEqual(Array.from({ length: 35 }, (_, at) => at + 1));
    expect(new Set(checks.map(({ id }) => id)).size).toBe(35);
  });

  test('docs/doctor.md is the list of them', async () => {
    const page = readFileSync(new URL('../../docs/doctor.md', import.meta.url), 'utf8');
    const told = [...page.matchAll(/^\| (\d+) \| `([\w-]+)` \| ([\w ]+) \|/gm)].map((match) =>
      match.slice(1).join(' '),
    );
    expect(told).toEqual((await loadChecks()).map(({ number, id, of }) => `${number} ${id} ${of}`));
  });

  test('each is shown to be content, to be not, and to say that it cannot see', async () => {
    const checks = await loadChecks();
    const lacking = checks.filter(({ id }) => {
      const levels = new Set(ROWS.filter(({ check }) => check === id).map(({ level }) => level));
      return !levels.has('ok') || !(levels.has('info') || levels.has('warning') || levels.has('block'));
    });
    expect(lacking.map(({ id }) => id)).toEqual([]);
    const blind = checks.filter(({ id }) => !ROWS.some(({ check, level }) => check === id && level === 'unseen'));
    // What a workload asks for is not to be looked for anywhere.
    expect(blind.map(({ id }) => id)).toEqual(['mix']);
  });
});

const NOTHING: Collected = {
  server: unseenBecause('The server is hidden.'),
  serverHost: unseenBecause('Its host is hidden.'),
  clientHost: unseenBecause('This machine tells nothing.'),
  problems: unseenBecause('The server is hidden.'),
  tookS: 2,
};

test('with everything hidden nothing passes, and each says why', async () => {
  const results = await preflightChecks(NOTHING, undefined);
  expect(new Set(results.map(({ level }) => level))).toEqual(new Set(['unseen']));
  for (const { is } of results) expect(is).toMatch(/hidden|nothing|No load was named/);
});

test('with everything hidden but the load, what is wrong with the load is still found out', async () => {
  const { plan } = caseOf({ plan: { mixNotes: ['these options ask for no reads'] } });
  const results = await preflightChecks(NOTHING, plan);
  expect(results.filter(({ level }) => level !== 'unseen').map(({ check, level }) => [check, level])).toEqual([
    ['mix', 'block'],
  ]);
});

test('a workload that does not tell its mix is not said to be right', async () => {
  const { collected, plan } = caseOf();
  const { mix: _, ...without } = plan;
  const results = await preflightChecks(collected, without);
  expect(results.find(({ check }) => check === 'mix')).toMatchObject({ level: 'unseen' });
});
