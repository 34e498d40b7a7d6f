/**
 * A run from a program: a private server, a small table, a short load, and its figures.
 *
 *   node examples/measure.mjs
 */
import { availableParallelism } from 'node:os';
import {
  createDatabase,
  defaultsOf,
  fromLatencyRecord,
  LOAD_OPTIONS,
  loadWorkload,
  maintain,
  planLoad,
  programVersion,
  runOnce,
  startPrivateServer,
} from 'sqldyno';

const { name, workload } = await loadWorkload('oltp_point_select');
const options = { ...defaultsOf(workload.options), table_size: 1_000 };
const load = { ...defaultsOf(LOAD_OPTIONS), threads: 2, time: 2 };
const { signal } = new AbortController();

const server = await startPrivateServer();
try {
  const target = { ...server.target, database: 'sbtest' };
  await createDatabase(target);
  const plan = {
    ...planLoad(load, { cores: availableParallelism(), drawSeed: () => 42 }),
    workload: { name, options },
    sequence: [],
    targets: [target],
  };
  const { threads, seed, rand, preparedStatements } = plan;
  await maintain(
    'prepare',
    {
      targets: [target],
      workload,
      workloadName: name,
      workloadOptions: options,
      threads,
      seed,
      rand,
      preparedStatements,
    },
    { onNote: console.log, onAdvance: () => {} },
    signal,
  );
  const record = await runOnce(
    {
      plan,
      workload,
      workloadOptions: options,
      command: ['examples/measure.mjs'],
      tags: ['example'],
      isPrivate: true,
      version: programVersion(),
    },
    {},
    signal,
  );
  const latency = fromLatencyRecord(record.latency.transactions.all.service);
  console.log(`${record.rates.transactionsPerS.toFixed(0)} transactions/s`);
  console.log(`p50 ${latency.percentileUs(50)} us, p99 ${latency.percentileUs(99)} us`);
  console.log(`counts agree with the server: ${record.crossCheck.ok}`);
} finally {
  await server.stop();
}
