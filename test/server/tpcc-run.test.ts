/**
 * Runs of tpcc on a real server: every profile under many sessions, deadlocks and all, after which the consistency
 * conditions hold, what was sent equals what the server counted, and the sheet says what was so.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultsOf } from '../../src/base/options.ts';
import { createDatabase } from '../../src/lab/maintenance.ts';
import { runOnce } from '../../src/lab/run.ts';
import type { ApplyLoad, LoadPlan } from '../../src/load/plan.ts';
import type { ConformanceLine, RunRecord } from '../../src/model/run.ts';
import { connect } from '../../src/wire/connection.ts';
import type { ConnectOptions } from '../../src/wire/types.ts';
import { checkTpcc } from '../../src/workload/tpcc/check.ts';
import type { ProfileName } from '../../src/workload/tpcc/deviations.ts';
import { TPCC_OPTIONS, type TpccOptions } from '../../src/workload/tpcc/options.ts';
import { tableSet } from '../../src/workload/tpcc/tables.ts';
import { requestFor, startTestBench, type TestBench } from '../support/lab.ts';
import { execute, maintainTest, query } from '../support/maintenance.ts';
import { testKeys } from '../support/sessions.ts';

/** Node runs no worker thread from TypeScript: `npm run test:server` builds first. */
const ENGINE = new URL('../../dist/src/load/engine.js', import.meta.url);
const never = new AbortController().signal;
const SCALE = 2;
const THREADS = 32;

let bench: TestBench;

beforeAll(async () => {
  bench = await startTestBench(['--innodb-buffer-pool-size=512M', '--max-connections=400']);
});
afterAll(() => bench[Symbol.asyncDispose]());

/** A database of its own for each profile, loaded when it is first wanted, and used up by the runs. */
const loaded = new Map<string, Promise<ConnectOptions>>();

function dataOf(profile: ProfileName): Promise<ConnectOptions> {
  const known = loaded.get(profile);
  if (known !== undefined) return known;
  const loading = load(profile);
  loaded.set(profile, loading);
  return loading;
}

async function load(profile: ProfileName): Promise<ConnectOptions> {
  const target = { ...bench.target, database: `run_${profile.replaceAll('-', '_')}` };
  await createDatabase(target);
  await maintainTest(target, 'prepare', 'tpcc', { options: { profile, scale: SCALE } });
  return target;
}

interface Ran {
  readonly profile?: ProfileName;
  readonly options?: Partial<TpccOptions>;
  readonly plan?: Partial<LoadPlan>;
  readonly engine?: ApplyLoad;
}

async function run({ profile = 'spec', options, plan, engine }: Ran): Promise<RunRecord> {
  const target = await dataOf(profile);
  const request = await requestFor(bench, {
    workload: 'tpcc',
    options: { profile, scale: SCALE, ...options },
    plan: { targets: [target], threads: THREADS, events: 600, ...plan },
  });
  return runOnce(request, {}, never, engine);
}

/** Numbers of the conditions that do not hold. */
async function brokenOf(profile: ProfileName): Promise<number[]> {
  const target = await dataOf(profile);
  const results = await checkTpcc({
    connect: () => connect(target),
    options: { ...defaultsOf(TPCC_OPTIONS), profile, scale: SCALE },
    threads: 2,
    seed: 1,
    keys: testKeys(),
    signal: never,
    progress: { note: () => {}, advance: () => {} },
  });
  expect(results).toHaveLength(12);
  return results.filter(({ ok }) => !ok).map(({ is }) => Number(/^Condition (\d+)/.exec(is)?.[1]));
}

function lineOf(record: RunRecord, is: string): ConformanceLine | undefined {
  return record.conformance?.find((line) => line.is === is);
}

function endedOf({ totals }: RunRecord): number {
  const { committed, rolledBack = {} } = totals.transactions;
  const skipped = totals.errors.filter(({ policy }) => policy === 'skipped').reduce((sum, { count }) => sum + count, 0);
  return Object.values(rolledBack).reduce((sum, count) => sum + count, committed + skipped);
}

describe('by the rules', () => {
  test('a run at 32 sessions keeps the rules, and the conditions hold', async () => {
    const record = await run({ plan: { events: 1_500 } });
    expect(record.ending).toEqual({ kind: 'events' });
    expect(endedOf(record)).toBe(1_500);
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    expect(record.totals.transactions.rolledBack?.['new_order']).toBeGreaterThan(0);
    expect(record.totals.tallies?.['rows_not_found']).toBe(0);
    for (const is of [
      'Order lines from another warehouse',
      'Payments at another warehouse',
      'New orders rolled back',
    ]) {
      expect(lineOf(record, is)).toMatchObject({ conforms: 'yes' });
    }
    expect(lineOf(record, 'Profile')).toMatchObject({ conforms: 'yes', measured: 'spec' });
    expect(record.ownTerms?.[1]).toMatch(/^ {4}new orders per minute +[\d,.]+ \(committed;/);
    expect(await brokenOf('spec')).toEqual([]);
  });

  test('orders that are committed are the numbers that the districts have given out', async () => {
    const target = await dataOf('spec');
    const given = async () => Number((await query(target, 'SELECT SUM(d_next_o_id) FROM district'))[0]?.[0]);
    const before = await given();
    const record = await run({ plan: { events: 400 } });
    expect((await given()) - before).toBe(record.totals.transactions.byName['new_order']);
  });

  test.each([{ trx_level: 'RR' }, { trx_level: 'RC' }, { trx_level: 'SER' }] as const)(
    'with deadlocks under $trx_level the conditions hold',
    async ({ trx_level }) => {
      const rival = await startRival(await dataOf('spec'));
      const record = await run({
        options: { trx_level },
        plan: { events: 300, preparedStatements: trx_level !== 'RC' },
      });
      await rival.ended;
      const deadlocks = record.totals.errors.filter(({ code }) => code === 1213);
      expect(deadlocks.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0);
      expect(deadlocks.every(({ policy }) => policy === 'retried')).toBe(true);
      expect(endedOf(record)).toBe(300);
      expect(await brokenOf('spec')).toEqual([]);
    },
  );

  test('with --validate nothing read is wrong', async () => {
    const record = await run({ plan: { validate: true } });
    expect(record.totals.errors.filter(({ policy }) => policy === 'validation')).toEqual([]);
    expect(endedOf(record)).toBe(600);
  });

  test('users at terminals think, and each stays at home', async () => {
    const target = await dataOf('spec');
    // Four terminals live in the first warehouse of two.
    const before = await query(target, 'SELECT SUM(d_next_o_id) FROM district GROUP BY d_w_id ORDER BY d_w_id');
    const terminals = { terminals: 4, terminalTimeFactor: 0.002, threads: 4, events: 200 };
    const record = await run({ plan: terminals });
    expect(record.ending).toEqual({ kind: 'events' });
    const after = await query(target, 'SELECT SUM(d_next_o_id) FROM district GROUP BY d_w_id ORDER BY d_w_id');
    const made = after.map((row, warehouse) => Number(row[0]) - Number(before[warehouse]?.[0]));
    expect(made).toEqual([record.totals.transactions.byName['new_order'], 0]);
    expect(lineOf(record, 'Terminals per warehouse')).toMatchObject({ measured: '2', conforms: 'deviates' });
    expect(lineOf(record, 'Home warehouse')).toBeUndefined();
    expect(record.latency.transactions['payment']?.response?.count).toBeGreaterThan(0);
    expect(await brokenOf('spec')).toEqual([]);
  });

  test('the same seed sends the same input for one, two and eight workers', async () => {
    const { applyLoad: engine } = (await import(ENGINE.href)) as { applyLoad: ApplyLoad };
    const target = await dataOf('spec');
    const inputs: string[][] = [];
    for (const workers of [1, 2, 8]) {
      inputs.push(
        await inputsOf(target, () =>
          run({ plan: { threads: 8, workers, events: 150, seed: 5, preparedStatements: false }, engine }),
        ),
      );
    }
    expect(inputs[0]?.length).toBeGreaterThan(600);
    expect(inputs[1]).toEqual(inputs[0]);
    expect(inputs[2]).toEqual(inputs[0]);
  });
});

describe.each([
  { profile: 'sysbench-tpcc', broken: [], remoteLines: '0.00 %' },
  { profile: 'go-tpc', broken: [], remoteLines: '0.00 %' },
  { profile: 'hammerdb', broken: [10, 12], remoteLines: undefined },
] as const)('$profile', ({ profile, broken, remoteLines }) => {
  test('the conditions that it can meet hold, and counts are exact, prepared and as text', async () => {
    for (const preparedStatements of [true, false]) {
      const record = await run({ profile, plan: { preparedStatements, events: 500 } });
      expect(record.ending).toEqual({ kind: 'events' });
      expect(endedOf(record)).toBe(500);
      expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
      expect(record.totals.tallies?.['rows_not_found']).toBe(0);
      if (remoteLines === undefined) continue;
      const line = lineOf(record, 'Order lines from another warehouse');
      expect(line).toMatchObject({ measured: expect.stringContaining(remoteLines), conforms: 'deviates' });
    }
    expect(await brokenOf(profile)).toEqual(broken);
  });
});

test('a deviation of its own shows in the data: what it breaks, and no more', async () => {
  await run({ profile: 'go-tpc', options: { deviations: ['payment_sum_not_kept'] } });
  expect(await brokenOf('go-tpc')).toEqual([12]);
});

test('purge deletes old orders, and breaks only what the sheet says', async () => {
  const target = await dataOf('sysbench-tpcc');
  // It looks for customers with several delivered orders, which by itself there are after hours only.
  await execute(target, 'UPDATE orders1 SET o_c_id = 1 WHERE o_id BETWEEN 2101 AND 2110');
  const options = { enable_purge: true } as const;
  const record = await run({ profile: 'sysbench-tpcc', options, plan: { events: 1_000 } });
  expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
  const purged = record.totals.statements.byName['purge_delete_order']?.committed ?? 0;
  expect(purged).toBeGreaterThan(0);
  expect(lineOf(record, 'Old orders')?.note).toMatch(/conditions 8, 9, 10 and 12/);
  const brokenHere = await brokenOf('sysbench-tpcc');
  expect(brokenHere.filter((condition) => ![8, 9, 10, 12].includes(condition))).toEqual([]);
  expect(brokenHere).toEqual(expect.arrayContaining([8, 9]));
});

/**
 * Has locked all stock, waits until somebody waits for it, and then asks for the districts, some of which those who
 * wait hold: a deadlock, and the victim is whoever has locked less. `ended` when it has let everything go.
 */
async function startRival(target: ConnectOptions): Promise<{ readonly ended: Promise<void> }> {
  const { tables } = tableSet('spec', 1);
  const rival = await connect(target);
  await rival.execute('BEGIN');
  await rival.execute(`SELECT s_quantity FROM ${tables.stock} FOR UPDATE`);
  const lockDistricts = async () => {
    await using connection = rival;
    await using observer = await connect(target);
    const waiting = "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    // That table is not renewed while it was read within the last tenth of a second.
    do await observer.execute('DO SLEEP(0.2)');
    while (Number((await observer.read(waiting)).rows[0]?.[0]) === 0);
    await connection.execute(`SELECT d_next_o_id FROM ${tables.district} FOR UPDATE`);
    await connection.execute('ROLLBACK');
  };
  return { ended: lockDistricts() };
}

/** What users keyed in, as the server's log has it; what depends on the work of others, as numbers, is left out. */
async function inputsOf(target: ConnectOptions, work: () => Promise<unknown>): Promise<string[]> {
  await execute(target, "SET GLOBAL log_output = 'TABLE'", 'TRUNCATE TABLE mysql.general_log');
  await execute(target, 'SET GLOBAL general_log = ON');
  await work();
  await execute(target, 'SET GLOBAL general_log = OFF');
  const logged = await query(target, 'SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log');
  const ours =
    /FROM (?:item|customer, warehouse) |c_last = |^UPDATE \w+ SET [wd]_ytd|SELECT .* FROM stock .* FOR UPDATE/;
  // An attempt after a deadlock sends the same again.
  return [...new Set(logged.map(([sql]) => String(sql)).filter((sql) => ours.test(sql)))].sort();
}
