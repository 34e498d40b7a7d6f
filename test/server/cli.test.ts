/** The program as people meet it: what it prints, what it ends with, what it keeps and what it leaves alone. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { openStore } from '../../src/store/store.ts';
import { connect } from '../../src/wire/connection.ts';
import type { Connection } from '../../src/wire/types.ts';
import { type CliResult, runCli, startCli } from '../support/cli.ts';

/** Durable settings would only make tests wait for the disk. */
const FAST = ['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=0'];
const SMALL = ['--tables=2', '--table-size=500'];
const SHORT = ['--threads=2', '--time=1', '--rand-seed=7'];

let scratch: string;
let store: string;
let server: PrivateServer;
let tcp: NonNullable<PrivateServer['tcp']>;
let admin: Connection;
/** Names the server of these tests. */
let here: readonly string[];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-cli-'));
  store = join(scratch, 'store');
  server = await startPrivateServer({ directory: join(scratch, 'lab'), extraArguments: FAST, tcp: true });
  if (server.tcp === undefined) throw new Error('TCP was asked for');
  tcp = server.tcp;
  here = [`--mysql-socket=${server.socketPath}`, '--mysql-user=root'];
  admin = await connect({ ...server.target, multiStatements: true });
  await admin.execute('CREATE DATABASE bench');
  const prepared = await cli(['oltp_read_write', ...SMALL, ...here, '--mysql-db=bench', 'prepare']);
  expect(prepared).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await admin?.close();
  await server?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

function cli(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  return runCli(args, { store, environment });
}

function onBench(...args: readonly string[]): string[] {
  return ['oltp_read_write', ...SMALL, ...here, '--mysql-db=bench', ...args];
}

async function latest(): Promise<RunRecord> {
  return openStore(store).load('latest');
}

function runsKept(): string[] {
  const runs = join(store, 'runs');
  return existsSync(runs) ? readdirSync(runs).sort() : [];
}

/** Everything on the server that a command could have changed by mistake. */
async function stateOfServer(): Promise<string> {
  const tables = await admin.read(
    `SELECT TABLE_SCHEMA, TABLE_NAME, CREATE_TIME FROM information_schema.TABLES
     WHERE TABLE_SCHEMA NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema') ORDER BY 1, 2`,
  );
  const schemas = await admin.read('SELECT SCHEMA_NAME FROM information_schema.SCHEMATA ORDER BY 1');
  const sums = await admin.read('CHECKSUM TABLE bench.sbtest1, bench.sbtest2');
  return JSON.stringify([tables.rows, schemas.rows, sums.rows], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

describe('the usual way', () => {
  test('prepare, check, prewarm, run and cleanup end with 0, and the run is kept', async () => {
    const target = [...here, '--mysql-db=usual'];
    const steps = ['prepare', 'check', 'prewarm', 'run', 'cleanup'];
    for (const step of steps) {
      const create = step === 'prepare' ? ['--create-database'] : [];
      const result = await cli(['oltp_read_write', ...SMALL, ...SHORT, ...target, ...create, step]);
      expect(result, JSON.stringify(result)).toMatchObject({ code: 0 });
    }
    const record = await latest();
    expect(record).toMatchObject({ workload: { name: 'oltp_read_write' }, seed: 7, ending: { kind: 'time' } });
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    const left = await admin.read("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'usual'");
    expect(Number(left.rows[0]?.[0])).toBe(0);
  });

  test('the report goes to stdout, with the fields of sysbench under their names', async () => {
    const { code, stdout } = await cli(onBench('--events=5', '--report-interval=0.5', ...SHORT, 'run'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/per transaction: 14 reads, 4 writes, 2 other/);
    expect(stdout).toMatch(/transactions: +5 +\(/);
    expect(stdout).toMatch(/95th percentile:/);
    expect(stdout).toMatch(/Cross-check with the server's counters: ok/);
  });

  test('with --json stdout is the record and nothing else', async () => {
    const { code, stdout, stderr } = await cli(onBench('--json', ...SHORT, 'run'));
    expect(code).toBe(0);
    const record = JSON.parse(stdout) as RunRecord;
    expect(record).toMatchObject({ format: 'sqldyno.run/1', target: { database: 'bench' } });
    expect(record).toEqual(JSON.parse(JSON.stringify(await latest())));
    expect(stderr).toContain('SQL statistics:');
  });

  test('with --json=FILE the record is in the file, and the report on stdout', async () => {
    const file = join(scratch, 'result.json');
    const { stdout } = await cli(onBench(`--json=${file}`, ...SHORT, 'run'));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 'sqldyno.run/1' });
    expect(stdout).toContain('SQL statistics:');
  });

  test.each([
    { what: 'a URL', target: () => [`mysql://root@localhost/bench?socket=${encodeURIComponent(server.socketPath)}`] },
    { what: 'an option file', target: () => [`--defaults-file=${server.clientFile}`, '--mysql-db=bench'] },
    { what: 'host and port', target: () => [`--mysql-port=${tcp.port}`, '--mysql-host=127.0.0.1', '--mysql-db=bench'] },
  ])('the target may be given as $what', async ({ what, target }) => {
    const account = what === 'host and port' ? [`--mysql-user=${tcp.user}`, '--mysql-password-file=PW'] : [];
    const passwordFile = join(scratch, 'pw');
    writeFileSync(passwordFile, `${tcp.password}\n`);
    const args = account.map((arg) => arg.replace('PW', passwordFile));
    const result = await cli(['oltp_point_select', ...SMALL, '--events=3', ...target(), ...args, 'run']);
    expect(result, result.stderr).toMatchObject({ code: 0 });
  });

  test('flags for Node and V8 do no harm to the threads of the load', async () => {
    const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;
    const words = [process.execPath, '--max-old-space-size=2000', main, ...onBench('--events=10', '--time=0', 'run')];
    const shell = words.map((word) => `'${word}'`).join(' ');
    expect(await startCli([], { store, shell }).ended).toMatchObject({ code: 0 });
  });

  test('a workload of the catalog that needs no tables of another runs by its script name', async () => {
    const args = ['/usr/share/sysbench/oltp_read_only.lua', ...SMALL, ...here, '--mysql-db=bench', '--events=3'];
    const result = await cli([...args, '--range_selects=off', '--db-ps-mode=disable', 'run']);
    expect(result).toMatchObject({ code: 0 });
    expect(result.stdout).toContain('per transaction: 10 reads, 0 writes, 2 other');
  });
});

describe('what is wrong is said in a sentence with a remedy, and nothing is changed', () => {
  const nowhere = { port: 0 };

  beforeAll(async () => {
    // A port that was free a moment ago: nobody listens there.
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    nowhere.port = (probe.address() as { port: number }).port;
    await new Promise((resolve) => probe.close(resolve));
    await admin.execute('CREATE DATABASE shapes');
    await admin.execute('CREATE TABLE shapes.sbtest1 (id INT PRIMARY KEY, k DATE)');
    await admin.execute("CREATE USER plain@localhost IDENTIFIED BY 'plain-secret'");
    await admin.execute('GRANT ALL ON bench.* TO plain@localhost');
  });

  test.each([
    {
      because: 'unknown option',
      args: () => onBench('--table-sizes=5', 'run'),
      code: 1,
      says: 'Did you mean --table-size?',
    },
    { because: 'wrong value', args: () => onBench('--threads=none', 'run'), code: 1, says: "not 'none'" },
    {
      because: 'no such workload',
      args: () => ['oltp_read_wrote', ...here, 'run'],
      code: 1,
      says: 'Did you mean oltp_read_write?',
    },
    { because: 'no command', args: () => onBench(), code: 1, says: 'Add one of prepare' },
    {
      because: 'nobody listens',
      args: () => ['oltp_read_write', '--mysql-host=127.0.0.1', `--mysql-port=${nowhere.port}`, 'run'],
      code: 2,
      says: 'No server answers at 127.0.0.1:',
    },
    {
      because: 'no such host',
      args: () => ['oltp_read_write', '--mysql-host=no-such-host.invalid', 'prepare'],
      code: 2,
      says: 'No server answers at no-such-host.invalid:3306',
    },
    {
      because: 'wrong password',
      args: () => [
        'oltp_read_write',
        here[0] as string,
        '--mysql-user=plain',
        '--mysql-password=wrong-secret',
        'prepare',
      ],
      code: 2,
      says: "refuses user 'plain'",
    },
    {
      because: 'no such database',
      args: () => ['oltp_read_write', ...here, '--mysql-db=absent', 'prepare'],
      code: 2,
      says: '--create-database there makes it',
    },
    {
      because: 'another shape',
      args: () => ['oltp_read_write', ...here, '--mysql-db=shapes', 'run'],
      code: 2,
      says: 'sbtest1',
    },
    {
      because: 'no tables',
      args: () => ['oltp_read_write', ...here, '--mysql-db=mysql', 'run'],
      code: 2,
      says: 'prepare',
    },
    { because: 'too few rows', args: () => onBench('--table-size=5000', 'run'), code: 2, says: '5,000' },
    {
      because: 'check finds the same',
      args: () => ['oltp_read_write', ...here, '--mysql-db=shapes', 'check'],
      code: 4,
      says: 'sbtest1',
    },
    { because: 'TLS that is not there', args: () => onBench('--mysql-ssl=on', 'run'), code: 2, says: '--mysql-ssl' },
    { because: 'no private server yet', args: () => ['oltp_read_write', 'run'], code: 2, says: 'No target is named' },
    { because: 'no such run', args: () => ['runs', 'show', 'zzzz'], code: 1, says: "no run 'zzzz'" },
    {
      because: 'a JSON file that cannot be',
      args: () => onBench('--json=/nowhere/x.json', 'run'),
      code: 1,
      says: '/nowhere/x.json',
    },
  ])('$because', async ({ args, code, says }) => {
    const before = { server: await stateOfServer(), runs: runsKept() };
    const result = await cli(args());
    expect(result, result.stderr).toMatchObject({ code });
    expect(result.stdout).not.toContain('SQL statistics');
    expect(result.stderr).toContain(says);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(result.stderr).not.toContain('secret');
    expect({ server: await stateOfServer(), runs: runsKept() }).toEqual(before);
  });

  test('a read-only server', async () => {
    await admin.execute('SET GLOBAL read_only = 1');
    try {
      const before = await stateOfServer();
      const account = [here[0] as string, '--mysql-user=plain', '--mysql-db=bench'];
      const result = await cli(['oltp_read_write', ...SMALL, ...account, 'run'], { MYSQL_PWD: 'plain-secret' });
      expect(result, result.stderr).toMatchObject({ code: 2 });
      expect(result.stderr).toMatch(/read.only/i);
      expect(await stateOfServer()).toBe(before);
    } finally {
      await admin.execute('SET GLOBAL read_only = 0');
    }
  });

  test('programs get the same as JSON', async () => {
    const { code, stdout } = await cli(onBench('--json', '--zebra', '--threads=0', 'run'));
    expect(code).toBe(1);
    const { error } = JSON.parse(stdout) as { error: { exitCode: number; problems: { is: string }[] } };
    expect(error.exitCode).toBe(1);
    expect(error.problems).toHaveLength(2);
  });
});

test('a prepare that is interrupted goes on when it is given again', async () => {
  const args = ['oltp_read_write', '--tables=1', '--table-size=200000', ...here, '--mysql-db=resumed'];
  const { child, ended, shows } = startCli([...args, '--create-database', 'prepare'], { store });
  await shows(/loading 200,000 rows/);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining('goes on from there') });
  expect(await cli([...args, 'prepare'])).toMatchObject({ code: 0 });
  const counted = await admin.read('SELECT COUNT(*), COUNT(DISTINCT id), MAX(id) FROM resumed.sbtest1');
  expect(counted.rows[0]?.map(Number)).toEqual([200_000, 200_000, 200_000]);
});

describe('a run that is cut short', () => {
  const LONG = ['--time=600', '--threads=2', '--report-interval=0.2'];

  test.each(['SIGINT', 'SIGTERM'] as const)('%s once ends it in good order, with report and record', async (signal) => {
    const { child, ended, shows } = startCli(onBench(...LONG, 'run'), { store });
    await shows(/\[ [\d.]+s \] thds: 2/);
    child.kill(signal);
    const result = await ended;
    expect(result, result.stderr).toMatchObject({ code: 130 });
    expect(result.stdout).toContain('SQL statistics:');
    expect((await latest()).ending.kind).toBe('interrupted');
  });

  test('a second time at once, although transactions hang, and the record is kept', async () => {
    const blocker = await connect({ ...server.target, database: 'bench' });
    const { child, ended, shows } = startCli(onBench(...LONG, 'run'), { store });
    await shows(/\[ [\d.]+s \] thds: 2/);
    await blocker.execute('LOCK TABLES sbtest1 WRITE, sbtest2 WRITE');
    child.kill('SIGINT');
    await shows(/Interrupted: waiting/);
    child.kill('SIGINT');
    const result = await ended;
    await blocker.close();
    expect(result, result.stderr).toMatchObject({ code: 130 });
    const record = await latest();
    expect(record.ending.kind).toBe('interrupted');
    expect(record.totals.unfinished).toBeGreaterThan(0);
  });

  test('a reader that goes away ends it in good order', async () => {
    const { child, ended, shows } = startCli(onBench(...LONG, '--tag=gone', 'run'), { store });
    await shows(/\[ [\d.]+s \] thds: 2/);
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 130, signal: null });
    expect(await latest()).toMatchObject({ tags: ['gone'], ending: { kind: 'interrupted' } });
  });
});

describe('secrets', () => {
  test('a password is neither in the output, nor in the record, nor for long in the process list', async () => {
    const password = tcp.password;
    const account = ['--mysql-host=127.0.0.1', `--mysql-port=${tcp.port}`, `--mysql-user=${tcp.user}`];
    const args = ['oltp_read_write', ...SMALL, ...account, `--mysql-password=${password}`, '--mysql-db=bench'];
    const { child, ended, shows } = startCli([...args, '--time=600', '--report-interval=0.2', 'run'], { store });
    await shows(/\[ [\d.]+s \] thds: 1/);
    const commandLine = existsSync('/proc/self/cmdline') ? readFileSync(`/proc/${child.pid}/cmdline`, 'utf8') : '';
    child.kill('SIGINT');
    const { stdout, stderr } = await ended;
    const record = JSON.stringify(await latest());
    for (const text of [commandLine, stdout, stderr, record]) expect(text).not.toContain(password);
    expect(record).toContain('--mysql-password=***');
  });
});

describe('runs', () => {
  test('are listed, shown in every format, and removed', async () => {
    await cli(onBench('--events=4', '--tag=listed', 'run'));
    const { id } = await latest();
    const listed = await cli(['runs', 'list']);
    expect(listed.stdout).toMatch(new RegExp(`${id} .*listed`));
    expect(JSON.parse((await cli(['--json', 'runs', 'list'])).stdout)).toContainEqual(expect.objectContaining({ id }));
    const text = await cli(['runs', 'show', 'latest']);
    expect(text.stdout).toContain('SQL statistics:');
    expect((await cli(['runs', 'show'])).stdout).toBe(text.stdout);
    expect((await cli(['runs', 'show', id.slice(-4), '--format=csv'])).stdout).toMatch(/^run,start_s/);
    expect(JSON.parse((await cli(['runs', 'show', id, '--json'])).stdout)).toMatchObject({ id });
    expect(await cli(['runs', 'rm', id])).toMatchObject({ code: 0, stdout: `Removed ${id}\n` });
    expect(runsKept()).not.toContain(id);
    const again = await cli(['runs', 'rm', `${id.slice(0, -1)}?`]);
    expect(again).toMatchObject({ code: 1, stdout: '' });
  });
});

test.runIf(existsSync('/dev/full'))('a report that cannot be written does not end with 0', async () => {
  const main = join(process.cwd(), 'dist/src/cli/main.js');
  const { ended } = startCli([], { store, shell: `'${process.execPath}' '${main}' workloads > /dev/full` });
  expect(await ended).toMatchObject({ code: 3, stderr: expect.stringContaining('stdout cannot be written') });
});

test.runIf(existsSync('/dev/full'))(
  'a run whose output cannot be written ends early, and not with 0 or as if interrupted',
  async () => {
    const main = join(process.cwd(), 'dist/src/cli/main.js');
    const words = [process.execPath, main, ...onBench('--threads=2', '--time=30', '--report-interval=0.1', 'run')];
    const shell = `${words.map((word) => `'${word}'`).join(' ')} > /dev/full`;
    const { code, stderr } = await startCli([], { store, shell }).ended;
    expect(code).toBe(3);
    expect(stderr).toContain('stdout cannot be written');
    expect(stderr).not.toContain('Nobody reads');
  },
);

describe('the private server of commands without a target', () => {
  test('stays between prepare and run; a run that it dies in fails, and keeps what was measured; and it can be removed', async () => {
    const own = join(scratch, 'own-store');
    const run = (args: readonly string[]) => runCli(args, { store: own });
    expect(await run(['server', 'start', '--', ...FAST])).toMatchObject({ code: 0 });
    expect(await run(['server', 'start'])).toMatchObject({ code: 0, stdout: expect.stringContaining('runs already') });
    const prepared = await run(['oltp_read_write', ...SMALL, 'prepare']);
    expect(prepared).toMatchObject({ code: 0, stderr: expect.stringContaining('it stays until') });
    expect(await run(['oltp_read_write', ...SMALL, ...SHORT, 'run'])).toMatchObject({ code: 0 });

    const [listed] = JSON.parse((await run(['server', 'list', '--json'])).stdout) as { pid: number; state: string }[];
    expect(listed).toMatchObject({ name: 'default', state: 'running' });
    const args = ['oltp_read_write', ...SMALL, '--threads=2', '--time=600', '--report-interval=0.2', 'run'];
    const { ended, shows } = startCli(args, { store: own });
    await shows(/\[ [\d.]+s \] thds: 2/);
    process.kill((listed as { pid: number }).pid, 'SIGKILL');
    const killed = await ended;
    expect(killed, killed.stderr).toMatchObject({ code: 3 });
    expect(killed.stdout).toContain('FAILED:');
    const record = await openStore(own).load('latest');
    expect(record.ending.kind).toBe('failed');
    expect(record.totals.transactions.committed).toBeGreaterThan(0);

    expect(await run(['server', 'stop', '--rm'])).toMatchObject({ code: 0 });
    expect((await run(['server', 'list'])).stdout).toContain('No private servers.');
  });
});
