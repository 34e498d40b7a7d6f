/** Real servers with a cause of slowness planted in them, or beside them, and the loads that meet it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../src/lab/maintenance.ts';
import { runOnce } from '../../src/lab/run.ts';
import { startPrivateServer } from '../../src/lab/server.ts';
import type { ApplyLoad, LoadPlan } from '../../src/load/plan.ts';
import type { Verdict } from '../../src/model/judgement.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { startHogs } from './cpu-hog.ts';
import { prepare, requestFor, type TestBench, type TestRun } from './lab.ts';
import { execute } from './maintenance.ts';
import { slowFlushes, slowReads } from './slow-flush.ts';
import { type Slowness, startSlowProxy } from './slow-proxy.ts';

export interface Plant {
  readonly name: string;
  /** The verdict's id; absent: there is nothing wrong. */
  readonly cause?: string;
  /**
   * `first`: what sets the pace. `named`: among the verdicts, whatever sets the pace on this machine. `alarm`: what
   * spoils the run, whatever else is said.
   */
  readonly as?: 'first' | 'named' | 'alarm';
  /** A part of what the verdict, or its evidence, must say. */
  readonly saying?: string;
  readonly needsStrace?: true;
  run(ground: Ground): Promise<RunRecord>;
}

/** A server, and what grows on it. */
export interface Site {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly data: readonly TestRun[];
  readonly plants: readonly Plant[];
}

export interface Ground extends AsyncDisposable {
  readonly bench: TestBench;
  /** With threads of its own, so that load and observation do not wait for each other. */
  readonly load: ApplyLoad;
}

export async function startSite({ arguments: extraArguments, data }: Site, load: ApplyLoad): Promise<Ground> {
  const directory = mkdtempSync(join(tmpdir(), 'sqldyno-test-plant-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  try {
    const server = await startPrivateServer({ directory, extraArguments });
    const dispose = async () => {
      await server.stop();
      removeDirectory();
    };
    const target = { ...server.target, database: 'sbtest' };
    const bench = { server, target, directory, [Symbol.asyncDispose]: dispose };
    await createDatabase(target);
    for (const run of data) await prepare(bench, run);
    return { bench, load, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    removeDirectory();
    throw error;
  }
}

/** What is said of the run first, alarms aside: what sets its pace, or else what it pays for most. */
export function firstOf({ diagnosis }: RunRecord): Verdict | undefined {
  return diagnosis?.verdicts.find(({ role }) => role !== 'alarm');
}

export function verdictOf({ diagnosis }: RunRecord, id: string): Verdict | undefined {
  return diagnosis?.verdicts.find((verdict) => verdict.id === id);
}

/** More than the shortest of which anything is said, and as much again as a checkpoint takes. */
const MEASURED_S = 6;
const WARMUP_S = 1;
/** Of an SD card, and of a hard disk that is not busy. */
const FLUSH_MS = 20;
const READ_MS = 5;
const OBSERVE = { intervalS: 0.5, host: {} };

async function observed({ bench, load }: Ground, run: TestRun): Promise<RunRecord> {
  const plan = { events: 0, timeS: MEASURED_S, warmupS: WARMUP_S, ...run.plan };
  const request = await requestFor(bench, { ...run, plan });
  return runOnce({ ...request, observe: OBSERVE }, {}, new AbortController().signal, load);
}

async function throughProxy(ground: Ground, slowness: Slowness, run: TestRun): Promise<RunRecord> {
  using proxy = await startSlowProxy(ground.bench.server.socketPath, slowness);
  const { host, port } = proxy;
  const { socketPath: _, ...target } = ground.bench.target;
  return await observed(ground, { ...run, plan: { ...run.plan, targets: [{ ...target, host, port }] } });
}

async function withSlowFlushes(ground: Ground, run: TestRun): Promise<RunRecord> {
  await using _ = await slowFlushes(ground.bench.server.pid, FLUSH_MS);
  return await observed(ground, run);
}

async function withSlowReads(ground: Ground, run: TestRun): Promise<RunRecord> {
  await using _ = await slowReads(ground.bench.server.pid, READ_MS);
  return await observed(ground, run);
}

/** The disk of the machine must not matter. */
async function withoutFlushes(ground: Ground, run: TestRun): Promise<RunRecord> {
  const { target } = ground.bench;
  await execute(target, 'SET GLOBAL innodb_flush_log_at_trx_commit = 0', 'SET GLOBAL sync_binlog = 0');
  try {
    return await observed(ground, run);
  } finally {
    await execute(target, 'SET GLOBAL innodb_flush_log_at_trx_commit = 1', 'SET GLOBAL sync_binlog = 1');
  }
}

async function besideHogs(ground: Ground, run: TestRun): Promise<RunRecord> {
  await using _ = startHogs(availableParallelism());
  return await observed(ground, run);
}

const UNIFORM: LoadPlan['rand'] = {
  type: 'uniform',
  scrambled: false,
  specIter: 12,
  specPct: 1,
  specRes: 75,
  paretoH: 0.2,
  zipfianExp: 0.8,
};

/** 2 MiB: in memory everywhere. */
const SMALL = { table_size: 10_000 };
/** 110 MiB. */
const LARGE = { table_size: 500_000 };
const ranges = (size: number) => ({ ...SMALL, point_selects: 0, range_size: size, skip_trx: true });

/** A few for each processor. */
const MANY = Math.max(24, 4 * availableParallelism());

const SORTING: TestRun = {
  workload: 'oltp_read_only',
  options: { ...ranges(3_000), simple_ranges: 0 },
  plan: { threads: MANY, workers: 2 },
};
/** The client looks at every one of a thousand rows that the server only copies. */
const VALIDATING: TestRun = {
  workload: 'oltp_read_only',
  options: { ...ranges(1_000), sum_ranges: 0, order_ranges: 0, distinct_ranges: 0 },
  plan: { threads: 64, workers: 1, validate: true },
};
const MIXED: TestRun = { workload: 'oltp_read_write', options: SMALL, plan: { threads: 8 } };

const IN_MEMORY: Site = {
  name: 'a server in memory',
  arguments: ['--innodb-buffer-pool-size=128M', '--innodb-flush-log-at-trx-commit=0'],
  data: [{ workload: 'oltp_read_write', options: SMALL }],
  plants: [
    {
      name: 'nothing: 40 transactions a second',
      run: (ground) => observed(ground, { ...MIXED, plan: { threads: 8, ratePerS: 40 } }),
    },
    {
      name: 'nothing: 400 reads a second',
      run: (ground) =>
        observed(ground, { workload: 'oltp_point_select', options: SMALL, plan: { threads: 4, ratePerS: 400 } }),
    },
    {
      name: 'more sorting than the processors can do',
      cause: 'server-cpu',
      run: (ground) => observed(ground, SORTING),
    },
    {
      name: 'a saturated client: one worker, 64 connections',
      cause: 'client',
      run: (ground) => observed(ground, VALIDATING),
    },
    {
      name: 'a long way: 3 ms in each direction',
      cause: 'network-latency',
      run: (ground) => throughProxy(ground, { delayMs: 3 }, MIXED),
    },
    {
      name: 'a link that stalls: one piece in 25 for 200 ms',
      cause: 'lossy-link',
      as: 'alarm',
      run: (ground) => throughProxy(ground, { stall: { everyPieces: 25, ms: 200 } }, MIXED),
    },
    {
      name: 'a storm of connections: one for each transaction',
      cause: 'connection-storm',
      run: async (ground) => {
        const run = { workload: 'oltp_point_select', options: SMALL };
        const { errors } = (await requestFor(ground.bench, run)).plan;
        const plan = { threads: 8, workers: 2, errors: { ...errors, reconnectEveryEvents: 1 } };
        return observed(ground, { ...run, plan });
      },
    },
    {
      name: 'a CPU hog on every processor',
      cause: 'other-processes',
      as: 'alarm',
      saying: 'yes (',
      run: (ground) => besideHogs(ground, { ...MIXED, plan: { threads: 4 } }),
    },
  ],
};

const MISSING: TestRun = {
  workload: 'oltp_point_select',
  options: LARGE,
  plan: { threads: 16, rand: UNIFORM },
};

const SMALL_POOL: Site = {
  name: 'a server whose buffer pool is too small',
  arguments: ['--innodb-buffer-pool-size=8M', '--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=O_DIRECT'],
  data: [{ workload: 'oltp_read_write', options: LARGE }],
  plants: [
    {
      name: 'a small buffer pool',
      cause: 'read-io',
      as: 'named',
      run: (ground) => observed(ground, MISSING),
    },
    {
      name: 'a small buffer pool, reads of 5 ms',
      cause: 'read-io',
      needsStrace: true,
      run: (ground) => withSlowReads(ground, MISSING),
    },
  ],
};

const WRITING: TestRun = { workload: 'oltp_write_only', options: LARGE, plan: { threads: 16, rand: UNIFORM } };

const SMALL_LOG: Site = {
  name: 'a server whose redo log is too small',
  arguments: [
    '--innodb-buffer-pool-size=512M',
    '--innodb-flush-log-at-trx-commit=0',
    // The least that each of them takes; a server does not know the other one.
    '--loose-innodb-log-file-size=4M',
    '--loose-innodb-redo-log-capacity=8M',
  ],
  data: [{ workload: 'oltp_read_write', options: LARGE }],
  plants: [
    {
      name: 'a small redo log',
      cause: 'redo-pressure',
      as: 'named',
      run: (ground) => observed(ground, WRITING),
    },
    {
      name: 'a small redo log, flushes of 20 ms',
      cause: 'redo-pressure',
      needsStrace: true,
      run: (ground) => withSlowFlushes(ground, WRITING),
    },
  ],
};

const WAREHOUSE: TestRun = { workload: 'tpcc', options: { scale: 1 }, plan: { threads: 32 } };
const MANY_ROWS = { table_size: 50_000 };

/** With a binary log, locks are held until it is flushed; without one, InnoDB lets go of them before. */
const DURABLE: Site = {
  name: 'a server that flushes at each commit, with a binary log',
  arguments: [
    '--innodb-buffer-pool-size=256M',
    '--innodb-flush-log-at-trx-commit=1',
    '--log-bin',
    '--sync-binlog=1',
    '--max-connections=200',
  ],
  data: [
    { workload: 'oltp_read_write', options: MANY_ROWS },
    { workload: 'tpcc', options: { scale: 1 } },
  ],
  plants: [
    {
      name: 'flushes of 20 ms',
      cause: 'commit',
      needsStrace: true,
      run: (ground) =>
        withSlowFlushes(ground, {
          workload: 'oltp_write_only',
          options: MANY_ROWS,
          plan: { threads: 8, rand: UNIFORM },
        }),
    },
    {
      name: 'flushes of 20 ms, each statement commits by itself',
      cause: 'commit',
      needsStrace: true,
      run: (ground) =>
        withSlowFlushes(ground, {
          workload: 'oltp_update_non_index',
          options: MANY_ROWS,
          plan: { threads: 8, rand: UNIFORM },
        }),
    },
    {
      name: 'one warehouse, 32 sessions',
      cause: 'row-contention',
      saying: 'held mostly for computing',
      run: (ground) => withoutFlushes(ground, WAREHOUSE),
    },
    {
      name: 'one warehouse, 32 sessions, flushes of 20 ms',
      cause: 'row-contention',
      saying: 'held mostly for flushing the log',
      needsStrace: true,
      run: (ground) => withSlowFlushes(ground, WAREHOUSE),
    },
    {
      name: 'one warehouse, 32 sessions, 3 ms in each direction',
      cause: 'row-contention',
      saying: 'held mostly for the way between client and server',
      run: (ground) => throughProxy(ground, { delayMs: 3 }, WAREHOUSE),
    },
  ],
};

const ONE_ROW: TestRun = {
  workload: 'oltp_write_only',
  options: { table_size: 1, index_updates: 0, delete_inserts: 0 },
  plan: { threads: 32 },
};

const WITHOUT_BINARY_LOG: Site = {
  name: 'a server that flushes at each commit, without a binary log',
  arguments: ['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=1'],
  data: [ONE_ROW],
  plants: [
    {
      name: 'one row, 32 sessions, flushes of 20 ms, no binary log',
      cause: 'commit',
      needsStrace: true,
      run: (ground) => withSlowFlushes(ground, ONE_ROW),
    },
  ],
};

export const SITES: readonly Site[] = [IN_MEMORY, SMALL_POOL, SMALL_LOG, DURABLE, WITHOUT_BINARY_LOG];
