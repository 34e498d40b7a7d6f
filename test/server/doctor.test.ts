/** The doctor with real servers: what it finds, what it cannot see, and that it leaves nothing behind. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultsOf } from '../../src/base/options.ts';
import { collect } from '../../src/doctor/collect.ts';
import { type Collected, type Seen, seen, unseenBecause } from '../../src/doctor/collected.ts';
import { preflightChecks } from '../../src/doctor/examine.ts';
import { openHosts } from '../../src/doctor/hosts.ts';
import { planFacts } from '../../src/doctor/plan-facts.ts';
import type { ServerQuestions } from '../../src/doctor/server-look.ts';
import { dryRun } from '../../src/lab/dry-run.ts';
import type { LoadPlan } from '../../src/load/plan.ts';
import type { CheckResult } from '../../src/model/checkup.ts';
import { checkupSchema } from '../../src/model/checkup-schema.ts';
import type { HostSource } from '../../src/observe/host-sample.ts';
import { openLocalHost } from '../../src/observe/sources/local.ts';
import { openSshHost } from '../../src/observe/sources/ssh.ts';
import type { ConnectOptions } from '../../src/wire/types.ts';
import { loadWorkload } from '../../src/workload/find.ts';
import { runCli } from '../support/cli.ts';
import { prepare, requestFor, startTestBench, type TestBench } from '../support/lab.ts';
import { execute, query } from '../support/maintenance.ts';
import { hasSshServer, startSshServer } from '../support/ssh-server.ts';

const isLinux = process.platform === 'linux';
/** As servers are shipped. */
const SHIPPED = ['--max-connections=151', '--max-prepared-stmt-count=16382', '--back-log=80'];
const OPTIONS = { tables: 2, table_size: 2_000 };
const NO_READS = { point_selects: 0, simple_ranges: 0, sum_ranges: 0, order_ranges: 0, distinct_ranges: 0 };

let bench: TestBench;
beforeAll(async () => {
  bench = await startTestBench(SHIPPED);
  await prepare(bench, { workload: 'oltp_read_write', options: OPTIONS });
});
afterAll(() => bench[Symbol.asyncDispose]());

interface Visit {
  readonly server?: Seen<ConnectOptions>;
  readonly serverHost?: Seen<HostSource>;
  readonly clientHost?: Seen<HostSource>;
  /** Of oltp_read_write; absent: no load is meant. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly load?: Partial<LoadPlan>;
  readonly idleS?: number;
  readonly limitS?: number;
}

interface Visited {
  readonly collected: Collected;
  readonly results: readonly CheckResult[];
  of(check: string): CheckResult;
}

/** Waits for a slow machine: nothing here is about time. */
const LIMIT_S = 30;

async function visit(given: Visit = {}): Promise<Visited> {
  const { server = seen(bench.target), options, load, idleS = 0.2, limitS = LIMIT_S } = given;
  await using hosts = await openHosts({
    ...(server.is === 'seen' ? { server: server.value } : {}),
    processId: process.pid,
  });
  const questions = options === undefined ? undefined : await questionsOf(options, load);
  const collected = await collect({
    server,
    serverHost: given.serverHost ?? hosts.server,
    clientHost: given.clientHost ?? hosts.client,
    isHere: hosts.isHere,
    ...(questions === undefined ? {} : { questions }),
    idleS,
    limitS,
  });
  const plan = questions && planFacts((await planOf(load)).plan, questions.workload, questions.options);
  const results = await preflightChecks(collected, plan);
  const of = (check: string) => {
    const result = results.find((each) => each.check === check);
    if (result === undefined) throw new Error(`there is no check ${check}`);
    return result;
  };
  return { collected, results, of };
}

function planOf(load: Partial<LoadPlan> = {}) {
  return requestFor(bench, { workload: 'oltp_read_write', options: OPTIONS, plan: { events: 0, timeS: 10, ...load } });
}

async function questionsOf(
  options: Readonly<Record<string, unknown>>,
  load?: Partial<LoadPlan>,
): Promise<ServerQuestions> {
  const { workload } = await loadWorkload('oltp_read_write');
  const { plan } = await planOf(load);
  return {
    workload,
    options: { ...defaultsOf(workload.options), ...OPTIONS, ...options },
    threads: plan.threads,
    preparedStatements: true,
  };
}

describe('a server and its host', () => {
  test('all 35 are looked at, the tables, the limits and the mix are right', async () => {
    const { collected, results, of } = await visit({ options: {} });
    expect(results.map(({ number }) => number)).toEqual(Array.from({ length: 35 }, (_, at) => at + 1));
    for (const check of [
      'table-statistics',
      'limits',
      'mix',
      'server-build',
      'settings-drift',
      'feasibility',
      'data-size',
    ]) {
      expect(of(check)).toMatchObject({ level: 'ok' });
    }
    expect(of('durability')).toMatchObject({ level: 'info', is: expect.stringMatching(/^D1/) });
    expect(of('same-host')).toMatchObject({ level: 'warning' });
    expect(of('redo-wrapped')).toMatchObject({ level: 'warning' });
    expect(collected.isOneHost).toBe(true);
  });

  test.skipIf(!isLinux)('on Linux: file system, room, limits, and a flush that took its time', async () => {
    const { collected, of } = await visit();
    const host = collected.serverHost;
    if (host.is === 'unseen') throw new Error(host.because);
    expect(host.value.flush).toMatchObject({ is: 'seen', value: { recordBytes: 512 } });
    expect(host.value.room).toMatchObject({ is: 'seen', value: { freeBytes: expect.any(Number) } });
    expect(host.value.idle).toMatchObject({ is: 'seen', value: { elapsedS: expect.any(Number) } });
    expect(of('process-limits').is).toMatch(/may open [\d,]+ files/);
    expect(of('filesystem').is).toContain(dirname(bench.server.socketPath).slice(0, 5));
    expect(of('stolen-time').level).not.toBe('unseen');
    expect(of('background-load').level).not.toBe('unseen');
  });

  test('nothing is left behind: no connection, and no file', async () => {
    const [[datadir] = []] = await query(bench.target, 'SELECT @@datadir');
    const files = () => readdirSync(String(datadir)).filter((name) => /sqldyno/.test(name));
    await visit({ options: {} });
    const processes = await query(bench.target, 'SHOW PROCESSLIST');
    expect(processes.filter(([, user]) => user === 'root')).toHaveLength(1);
    expect(files()).toEqual([]);
  });

  test('a setting of the flush that was made while the server ran blocks, another one is only told', async () => {
    await using own = await startTestBench();
    const server = seen(own.target);
    await execute(own.target, 'SET GLOBAL max_connections = 152');
    expect((await visit({ server })).of('settings-drift')).toMatchObject({
      level: 'info',
      is: expect.stringContaining('max_connections'),
    });
    await execute(own.target, 'SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    expect((await visit({ server })).of('settings-drift')).toMatchObject({
      level: 'info',
      is: expect.stringContaining('to what is the default: innodb_flush_log_at_trx_commit'),
    });
    await execute(own.target, 'SET GLOBAL innodb_flush_log_at_trx_commit = 2');
    const { of } = await visit({ server });
    expect(of('settings-drift')).toMatchObject({
      level: 'block',
      is: expect.stringContaining('innodb_flush_log_at_trx_commit'),
      remedy: { is: expect.stringContaining('innodb_flush_log_at_trx_commit = 2') },
    });
    expect(of('durability').is).toMatch(/^D[23]/);
  });

  test('missing tables, and a missing database, are told with the remedy', async () => {
    const missing = await visit({ options: { tables: 3 } });
    expect(missing.of('table-statistics')).toMatchObject({ level: 'block', is: expect.stringContaining('sbtest3') });
    const none = await visit({ server: seen({ ...bench.target, database: 'nowhere' }), options: {} });
    expect(none.of('limits')).toMatchObject({
      level: 'block',
      is: expect.stringContaining("no database 'nowhere'"),
      remedy: { sql: ['CREATE DATABASE `nowhere`'] },
    });
  });
});

describe('the published command: 1,024 threads against a server as it is shipped, and not a single read', () => {
  test('both are found out', async () => {
    const { of } = await visit({ options: { ...OPTIONS, ...NO_READS }, load: { threads: 1_024 } });
    expect(of('limits')).toMatchObject({
      number: 32,
      level: 'block',
      is: expect.stringMatching(/connections are needed/),
    });
    expect(of('limits').remedy?.sql).toContainEqual(expect.stringMatching(/^SET GLOBAL max_connections = \d+$/));
    expect(of('mix')).toMatchObject({ number: 33, level: 'block', is: expect.stringMatching(/ask for no reads/) });
    expect(of('listen-backlog')).toMatchObject({ level: 'warning' });
  });

  test('the remedy for the limits is one', async () => {
    const before = await visit({ options: {}, load: { threads: 200 } });
    for (const sql of before.of('limits').remedy?.sql ?? []) await execute(bench.target, sql);
    const after = await visit({ options: {}, load: { threads: 200 } });
    await execute(bench.target, 'SET GLOBAL max_connections = 151');
    expect([before.of('limits').level, after.of('limits').level]).toEqual(['block', 'ok']);
  });
});

describe('what the server counts in a second', () => {
  test('is what the options ask for', async () => {
    const { plan } = await planOf({ threads: 8 });
    const result = await dryRun(plan, new AbortController().signal);
    expect(result.transactions).toBeGreaterThan(0);
    expect(result.reads).toBe(14 * result.transactions);
    expect(result.writes).toBe(4 * result.transactions);
  });
});

describe('what is forbidden is said, and the rest goes on', () => {
  /** It is there, and says nothing. */
  function secretHost(because: string): HostSource {
    const refuse = () => Promise.reject(new Error(because));
    return {
      description: 'a host without /proc',
      sample: refuse,
      facts: refuse,
      room: refuse,
      cost: { samples: 0, clientCpuS: 0 },
      [Symbol.asyncDispose]: async () => {},
    };
  }

  test('a user with no more rights than to look at one table', async () => {
    await execute(
      bench.target,
      "CREATE USER poor@'localhost' IDENTIFIED BY 'p'",
      "GRANT SELECT ON sbtest.sbtest1 TO poor@'localhost'",
    );
    const server = seen({ ...bench.target, user: 'poor', password: 'p' });
    const { collected, results, of } = await visit({ server, options: { tables: 1 } });
    await execute(bench.target, "DROP USER poor@'localhost'");
    if (collected.server.is === 'unseen') throw new Error(collected.server.because);
    expect(collected.server.value.replication).toMatchObject({
      is: 'unseen',
      because: expect.stringMatching(/does not tell: .*privilege/),
    });
    expect(of('limits')).toMatchObject({ level: 'block', is: expect.stringMatching(/would refuse a statement/) });
    expect(of('server-build').level).toBe('ok');
    expect(results.filter(({ is }) => /undefined|NaN|\[object/.test(is))).toEqual([]);
  });

  test('a user who is not let in: said with the same words in every check of the server, and the host is still seen', async () => {
    const server = seen({ ...bench.target, user: 'nobody', password: 'wrong' });
    const { collected, results } = await visit({ server });
    expect(collected.server).toMatchObject({ is: 'unseen', because: expect.stringMatching(/Access denied/) });
    const ofServer = results.filter((result) => result.of === 'server');
    expect(new Set(ofServer.map(({ level }) => level))).toEqual(new Set(['unseen']));
    expect(new Set(ofServer.map(({ is }) => is)).size).toBe(1);
    if (isLinux) expect(collected.serverHost.is).toBe('seen');
  });

  test('no /proc, here and there', async () => {
    const host = seen(secretHost('it has no /proc'));
    const { collected, results, of } = await visit({ serverHost: host, clientHost: host, options: {} });
    expect(collected.serverHost).toEqual(
      unseenBecause('The host could not be read (a host without /proc): it has no /proc.'),
    );
    const ofHosts = results.filter((result) => result.of === 'server host' || result.of === 'client host');
    expect(new Set(ofHosts.map(({ level }) => level))).toEqual(new Set(['unseen']));
    expect(of('same-host').level).toBe('warning');
    expect(of('limits').level).toBe('ok');
    expect(of('durability').is).toMatch(/^D1/);
  });

  test('facts, but no samples', async () => {
    const host = seen({
      ...secretHost('samples are forbidden'),
      facts: async () => ({ 'cpu.governor': 'performance' }),
      room: async () => undefined,
    });
    const { of } = await visit({ serverHost: host, clientHost: host });
    expect(of('governor').level).toBe('ok');
    expect(of('background-load')).toMatchObject({
      level: 'unseen',
      is: 'The host could not be read (a host without /proc): samples are forbidden.',
    });
    expect(of('room')).toMatchObject({ level: 'unseen' });
  });

  test('a host and a server that never answer cost the time that was given, and no more', async () => {
    const never = new Promise<never>(() => {});
    const silent = {
      ...secretHost(''),
      description: 'ssh db9',
      sample: () => never,
      facts: () => never,
      room: () => never,
    };
    await using deaf = await listenAndSayNothing();
    const { collected, results } = await visit({
      server: seen({ ...bench.target, socketPath: deaf.path, connectTimeoutMs: 100 }),
      serverHost: seen(silent),
      clientHost: seen(silent),
      idleS: 0.1,
      limitS: 1,
    });
    expect(collected.serverHost).toEqual(unseenBecause('ssh db9 did not answer in time.'));
    expect(collected.server).toMatchObject({ is: 'unseen', because: expect.stringMatching(/No connection|in time/) });
    expect(new Set(results.map(({ level }) => level))).toEqual(new Set(['unseen']));
  });
});

/** Takes connections, and never says a word. */
async function listenAndSayNothing(): Promise<AsyncDisposable & { readonly path: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'sqldyno-test-deaf-'));
  const path = join(directory, 's');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

describe.skipIf(!hasSshServer || !isLinux)('over SSH, with openssh-server installed', () => {
  test('the host of the server is seen as from itself, and known to be this one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sqldyno-test-doctor-'));
    await using sshd = await startSshServer(directory);
    const [[pidFile, dataDirectory] = []] = await query(bench.target, 'SELECT @@pid_file, @@datadir');
    const target = { pidFile: String(pidFile), dataDirectory: String(dataDirectory), clientPids: [] };
    await using there = await openSshHost(`${sshd.user}@127.0.0.1:${sshd.port}`, target, {
      extraArguments: sshd.clientArguments,
    });
    await using here = await openLocalHost({ clientPids: [process.pid] });
    const { collected, of } = await visit({ serverHost: seen(there), clientHost: seen(here) });
    rmSync(directory, { recursive: true, force: true });
    expect(collected.isOneHost).toBe(true);
    expect(of('room').level).not.toBe('unseen');
    expect(of('flush-honoured').level).not.toBe('unseen');
    expect(of('background-load')).toMatchObject({ at: expect.stringMatching(/^ssh /) });
    expect(of('process-limits').is).toMatch(/server may open/);
  });
});

describe('the program', () => {
  /** What a machine that does something else all the time has wrong with it, and what this one may have. */
  const MACHINE = '--accept=background-load,stolen-time,filesystem,throttling,swapping,room,flush-honoured';
  const line = (...words: readonly string[]) => {
    const here = [`--mysql-socket=${bench.server.socketPath}`, '--mysql-user=root', '--mysql-db=sbtest'];
    return runCli(['doctor', ...words, ...here, '--seconds=0.2', MACHINE], { store: bench.directory });
  };

  test('ends with 0 where nothing blocks, and tells all there is', async () => {
    const { code, stdout, stderr } = await line('oltp_read_write', '--tables=2', '--table-size=2000', '--threads=4');
    expect(stderr).toMatch(/Watching for 0\.20 s/);
    expect(stdout).toMatch(/^Warnings: .*\(\d+\)$/m);
    expect(stdout).toMatch(/^ {2}33 {2}A transaction has 14 reads, 4 writes and 2 other statements\.$/m);
    expect(stdout).toMatch(
      /^0 blocks, \d+ warnings?, \d+ to know, \d+ not seen, \d+ in order: \d+ looks in [\d.]+ s\.$/m,
    );
    expect(stdout.split('\n').filter((text) => text.length > 80 && !/^ {10}\S/.test(text))).toEqual([]);
    expect(code).toBe(0);
  });

  test('ends with 4 where something blocks, for programs too, and with the commands that remedy', async () => {
    const none = Object.keys(NO_READS).map((name) => `--${name.replaceAll('_', '-')}=0`);
    const words = ['oltp_read_write', '--tables=2', '--table-size=2000', '--threads=1024', ...none];
    const { code, stdout } = await line(...words, '--fix');
    expect(stdout).toMatch(/^Blocks: /m);
    expect(stdout).toMatch(/connections are needed/);
    expect(stdout).toMatch(/ask for no reads/);
    expect(stdout).toMatch(/^SET GLOBAL max_connections = \d+;$/m);
    expect(code).toBe(4);
    const asJson = await line(...words, '--json');
    const { checks, counts } = checkupSchema.parse(JSON.parse(asJson.stdout));
    expect(asJson.code).toBe(4);
    expect(checks.filter(({ level }) => level === 'block').map(({ check }) => check)).toEqual(['limits', 'mix']);
    expect(counts.block).toBe(2);
    const [[limit] = []] = await query(bench.target, 'SELECT @@GLOBAL.max_connections');
    expect(Number(limit)).toBe(151);
  });

  test('a dry run says what the server counted', async () => {
    const { stdout } = await line('oltp_read_write', '--tables=2', '--table-size=2000', '--dry-run');
    expect(stdout).toMatch(/33 {2}The server counted [\d,]+ reads and [\d,]+ writes in [\d,]+ transactions/);
  });

  test.each([
    { words: ['--threads=8'], says: /--threads is an option of a load, and no workload is named/ },
    { words: ['oltp_read_write', 'prepare'], says: /examines before a run/ },
    { words: ['--secnds=3'], says: /Unknown option --secnds/ },
    { words: ['--dry-run'], says: /no workload is named/ },
  ])('$words is refused with a reason', async ({ words, says }) => {
    const { code, stderr } = await line(...words);
    expect(stderr).toMatch(says);
    expect(code).toBe(1);
  });

  test('without a server this machine is examined, and that is said', async () => {
    const store = mkdtempSync(join(tmpdir(), 'sqldyno-test-empty-'));
    const { code, stderr, stdout } = await runCli(['doctor', '--seconds=0.2', MACHINE], { store });
    rmSync(store, { recursive: true, force: true });
    expect(stderr).toMatch(/No server is named, and no private one runs\. This machine is examined\./);
    expect(stdout).toMatch(/No server is named/);
    expect(code).toBe(0);
  });

  test('a server that is not there ends with 2', async () => {
    const { code } = await runCli(['doctor', '--mysql-host=127.0.0.1', '--mysql-port=1'], { store: bench.directory });
    expect(code).toBe(2);
  });
});
