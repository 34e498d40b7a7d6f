/** What is watched beside a real load, what it costs, and what becomes of it where nothing may be seen. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { nowMs } from '../../src/base/clock.ts';
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

async function watched(observe: object = {}, plan: object = {}, more: object = {}) {
  const load = { threads: 4, timeS: 3, events: 0, intervalS: 1, ...plan };
  const request = await requestFor(bench, { workload: 'oltp_read_write', options: OPTIONS, plan: load });
  const watching = { intervalS: 0.5, host: {}, examines: true, ...observe };
  return runOnce({ ...request, ...more, observe: watching }, {}, never);
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
    // The test's target is the server itself, on this machine.
    expect(observation!.isLinked).toBe(false);
    for (const { seenS } of observation!.sources!) expect(seenS / record.totals.elapsedS).toBeGreaterThan(0.9);
    expect(observation!.cost.serverStatements).toBeGreaterThanOrEqual(observation!.samples - observation!.missed);
    expect(observation!.cost.serverBytes).toBeGreaterThan(1_000);
  });

  test('has an environment, phases, a diagnosis, a grade and a class of durability', async () => {
    const endedAtMs = nowMs();
    const record = await watched({}, { warmupS: 1 }, { prepared: { startedAtMs: endedAtMs - 5_000, endedAtMs } });
    expect(record.environment!.server).toMatchObject({ flavor: 'mariadb' });
    expect(record.environment!.roundTripUs!.p50).toBeGreaterThan(0);
    const [prepared, connecting, , measured] = record.phases!;
    expect(record.phases!.map(({ name }) => name)).toEqual(['prepare', 'connect', 'warm-up', 'measure', 'drain']);
    expect(measured!.startS).toBe(0);
    expect(prepared!.endS - prepared!.startS).toBeCloseTo(5, 6);
    expect(prepared!.endS).toBeLessThanOrEqual(connecting!.startS);
    expect(record.diagnosis!.is).toMatch(/\.$/);
    expect(record.grade!.is).toBe('C');
    expect(record.grade!.because[0]).toContain('were measured');
    expect(record.durability!.is).toMatch(/^D\d$|^unknown$/);
    const loaded = await openStore(bench.directory).load(record.id);
    expect(loaded).toEqual(record);
  });
});

test('where the client may not see its own memory, the run works and says so', async () => {
  const seeing = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
    throw new Error('ENOENT: no such file or directory, uv_resident_set_memory');
  });
  try {
    const record = await watched({ examines: false });
    expect(record.ending).toEqual({ kind: 'time' });
    expect(record.totals.transactions.committed).toBeGreaterThan(0);
    expect(record.observation!.unseen).toContainEqual({
      what: 'memory of the client',
      because: expect.stringContaining('uv_resident_set_memory'),
    });
    expect(record.series!['client']!.measured['cpu_cores']).toBeGreaterThan(0);
    expect(record.series!['client']!.measured['resident_bytes']).toBeUndefined();
  } finally {
    seeing.mockRestore();
  }
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
  // One reason each: what was refused is not told to be absent as well.
  const ofReplication = record.observation!.unseen.filter(({ what }) => what === 'replication');
  expect(ofReplication).toEqual([
    { what: 'replication', because: expect.stringMatching(/To see it: GRANT [A-Z ]+ ON/) },
  ]);
  for (const { because } of record.observation!.unseen) expect(because).toMatch(/\S/);
});

test('a run that is not to be watched is not', async () => {
  const request = await requestFor(bench, { workload: 'oltp_read_write', options: OPTIONS, plan: { events: 20 } });
  const record = await runOnce(request, {}, never);
  expect(record).not.toHaveProperty('series');
  expect(record).not.toHaveProperty('diagnosis');
});
