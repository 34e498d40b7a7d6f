/** What is found on a real server before a run, and that the remedy is one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultsOf } from '../../src/base/options.ts';
import { connect } from '../../src/wire/connection.ts';
import type { ConnectOptions } from '../../src/wire/types.ts';
import { loadWorkload } from '../../src/workload/find.ts';
import { type PreflightSettings, preflight } from '../../src/workload/preflight.ts';
import type { TargetProblem } from '../../src/workload/workload.ts';
import { startTestBench, type TestBench } from '../support/lab.ts';
import { execute, maintainTest, query } from '../support/maintenance.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startTestBench();
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => execute(bench.target, 'DROP DATABASE sbtest', 'CREATE DATABASE sbtest'));

interface Look extends Partial<PreflightSettings> {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly target?: ConnectOptions;
}

async function look(name: string, settings: Look = {}): Promise<TargetProblem[]> {
  const { options, target = bench.target, ...rest } = settings;
  const { workload } = await loadWorkload(name);
  await using connection = await connect(target);
  const all = { ...defaultsOf(workload.options), ...options };
  return await preflight(connection, workload, all, { threads: 4, isPrepareRun: false, ...rest });
}

async function ids(name: string, settings: Look = {}): Promise<string[]> {
  return (await look(name, settings)).map(({ id }) => id);
}

function prepare(options: Readonly<Record<string, unknown>> = {}, name = 'oltp_read_write'): Promise<string[]> {
  return maintainTest(bench.target, 'prepare', name, { options });
}

async function withGlobal(name: string, value: string, work: () => Promise<void>): Promise<void> {
  const [before] = await query(bench.target, `SELECT @@GLOBAL.${name}`);
  await execute(bench.target, `SET GLOBAL ${name} = ${value}`);
  try {
    await work();
  } finally {
    const old = before?.[0];
    await execute(bench.target, `SET GLOBAL ${name} = ${typeof old === 'string' ? `'${old}'` : old}`);
  }
}

/** The SQL in a remedy, without what may be done instead. */
function sqlOf(problem: TargetProblem | undefined): string {
  return /SET GLOBAL [^;]+/.exec(problem?.remedy ?? '')?.[0] ?? '';
}

test('all is well after prepare', async () => {
  await prepare({ tables: 2 });
  expect(await look('oltp_read_write', { options: { tables: 2 } })).toEqual([]);
});

test('too few connections: the remedy makes room', async () => {
  await prepare();
  await withGlobal('max_connections', '20', async () => {
    const [problem, ...others] = await look('oltp_read_write', { threads: 64 });
    expect(problem).toMatchObject({ id: 'max-connections', severity: 'stop' });
    expect(others).toEqual([]);
    await execute(bench.target, sqlOf(problem));
    expect(await look('oltp_read_write', { threads: 64 })).toEqual([]);
  });
});

test('prepared statements beyond the limit: 256 threads on 10 tables are 23,552', async () => {
  await prepare({ tables: 10, table_size: 10 });
  const settings = { threads: 256, options: { tables: 10, table_size: 10 } };
  await execute(bench.target, 'SET GLOBAL max_connections = 1000');
  await withGlobal('max_prepared_stmt_count', '16382', async () => {
    const [problem] = await look('oltp_read_write', settings);
    expect(problem).toMatchObject({ id: 'max-prepared-stmt-count', is: expect.stringContaining('23,552') });
    expect(await look('oltp_read_write', { ...settings, preparedStatements: false })).toEqual([]);
    expect(await ids('oltp_write_only', settings)).toEqual([]);
    await execute(bench.target, sqlOf(problem));
    expect(await look('oltp_read_write', settings)).toEqual([]);
  });
});

test('packets that are too small for bulk_insert', async () => {
  await maintainTest(bench.target, 'prepare', 'bulk_insert', { threads: 4 });
  expect(await look('bulk_insert')).toEqual([]);
  await withGlobal('max_allowed_packet', '524288', async () => {
    const [problem] = await look('bulk_insert');
    expect(problem?.id).toBe('max-allowed-packet');
    await execute(bench.target, sqlOf(problem));
    expect(await look('bulk_insert')).toEqual([]);
  });
});

test('tables that are missing', async () => {
  expect(await look('oltp_read_only')).toMatchObject([
    { id: 'tables-missing', is: 'sbtest1 is not there.', remedy: expect.stringContaining('prepare') },
  ]);
  await prepare();
  const [problem] = await look('oltp_read_only', { options: { tables: 100 } });
  expect(problem?.is).toBe('99 tables, such as sbtest2, are not there.');
  expect(await ids('bulk_insert')).toEqual(['tables-missing']);
  expect(await ids('oltp_read_only', { options: { tables: 100 }, isPrepareRun: true })).toEqual([]);
});

test('tables with fewer rows than asked for', async () => {
  await prepare({ table_size: 5_000 });
  expect(await look('oltp_read_only')).toMatchObject([{ id: 'too-few-rows', is: expect.stringContaining('5,000') }]);
  await execute(bench.target, "INSERT INTO sbtest1 VALUES (1000000, 1, '', '')");
  expect(await ids('oltp_read_only')).toEqual(['too-few-rows']);
  expect(await ids('oltp_insert')).toEqual([]);
});

test('gaps are told of, and stop nothing', async () => {
  await prepare();
  await execute(bench.target, 'DELETE FROM sbtest1 WHERE id BETWEEN 10 AND 30');
  expect(await look('oltp_read_only')).toMatchObject([{ id: 'gaps', severity: 'warning' }]);
  expect(await ids('oltp_delete')).toEqual([]);
  // Rows that oltp_insert has added do not fill them.
  await execute(bench.target, 'INSERT INTO sbtest1 (id, k) SELECT id + 10000, k FROM sbtest1 WHERE id > 9900');
  expect(await ids('oltp_read_only')).toEqual(['gaps']);
});

test('a table far larger than --table-size', async () => {
  await prepare({ table_size: 50_000 });
  const [problem] = await look('oltp_read_only');
  expect(problem).toMatchObject({
    id: 'more-rows',
    severity: 'warning',
    remedy: expect.stringMatching(/--table-size=\d/),
  });
});

test('a table of another shape, and one that is half loaded', async () => {
  await execute(bench.target, 'CREATE TABLE sbtest1 (id INT PRIMARY KEY, k INT)');
  expect(await ids('oltp_read_write')).toEqual(['table-misfit']);
  await execute(bench.target, 'DROP TABLE sbtest1');
  const controller = new AbortController();
  const cut = { signal: controller.signal, onAdvance: () => controller.abort(), options: { table_size: 30_000 } };
  await maintainTest(bench.target, 'prepare', 'oltp_read_write', cut).catch(() => {});
  expect(await ids('oltp_read_write')).toEqual(['table-half-loaded']);
});

test('the tables of the other family of sysbench', async () => {
  await prepare();
  const [problem] = await look('bulk_insert', { threads: 1 });
  expect(problem).toMatchObject({ id: 'statement-refused', severity: 'stop' });
});

test('a read-only server, for those whom it keeps out', async () => {
  await prepare();
  await execute(
    bench.target,
    "CREATE OR REPLACE USER plain@localhost IDENTIFIED BY 'x'",
    'GRANT ALL ON sbtest.* TO plain@localhost',
  );
  const target = { ...bench.target, user: 'plain', password: 'x' };
  await withGlobal('read_only', 'ON', async () => {
    expect(await look('oltp_read_write', { target })).toMatchObject([
      { id: 'read-only', remedy: expect.stringContaining('SET GLOBAL read_only = OFF') },
    ]);
    expect(await ids('oltp_read_only', { target })).toEqual([]);
    expect(await ids('oltp_read_only', { target, isPrepareRun: true })).toEqual(['read-only']);
    expect(await ids('oltp_read_write')).toEqual([]);
  });
});

test('rights that are missing, one by one', async () => {
  await prepare();
  await execute(
    bench.target,
    "CREATE OR REPLACE USER reader@localhost IDENTIFIED BY 'x'",
    'GRANT SELECT ON sbtest.* TO reader@localhost',
  );
  const target = { ...bench.target, user: 'reader', password: 'x' };
  expect(await ids('oltp_read_only', { target })).toEqual([]);
  const problems = await look('oltp_read_write', { target });
  expect(problems.map(({ remedy }) => /GRANT (\w+)/.exec(remedy)?.[1])).toEqual([
    'UPDATE',
    'UPDATE',
    'DELETE',
    'INSERT',
  ]);
  expect(new Set(problems.map(({ id }) => id))).toEqual(new Set(['privilege-missing']));
});

test('a limit on the connections of one user', async () => {
  await prepare();
  await execute(
    bench.target,
    "CREATE OR REPLACE USER few@localhost IDENTIFIED BY 'x' WITH MAX_USER_CONNECTIONS 5",
    'GRANT ALL ON sbtest.* TO few@localhost',
  );
  const target = { ...bench.target, user: 'few', password: 'x' };
  expect(await ids('oltp_read_only', { target, threads: 2 })).toEqual([]);
  expect(await ids('oltp_read_only', { target, threads: 8 })).toEqual(['max-user-connections']);
});

test('a database that is not there', async () => {
  const { database: _, ...target } = bench.target;
  expect(await look('oltp_read_only', { target, database: 'nowhere' })).toMatchObject([
    { id: 'database-missing', remedy: 'Create it: CREATE DATABASE `nowhere`;' },
  ]);
  expect(await ids('oltp_read_only', { target })).toEqual(['no-database']);
});

test('ids that oltp_insert could not use', async () => {
  await prepare({ auto_inc: false }, 'oltp_insert');
  expect(await ids('oltp_insert', { options: { auto_inc: false } })).toEqual([]);
  expect(await ids('oltp_insert')).toEqual(['no-auto-increment']);
  await execute(bench.target, "INSERT INTO sbtest1 VALUES (2147483000, 1, '', '')");
  expect(await ids('oltp_insert', { options: { auto_inc: false } })).toEqual(['no-ids-left']);
  await execute(bench.target, 'DROP TABLE sbtest1');
  await prepare();
  await withGlobal('sql_mode', "'NO_AUTO_VALUE_ON_ZERO'", async () => {
    expect(await ids('oltp_insert')).toEqual(['no-auto-value-on-zero']);
  });
});
