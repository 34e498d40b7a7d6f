/** The experiment that convicts or acquits, on real servers: what it finds, and that nothing stays changed after it. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PrivateServer, startPrivateServer, stopPrivateServer } from '../../src/lab/server.ts';
import type { ProbeResult } from '../../src/model/probe-result.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { openStore } from '../../src/store/store.ts';
import { connect } from '../../src/wire/connection.ts';
import type { Connection } from '../../src/wire/types.ts';
import { type CliProcess, runCli, startCli } from '../support/cli.ts';
import { until } from '../support/processes.ts';
import { canSlowFlushes, slowFlushes } from '../support/slow-flush.ts';
import { startSlowProxy } from '../support/slow-proxy.ts';

const ARGUMENTS = ['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=1'];
const WRITES = ['oltp_update_non_index', '--table-size=1000', '--threads=8'];
const READS = ['oltp_point_select', '--table-size=1000', '--threads=2'];
const SHORT = ['--pairs=2', '--time=0.6', '--warmup-time=0.2'];
/** Ended as soon as B is there, which comes again and again. */
const MANY = ['--pairs=10', '--time=0.6', '--warmup-time=0.2'];
const FLUSH_DELAY_MS = 20;

let scratch: string;
let store: string;
let server: PrivateServer;
let admin: Connection;
/** Of runs that were made before the tests. */
let writes: string;
let reads: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-diagnose-'));
  store = join(scratch, 'store');
  server = await startPrivateServer({
    directory: store,
    keep: true,
    name: 'bench',
    extraArguments: ARGUMENTS,
    tcp: true,
  });
  admin = await connect(server.target);
  await admin.execute('CREATE DATABASE sbtest');
  await succeed(['oltp_read_write', '--table-size=1000', '--server=bench', 'prepare']);
  writes = await runOn('--server=bench', ...WRITES);
  reads = await runOn('--server=bench', ...READS);
});

afterAll(async () => {
  await admin?.close();
  await stopPrivateServer('bench', { directory: store, remove: true });
  rmSync(scratch, { recursive: true, force: true });
});

/** Whatever a test tried: the server is as it was, and nothing remembers that it was not. */
afterEach(async () => {
  expect(await globals()).toEqual(AS_IT_WAS);
  expect(journals()).toEqual([]);
  expect(await databases()).not.toContain('sqldyno_probe');
});

const AS_IT_WAS = { innodb_flush_log_at_trx_commit: 1, innodb_buffer_pool_size: 64 * 2 ** 20 };

async function globals() {
  const { rows } = await admin.read('SELECT @@GLOBAL.innodb_flush_log_at_trx_commit, @@GLOBAL.innodb_buffer_pool_size');
  return { innodb_flush_log_at_trx_commit: Number(rows[0]![0]), innodb_buffer_pool_size: Number(rows[0]![1]) };
}

async function databases(): Promise<string[]> {
  return (await admin.read('SHOW DATABASES')).rows.map(([name]) => String(name));
}

function journals(): string[] {
  const directory = join(store, 'changed-settings');
  return existsSync(directory) ? readdirSync(directory) : [];
}

async function succeed(args: readonly string[]) {
  const result = await runCli(args, { store });
  expect(result, JSON.stringify(result)).toMatchObject({ code: 0 });
  return result;
}

/** The run's id. */
async function runOn(...line: readonly string[]): Promise<string> {
  const { stdout } = await succeed([...line, '--time=1', '--json', 'run']);
  return (JSON.parse(stdout) as RunRecord).id;
}

function diagnose(...args: readonly string[]) {
  return runCli(['diagnose', ...args], { store });
}

async function probe(...args: readonly string[]): Promise<ProbeResult> {
  const { stdout } = await succeed(['diagnose', '--probe', '--json', ...SHORT, ...args]);
  return (JSON.parse(stdout) as { probe: ProbeResult }).probe;
}

function runs() {
  return openStore(store).list();
}

/** Resolves when B has begun to be as it is not otherwise. */
async function untilTurned(cli: CliProcess): Promise<void> {
  const ended = cli.ended.then((result) => {
    throw new Error(`ended before anything was changed: ${JSON.stringify(result)}`);
  });
  const turned = until('the setting is changed', async () => (await globals()).innodb_flush_log_at_trx_commit === 2);
  await Promise.race([turned, ended]);
}

async function startTurned(...args: readonly string[]): Promise<CliProcess> {
  const cli = startCli(['diagnose', writes, '--probe', '--verdict=commit', ...MANY, ...args], { store });
  await untilTurned(cli);
  expect(journals().filter((name) => name.endsWith('.json'))).toHaveLength(1);
  return cli;
}

describe('what it finds', () => {
  test.skipIf(!canSlowFlushes())('a commit that is slow is convicted (where strace can slow it)', async () => {
    await using _ = await slowFlushes(server.pid, FLUSH_DELAY_MS);
    const result = await probe(writes, '--verdict=commit');
    expect(result).toMatchObject({ verdict: 'commit', run: writes, outcome: 'convicted' });
    expect(result.pairs.map(({ first }) => first)).toEqual(['A', 'B']);
    expect(result.medianRatio).toBeGreaterThan(1.3);
    expect(result.b).toMatch(/not durable/);
    const kept = openStore(store);
    for (const { a, b } of result.pairs) {
      const [runA, runB] = [await kept.load(a.run), await kept.load(b.run)];
      expect(runA.target.variables['innodb_flush_log_at_trx_commit']).toBe('1');
      expect(runB.target.variables['innodb_flush_log_at_trx_commit']).toBe('2');
      expect([runA.tags, runB.tags]).toMatchObject([
        expect.arrayContaining(['probe', 'probe-A']),
        expect.arrayContaining(['probe-B']),
      ]);
      expect(runA).toMatchObject({ seed: runB.seed, workload: runB.workload, load: { threads: 8, timeS: 0.6 } });
    }
    const { stdout } = await diagnose(writes);
    expect(stdout).toMatch(/tried \d{4}-\d\d-\d\d: Convicted: where commit is the cause/);
  });

  test('that reads set the pace of what lies in memory is not convicted', async () => {
    const result = await probe(reads, '--verdict=read-io');
    expect(result).toMatchObject({ outcome: 'acquitted', b: expect.stringContaining(String(96 * 2 ** 20)) });
    expect(result.comparisons[0]).toMatchObject({ of: 'pages missed per transaction', pairsWithout: 2 });
    const [one, other] = result.pairs.map(({ a }) => a.run);
    expect((await openStore(store).load(one!)).seed).not.toBe((await openStore(store).load(other!)).seed);
  });

  test('a long way to a server that is here is convicted, over its socket', async () => {
    await admin.execute("CREATE USER ben@'%' IDENTIFIED BY 'b-secret'");
    await admin.execute("GRANT ALL ON sbtest.* TO ben@'%'");
    using proxy = await startSlowProxy(server.socketPath, { delayMs: 5 });
    const target = [
      '--mysql-host=127.0.0.1',
      `--mysql-port=${proxy.port}`,
      '--mysql-user=ben',
      '--mysql-password=b-secret',
    ];
    const slow = await runOn(...target, ...READS);
    const forgotten = await diagnose(slow, '--probe', '--verdict=network-latency');
    expect(forgotten).toMatchObject({ code: 1, stderr: expect.stringMatching(/holds no password[\s\S]*--mysql-user/) });
    const result = await probe(slow, '--verdict=network-latency', ...target);
    expect(result).toMatchObject({ outcome: 'convicted', b: `over the Unix socket ${server.socketPath}` });
    expect(JSON.stringify(result)).not.toContain('b-secret');
  });

  test('on ten times the rows, in a database that is gone afterwards', async () => {
    const result = await probe(writes, '--verdict=row-contention');
    expect(result).toMatchObject({ a: 'table_size = 1000', b: 'table_size = 10000, in a database of its own' });
    const { workload, target } = await openStore(store).load(result.pairs[0]!.b.run);
    expect(workload.options).toMatchObject({ table_size: 10_000 });
    expect(target.database).toBe('sqldyno_probe');
  });

  test('a server that has been stopped is started as it was', async () => {
    await admin.close();
    await stopPrivateServer('bench', { directory: store });
    const { stderr } = await succeed(['diagnose', reads, '--probe', '--verdict=server-cpu', ...SHORT]);
    expect(stderr).toContain("Starting the private server 'bench' again");
    admin = await connect(server.target);
    expect((await globals()).innodb_buffer_pool_size).toBe(64 * 2 ** 20);
  });
});

describe('without an experiment', () => {
  test('the diagnosis of a run is reckoned again from its record', async () => {
    const { stdout } = await succeed(['diagnose', reads, '--json']);
    const { diagnosis } = await openStore(store).load(reads);
    expect(JSON.parse(stdout)).toMatchObject({ run: reads, diagnosis });
  });

  test('the newest run is meant that is not part of an experiment', async () => {
    await probe(reads, '--verdict=server-cpu');
    const { runs: all } = await runs();
    expect(all.at(-1)?.tags).toContain('probe');
    const { stdout } = await succeed(['diagnose', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ run: all.findLast(({ tags }) => !tags.includes('probe'))?.id });
  });

  test('what no experiment shows is told how to do by hand', async () => {
    const result = await diagnose(reads, '--probe', '--verdict=throttling');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot be tried[\s\S]*By hand: /) });
  });
});

describe('everything is put back', () => {
  test('after Ctrl-C', async () => {
    const cli = await startTurned();
    cli.child.kill('SIGINT');
    expect(await cli.ended).toMatchObject({ code: 130 });
  });

  test('after a run that failed', async () => {
    const cli = await startTurned();
    await admin.execute('RENAME TABLE sbtest.sbtest1 TO sbtest.away');
    const result = await cli.ended;
    await admin.execute('RENAME TABLE sbtest.away TO sbtest.sbtest1');
    expect(result, JSON.stringify(result)).toMatchObject({
      code: expect.toSatisfy((code: number) => [2, 3].includes(code)),
    });
  });

  test('after kill -9, by the next server list', async () => {
    const cli = await startTurned();
    cli.child.kill('SIGKILL');
    await cli.ended;
    expect(await globals()).toMatchObject({ innodb_flush_log_at_trx_commit: 2 });
    const { stderr, stdout } = await succeed(['server', 'list']);
    expect(stderr).toMatch(
      /cut off on .*mysqld\.sock\. What it had changed is put back:\n +SET GLOBAL innodb_flush_log_at_trx_commit = 1;/,
    );
    expect(stdout).toMatch(/^bench +running/m);
  });

  test('after kill -9, by the next diagnose of anything', async () => {
    const cli = await startTurned();
    cli.child.kill('SIGKILL');
    await cli.ended;
    const { stderr } = await succeed(['diagnose', reads]);
    expect(stderr).toContain('put back');
  });

  test('after kill -9, but not what somebody else has set since', async () => {
    const cli = await startTurned();
    // Until then the journal does not know what the server made of it, and takes anything for its own.
    await cli.shows(/^ {2}B: /m);
    cli.child.kill('SIGKILL');
    await cli.ended;
    await admin.execute('SET GLOBAL innodb_flush_log_at_trx_commit = 0');
    const { stderr } = await succeed(['server', 'list']);
    const left = await globals();
    await admin.execute('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    expect(stderr).toContain('innodb_flush_log_at_trx_commit is 0 now, which somebody else has set');
    expect(left.innodb_flush_log_at_trx_commit).toBe(0);
  });

  test('after kill -9, a database that was made for it too', async () => {
    const cli = startCli(['diagnose', writes, '--probe', '--verdict=row-contention', ...SHORT], { store });
    await until('the database is there', async () => (await databases()).includes('sqldyno_probe'));
    cli.child.kill('SIGKILL');
    await cli.ended;
    await succeed(['server', 'list']);
  });
});

describe('a server that is not private', () => {
  const named = () => {
    const { port, user, password } = server.tcp!;
    return ['--mysql-host=127.0.0.1', `--mysql-port=${port}`, `--mysql-user=${user}`, `--mysql-password=${password}`];
  };

  test('is not changed without leave', async () => {
    const before = (await runs()).runs.length;
    const result = await diagnose(writes, '--probe', '--verdict=commit', ...SHORT, ...named());
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/others may use[\s\S]*--allow-settings/) });
    expect((await runs()).runs).toHaveLength(before);
  });

  test('tells by the GRANT what an account lacks', async () => {
    await admin.execute("CREATE USER eve@'%' IDENTIFIED BY 'e-secret'");
    await admin.execute("GRANT ALL ON sbtest.* TO eve@'%'");
    const target = [
      '--mysql-host=127.0.0.1',
      `--mysql-port=${server.tcp!.port}`,
      '--mysql-user=eve',
      '--mysql-password=e-secret',
    ];
    const result = await diagnose(writes, '--probe', '--verdict=commit', '--allow-settings', ...target);
    expect(result).toMatchObject({ code: 2 });
    expect(result.stderr).toMatch(/does not let 'eve'@'%' set innodb_flush_log_at_trx_commit/);
    expect(result.stderr).toMatch(/GRANT .*ON \*\.\* TO 'eve'@'%';/);
  });

  test('that a killed experiment has left is told with its SQL, and put back where it is named', async () => {
    const cli = await startTurned('--allow-settings', ...named());
    cli.child.kill('SIGKILL');
    await cli.ended;
    const told = await succeed(['server', 'list']);
    expect(told.stderr).toMatch(/is still so[\s\S]*SET GLOBAL innodb_flush_log_at_trx_commit = 1;/);
    expect(told.stderr).not.toContain(server.tcp!.password);
    expect(await globals()).toMatchObject({ innodb_flush_log_at_trx_commit: 2 });
    const { stderr } = await succeed(['diagnose', reads, ...named()]);
    expect(stderr).toContain('put back');
  });
});
