/** Runs whose cause is known, as their records would tell it; and what must not be said of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import { entryNames } from '../base/catalog.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosable } from './evidence.ts';

const ELAPSED_S = 30;
const MIB = 2 ** 20;

interface Picture {
  readonly mode?: 'closed' | 'open';
  readonly threads?: number;
  readonly tps: number;
  /** Of each transaction: ten reads, one write and a COMMIT, in milliseconds each; 0: it has none. */
  readonly readMs: number;
  readonly writeMs: number;
  readonly commitMs: number;
  /** In each transaction, between its statements. */
  readonly betweenMs?: number;
  readonly unfinished?: number;
  readonly roundTripUs?: number;
  readonly roundTripP99Us?: number;
  readonly roundTripMeanUs?: number;
  /** Absent: a socket. */
  readonly address?: string;
  /** Absent: as records of older versions, which tell it by the address alone. */
  readonly isLinked?: boolean;
  /** The times of processors are not to be had. */
  readonly isBlind?: boolean;
  readonly busy?: number;
  readonly serverCores?: number;
  /** Threads of the server that waited for a processor, on average; absent: the kernel does not tell. */
  readonly queue?: number;
  /** Sessions that the server was at work for, on average; absent: it was not asked. */
  readonly running?: number;
  readonly loop?: number;
  readonly deadlocks?: number;
  readonly reconnects?: number;
  readonly drainS?: number;
  readonly variables?: Readonly<Record<string, string>>;
  /** By probe. */
  readonly measured?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Of a series over time, for what is judged by its course. */
  readonly points?: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}

function latency(count: number, ms: number) {
  const histogram = new Histogram();
  if (count > 0) for (let at = 0; at < 100; at++) histogram.record(ms * 1000);
  return { ...toLatencyRecord(histogram), count, sumUs: count * ms * 1000 };
}

function seriesOf(picture: Picture): NonNullable<Diagnosable['series']> {
  const { busy = 0.3, serverCores = 0.5, queue, running } = picture;
  const measured: Record<string, Record<string, number>> = {
    ...picture.measured,
    ...(picture.isBlind === true ? {} : { cpu: { busy, ...picture.measured?.['cpu'] } }),
    server_process: {
      cpu_cores: serverCores,
      ...(queue === undefined ? {} : { waiting_threads: queue }),
      ...picture.measured?.['server_process'],
    },
  };
  const points: Record<string, Readonly<Record<string, readonly number[]>>> = {
    ...picture.points,
    // The observer is at work, too.
    ...(running === undefined
      ? {}
      : { server_work: { threads_running: Array.from({ length: 30 }, () => running + 1) } }),
  };
  const probes = new Set([...Object.keys(measured), ...Object.keys(points)]);
  return Object.fromEntries(
    [...probes].map((probe) => {
      const series = Object.entries(points[probe] ?? {});
      const values = Object.fromEntries(series.map(([name, all]) => [name, { unit: 'ratio', points: all }]));
      const length = Math.max(0, ...series.map(([, all]) => all.length));
      const atS = Array.from({ length }, (_, at) => at + 1);
      return [probe, { atS, values, measured: measured[probe] ?? {} }];
    }),
  );
}

function latencyOf({ tps, readMs, writeMs, commitMs, betweenMs = 0 }: Picture): Diagnosable['latency'] {
  const transactions = tps * ELAPSED_S;
  const all = {
    service: latency(transactions, 10 * readMs + writeMs + commitMs + betweenMs),
  };
  return {
    transactions: { all },
    statements: {
      select: latency(readMs > 0 ? transactions * 10 : 0, readMs),
      update: latency(writeMs > 0 ? transactions : 0, writeMs),
      commit: latency(commitMs > 0 ? transactions : 0, commitMs),
    },
  };
}

function run(picture: Picture): Diagnosable {
  const { mode = 'closed', threads = 16, tps, loop = 0.2, roundTripUs = 60, drainS = 0 } = picture;
  const { roundTripP99Us = roundTripUs * 2, roundTripMeanUs = roundTripUs } = picture;
  const closed = closedRun();
  const transactions = tps * ELAPSED_S;
  const statement = (kind: 'read' | 'write' | 'other', each: number) => {
    return { kind, committed: transactions * each, wasted: 0 };
  };
  return {
    load: { ...closed.load, mode, threads },
    target: {
      ...closed.target,
      address: picture.address ?? '/run/mysqld/mysqld.sock',
      variables: { innodb_flush_log_at_trx_commit: '1', ...picture.variables },
    },
    rates: { transactionsPerS: tps, statementsPerS: tps * 12 },
    totals: {
      ...closed.totals,
      elapsedS: ELAPSED_S,
      dropped: 0,
      reconnects: picture.reconnects ?? 0,
      unfinished: picture.unfinished ?? 0,
      errors:
        (picture.deadlocks ?? 0) > 0 ? [{ ...closed.totals.errors[0]!, code: 1213, count: picture.deadlocks! }] : [],
      transactions: { committed: transactions, byName: {} },
      statements: {
        ...closed.totals.statements,
        byName: { select: statement('read', 10), update: statement('write', 1), commit: statement('other', 1) },
      },
    },
    latency: latencyOf(picture),
    client: { ...closed.client, eventLoopUtilizationMax: loop },
    series: seriesOf(picture),
    phases: [{ name: 'measure', startS: 0, endS: ELAPSED_S - drainS }],
    environment: {
      host: { 'server.cores': 2 },
      client: {},
      roundTripUs: { p50: roundTripUs, p99: roundTripP99Us, mean: roundTripMeanUs },
    },
    observation: { isClientHost: true, ...(picture.isLinked === undefined ? {} : { isLinked: picture.isLinked }) },
  };
}

/** Two sessions that are half idle. */
const healthy: Picture = { tps: 200, threads: 2, readMs: 0.5, writeMs: 1, commitMs: 2, busy: 0.5, serverCores: 0.8 };

async function verdictOf(picture: Picture) {
  const { verdicts, isDetermined, is } = await diagnose(run(picture));
  return { first: verdicts[0]?.role === 'bottleneck' ? verdicts[0].id : undefined, verdicts, isDetermined, is };
}

function idsOf(verdicts: readonly { readonly id: string; readonly role: string }[]): string[] {
  return verdicts.map(({ id, role }) => `${role} ${id}`);
}

const COMPUTING = { tps: 800, readMs: 1.4, writeMs: 3, commitMs: 3, busy: 0.97, serverCores: 1.6 };
const FULL_LOG = {
  measured: { redo_log: { bytes_per_s: 8 * MIB, capacity_bytes: 3 * MIB } },
  points: { redo_log: { checkpoint_age_ratio: [0.9, 1, 0.95, 1, 1] } },
};
const MISSING = {
  buffer_pool: { misses_per_s: 4_000, total_bytes: 128 * MIB, free_bytes: 1 * MIB, pages_read_per_s: 4_000 },
};

describe('one cause at a time', () => {
  test.each<{ cause: string; because: string; picture: Picture }>([
    { cause: 'server-cpu', because: 'the host is full of it', picture: COMPUTING },
    { cause: 'server-cpu', because: 'threads wait for a processor', picture: { ...COMPUTING, queue: 12 } },
    {
      cause: 'server-cpu',
      because: 'threads wait for processors that are not all busy all the time',
      picture: { ...COMPUTING, busy: 0.75, serverCores: 1.2, queue: 9 },
    },
    {
      cause: 'server-cpu',
      because: 'its control group is full, though not the host',
      picture: { ...COMPUTING, busy: 0.4, serverCores: 1.9, queue: 12 },
    },
    {
      cause: 'server-cpu',
      because: 'a single session has the server compute all the time',
      picture: { tps: 90, threads: 1, readMs: 1, writeMs: 0.5, commitMs: 0.5, busy: 0.5, serverCores: 0.95 },
    },
    {
      cause: 'commit',
      because: 'COMMIT takes the time',
      picture: { tps: 700, readMs: 0.2, writeMs: 0.5, commitMs: 19, busy: 0.4, serverCores: 0.6 },
    },
    {
      cause: 'commit',
      because: 'others keep the host busy, and it is known who waits for that',
      picture: { tps: 700, readMs: 0.2, writeMs: 0.5, commitMs: 19, busy: 0.97, serverCores: 0.6, queue: 2 },
    },
    {
      cause: 'commit',
      because: 'each write commits by itself',
      picture: { tps: 800, readMs: 0, writeMs: 19, commitMs: 0, serverCores: 0.6 },
    },
    {
      cause: 'read-io',
      because: 'misses at what the disk takes for each',
      picture: {
        tps: 400,
        readMs: 3.5,
        writeMs: 2,
        commitMs: 2,
        measured: { ...MISSING, disk: { 'data_disk.read_latency_ms': 3, 'data_disk.reads_per_s': 4_000 } },
      },
    },
    {
      cause: 'read-io',
      because: 'the server has reads pending that no disk shows',
      picture: {
        tps: 400,
        readMs: 3.5,
        writeMs: 2,
        commitMs: 2,
        queue: 0.5,
        measured: MISSING,
        points: { buffer_pool: { pending_reads: [11, 13, 12] } },
      },
    },
    {
      cause: 'redo-pressure',
      because: 'writes wait for nothing else, and the log is full',
      picture: { tps: 300, readMs: 0.5, writeMs: 45, commitMs: 1, ...FULL_LOG },
    },
    {
      cause: 'redo-pressure',
      because: 'each write commits by itself, and not at the disk',
      picture: {
        tps: 350,
        readMs: 0,
        writeMs: 45,
        commitMs: 0,
        variables: { innodb_flush_log_at_trx_commit: '2' },
        ...FULL_LOG,
      },
    },
    {
      cause: 'row-contention',
      because: 'locks take the time',
      picture: {
        tps: 300,
        readMs: 0.2,
        writeMs: 47,
        commitMs: 1,
        measured: { row_locks: { waiting: 13, mean_wait_ms: 45 } },
      },
    },
    {
      cause: 'network-latency',
      because: 'every statement pays for the way',
      picture: { tps: 430, readMs: 3, writeMs: 3, commitMs: 3.5, roundTripUs: 2_900, busy: 0.2, serverCores: 0.3 },
    },
    {
      cause: 'client',
      because: 'replies wait for it, and the server has nothing to do',
      picture: { tps: 400, readMs: 3.5, writeMs: 2, commitMs: 2, loop: 0.99, queue: 0.5, running: 0.6 },
    },
    {
      cause: 'client',
      because: 'it takes its time between statements',
      picture: { tps: 400, readMs: 0.3, writeMs: 0.5, commitMs: 0.5, betweenMs: 36, loop: 0.99 },
    },
    {
      cause: 'connection-storm',
      because: 'between transactions there is nothing but connecting',
      picture: {
        ...healthy,
        reconnects: 6_000,
        measured: { server_work: { connections_per_s: 200, questions_per_s: 2_200 } },
      },
    },
    {
      cause: 'other-processes',
      because: 'they have more than the server, which waits for them',
      picture: {
        ...COMPUTING,
        serverCores: 0.5,
        queue: 12,
        measured: { other_processes: { cores: 1.3, 'top.backup.cores': 1.2 } },
      },
    },
  ])('$cause: $because', async ({ cause, picture }) => {
    const { first, isDetermined, verdicts } = await verdictOf(picture);
    expect(first).toBe(cause);
    expect(isDetermined).toBe(true);
    for (const verdict of verdicts) {
      expect(verdict.is).toMatch(/^[A-Z].*\.$/);
      expect(verdict.evidence.length).toBeGreaterThan(0);
      expect(verdict.confirmBy).toMatch(/\.$/);
      expect(verdict.advice).toMatch(/\.$/);
    }
  });
});

describe('look-alikes', () => {
  test('a busy event loop is no saturated client while sessions wait for the server', async () => {
    const { verdicts } = await verdictOf({ ...COMPUTING, loop: 0.97, queue: 12, running: 15 });
    expect(idsOf(verdicts)).toEqual(['bottleneck server-cpu']);
  });

  test('what the client waits for on the host of the server is processors', async () => {
    const measured = { client: { run_delay_ratio: 0.8, cpu_cores: 0.4 }, other_processes: { cores: 1.2 } };
    const picture = { tps: 400, readMs: 3.5, writeMs: 2, commitMs: 2, busy: 0.99, queue: 2, running: 1, measured };
    expect((await verdictOf(picture)).first).toBe('other-processes');
    const { budget } = await diagnose(run(picture));
    expect(budget!.shares['client-queue']! / budget!.shares['client']!).toBeCloseTo(4, 5);
  });

  test('commits that flush nothing do not wait for the disk', async () => {
    const variables = { innodb_flush_log_at_trx_commit: '0' };
    const picture = { tps: 700, readMs: 0.2, writeMs: 0.5, commitMs: 19, serverCores: 0.6, variables };
    expect((await verdictOf(picture)).is).toBe('Commits wait, though the log is not flushed for them.');
    const binaryLog = { ...variables, log_bin: 'ON', sync_binlog: '1' };
    expect((await verdictOf({ ...picture, variables: binaryLog })).is).toMatch(/^Commits wait for the disk/);
  });

  test('where each write commits by itself, a full log is told from flushing by what a flush takes', async () => {
    const picture = { tps: 350, readMs: 0, writeMs: 45, commitMs: 0, ...FULL_LOG };
    const flushing = (ms: number) => ({ ...picture.measured, disk: { 'data_disk.flush_latency_ms': ms } });
    expect((await verdictOf({ ...picture, measured: flushing(0.1) })).first).toBe('redo-pressure');
    expect((await verdictOf({ ...picture, measured: flushing(20) })).first).toBe('commit');
  });

  test('reads that the operating system serves are told from those of the disk', async () => {
    const disk = { 'data_disk.read_latency_ms': 3, 'data_disk.reads_per_s': 20 };
    const { verdicts } = await verdictOf({
      ...healthy,
      measured: { ...MISSING, disk, buffer_pool: MISSING.buffer_pool },
    });
    expect(verdicts.at(0)?.evidence.join()).toContain('the disk served 20 reads a second');
    const fast = { ...disk, 'data_disk.read_latency_ms': 0.01 };
    const { verdicts: hidden } = await verdictOf({ ...healthy, measured: { ...MISSING, disk: fast } });
    expect(hidden[0]).toMatchObject({ role: 'contributes', is: expect.stringContaining("operating system's cache") });
  });
});

describe('a hot row is told apart by what its locks are held for', () => {
  const waiting = { measured: { row_locks: { waiting: 13, mean_wait_ms: 100 } } };

  test.each([
    { held: 'flushing the log', picture: { tps: 45, readMs: 0.2, writeMs: 290, commitMs: 40, ...waiting } },
    {
      held: 'the way between client and server',
      picture: { tps: 45, readMs: 3.2, writeMs: 290, commitMs: 3.2, roundTripUs: 3_100, ...waiting },
    },
    { held: 'computing', picture: { tps: 300, readMs: 0.2, writeMs: 47, commitMs: 0.3, serverCores: 1, ...waiting } },
  ])('$held', async ({ held, picture }) => {
    const { verdicts } = await verdictOf(picture);
    expect(verdicts[0]).toMatchObject({ id: 'row-contention', is: expect.stringContaining(held) });
  });

  test('without a binary log locks are not held for flushing, however long a commit takes', async () => {
    const picture = { tps: 45, readMs: 0.2, writeMs: 290, commitMs: 40, ...waiting };
    const { verdicts } = await verdictOf({ ...picture, variables: { log_bin: 'OFF' } });
    expect(verdicts[0]).toMatchObject({ id: 'row-contention', is: expect.stringContaining('computing') });
    expect(verdicts[0]!.evidence.join()).toMatch(/\d % in commits, which let go of the locks first/);
  });

  test('also where sessions spend the end of the run with finishing, and are idle one after the other', async () => {
    const picture = {
      tps: 45,
      readMs: 0.2,
      writeMs: 240,
      commitMs: 40,
      drainS: 6,
      running: 16,
      queue: 0.1,
      ...waiting,
    };
    const { verdicts } = await verdictOf(picture);
    expect(verdicts[0]).toMatchObject({ id: 'row-contention', is: expect.stringContaining('flushing the log') });
  });
});

describe('no alarm without a reason', () => {
  test('a healthy run has no verdict at all', async () => {
    const { verdicts, is, isDetermined } = await verdictOf(healthy);
    expect(verdicts).toEqual([]);
    expect(isDetermined).toBe(false);
    expect(is).toBe('Nothing stands out: no resource was near its limit.');
  });

  test('where most of the time is unexplained, that is what is said', async () => {
    const picture = { tps: 100, readMs: 10, writeMs: 20, commitMs: 30, serverCores: 0.2, busy: 0.2 };
    const { is } = await verdictOf(picture);
    expect(is).toMatch(/^Undetermined: only \d+(\.\d)? % of the sessions' time/);
  });

  test('a cold pool that still has free pages is not too small', async () => {
    const buffer_pool = { misses_per_s: 4_000, total_bytes: 1_024 * MIB, free_bytes: 500 * MIB };
    const { verdicts } = await verdictOf({ ...healthy, measured: { buffer_pool } });
    expect(verdicts).toEqual([]);
  });

  test('nor one that fills up with what is read; but one whose pages go as fast as others come', async () => {
    const buffer_pool = { misses_per_s: 4_000, total_bytes: 8 * MIB, free_bytes: 4 * MIB, pages_read_per_s: 4_000 };
    const readMib = (4_000 * ELAPSED_S * 16) / 1_024;
    const held = (toMib: number) => ({ buffer_pool: { data_bytes: [1 * MIB, toMib * MIB] } });
    const filling = await verdictOf({ ...healthy, measured: { buffer_pool }, points: held(readMib) });
    expect(filling.verdicts).toEqual([]);
    const full = await verdictOf({ ...healthy, measured: { buffer_pool }, points: held(4) });
    expect(idsOf(full.verdicts)).toEqual(['contributes read-io']);
  });

  test.each<{ because: string; picture: Picture }>([
    { because: 'there is no link to a socket', picture: { roundTripUs: 50, roundTripP99Us: 60_000 } as Picture },
    {
      because: 'a few milliseconds are the scheduler',
      picture: { address: 'db1:3306', roundTripP99Us: 4_000 } as Picture,
    },
    {
      because: 'a single segment was sent again',
      picture: {
        address: 'db1:3306',
        measured: { network: { tcp_retransmitted_ratio: 0.02, tcp_retransmitted_per_s: 0.1 } },
      } as unknown as Picture,
    },
  ])('no lossy link: $because', async ({ picture }) => {
    expect((await verdictOf({ ...healthy, ...picture })).verdicts).toEqual([]);
  });
});

describe('nothing is claimed beyond what was seen', () => {
  const COMMITS = { tps: 700, readMs: 0.2, writeMs: 0.5, commitMs: 19, serverCores: 0.6 };

  test.each<{ what: string; picture: Picture }>([
    { what: 'commits', picture: COMMITS },
    { what: 'a long way', picture: { tps: 430, readMs: 3, writeMs: 3, commitMs: 3.5, roundTripUs: 2_900 } },
    { what: 'swapping', picture: { ...healthy, measured: { memory_swap: { swap_out_pages_per_s: 500 } } } },
    {
      what: 'connections turned away',
      picture: { ...healthy, measured: { network: { listen_overflows_per_s: 3 } } },
    },
    { what: 'deadlocks', picture: { ...healthy, deadlocks: 200 } },
  ])(
    'processors that were not seen are not told to be idle, nor anything else to be zero: $what',
    async ({ picture }) => {
      const { verdicts } = await verdictOf({ ...picture, isBlind: true });
      expect(verdicts.length).toBeGreaterThan(0);
      for (const { evidence } of verdicts) expect(evidence.join('; ')).not.toMatch(/\b0(?:\.0)? (?:%|\w)/);
    },
  );

  test('what sets the pace is not named while most of the time is unexplained; what was found still contributes', async () => {
    const half = { ...COMMITS, readMs: 1.1, commitMs: 10, serverCores: 0.1 };
    const { first, verdicts, is, isDetermined } = await verdictOf(half);
    expect(first).toBeUndefined();
    expect(is).toMatch(/^Undetermined: only \d+ % of the sessions' time/);
    expect(isDetermined).toBe(false);
    expect(idsOf(verdicts)).toEqual(['contributes commit']);
  });

  test('a full link sets the pace, though it is in no share of the time', async () => {
    const picture = { ...healthy, measured: { network: { 'total.utilisation': 0.97 } } };
    expect((await verdictOf(picture)).first).toBe('network-bandwidth');
  });

  test.each<{ full: RegExp; picture: Partial<Picture> }>([
    { full: /the host's processors were busy 99 % of the time/, picture: { busy: 0.99, serverCores: 0.8 } },
    {
      full: /only \d+ % of .*; the host's processors were busy 99/,
      picture: { busy: 0.99, serverCores: 0.2, commitMs: 0.1, readMs: 0.9 },
    },
    { full: /a worker of the client was busy 95 % of the time/, picture: { loop: 0.95, running: 1.2 } },
  ])('that no resource was near its limit is not said where one was: $full', async ({ full, picture }) => {
    const { is, isDetermined } = await verdictOf({ ...healthy, ...picture });
    expect(is).toMatch(/^Undetermined: /);
    expect(is).toMatch(full);
    expect(isDetermined).toBe(false);
  });

  test('nor where the processors were not seen', async () => {
    expect((await verdictOf({ ...healthy, isBlind: true })).is).toMatch(/could not\.$/);
  });
});

describe('the way to the server', () => {
  const scattered = { address: '127.0.0.1:3306', roundTripUs: 39, roundTripP99Us: 13_800, roundTripMeanUs: 452 };
  const busyHere: Picture = { tps: 750, threads: 4, readMs: 0.35, writeMs: 0.5, commitMs: 1, ...scattered };

  test('within one machine there is no link that could lose packets, and its scatter is no cost', async () => {
    const { verdicts, ceilings, budget } = await diagnose(run({ ...busyHere, isLinked: false }));
    expect(idsOf(verdicts)).not.toContain('alarm lossy-link');
    expect(budget!.shares['network']).toBe(0);
    for (const { of, perS } of ceilings) expect(perS, of).toBeGreaterThanOrEqual(busyHere.tps);
  });

  test('through a proxy of this machine there is one', async () => {
    const { verdicts } = await diagnose(run({ ...busyHere, isLinked: true }));
    expect(idsOf(verdicts)).toContain('alarm lossy-link');
  });

  test('a mean that is longer than statements took in the run is not believed: the median stands in', async () => {
    const { verdicts, ceilings } = await diagnose(run({ ...busyHere, isLinked: true, roundTripMeanUs: 3_000 }));
    expect(idsOf(verdicts).join()).not.toContain('network-latency');
    const way = ceilings.find(({ of }) => of === 'the way to the server');
    expect(way!.how).toContain('0.039 ms');
  });

  test('nor is a median; then nothing is said of the way', async () => {
    const { budget, ceilings } = await diagnose(run({ ...busyHere, isLinked: true, roundTripUs: 4_000 }));
    expect(budget!.shares['network']).toBeUndefined();
    expect(ceilings.map(({ of }) => of)).not.toContain('the way to the server');
  });
});

describe('what is said of processors fits the budget', () => {
  const shared: Picture = {
    tps: 400,
    readMs: 3.5,
    writeMs: 2,
    commitMs: 2,
    busy: 0.97,
    serverCores: 0.7,
    queue: 0.2,
    running: 1,
    measured: { client: { run_delay_ratio: 0.8, cpu_cores: 1.1 }, other_processes: { cores: 0.1 } },
  };

  test('the waiting of the client is told apart, and who has the processors is named', async () => {
    const { verdicts } = await verdictOf(shared);
    const { budget } = await diagnose(run(shared));
    const { is, evidence, advice } = verdicts.find(({ id }) => id === 'server-cpu')!;
    expect(is).toMatch(/the client has most of them\.$/);
    expect(advice).not.toMatch(/indexes/);
    const told = evidence.join('; ');
    for (const share of ['server-cpu', 'cpu-queue', 'client-queue']) {
      const percent = budget!.shares[share]! * 100;
      expect(told).toContain(`${percent.toFixed(percent < 10 ? 1 : 0)} %`);
    }
  });

  test('where others have them, looking at statements is not what helps', async () => {
    const others = { ...shared, measured: { ...shared.measured, other_processes: { cores: 2.5 } } };
    const { verdicts } = await verdictOf(others);
    expect(verdicts.find(({ id }) => id === 'server-cpu')!.advice).not.toMatch(/^Look at plans/);
  });

  test('no part of what others use is told to be more than the whole', async () => {
    const measured = { other_processes: { cores: 0.207, 'top.tsc.cores': 0.317, 'top.npm.cores': 0.123 } };
    const { verdicts } = await verdictOf({ ...healthy, measured });
    const told = verdicts.find(({ id }) => id === 'other-processes')!.evidence.join('; ');
    expect(told).toContain('among them tsc, npm');
    expect(told).not.toContain('0.317');
  });
});

describe('commits that take much longer than flushes of the disk', () => {
  const slow = { tps: 500, readMs: 0.2, writeMs: 0.5, commitMs: 26, serverCores: 0.6 };
  test.each<{ flushMs: number; isAbove: boolean }>([
    { flushMs: 0.227, isAbove: true },
    { flushMs: 12, isAbove: false },
  ])('at $flushMs ms a flush, 26 ms a commit', async ({ flushMs, isAbove }) => {
    const disk = { 'data_disk.flush_latency_ms': flushMs };
    const { verdicts } = await verdictOf({ ...slow, measured: { disk } });
    expect(verdicts[0]).toMatchObject({ id: 'commit', role: 'bottleneck' });
    expect(verdicts[0]!.evidence.join().includes('above the disk')).toBe(isAbove);
    expect(/take a disk that flushes faster/.test(verdicts[0]!.advice)).toBe(!isAbove);
  });
});

describe('a schedule sets the pace', () => {
  const open: Picture = { ...healthy, mode: 'open', threads: 8 };
  const short: Picture = { ...COMPUTING, mode: 'open', threads: 24, queue: 12 };

  test('where all that was due was done, and nothing is near its limit', async () => {
    const { verdicts, is, isDetermined } = await verdictOf(open);
    expect(verdicts).toEqual([]);
    expect(is).toBe("The load's own schedule sets the pace, and all that was due was done.");
    expect(isDetermined).toBe(true);
  });

  test('what is at its limit adds to the time that transactions take, and no more', async () => {
    const { verdicts } = await verdictOf(short);
    expect(idsOf(verdicts)).toEqual(['contributes server-cpu']);
    expect(verdicts[0]!.confirmBy).toMatch(/^Without the schedule, as fast as it goes: with half/);
  });

  test('that a statement takes its time to compute is no limit', async () => {
    const alone = { ...open, tps: 50, threads: 1, readMs: 1, writeMs: 0.5, commitMs: 0.5, serverCores: 0.5 };
    expect((await verdictOf(alone)).verdicts).toEqual([]);
  });

  test.each<{ because: string; change: Partial<Picture> }>([
    { because: 'all sessions are busy all the time', change: { threads: 1 } },
    { because: 'at the end more waited than there are sessions', change: { unfinished: 25 } },
  ])('no longer where $because', async ({ change }) => {
    expect((await verdictOf({ ...short, ...change })).first).toBe('server-cpu');
    expect((await verdictOf({ ...open, ...change })).isDetermined).toBe(false);
  });

  test('a client that cannot keep to it is the limit', async () => {
    expect((await verdictOf({ ...open, unfinished: 25, loop: 0.99 })).first).toBe('client');
  });
});

describe('what spoils a run, or adds to its cost', () => {
  test.each<{ id: string; picture: Picture }>([
    {
      id: 'other-processes',
      picture: { ...healthy, measured: { other_processes: { cores: 0.9, 'top.stress.cores': 0.9 } } },
    },
    { id: 'stolen-time', picture: { ...healthy, measured: { cpu: { steal: 0.08 } } } },
    { id: 'memory', picture: { ...healthy, measured: { memory_swap: { swap_out_pages_per_s: 500 } } } },
    {
      id: 'lossy-link',
      picture: {
        ...healthy,
        address: 'db1:3306',
        measured: { network: { tcp_retransmitted_ratio: 0.02, tcp_retransmitted_per_s: 3 } },
      },
    },
    { id: 'lossy-link', picture: { ...healthy, address: '[::1]:3306', roundTripP99Us: 60_000 } },
    { id: 'log-buffer', picture: { ...healthy, measured: { redo_log: { waits_per_s: 3 } } } },
    { id: 'free-pages', picture: { ...healthy, measured: { buffer_pool: { wait_free_per_s: 2 } } } },
    {
      id: 'redo-pressure',
      picture: {
        ...healthy,
        measured: { redo_log: { bytes_per_s: 8 * MIB, capacity_bytes: 80 * MIB } },
        points: { redo_log: { checkpoint_age_ratio: [0.3, 0.7, 0.88, 0.9, 0.91] } },
      },
    },
    {
      id: 'purge-lag',
      picture: {
        ...healthy,
        points: { server_internals: { history_list_length: Array.from({ length: 20 }, (_, at) => at * 20_000) } },
      },
    },
    {
      id: 'throttling',
      picture: { ...healthy, busy: 0.9, measured: { clock_speed: { frequency_ratio: 0.6 } } },
    },
    {
      id: 'throttling',
      picture: { ...healthy, measured: { clock_speed: { thermal_throttles_per_s: 0.5 } } },
    },
    {
      id: 'connection-storm',
      picture: { ...healthy, measured: { server_work: { connections_per_s: 200, questions_per_s: 2_400 } } },
    },
    {
      id: 'connection-storm',
      picture: {
        ...healthy,
        measured: { server_work: { connections_per_s: 1, questions_per_s: 2_200, connection_errors_max_per_s: 2 } },
      },
    },
  ])('$id', async ({ id, picture }) => {
    const { verdicts } = await verdictOf(picture);
    expect(verdicts.map((verdict) => verdict.id)).toEqual([id]);
    expect(verdicts[0]!.role).not.toBe('bottleneck');
  });

  test('a link that stalls is paid for by its mean, not by what most round trips take', async () => {
    const stalling = { address: 'db1:3306', roundTripUs: 100, roundTripP99Us: 60_000, roundTripMeanUs: 3_000 };
    const { verdicts } = await verdictOf({ tps: 430, readMs: 3, writeMs: 3, commitMs: 3.5, busy: 0.2, ...stalling });
    expect(idsOf(verdicts)).toEqual(['bottleneck network-latency', 'alarm lossy-link']);
  });
});

describe('the budget', () => {
  const sumOf = (shares: Readonly<Record<string, number>>) =>
    Object.values(shares).reduce((sum, share) => sum + share, 0);

  test('adds up to one, and the lowest ceiling comes first', async () => {
    const { budget, ceilings } = await diagnose(run(healthy));
    expect(sumOf(budget!.shares)).toBeCloseTo(1, 9);
    const rates = ceilings.map(({ perS }) => perS);
    expect(rates).toEqual([...rates].sort((one, other) => one - other));
    expect(rates.length).toBeGreaterThan(0);
  });

  test('explains no more than there is, where estimates overlap', async () => {
    const { budget } = await diagnose(run({ ...COMPUTING, queue: 12, measured: { row_locks: { waiting: 14 } } }));
    expect(budget!.shares['rest']).toBeCloseTo(0, 9);
    expect(budget!.shares['row-lock']! / budget!.shares['cpu-queue']!).toBeCloseTo(14 / 12, 9);
  });

  test('no ceiling is below what was measured', async () => {
    const pictures: Picture[] = [
      healthy,
      COMPUTING,
      { tps: 45, readMs: 0.2, writeMs: 290, commitMs: 40, measured: { row_locks: { waiting: 13 } } },
      { tps: 700, readMs: 0.2, writeMs: 0.5, commitMs: 19, serverCores: 0.6 },
    ];
    for (const picture of pictures) {
      const { ceilings } = await diagnose(run(picture));
      for (const { of, perS } of ceilings) expect(perS, of).toBeGreaterThanOrEqual(picture.tps);
    }
  });
});

test('the page tells of every verdict, and of no other', () => {
  const page = readFileSync(new URL('../../docs/diagnosis.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('## Verdicts'), page.indexOf('Look-alikes'));
  const told = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1]);
  expect(told.sort()).toEqual(entryNames(new URL('./catalog/', import.meta.url)).sort());
});

test('of a run that was too short nothing is said', async () => {
  const short = run({ ...healthy });
  const { is, verdicts } = await diagnose({ ...short, totals: { ...short.totals, elapsedS: 2 } });
  expect(is).toMatch(/^Undetermined: only 2.0 s were measured/);
  expect(verdicts).toEqual([]);
});
