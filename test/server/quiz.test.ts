/** quiz on a real server: the same data however they are made, the work that was asked for, and its foreign lines. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultsOf } from '../../src/base/options.ts';
import { runOnce } from '../../src/lab/run.ts';
import type { LoadPlan } from '../../src/load/plan.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { openStore } from '../../src/store/store.ts';
import { connect } from '../../src/wire/connection.ts';
import { loadWorkload } from '../../src/workload/find.ts';
import { preflight } from '../../src/workload/preflight.ts';
import { runCli } from '../support/cli.ts';
import { requestFor, startTestBench, type TestBench } from '../support/lab.ts';
import { execute, type MaintenanceSettings, maintainTest, query } from '../support/maintenance.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startTestBench();
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => execute(bench.target, 'DROP DATABASE sbtest', 'CREATE DATABASE sbtest'));

const TABLES = ['user', 'question', 'answer', 'attempt'];
/** The attempts are several chunks, the last one short. */
const SCALE = 1_234;
const SMALL = 100;
const never = new AbortController().signal;

function prepare(settings: MaintenanceSettings = {}): Promise<string[]> {
  return maintainTest(bench.target, 'prepare', 'quiz', { options: { scale: SCALE }, ...settings });
}

/** What the tables hold and how they are made, of whatever database. */
async function stateOf(database = 'sbtest'): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const table of TABLES) {
    const [checksum] = await query(bench.target, `CHECKSUM TABLE ${database}.${table}`);
    const [created] = await query(bench.target, `SHOW CREATE TABLE ${database}.${table}`);
    state[table] = `${checksum?.[1]} ${created?.[1]}`;
  }
  return state;
}

async function stateAfter(settings: MaintenanceSettings): Promise<Record<string, string>> {
  await prepare(settings);
  const state = await stateOf();
  await maintainTest(bench.target, 'cleanup', 'quiz');
  expect(await query(bench.target, 'SHOW TABLES')).toEqual([]);
  return state;
}

async function run(plan: Partial<LoadPlan>, options: Readonly<Record<string, unknown>> = {}): Promise<RunRecord> {
  const request = await requestFor(bench, { workload: 'quiz', options: { scale: SMALL, ...options }, plan });
  return runOnce(request, {}, never);
}

/** The queries that the server saw meanwhile, sorted: which session sends which is the scheduler's. */
async function selectsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { target } = bench;
  await execute(target, "SET GLOBAL log_output = 'TABLE'", 'TRUNCATE TABLE mysql.general_log');
  await execute(target, 'SET GLOBAL general_log = ON');
  await work();
  await execute(target, 'SET GLOBAL general_log = OFF');
  const logged = await query(target, 'SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log');
  const ours = /^SELECT \w+ FROM `(?:user|question|answer|attempt)` WHERE \w+_id = \d+$/;
  return logged
    .map(([sql]) => String(sql))
    .filter((sql) => ours.test(sql))
    .sort();
}

describe('data', () => {
  test('are the same for one connection and for eight', async () => {
    const one = await stateAfter({ threads: 1 });
    expect(await stateAfter({ threads: 8 })).toEqual(one);
    expect(await stateAfter({ threads: 8, seed: 2 })).not.toEqual(one);
  });

  test.each([
    { name: 'max_prepared_stmt_count', value: 0, because: 'no statement can be prepared' },
    { name: 'max_allowed_packet', value: 16_384, because: 'packets are small' },
  ])('are the same where $because', async ({ name, value }) => {
    const usual = await stateAfter({});
    const [before] = await query(bench.target, `SELECT @@GLOBAL.${name}`);
    await execute(bench.target, `SET GLOBAL ${name} = ${value}`);
    try {
      expect(await stateAfter({ threads: 3 })).toEqual(usual);
    } finally {
      await execute(bench.target, `SET GLOBAL ${name} = ${before?.[0]}`);
    }
  });

  test('are of the sizes that the scale says, without gaps, and show no trace of the load', async () => {
    const notes = await prepare();
    expect(notes.at(-1)).toMatch(/^30,850 rows loaded, 4 of 4 tables, in /);
    for (const [table, rows] of Object.entries({ user: 1, question: 2, answer: 2, attempt: 20 })) {
      const sql = `SELECT COUNT(*), MIN(${table}_id), MAX(${table}_id) FROM ${table}`;
      expect(await query(bench.target, sql)).toEqual([[SCALE * rows, 1, SCALE * rows]]);
    }
    for (const created of Object.values(await stateOf())) {
      expect(created).not.toMatch(/COMMENT/);
      expect(created).toMatch(/AUTO_INCREMENT=\d+/);
    }
  });

  test.each([
    { from: 'question', column: 'correct_answer_id', to: 'answer' },
    { from: 'answer', column: 'question_id', to: 'question' },
    { from: 'attempt', column: 'question_id', to: 'question' },
    { from: 'attempt', column: 'user_id', to: 'user' },
    { from: 'attempt', column: 'selection_id', to: 'answer' },
    { from: 'attempt', column: 'wrong_id_1', to: 'answer' },
  ])('every $column of $from leads to a row', async ({ from, column, to }) => {
    await prepare({ options: { scale: SMALL } });
    const joined = `SELECT COUNT(*) FROM ${from} JOIN ${to} ON ${to}.${to}_id = ${from}.${column}`;
    expect(await query(bench.target, joined)).toEqual(await query(bench.target, `SELECT COUNT(*) FROM ${from}`));
  });
});

describe('prepare', () => {
  test('given twice keeps what is there', async () => {
    await prepare();
    const before = await stateOf();
    const notes = await prepare({ seed: 9 });
    expect(notes).toContain('attempt is there already, with 24,680 rows: kept as it is');
    expect(await stateOf()).toEqual(before);
  });

  test.each([1, 2, 3, 4, 5])('cut off after %d steps goes on from there', async (steps) => {
    const whole = await stateAfter({});
    const controller = new AbortController();
    let advances = 0;
    const onAdvance = () => {
      if (++advances === steps) controller.abort();
    };
    await expect(prepare({ threads: 2, signal: controller.signal, onAdvance })).rejects.toMatchObject({
      exitCode: 130,
      hint: expect.stringContaining('same command again'),
    });
    await expect(prepare({ options: { scale: 99 } })).rejects.toMatchObject({
      hint: expect.stringContaining('--scale'),
    });
    await prepare({ threads: 2 });
    expect(await stateOf()).toEqual(whole);
  });

  test.each([
    { what: 'other columns', sql: 'CREATE TABLE user (id INT PRIMARY KEY, name TEXT)', error: /user has no column/ },
    {
      what: 'more columns',
      sql: `CREATE TABLE answer (answer_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
        question_id BIGINT UNSIGNED NOT NULL, text VARCHAR(1024) NOT NULL, votes INT)`,
      error: /answer has a column votes more/,
    },
    { what: 'no table behind it', sql: 'CREATE VIEW question AS SELECT 1 AS question_id', error: /question is a view/ },
  ])('refuses a table of the same name with $what, and changes nothing', async ({ sql, error }) => {
    await execute(bench.target, sql);
    const before = await query(bench.target, 'SHOW FULL TABLES');
    await expect(prepare()).rejects.toThrow(error);
    await expect(maintainTest(bench.target, 'cleanup', 'quiz')).rejects.toThrow(error);
    expect(await query(bench.target, 'SHOW FULL TABLES')).toEqual(before);
  });

  test('refuses tables of another scale', async () => {
    await prepare({ options: { scale: SMALL } });
    await expect(prepare()).rejects.toMatchObject({
      message: expect.stringMatching(/user is there already: 100 rows.*1,234 rows were asked for/),
      hint: expect.stringContaining('--scale'),
    });
  });

  test('is followed by prewarm', async () => {
    await prepare({ options: { scale: SMALL } });
    const notes = await maintainTest(bench.target, 'prewarm', 'quiz', { options: { scale: SMALL } });
    expect(notes).toEqual(['4 tables read, 2,500 rows with their indexes']);
  });
});

describe('run', () => {
  test.each([
    { threads: 1, preparedStatements: true },
    { threads: 8, preparedStatements: false },
  ])('does the rounds that were asked of each of $threads connections', async ({ threads, preparedStatements }) => {
    await prepare({ options: { scale: SMALL } });
    const plan = { threads, preparedStatements, timeS: 0, events: 0, eventsPerThread: 50, validate: true };
    const record = await run(plan, { queries: 203 });
    expect(record.ending).toEqual({ kind: 'events' });
    expect(record.totals.perSession.transactions).toEqual(Array.from({ length: threads }, () => 50));
    expect(record.totals.statements).toMatchObject({ read: 200 * threads, write: 0, other: 0 });
    for (const { committed } of Object.values(record.totals.statements.byName)) expect(committed).toBe(50 * threads);
    expect(record.totals.rowsRead).toBe(200 * threads);
    expect(record.totals.errors).toEqual([]);
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    expect(record.ownTerms).toEqual([
      expect.stringMatching(/^completed in \d+(?:\.\d+)? seconds$/),
      expect.stringMatching(/^QPS = \d+(?:\.\d+)?$/),
      expect.stringContaining('the 203 queries asked for, and sends 200'),
    ]);
  });

  test('sends the same statements for one, two and eight workers', async () => {
    await prepare({ options: { scale: SMALL } });
    const sentBy = (workers: number) =>
      selectsOf(() => run({ threads: 8, workers, events: 60, preparedStatements: false }));
    const one = await sentBy(1);
    expect(one).toHaveLength(240);
    expect(new Set(one).size).toBeGreaterThan(50);
    expect(await sentBy(2)).toEqual(one);
    expect(await sentBy(8)).toEqual(one);
  });

  test('with --validate finds a row that is missing', async () => {
    await prepare({ options: { scale: SMALL } });
    // Some are left: with too many gaps, no run would begin.
    await execute(bench.target, 'DELETE FROM answer WHERE answer_id BETWEEN 100 AND 110');
    const record = await run({ events: 200, validate: true });
    const wrong = record.totals.errors.filter(({ policy }) => policy === 'validation');
    expect(wrong[0]?.example).toMatch(/question_of_answer \(answer, answer_id 1\d\d\): expected one row, got 0/);
    expect(record.findings).toContainEqual(expect.objectContaining({ id: 'wrong-results', severity: 'invalid' }));
  });

  test('is refused on tables that are too small, and names the option', async () => {
    await prepare({ options: { scale: SMALL } });
    await expect(run({ events: 10 }, { scale: 2 * SMALL })).rejects.toMatchObject({
      message: expect.stringMatching(/user_id up to 100, where 200 are wanted/),
      hint: expect.stringContaining('--scale'),
    });
  });

  test("serves the tables of the blog post's own scripts", async () => {
    await execute(bench.target, ...SEED_SCHEMA, ...SEED_ROWS);
    const { workload } = await loadWorkload('quiz');
    const options = { ...defaultsOf(workload.options), scale: SMALL };
    await using connection = await connect(bench.target);
    expect(await preflight(connection, workload, options, { threads: 2, isPrepareRun: false })).toEqual([]);
    const record = await run({ events: 100, validate: true });
    expect(record.totals.errors).toEqual([]);
    expect(await prepare({ options: { scale: SMALL } })).toHaveLength(TABLES.length);
  });
});

/** schema.sql of the blog post, without what makes the database. */
const SEED_SCHEMA = [
  `CREATE TABLE question (question_id BIGINT UNSIGNED AUTO_INCREMENT NOT NULL,
    correct_answer_id BIGINT UNSIGNED NOT NULL, text varchar(1024) NOT NULL, answer_count INT DEFAULT 0,
    PRIMARY KEY (question_id))`,
  `CREATE TABLE answer (answer_id BIGINT UNSIGNED AUTO_INCREMENT NOT NULL,
    question_id BIGINT UNSIGNED NOT NULL, text varchar(1024) NOT NULL, PRIMARY KEY (answer_id))`,
  `CREATE TABLE user (user_id BIGINT UNSIGNED AUTO_INCREMENT NOT NULL, first_name varchar(32) NOT NULL,
    last_name varchar(32) NOT NULL, username varchar(32) NOT NULL, email varchar(128) NOT NULL, bio varchar(1024),
    pfp varchar(512), PRIMARY KEY (user_id))`,
  `CREATE TABLE attempt (attempt_id BIGINT UNSIGNED AUTO_INCREMENT NOT NULL, question_id BIGINT UNSIGNED NOT NULL,
    attempted_at DATETIME NOT NULL, user_id BIGINT UNSIGNED NOT NULL, selection_id BIGINT UNSIGNED NOT NULL,
    feedback VARCHAR(1024), wrong_id_1 BIGINT UNSIGNED, wrong_id_2 BIGINT UNSIGNED, wrong_id_3 BIGINT UNSIGNED,
    wrong_id_4 BIGINT UNSIGNED, PRIMARY KEY (attempt_id))`,
];
/** As populate.py inserts them: without keys. */
const SEED_ROWS = [
  insertOf('user (first_name, last_name, username, email)', "('Ann', 'Lee', 'annlee1', 'ann@lee.com')", SMALL),
  insertOf('question (correct_answer_id, text)', "(1, 'What is it.')", 2 * SMALL),
  insertOf('answer (question_id, text)', "(1, 'It is.')", 2 * SMALL),
  insertOf(
    'attempt (question_id, attempted_at, user_id, selection_id)',
    "(1, '2024-05-06 07:08:09', 1, 500)",
    20 * SMALL,
  ),
];

function insertOf(into: string, row: string, rows: number): string {
  return `INSERT INTO ${into} VALUES ${Array(rows).fill(row).join(',')}`;
}

const client = ['mariadb', 'mysql'].find((program) => spawnSync(program, ['--version']).status === 0);

describe('on the command line', () => {
  let store: string;
  beforeAll(() => {
    store = join(bench.directory, 'store');
  });
  afterAll(() => rmSync(store, { recursive: true, force: true }));
  beforeEach(() => execute(bench.target, 'DROP DATABASE IF EXISTS quiz'));
  const here = () => ['-u', 'root', '-S', bench.server.socketPath];

  test("the blog post's lines prepare and run", async () => {
    const prepared = await runCli(['populate.py', '50', ...here()], { store });
    expect(prepared).toMatchObject({ code: 0, stdout: expect.stringContaining('1,250 rows loaded') });
    const ran = await runCli(['load.py', '50', '40', '5', ...here()], { store });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/completed in [\d.]+ seconds\n\s*QPS = [\d.]+\n/);
    expect(ran.stdout).toMatch(/keys\s+uniform/);
    const record = await openStore(store).load('latest');
    expect(record.totals.statements.read).toBe(200);
    expect(record.load).toMatchObject({ threads: 5, eventsPerThread: 10, timeS: 0, preparedStatements: false });
    expect(record.target.database).toBe('quiz');
  });

  test.skipIf(client === undefined)(
    'with a mysql or mariadb client, SQL that is piped makes the same tables',
    async () => {
      const args = [`--scale=${SMALL}`, '--rand-seed=7'];
      const printed = await runCli(['populate.py', String(SMALL), '--rand-seed=7'], { store });
      expect(printed).toMatchObject({ code: 0, stderr: '' });
      expect(await runCli(['quiz', ...args, 'print-sql'], { store })).toMatchObject({ stdout: printed.stdout });
      const send = () =>
        spawnSync(client ?? '', ['--no-defaults', '-uroot', `--socket=${bench.server.socketPath}`], {
          input: printed.stdout,
          encoding: 'utf8',
        });
      expect(send()).toMatchObject({ status: 0, stderr: '' });
      await prepare({ options: { scale: SMALL }, seed: 7 });
      expect(await stateOf('quiz')).toEqual(await stateOf());
      // Given twice it does not double the rows, as that of the blog post does.
      expect(send().stderr).toMatch(/Duplicate entry/);
      expect(await stateOf('quiz')).toEqual(await stateOf());
    },
  );

  test('print-sql belongs to workloads that can', async () => {
    const refused = await runCli(['oltp_read_only', 'print-sql'], { store });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('oltp_read_only has no print-sql') });
    const json = await runCli(['quiz', '--json', 'print-sql'], { store });
    expect(json).toMatchObject({ code: 1, stderr: expect.stringContaining('--json does not go') });
  });
});
