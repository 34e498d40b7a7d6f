/** After a run on a real server, what was sent equals what the server counted, exactly. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOnce } from '../../src/lab/run.ts';
import { connect } from '../../src/wire/connection.ts';
import { prepare, requestFor, startTestBench, type TestBench, type TestRun } from '../support/lab.ts';

let bench: TestBench;

beforeAll(async () => {
  bench = await startTestBench();
  await prepare(bench, { workload: 'oltp_read_write', options: { tables: 2, table_size: 1000 } });
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

const OPTIONS = { tables: 2, table_size: 1000 };

async function runOf(run: TestRun) {
  return runOnce(
    await requestFor(bench, { ...run, options: { ...OPTIONS, ...run.options } }),
    {},
    new AbortController().signal,
  );
}

describe.each([1, 8, 64])('%i sessions', (threads) => {
  test.each<TestRun & { because: string }>([
    { workload: 'oltp_point_select', because: 'one prepared read' },
    { workload: 'oltp_read_write', because: 'every verb, and BEGIN and COMMIT' },
    { workload: 'oltp_read_write', plan: { preparedStatements: false }, because: 'all of it as text' },
    { workload: 'oltp_write_only', plan: { warmupS: 0.2, timeS: 0.3, events: 0 }, because: 'the warm-up counts too' },
    { workload: 'oltp_insert', because: 'text among prepared statements' },
    { workload: 'oltp_read_only', options: { skip_trx: true }, because: 'no transaction at all' },
    { workload: 'oltp_update_index', plan: { ratePerS: 400 }, because: 'an open loop' },
  ])('$workload $options $plan: $because', async ({ because: _, ...run }) => {
    const record = await runOf({ ...run, plan: { threads, ...run.plan } });
    expect(record.ending.kind).toBe(run.plan?.events === 0 ? 'time' : 'events');
    expect(record.crossCheck).toEqual({ is: 'done', ok: true, rows: expect.any(Array) });
    expect(record.findings.filter(({ id }) => id.startsWith('cross-check'))).toEqual([]);
    expect(record.totals.transactions.committed).toBeGreaterThan(0);
    const rows = record.crossCheck.is === 'done' ? record.crossCheck.rows : [];
    const counters = rows.map(({ counter, during }) => `${during ?? 'load'} ${counter}`);
    expect(counters).toEqual(
      expect.arrayContaining([
        'set-up Questions',
        'set-up Connections',
        'load Questions',
        'load Bytes_sent',
        'load Bytes_received',
      ]),
    );
  });
});

describe('deadlocks', () => {
  beforeAll(async () => {
    await using connection = await connect(bench.target);
    await connection.execute('CREATE DATABASE tiny');
    await prepare({ ...bench, target: { ...bench.target, database: 'tiny' } }, TINY);
  });

  const TINY = { workload: 'oltp_write_only', options: { tables: 1, table_size: 10 } };

  test.each([
    { preparedStatements: true, because: 'prepared' },
    { preparedStatements: false, because: 'as text' },
  ])('are retried, counted by code, and do not spoil the counts: $because', async ({ preparedStatements }) => {
    const target = { ...bench.target, database: 'tiny' };
    const plan = { targets: [target], threads: 16, events: 400, preparedStatements };
    const record = await runOnce(await requestFor(bench, { ...TINY, plan }), {}, new AbortController().signal);
    const deadlocks = record.totals.errors.find(({ code }) => code === 1213);
    expect(deadlocks?.count).toBeGreaterThan(0);
    expect(record.totals.rollbacks).toBeGreaterThan(0);
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    expect(record.totals.transactions.committed).toBe(400);
  });
});

test('a connection that is renewed in mid-run is counted too', async () => {
  const errors = {
    ...(await requestFor(bench, { workload: 'oltp_point_select' })).plan.errors,
    reconnectEveryEvents: 10,
  };
  const record = await runOf({ workload: 'oltp_point_select', plan: { threads: 4, errors } });
  expect(record.totals.reconnects).toBeGreaterThan(0);
  expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
});

test('other users of the server are noticed, and the check that is left still holds', async () => {
  await using stranger = await connect(bench.target);
  let isOver = false;
  const busy = (async () => {
    while (!isOver) await stranger.read('SELECT 1');
  })();
  const record = await runOf({ workload: 'oltp_point_select', plan: { threads: 2, events: 500 } });
  isOver = true;
  await busy;
  expect(record.crossCheck).toMatchObject({
    is: 'done',
    ok: true,
    note: expect.stringMatching(/sessions of others were active/),
  });
});

test('an idle stranger does not weaken the check', async () => {
  await using _idle = await connect(bench.target);
  const record = await runOf({ workload: 'oltp_point_select', plan: { threads: 2 } });
  expect(record.crossCheck).toEqual({ is: 'done', ok: true, rows: expect.any(Array) });
});
