/** Runs whose cause is known, as their records would tell it; and what must not be said of them. */
import { describe, expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosable } from './evidence.ts';

const ELAPSED_S = 30;

interface Picture {
  readonly threads?: number;
  readonly tps: number;
  /** Of each transaction: ten reads, one write and a COMMIT, in milliseconds each. */
  readonly readMs: number;
  readonly writeMs: number;
  readonly commitMs: number;
  readonly roundTripUs?: number;
  readonly busy?: number;
  readonly serverCores?: number;
  readonly loop?: number;
  readonly deadlocks?: number;
  /** By probe. */
  readonly measured?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Of a series over time, for what is judged by its peak. */
  readonly points?: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}

function latency(count: number, ms: number) {
  const histogram = new Histogram();
  for (let at = 0; at < 100; at++) histogram.record(ms * 1000);
  return { ...toLatencyRecord(histogram), count, sumUs: count * ms * 1000 };
}

function run(picture: Picture): Diagnosable {
  const { threads = 16, tps, busy = 0.3, serverCores = 0.5, loop = 0.2, roundTripUs = 60 } = picture;
  const closed = closedRun();
  const transactions = tps * ELAPSED_S;
  const statement = (kind: 'read' | 'write' | 'other', each: number) => {
    return { kind, committed: transactions * each, wasted: 0 };
  };
  const measured: Record<string, Record<string, number>> = {
    cpu: { busy },
    server_process: { cpu_cores: serverCores },
    ...picture.measured,
  };
  const probes = new Set([...Object.keys(measured), ...Object.keys(picture.points ?? {})]);
  const series = [...probes].map((probe) => {
    const points = Object.entries(picture.points?.[probe] ?? {});
    const values = Object.fromEntries(points.map(([name, all]) => [name, { unit: 'ratio', points: all }]));
    const length = Math.max(0, ...points.map(([, all]) => all.length));
    return [
      probe,
      { atS: Array.from({ length }, (_, at) => at + 1), values, measured: measured[probe] ?? {} },
    ] as const;
  });
  return {
    load: { ...closed.load, threads },
    target: { ...closed.target, variables: { innodb_flush_log_at_trx_commit: '1' } },
    rates: { transactionsPerS: tps, statementsPerS: tps * 12 },
    totals: {
      ...closed.totals,
      elapsedS: ELAPSED_S,
      errors:
        (picture.deadlocks ?? 0) > 0 ? [{ ...closed.totals.errors[0]!, code: 1213, count: picture.deadlocks! }] : [],
      transactions: { committed: transactions, byName: {} },
      statements: {
        ...closed.totals.statements,
        byName: { select: statement('read', 10), update: statement('write', 1), commit: statement('other', 1) },
      },
    },
    latency: {
      transactions: { all: { service: latency(transactions, 1) } },
      statements: {
        select: latency(transactions * 10, picture.readMs),
        update: latency(transactions, picture.writeMs),
        commit: latency(transactions, picture.commitMs),
      },
    },
    client: { ...closed.client, eventLoopUtilizationMax: loop },
    series: Object.fromEntries(series),
    environment: { host: { 'server.cores': 2 }, client: {}, roundTripUs: { p50: roundTripUs, p99: roundTripUs * 2 } },
    observation: { isClientHost: true },
  };
}

const MIB = 2 ** 20;
/** 16 sessions, each 12.8 ms a transaction: 1,250/s. */
const healthy: Picture = { tps: 200, threads: 2, readMs: 0.5, writeMs: 1, commitMs: 2, busy: 0.5, serverCores: 0.8 };

async function verdictOf(picture: Picture) {
  const { verdicts, isDetermined, is } = await diagnose(run(picture));
  return { first: verdicts[0]?.role === 'bottleneck' ? verdicts[0].id : undefined, verdicts, isDetermined, is };
}

describe('one cause at a time', () => {
  test.each<{ cause: string; picture: Picture }>([
    {
      cause: 'server-cpu',
      picture: { tps: 800, readMs: 1.4, writeMs: 3, commitMs: 3, busy: 0.97, serverCores: 1.6 },
    },
    {
      cause: 'server-cpu',
      picture: {
        tps: 800,
        readMs: 1.4,
        writeMs: 3,
        commitMs: 3,
        busy: 0.97,
        measured: { server_process: { cpu_cores: 1.6, waiting_threads: 12 } },
      },
    },
    {
      cause: 'commit',
      picture: { tps: 700, readMs: 0.2, writeMs: 0.5, commitMs: 19, busy: 0.4, serverCores: 0.6 },
    },
    {
      cause: 'read-io',
      picture: {
        tps: 400,
        readMs: 3.5,
        writeMs: 2,
        commitMs: 2,
        measured: {
          buffer_pool: { misses_per_s: 4_000, total_bytes: 128 * MIB, free_bytes: 1 * MIB },
          disk: { 'data_disk.read_latency_ms': 3, 'data_disk.reads_per_s': 4_000 },
        },
      },
    },
    {
      cause: 'row-contention',
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
      picture: { tps: 430, readMs: 3, writeMs: 3, commitMs: 3.5, roundTripUs: 2_900, busy: 0.2, serverCores: 0.3 },
    },
    {
      cause: 'client',
      picture: { tps: 3_000, readMs: 0.3, writeMs: 0.5, commitMs: 0.5, loop: 0.99, busy: 0.99, serverCores: 1 },
    },
    {
      cause: 'connection-storm',
      picture: {
        ...healthy,
        measured: { server_work: { connections_per_s: 180, questions_per_s: 2_200 } },
      },
    },
  ])('$cause', async ({ cause, picture }) => {
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
});

describe('what spoils a run, or adds to its cost', () => {
  test.each<{ id: string; picture: Picture }>([
    {
      id: 'other-processes',
      picture: { ...healthy, measured: { other_processes: { cores: 0.9, 'top.stress.cores': 0.9 } } },
    },
    { id: 'stolen-time', picture: { ...healthy, measured: { cpu: { busy: 0.5, steal: 0.08 } } } },
    { id: 'memory', picture: { ...healthy, measured: { memory_swap: { swap_out_pages_per_s: 500 } } } },
    { id: 'lossy-link', picture: { ...healthy, measured: { network: { tcp_retransmitted_ratio: 0.02 } } } },
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
      picture: { ...healthy, measured: { clock_speed: { frequency_ratio: 0.6 }, cpu: { busy: 0.9 } } },
    },
  ])('$id', async ({ id, picture }) => {
    const { verdicts } = await verdictOf(picture);
    expect(verdicts.map((verdict) => verdict.id)).toEqual([id]);
    expect(verdicts[0]!.role).not.toBe('bottleneck');
  });
});

test('the budget adds up to one, and the lowest ceiling comes first', async () => {
  const { budget, ceilings } = await diagnose(run(healthy));
  expect(Object.values(budget!.shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  const rates = ceilings.map(({ perS }) => perS);
  expect(rates).toEqual([...rates].sort((one, other) => one - other));
  expect(rates.length).toBeGreaterThan(0);
});

test('of a run that was too short nothing is said', async () => {
  const short = run({ ...healthy });
  const { is, verdicts } = await diagnose({ ...short, totals: { ...short.totals, elapsedS: 2 } });
  expect(is).toMatch(/^Undetermined: only 2.0 s were measured/);
  expect(verdicts).toEqual([]);
});
