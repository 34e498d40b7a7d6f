/** Tables and statements against the real sysbench, where it is installed: either must serve the other. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultsOf } from '../../src/base/options.ts';
import { connect } from '../../src/wire/connection.ts';
import { loadWorkload } from '../../src/workload/find.ts';
import { preflight } from '../../src/workload/preflight.ts';
import { startTestBench, type TestBench } from '../support/lab.ts';
import { execute, maintainTest, query, tableState } from '../support/maintenance.ts';
import { openTestSession, wireConnection } from '../support/sessions.ts';

const hasSysbench = spawnSync('sysbench', ['--version']).status === 0;

/** Those that sysbench has too. */
const SHARED = [
  'oltp_delete',
  'oltp_insert',
  'oltp_point_select',
  'oltp_read_only',
  'oltp_read_write',
  'oltp_update_index',
  'oltp_update_non_index',
  'oltp_write_only',
  'select_random_points',
  'select_random_ranges',
];
const ROWS = 2_000;
const EVENTS = 7;

describe.skipIf(!hasSysbench)('with sysbench installed', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await startTestBench();
    await execute(bench.target, "SET GLOBAL log_output = 'TABLE'");
  });
  afterAll(() => bench[Symbol.asyncDispose]());
  beforeEach(() => execute(bench.target, 'DROP DATABASE sbtest', 'CREATE DATABASE sbtest'));

  function sysbench(name: string, command: string, ...more: string[]): string {
    const socket = `--mysql-socket=${bench.server.socketPath}`;
    const size = name === 'bulk_insert' ? [] : [`--table-size=${ROWS}`];
    const args = [name, socket, '--mysql-user=root', '--mysql-db=sbtest', ...size, ...more, command];
    const { status, stdout, stderr } = spawnSync('sysbench', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`sysbench ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  async function runOurs(name: string, events: number, validate = true): Promise<void> {
    await using connection = await connect(bench.target);
    const options = name === 'bulk_insert' ? {} : { table_size: ROWS };
    const session = await openTestSession(name, wireConnection(connection), { options, validate });
    for (let index = 0; index < events; index++) await session.run(index);
  }

  test('the tables are made alike', async () => {
    sysbench('oltp_read_write', 'prepare');
    const theirs = await tableState(bench.target, 'sbtest1');
    await execute(bench.target, 'DROP TABLE sbtest1');
    await maintainTest(bench.target, 'prepare', 'oltp_read_write', { options: { table_size: ROWS } });
    const ours = await tableState(bench.target, 'sbtest1');
    expect(ours['created']).toBe(theirs['created']);
    expect(ours['rows']).toBe(theirs['rows']);
  });

  test('the tables of bulk_insert are made alike', async () => {
    sysbench('bulk_insert', 'prepare');
    const theirs = await tableState(bench.target, 'sbtest1');
    await execute(bench.target, 'DROP TABLE sbtest1');
    await maintainTest(bench.target, 'prepare', 'bulk_insert', { threads: 1 });
    expect(await tableState(bench.target, 'sbtest1')).toEqual(theirs);
  });

  test.each(SHARED)('%s of ours runs on tables of sysbench, results checked', async (name) => {
    sysbench('oltp_read_write', 'prepare');
    await using connection = await connect(bench.target);
    const { workload } = await loadWorkload(name);
    const options = { ...defaultsOf(workload.options), table_size: ROWS };
    expect(await preflight(connection, workload, options, { threads: 4, isPrepareRun: false })).toEqual([]);
    await runOurs(name, 50);
  });

  test.each(SHARED)('%s of sysbench runs on tables of ours', async (name) => {
    const options = { table_size: ROWS };
    await maintainTest(bench.target, 'prepare', 'oltp_read_write', { options });
    // One thread: two would now and then deadlock, on so few rows.
    const report = sysbench(name, 'run', '--threads=1', '--events=40', '--time=0');
    expect(report).toMatch(/total number of events:\s+40\n/);
    expect(report).toMatch(/ignored errors:\s+0 /);
    sysbench('oltp_read_write', 'cleanup');
    expect(await query(bench.target, 'SHOW TABLES')).toEqual([]);
  });

  test.each(SHARED)('%s sends the same statements, in the same order', async (name) => {
    sysbench('oltp_read_write', 'prepare');
    const theirs = await logged(() => {
      sysbench(name, 'run', '--threads=1', `--events=${EVENTS}`, '--time=0');
      return Promise.resolve();
    });
    const ours = await logged(() => runOurs(name, EVENTS, false));
    expect(ours.sent.length).toBeGreaterThanOrEqual(EVENTS);
    expect(ours.sent).toEqual(theirs.sent);
    expect(ours.prepared.toSorted()).toEqual(theirs.prepared.toSorted());
  });

  test('bulk_insert sends the same kind of statement', async () => {
    sysbench('bulk_insert', 'prepare');
    const theirs = await logged(() => {
      sysbench('bulk_insert', 'run', '--events=60000', '--time=0');
      return Promise.resolve();
    });
    await execute(bench.target, 'TRUNCATE TABLE sbtest1');
    const ours = await logged(() => runOurs('bulk_insert', 2));
    const shapes = (sent: readonly string[]) => [...new Set(sent.filter((sql) => sql.startsWith('insert')))];
    expect(shapes(ours.sent)).toEqual(shapes(theirs.sent));
    expect(await query(bench.target, 'SELECT COUNT(*), MAX(id), MAX(k) FROM sbtest1')).toEqual([
      [50_000, 50_000, 50_000],
    ]);
  });

  /** What the server's general log saw of the load while `work` ran, values and spelling evened out. */
  async function logged(work: () => Promise<void>): Promise<{ sent: string[]; prepared: string[] }> {
    await execute(bench.target, 'SET GLOBAL general_log = OFF', 'TRUNCATE TABLE mysql.general_log');
    await execute(bench.target, 'SET GLOBAL general_log = ON');
    await work();
    await execute(bench.target, 'SET GLOBAL general_log = OFF');
    const rows = await query(
      bench.target,
      `SELECT command_type, CONVERT(argument USING utf8mb4) FROM mysql.general_log
        WHERE command_type IN ('Prepare', 'Execute', 'Query')`,
    );
    const ofLoad = rows
      .map(([command, sql]) => ({ command: String(command), sql: shapeOf(String(sql)) }))
      .filter(({ sql }) => sql === 'begin' || sql === 'commit' || sql.includes('sbtest1'));
    return {
      sent: ofLoad.filter(({ command }) => command !== 'Prepare').map(({ sql }) => sql),
      prepared: ofLoad.filter(({ command }) => command === 'Prepare').map(({ sql }) => sql),
    };
  }
});

/** `INSERT INTO sbtest1 (id, k) VALUES (1, 2),(3, 4)` -> `insert into sbtest1(id,k)values(n,n)…`. */
function shapeOf(sql: string): string {
  return sql
    .toLowerCase()
    .replace(/'[^']*'/g, 's')
    .replace(/(?<![\w])-?\d+/g, 'n')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),=]) ?/g, '$1')
    .replace(/(\(n,n\))(?:,\(n,n\))+/g, '$1…')
    .trim();
}
