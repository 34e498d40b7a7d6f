/** What is watched beside a real load, what it costs, and what becomes of it where nothing may be seen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOnce } from '../../src/lab/run.ts';
import { openStore } from '../../src/store/store.ts';
import { connect } from '../../src/wire/connection.ts';
import { prepare, requestFor, startTestBench, type TestBench } from '../support/lab.ts';

const never = new AbortController().signal;
const OPTIONS = { table_size: 2_000, tables: 1 };

let bench: TestBench;

beforeAll(async () => {
  bench = await startTestBench();
  await prepare(bench, { workload: 'oltp_read_write', options: OPTIONS });
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

async function watched(observe: object = {}, plan: object = {}) {
  const load = { threads: 4, timeS: 3, events: 0, intervalS: 1, ...plan };
  const request = await requestFor(bench, { workload: 'oltp_read_write', options: OPTIONS, plan: load });
  return runOnce({ ...request, observe: { intervalS: 0.5, host: {}, examines: true, ...observe } }, {}, never);
}

describe('a run that is watched', () => {
  test('has series of server, host and client on its own clock, and its counts stay exact', async () => {
    const record = await watched();
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    const { series = {}, observation } = record;
    expect(Object.keys(series)).toEqual(expect.arrayContaining(['server_work', 'buffer_pool', 'redo_log', 'client']));
    if (process.platform === 'linux')
      expect(Object.keys(series)).toEqual(expect.arrayContaining(['cpu', 'server_process']));
    for (const { atS, values } of Object.values(series)) {
      expect(atS).toEqual([...atS].sort((one, other) => one - other));
      expect(atS.at(-1)).toBeLessThanOrEqual(record.totals.elapsedS + 1);
      for (const { points } of Object.values(values)) expect(points).toHaveLength(atS.length);
    }
    // What was committed, and what was not: all of it was sent between the first and the last look.
    const commits = series['server_work']!.measured['commit_per_s']!;
    expect(commits / record.rates.transactionsPerS).toBeGreaterThan(0.9);
    expect(commits / record.rates.transactionsPerS).toBeLessThan(1.1);
    expect(observation!.samples).toBeGreaterThanOrEqual(4);
    expect(observation!.cost.serverStatements).toBeGreaterThanOrEqual(observation!.samples - observation!.missed);
    expect(observation!.cost.serverBytes).toBeGreaterThan(1_000);
  });

  test('has an environment, phases, a diagnosis, a grade and a class of durability', async () => {
    const record = await watched({}, { warmupS: 1 });
    expect(record.environment!.server).toMatchObject({ flavor: 'mariadb' });
    expect(record.environment!.roundTripUs!.p50).toBeGreaterThan(0);
    expect(record.phases!.map(({ name }) => name)).toEqual(['connect', 'warm-up', 'measure', 'drain']);
    expect(record.phases![2]!.startS).toBe(0);
    expect(record.diagnosis!.is).toMatch(/\.$/);
    expect(record.grade).toMatchObject({ is: 'C', because: [expect.stringContaining('were measured')] });
    expect(record.durability!.is).toMatch(/^D\d$|^unknown$/);
    const loaded = await openStore(bench.directory).load(record.id);
    expect(loaded).toEqual(record);
  });
});

test('where the user may see nothing, the run works and says what it could not see', async () => {
  await using root = await connect(bench.target);
  await root.execute("CREATE USER IF NOT EXISTS poor@localhost IDENTIFIED BY 'p'");
  await root.execute(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${bench.target.database}.* TO poor@localhost`);
  const poor = { ...bench.target, user: 'poor', password: 'p' };
  const record = await watched({ examines: false }, { targets: [poor] });
  expect(record.ending).toEqual({ kind: 'time' });
  expect(record.totals.transactions.committed).toBeGreaterThan(0);
  expect(record.observation!.unseen.length).toBeGreaterThan(0);
  for (const { because } of record.observation!.unseen) expect(because).toMatch(/\S/);
});

test('a run that is not to be watched is not', async () => {
  const request = await requestFor(bench, { workload: 'oltp_read_write', options: OPTIONS, plan: { events: 20 } });
  const record = await runOnce(request, {}, never);
  expect(record).not.toHaveProperty('series');
  expect(record).not.toHaveProperty('diagnosis');
});
