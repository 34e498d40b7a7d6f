/** atis on a real server: every result of every loop counted, what it drops and what it does not, and its files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maintain } from '../../src/lab/maintenance.ts';
import { runOnce } from '../../src/lab/run.ts';
import type { LoadPlan } from '../../src/load/plan.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { runSchema } from '../../src/model/run-schema.ts';
import { dataFileName } from '../../src/workload/atis/data-file.ts';
import { generateData } from '../../src/workload/atis/generate/generate.ts';
import { ATIS_QUERIES } from '../../src/workload/atis/queries.ts';
import { ATIS_TABLES } from '../../src/workload/atis/tables.ts';
import { runCli } from '../support/cli.ts';
import { requestFor, startTestBench, type TestBench } from '../support/lab.ts';
import { execute, maintainTest, query } from '../support/maintenance.ts';
import { scratchDirectories } from '../support/scratch.ts';

type Options = Readonly<Record<string, unknown>>;

const never = new AbortController().signal;
const LOOPS = 3;
const SMALL = { loop_count: 10 * LOOPS, small_test: true };
const ALONE = { skip_create: true, skip_delete: true };

const newDirectory = scratchDirectories();
let bench: TestBench;
beforeAll(async () => {
  bench = await startTestBench();
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => execute(bench.target, 'DROP DATABASE sbtest', 'CREATE DATABASE sbtest'));

async function run(options: Options = {}, plan: Partial<LoadPlan> = {}): Promise<RunRecord> {
  const request = await requestFor(bench, { workload: 'atis', options: { ...SMALL, ...options }, plan });
  return runOnce(request, {}, never);
}

async function tablesLeft(): Promise<number> {
  const rows = await query(bench.target, 'SHOW TABLES');
  return rows.length;
}

function expectSound(record: RunRecord): void {
  expect(record.ending).toEqual({ kind: 'events' });
  expect(record.totals.errors).toEqual([]);
  expect(record.crossCheck).toEqual({ is: 'done', ok: true, rows: expect.any(Array) });
  expect(record.findings.filter(({ severity }) => severity === 'invalid')).toEqual([]);
  expect(runSchema.safeParse(record).success).toBe(true);
}

/** Every query as often as there are loops: each one's rows were counted, or the transaction had not been committed. */
function expectAllQueries(record: RunRecord, rowsBeside = 0): void {
  const counts = Object.fromEntries(
    ATIS_QUERIES.map(({ name }) => [name, { kind: 'read', committed: LOOPS, wasted: 0 }]),
  );
  expect(record.totals.statements.byName).toMatchObject(counts);
  const rowsOfLoop = ATIS_QUERIES.reduce((sum, { rows }) => sum + rows, 0);
  expect(record.totals.rowsRead).toBe(LOOPS * rowsOfLoop + rowsBeside);
}

describe.each([
  { as: 'prepared', preparedStatements: true },
  { as: 'as text', preparedStatements: false },
])('the whole of it, $as', ({ preparedStatements }) => {
  test('on an empty database, every count right, and nothing left', async () => {
    const record = await run({}, { preparedStatements, seed: 99 });
    expectSound(record);
    expectAllQueries(record);
    expect(record.totals.transactions.byName).toEqual({
      create_table: 28,
      insert: 9_768,
      select_simple_join: LOOPS,
      select_join: LOOPS,
      select_key_prefix_join: LOOPS,
      select_distinct: LOOPS,
      select_group: LOOPS,
      drop_table: 28,
    });
    expect(await tablesLeft()).toBe(0);
  });
});

test('what each part cost is in the record, and in the words of test-ATIS', async () => {
  const record = await run({ if_query: false });
  const parts = record.serverCost?.parts ?? [];
  expect(parts.map(({ part }) => part)).toEqual(Object.keys(record.totals.transactions.byName));
  // Where the kernel shows processes: the server has to compute for 9,768 rows.
  const isSeen = process.platform === 'linux';
  if (isSeen) expect(parts.find(({ part }) => part === 'insert')?.cpuS).toBeGreaterThan(0);
  for (const { fsyncs } of parts) expect(fsyncs).toBeGreaterThanOrEqual(0);
  const words = record.ownTerms?.join('\n') ?? '';
  for (const line of ['create_table (28)', 'insert (9768)', 'select_group (84)', 'drop_table (28)']) {
    expect(words).toContain(`Time for ${line}: `);
  }
  expect(words).toMatch(/^ {4}Total time: \d+\.\d{3} s$/m);
  expect(words).toMatch(isSeen ? /server CPU .* waiting/ : /not to be seen from here/);
});

test('commits that must be on disk are counted as fsyncs of the part that makes them', async () => {
  await execute(bench.target, 'SET GLOBAL innodb_flush_log_at_trx_commit = 1');
  try {
    const record = await run();
    const of = (name: string) => record.serverCost?.parts.find(({ part }) => part === name)?.fsyncs ?? 0;
    expect(of('insert')).toBeGreaterThan(9_000);
    expect(of('select_group')).toBeLessThan(100);
  } finally {
    await execute(bench.target, 'SET GLOBAL innodb_flush_log_at_trx_commit = 0');
  }
});

test('--fast: one INSERT for each table, and book-keeping', async () => {
  const record = await run({ fast: true });
  expectSound(record);
  // What OPTIMIZE TABLE says of each: that InnoDB makes it anew instead, and that this went well.
  expectAllQueries(record, 2 * 28);
  expect(record.totals.transactions.byName).toMatchObject({ create_table: 28, insert: 28, book_keeping: 1 });
  expect(await tablesLeft()).toBe(0);
});

describe('prepare, the queries alone, cleanup', () => {
  const maintainAtis = (command: 'prepare' | 'cleanup', options: Options = {}) =>
    maintainTest(bench.target, command, 'atis', { options });

  test('on several connections', async () => {
    await maintainAtis('prepare');
    expect(await tablesLeft()).toBe(28);
    const record = await run(ALONE, { threads: 4, workers: 2 });
    expectSound(record);
    expectAllQueries(record);
    expect(await tablesLeft()).toBe(28);
    await maintainAtis('cleanup');
    expect(await tablesLeft()).toBe(0);
  });

  test('tables of an earlier run are made anew, by run and by prepare', async () => {
    await maintainAtis('prepare');
    await execute(bench.target, 'DELETE FROM city');
    expectSound(await run({ skip_delete: true }));
    await execute(bench.target, 'DELETE FROM city');
    await maintainAtis('prepare');
    expectSound(await run(ALONE));
  });

  test('--create-options make the tables what they say', async () => {
    await maintainAtis('prepare', { create_options: "ENGINE=Aria COMMENT='mine'" });
    const [row] = await query(bench.target, "SHOW TABLE STATUS LIKE 'flight_fare'");
    expect(row).toEqual(expect.arrayContaining(['Aria', 'mine']));
  });

  test('check counts the rows of all 44 queries, and names the one that is wrong', async () => {
    await maintainAtis('prepare');
    const notes = await check();
    expect(notes.filter((note) => note.startsWith('ok '))).toHaveLength(44);
    await execute(bench.target, "UPDATE aircraft SET category = 'BALLOON' WHERE category = 'SEAPLANE' LIMIT 1");
    const told: string[] = [];
    await expect(check(told)).rejects.toThrow('1 of 44 conditions do not hold.');
    expect(told.filter((note) => note.startsWith('BROKEN'))).toEqual([
      expect.stringMatching(/^BROKEN +select_distinct, distinct_categories: 6 rows \(7 found: SELECT/),
    ]);
  });

  test('a wrong row makes every loop of its group a wrong result, with the query and both counts', async () => {
    await maintainAtis('prepare');
    await execute(bench.target, "UPDATE city SET state_code = '??' WHERE city_code = 'MATL'");
    const record = await run(ALONE);
    // Of two groups.
    expect(record.totals.errors).toEqual([
      expect.objectContaining({
        policy: 'validation',
        count: 2 * LOOPS,
        example: expect.stringMatching(/^select_simple_join, query city_in_state: 1 row expected, 0 found: SELECT/),
      }),
    ]);
    expect(record.findings[0]).toMatchObject({ id: 'wrong-results', severity: 'invalid' });
    expect(record.ownTerms?.join()).not.toContain('select_group');
  });

  test('a table with rows too few or too many is told before the run', async () => {
    await maintainAtis('prepare');
    await execute(bench.target, "INSERT INTO transport VALUES ('Z', 'Zeppelin')");
    await expect(run(ALONE)).rejects.toThrow(/transport has 5 rows, where 4 are wanted/);
  });

  test('without tables the queries cannot run, nor be checked', async () => {
    await expect(run(ALONE)).rejects.toThrow(/28 tables, such as aircraft, are not there/);
    await expect(check()).rejects.toThrow('There is no table aircraft, so nothing can be checked.');
  });
});

async function check(notes: string[] = []): Promise<string[]> {
  const { plan, workload, workloadOptions } = await requestFor(bench, { workload: 'atis' });
  const { targets, threads, seed, rand, preparedStatements } = plan;
  const settings = { targets, threads, seed, rand, preparedStatements };
  const view = { onNote: (line: string) => notes.push(line), onAdvance: () => {} };
  await maintain('check', { ...settings, workload, workloadName: 'atis', workloadOptions }, view, never);
  return notes;
}

describe("somebody else's table of the same name", () => {
  beforeEach(() => execute(bench.target, 'CREATE TABLE state (id INT PRIMARY KEY)', 'INSERT INTO state VALUES (7)'));

  test.each([
    { what: 'run', doIt: () => run() },
    { what: 'prepare', doIt: () => maintainTest(bench.target, 'prepare', 'atis') },
    { what: 'cleanup', doIt: () => maintainTest(bench.target, 'cleanup', 'atis') },
  ])('is left alone by $what, which does nothing at all then', async ({ doIt }) => {
    await expect(doIt()).rejects.toThrow(/state has no column state_code/);
    expect(await query(bench.target, 'SELECT * FROM state')).toEqual([[7]]);
    expect(await tablesLeft()).toBe(1);
  });
});

describe('with files', () => {
  /** In the format of the originals. */
  function writeFiles(change: (table: string, lines: string[]) => string[] = (_, lines) => lines): string {
    const directory = newDirectory();
    const data = generateData(3);
    for (const table of ATIS_TABLES) {
      const lines = (data[table.name] ?? []).map((row) =>
        row.map((value) => (typeof value === 'number' ? value : `'${value.replaceAll("'", "\\'")}'`)).join(','),
      );
      writeFileSync(join(directory, dataFileName(table)), `${change(table.name, lines).join('\n')}\n`);
    }
    return directory;
  }

  test('their rows are loaded, and every count is right', async () => {
    const record = await run({ data_dir: writeFiles(), skip_delete: true });
    expectSound(record);
    expectAllQueries(record);
    const quoted = await query(bench.target, 'SELECT no_discounts FROM restriction WHERE no_discounts LIKE "%\'%"');
    expect(quoted.length).toBeGreaterThan(0);
  });

  test('a wrong row in them is a wrong result', async () => {
    const directory = writeFiles((table, lines) =>
      table === 'fare' ? lines.map((line) => line.replace(/,'R-\d+',/, ",'',")) : lines,
    );
    const record = await run({ data_dir: directory });
    expect(record.totals.errors).toEqual([
      expect.objectContaining({
        policy: 'validation',
        count: LOOPS,
        example: expect.stringContaining('query restricted_carriers_of_fares: 5,692 rows expected, 0 found'),
      }),
    ]);
    expect(await tablesLeft()).toBe(0);
  });

  test('a damaged file is told before anything is changed', async () => {
    const directory = writeFiles((table, lines) => (table === 'flight' ? [...lines.slice(1), '1,2'] : lines));
    await expect(run({ data_dir: directory })).rejects.toThrow('flight.txt, line 579: it has 2 values');
    expect(await tablesLeft()).toBe(0);
  });
});

/** They are the property of others, and no part of this project: tested where somebody has them. */
const ORIGINALS = process.env['SQLDYNO_ATIS_DATA'] ?? '';

test.skipIf(ORIGINALS === '')('the original files (SQLDYNO_ATIS_DATA) give the same counts', async () => {
  const record = await run({ data_dir: ORIGINALS });
  expectSound(record);
  expectAllQueries(record);
});

describe('on the command line', () => {
  const cli = (...args: readonly string[]) =>
    runCli([...args, `--mysql-socket=${bench.server.socketPath}`, '--mysql-user=root'], { store: newDirectory() });

  test("test-ATIS's own line", async () => {
    const { code, stdout } = await cli('test-ATIS', '--database=sbtest', '--small-test', '--loop-count=20');
    expect(code).toBe(0);
    for (const line of ['create_table (28)', 'insert (9768)', 'select_simple_join (10)', 'select_group (56)']) {
      expect(stdout).toContain(`Time for ${line}: `);
    }
    expect(stdout).toContain('Total time: ');
    expect(await tablesLeft()).toBe(0);
  });

  test('with no server named, a private one is started, since the run brings its own data', async () => {
    const store = newDirectory();
    try {
      const line = ['test-ATIS', '--fast', '--small-test', '--loop-count=10', '--no-defaults'];
      const { code, stdout } = await runCli(line, { store });
      expect(code).toBe(0);
      expect(stdout).toContain('Time for book_keeping (1): ');
    } finally {
      expect(await runCli(['server', 'stop'], { store })).toMatchObject({ code: 0 });
    }
  });

  test('a wrong result ends with 4', async () => {
    await maintainTest(bench.target, 'prepare', 'atis');
    await execute(bench.target, "UPDATE city SET state_code = '??' WHERE city_code = 'MATL'");
    const alone = ['--mysql-db=sbtest', '--skip-create', '--skip-delete', '--loop-count=1'];
    const { code, stdout } = await cli('atis', ...alone, 'run');
    expect(code).toBe(4);
    // The report is wrapped to a line's length.
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('query city_in_state: 1 row expected, 0 found');
  });
});
