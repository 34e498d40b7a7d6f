/** A private server with a database, and plans for small loads on it: for tests of whole runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultsOf } from '../../src/base/options.ts';
import { createDatabase, maintain } from '../../src/lab/maintenance.ts';
import type { RunRequest } from '../../src/lab/run.ts';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import type { LoadPlan } from '../../src/load/plan.ts';
import { eventsOfSequence } from '../../src/load/sequence.ts';
import type { ConnectOptions } from '../../src/wire/types.ts';
import { loadWorkload } from '../../src/workload/find.ts';

export interface TestBench extends AsyncDisposable {
  readonly server: PrivateServer;
  readonly target: ConnectOptions;
  readonly directory: string;
}

/** Durable settings would only make tests wait for the disk. */
const FAST = ['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=0', '--innodb-lock-wait-timeout=5'];

/** `tcp`: also on a port of 127.0.0.1, with a password. */
export async function startTestBench(extraArguments: readonly string[] = [], tcp = false): Promise<TestBench> {
  const directory = mkdtempSync(join(tmpdir(), 'sqldyno-test-lab-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  try {
    const server = await startPrivateServer({ directory, extraArguments: [...FAST, ...extraArguments], tcp });
    const target = { ...server.target, database: 'sbtest' };
    await createDatabase(target);
    const dispose = async () => {
      await server.stop();
      removeDirectory();
    };
    return { server, target, directory, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    removeDirectory();
    throw error;
  }
}

export interface TestRun {
  readonly workload: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly plan?: Partial<LoadPlan>;
}

const RAND = {
  type: 'special',
  scrambled: false,
  specIter: 12,
  specPct: 1,
  specRes: 75,
  paretoH: 0.2,
  zipfianExp: 0.8,
} as const;

export async function requestFor(bench: TestBench, { workload: name, options, plan }: TestRun): Promise<RunRequest> {
  const { workload } = await loadWorkload(name);
  const workloadOptions = { ...defaultsOf(workload.options), ...options };
  const sequence = workload.work?.(workloadOptions as never)?.sequence ?? [];
  return {
    plan: {
      workload: { name, options: workloadOptions },
      targets: [bench.target],
      threads: 1,
      workers: 1,
      timeS: 0,
      events: sequence.length > 0 ? eventsOfSequence(sequence) : 200,
      warmupS: 0,
      isWarmupAuto: false,
      eventsPerThread: 0,
      sequence,
      terminals: 0,
      terminalTimeFactor: 1,
      ratePerS: 0,
      arrivals: 'poisson',
      queueMax: 1000,
      intervalS: 0,
      checkpointsS: [],
      percentiles: [95],
      forcedShutdownS: undefined,
      threadInitTimeoutS: 30,
      rand: RAND,
      seed: 1,
      validate: false,
      preparedStatements: true,
      errors: {
        ignore: [1213, 1020, 1205],
        attemptsMax: 100,
        lostConnection: 'stop',
        reconnectDeadlineS: 10,
        reconnectEveryEvents: 0,
      },
      ...plan,
    },
    workload,
    workloadOptions,
    command: ['sqldyno', name, 'run'],
    tags: [],
    storeDirectory: bench.directory,
    isPrivate: true,
    version: '0.0.0-test',
  };
}

export async function prepare(bench: TestBench, run: TestRun): Promise<void> {
  const { workload, workloadOptions } = await requestFor(bench, run);
  const request = {
    targets: [bench.target],
    workload,
    workloadName: run.workload,
    workloadOptions,
    threads: 2,
    seed: 1,
    rand: RAND,
    preparedStatements: true,
  };
  const view = { onNote: () => {}, onAdvance: () => {} };
  await maintain('prepare', request, view, new AbortController().signal);
}
