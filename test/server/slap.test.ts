/** slap on a real server, through the program: what it sends, what it keeps, what it leaves alone and how it ends. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { openStore } from '../../src/store/store.ts';
import { connect } from '../../src/wire/connection.ts';
import type { Connection } from '../../src/wire/types.ts';
import { type CliResult, runCli, startCli } from '../support/cli.ts';

const FAST = ['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=0'];

let scratch: string;
let store: string;
let server: PrivateServer;
let admin: Connection;
let here: readonly string[];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-slap-'));
  server = await startPrivateServer({ directory: join(scratch, 'lab'), extraArguments: FAST });
  here = [`--mysql-socket=${server.socketPath}`, '--mysql-user=root', '--rand-seed=7'];
  admin = await connect(server.target);
  store = join(scratch, 'store');
});

afterAll(async () => {
  await admin?.close();
  await server?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** Whatever a test has done to it, the next one finds the server without the database of slap. */
afterEach(async () => {
  await admin.execute('DROP DATABASE IF EXISTS mysqlslap');
});

async function slap(...options: readonly string[]): Promise<CliResult> {
  return runCli(['slap', ...here, ...options, 'run'], { store });
}

/** With the records, as --json gives them. */
async function runsOf(...options: readonly string[]): Promise<RunRecord[]> {
  const result = await slap(...options, '--json');
  expect(result, JSON.stringify(result)).toMatchObject({ code: 0 });
  return [JSON.parse(result.stdout) as RunRecord | RunRecord[]].flat();
}

async function databases(): Promise<string[]> {
  const { rows } = await admin.read('SELECT SCHEMA_NAME FROM information_schema.SCHEMATA');
  return rows.map(([name]) => String(name));
}

/** Statements of the load that the server counted. */
function counted({ crossCheck }: RunRecord): Record<string, number> {
  if (crossCheck.is !== 'done') throw new Error(crossCheck.because);
  const rows = crossCheck.rows.filter(({ counter, during }) => counter.startsWith('Com_') && during === undefined);
  return Object.fromEntries(rows.map(({ counter, server: count }) => [counter, count]));
}

describe('queries that are made here', () => {
  test.each([
    { options: [], counts: { Com_insert: 24, Com_select: 24 }, because: 'mixed' },
    { options: ['--auto-generate-sql-load-type=write'], counts: { Com_insert: 48 }, because: 'write' },
    { options: ['--auto-generate-sql-load-type=read'], counts: { Com_select: 48 }, because: 'read' },
    { options: ['--auto-generate-sql-load-type=update'], counts: { Com_update: 48 }, because: 'update of all rows' },
    {
      options: ['--auto-generate-sql-load-type=update', '--auto-generate-sql-add-autoincrement'],
      counts: { Com_update: 48 },
      because: 'update by a number',
    },
    {
      options: ['--auto-generate-sql-load-type=key', '--auto-generate-sql-guid-primary', '--validate'],
      counts: { Com_select: 48 },
      because: 'key',
    },
    {
      options: ['--auto-generate-sql-add-autoincrement', '--auto-generate-sql-secondary-indexes=2', '--validate'],
      counts: { Com_insert: 24, Com_select: 24 },
      because: 'mixed by keys',
    },
    {
      options: ['--commit=5', '--number-int-cols=3:1', '--number-char-cols=2'],
      counts: { Com_insert: 24, Com_select: 24, Com_commit: 12 },
      because: 'twelve queries are three transactions',
    },
  ])('$because: as many as asked for, exactly', async ({ options, counts }) => {
    // A list of ten, so that inserts and selects are equal in number.
    const list = '--auto-generate-sql-unique-query-number=9';
    const [record] = await runsOf('--concurrency=4', '--number-of-queries=51', list, '--engine=innodb', ...options);
    expect(counted(record!)).toEqual(counts);
    expect(record!.crossCheck).toMatchObject({ is: 'done', ok: true });
    expect(record!.totals.setupS).toBeGreaterThan(0);
    expect(record!.ownTerms).toContain('    average queries per client    12');
    expect(await databases()).not.toContain('mysqlslap');
  });

  test('equal seeds give equal data and equal queries, whatever the number of workers', async () => {
    const states: string[] = [];
    for (const workers of [1, 2, 8]) {
      const options = ['--auto-generate-sql-add-autoincrement', '--auto-generate-sql-load-type=write', '--no-drop'];
      await runsOf(...options, '--concurrency=8', '--number-of-queries=200', `--workers=${workers}`);
      const { rows } = await admin.read(
        'SELECT COUNT(*), SUM(CRC32(CONCAT(intcol1, charcol1))), SUM(CRC32(CONCAT(id, charcol1)) * (id < 100)) FROM mysqlslap.t1',
      );
      states.push(rows.join());
    }
    expect(states[0]).toMatch(/^299,/);
    expect(new Set(states).size).toBe(1);
  });

  test('--detach opens connections anew', async () => {
    const [record] = await runsOf('--concurrency=2', '--number-of-queries=20', '--detach=5');
    expect(record!.totals.reconnects).toBe(4);
    expect(record!.crossCheck).toMatchObject({ is: 'done', ok: true });
  });
});

describe('rounds', () => {
  test('one for each engine, number of clients and iteration, each with a record', async () => {
    const options = ['--engine=innodb,memory:max_rows=9999', '--concurrency=1,3', '--iterations=2'];
    const result = await slap(...options, '--number-of-queries=30');
    expect(result, JSON.stringify(result)).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^Round 8 of 8: memory, 3 clients, iteration 2$/m);
    const rows = result.stdout.match(/^ {2}(?:innodb|memory) +\d+ +\d+ +2 .*$/gm);
    expect(rows?.map((row) => row.trim().split(/ +/).slice(0, 4).join())).toEqual([
      'innodb,1,30,2',
      'innodb,3,10,2',
      'memory,1,30,2',
      'memory,3,10,2',
    ]);
    const tag = /kept with the tag (rounds-\w+)/.exec(result.stdout)?.[1];
    const { runs } = await openStore(store).list();
    const ours = runs.filter(({ tags }) => tags.includes(tag!));
    expect(ours.map(({ tags }) => tags[1])).toEqual(Array.from({ length: 8 }, (_, at) => `round-${at + 1}-of-8`));
    expect(ours.map(({ threads }) => threads)).toEqual([1, 1, 3, 3, 1, 1, 3, 3]);
    // Each had its data made just before, which stands on its timeline.
    const records = await Promise.all(ours.map(({ id }) => openStore(store).load(id)));
    expect(records.map(({ phases }) => phases?.[0]?.name)).toEqual(Array.from({ length: 8 }, () => 'prepare'));
    expect(await databases()).not.toContain('mysqlslap');
  });

  test('--csv has the columns of mysqlslap, and stdout for itself', async () => {
    const result = await slap('--csv', '--engine=innodb', '--concurrency=1,2', '--number-of-queries=10');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^innodb,mixed(?:,\d+\.\d{3}){3},1,10\ninnodb,mixed(?:,\d+\.\d{3}){3},2,5\n$/);
  });

  test('--csv=FILE goes on where others have written', async () => {
    const file = join(scratch, 'out.csv');
    writeFileSync(file, 'earlier\n');
    const result = await slap(`--csv=${file}`, '--silent', '--query=SELECT 1', '--mysql-db=mysql');
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toMatch(/^earlier\n,query(?:,\d+\.\d{3}){3},1,1\n$/);
  });

  test('a file that cannot be written is found before the work', async () => {
    const result = await slap(`--csv=${join(scratch, 'no', 'out.csv')}`);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be written (ENOENT)') });
  });

  test('after Ctrl-C those that are finished are kept, and the others named', async () => {
    // Slower from round to round, so that the second is under way for long.
    await admin.execute('CREATE DATABASE pacing');
    await admin.execute('CREATE TABLE pacing.pace AS SELECT CAST(0.005 AS DOUBLE) AS pauseS');
    const paced = ['--query=SELECT SLEEP(pauseS) FROM pace', '--pre-query=UPDATE pace SET pauseS = pauseS * 20'];
    const load = ['--create-schema=pacing', '--concurrency=1,2,4', '--number-of-queries=8', '--report-interval=0.1'];
    const process = startCli(['slap', ...here, ...paced, ...load, 'run'], { store });
    await process.shows(/thds: 2/);
    process.child.kill('SIGINT');
    const { code, stdout, stderr } = await process.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('It ended in round 2 of 3 (2 clients).\n  Not run: 4 clients.');
    expect(stdout).toMatch(/^ +1 +8 +1 /m);
    const { runs } = await openStore(store).list();
    expect(runs.at(-1)).toMatchObject({ workload: 'slap', threads: 2, ending: 'interrupted' });
    expect(runs.at(-2)).toMatchObject({ workload: 'slap', threads: 1, ending: 'events' });
  });
});

describe("the user's own SQL", () => {
  test('of files, around it --pre-query, --post-query and the shell; stored programs too', async () => {
    const create = join(scratch, 'create.sql');
    const query = join(scratch, 'query.sql');
    writeFileSync(
      create,
      'CREATE TABLE a (b INT);\nCREATE TABLE log (word TEXT);\nINSERT INTO a VALUES (1), (2);\n' +
        'CREATE PROCEDURE p() SELECT COUNT(*) FROM a;\n',
    );
    writeFileSync(
      query,
      "-- reads; and writes\nSELECT b\n  FROM a;\nINSERT INTO log VALUES ('it''s; fine');\nCALL p();\n",
    );
    const [record] = await runsOf(
      `--create=${create}`,
      `--query=${query}`,
      '--delimiter=;',
      '--concurrency=2',
      '--number-of-queries=18',
      '--engine=myisam',
      "--pre-query=INSERT INTO log VALUES ('before')",
      `--post-query=CREATE TABLE mysql.slap_saw SELECT word, COUNT(*) n FROM log GROUP BY word; CREATE TABLE mysql.slap_engine SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_NAME = 'log'`,
      `--pre-system=echo one >> ${join(scratch, 'shell')}`,
      `--post-system=echo two >> ${join(scratch, 'shell')}`,
      '--init-command=SET SESSION sql_mode = 0',
    );
    expect(
      Object.entries(record!.totals.statements.byName).map(([name, { kind, committed }]) => [name, kind, committed]),
    ).toEqual(
      expect.arrayContaining([
        ['query_1', 'read', 6],
        ['query_2', 'write', 6],
        ['query_3', 'other', 6],
      ]),
    );
    expect(record!.workload.options['query']).toBe(readFileSync(query, 'utf8'));
    const { rows } = await admin.read('SELECT word, n FROM mysql.slap_saw ORDER BY word');
    expect(rows.map((row) => row.join())).toEqual(['before,1', "it's; fine,6"]);
    expect((await admin.read('SELECT * FROM mysql.slap_engine')).rows.join()).toBe('MyISAM');
    expect(readFileSync(join(scratch, 'shell'), 'utf8')).toBe('one\ntwo\n');
    await admin.execute('DROP TABLE mysql.slap_saw, mysql.slap_engine');
  });

  test('a query that fails ends the run with 3, and the record says with which error', async () => {
    const result = await slap(
      '--query=SELECT 1; SELECT nothing',
      '--delimiter=;',
      '--mysql-db=mysql',
      '--concurrency=1,2',
    );
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/1054 \(ER_BAD_FIELD_ERROR\)/);
    expect(result.stderr).toContain('Not run: 2 clients.');
    const record = await openStore(store).load('latest');
    expect(record.ending).toMatchObject({ kind: 'failed', cause: expect.stringContaining('nothing') });
    expect(record.totals.errors).toMatchObject([{ code: 1054, policy: 'fatal' }]);
  });

  test('a statement of --create that fails is named, and nothing is left', async () => {
    const result = await slap('--create=CREATE TABEL a (b INT)', '--query=SELECT 1');
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/--create: .*\(1064 ER_PARSE_ERROR\): CREATE TABEL a \(b INT\)/);
    expect(await databases()).not.toContain('mysqlslap');
  });

  test('a shell command that fails ends it with 3, before the load', async () => {
    const result = await slap('--pre-system=echo no such disk; exit 5');
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/no such disk[\s\S]*it ended with exit code 5/);
    expect(await databases()).not.toContain('mysqlslap');
  });
});

describe('what cannot be', () => {
  test('no server, a database that is missing, an engine that is missing: exit code 2', async () => {
    const nobody = await runCli(['slap', '--mysql-host=127.0.0.1', '--mysql-port=1', 'run'], { store });
    expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('No server answers') });
    const nowhere = await slap('--query=SELECT 1', '--create-schema=nowhere');
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("'nowhere' does not exist") });
    const engine = await slap('--engine=innodb,floppy', '--number-of-queries=4', '--csv');
    expect(engine).toMatchObject({ code: 2, stderr: expect.stringContaining("no storage engine 'floppy'") });
    expect(engine.stdout).toMatch(/^innodb,mixed,/);
  });

  test('commands that have nothing to do', async () => {
    const result = await runCli(['slap', ...here, 'prepare'], { store });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('slap has no prepare') });
  });
});

describe('a database that is there', () => {
  beforeAll(async () => {
    await admin.execute('CREATE DATABASE shop');
    await admin.execute('CREATE TABLE shop.t1 (a INT)');
    await admin.execute('INSERT INTO shop.t1 VALUES (42)');
  });

  test.each(['run', 'cleanup'])('is left alone by %s, and so is an empty one', async (command) => {
    for (const name of ['shop', 'mysqlslap']) {
      await admin.execute(`CREATE DATABASE IF NOT EXISTS ${name}`);
      const result = await runCli(['slap', ...here, `--create-schema=${name}`, command], { store });
      expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('sqldyno has not made') });
      expect(await databases()).toContain(name);
    }
    expect((await admin.read('SELECT a FROM shop.t1')).rows).toEqual([[42]]);
  });

  test('serves queries of the user, and stays as it was', async () => {
    const [record] = await runsOf('--query=SELECT * FROM t1', '--create-schema=shop', '--concurrency=3');
    expect(record!.totals.rowsRead).toBe(3);
    expect((await admin.read('SELECT a FROM shop.t1')).rows).toEqual([[42]]);
    expect((await admin.read('SHOW TABLES FROM shop')).rows).toHaveLength(1);
  });

  test('is dropped where it is of an earlier run, unless a table has come since', async () => {
    await runsOf('--no-drop', '--concurrency=1,2');
    expect(await databases()).toContain('mysqlslap');
    await runsOf('--no-drop');
    await admin.execute('CREATE TABLE mysqlslap.mine (a INT)');
    const refused = await slap();
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('tables that came later (mine)') });
    await admin.execute('DROP TABLE mysqlslap.mine');
    const cleaned = await runCli(['slap', ...here, 'cleanup'], { store });
    expect(cleaned).toMatchObject({ code: 0, stdout: "Dropped the database 'mysqlslap'.\n" });
    expect(await databases()).not.toContain('mysqlslap');
  });

  test('is dropped with --drop-existing', async () => {
    await admin.execute('CREATE TABLE shop.orders (a INT)');
    await runsOf('--create-schema=shop', '--drop-existing');
    expect(await databases()).not.toContain('shop');
  });
});

test('the line of mysqlslap works with its name before it', async () => {
  const line = [
    'mariadb-slap',
    '-uroot',
    '-S',
    server.socketPath,
    '-a',
    '-c',
    '2',
    '-i',
    '2',
    '--number-of=20',
    '--csv',
  ];
  const result = await runCli(line, { store });
  expect(result, JSON.stringify(result)).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toMatch(/^,mixed(?:,\d+\.\d{3}){3},2,10\n$/);
});

test('--only-print asks no server', async () => {
  const args = ['slap', '--mysql-host=127.0.0.1', '--mysql-port=1', '--only-print', '--number-of-queries=3', 'run'];
  const result = await runCli(args, { store });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout.match(/^INSERT INTO t1 VALUES/gm)).toHaveLength(101);
});
