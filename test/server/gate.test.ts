/** Gates on real runs, and the figures of a run while it runs, as a pipeline and a Prometheus would see them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import type { GateReport } from '../../src/model/gate.ts';
import { gateSchema } from '../../src/model/gate-schema.ts';
import { connect } from '../../src/wire/connection.ts';
import { type CliResult, runCli, startCli } from '../support/cli.ts';

/** Durable settings would only make tests wait for the disk. */
const FAST = ['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=0'];
const SMALL = ['--tables=1', '--table-size=500', '--threads=1'];
const SHORT = ['--events=60', '--time=0', '--no-observe'];
/** Fewer pairs are never decided. */
const TURNS = 6;

let scratch: string;
let store: string;
let server: PrivateServer;
let here: readonly string[];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-gate-'));
  store = join(scratch, 'store');
  server = await startPrivateServer({ directory: join(scratch, 'lab'), extraArguments: FAST });
  here = [`--mysql-socket=${server.socketPath}`, '--mysql-user=root', '--mysql-db=bench'];
  const admin = await connect(server.target);
  await admin.execute('CREATE DATABASE bench');
  await admin.close();
  await succeed(['oltp_read_only', ...SMALL, ...here, 'prepare']);
  for (let turn = 0; turn < TURNS; turn++) {
    await run('short');
    await run('more', '--range-size=400');
  }
});

afterAll(async () => {
  await server?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

function cli(...args: readonly string[]): Promise<CliResult> {
  return runCli(args, { store });
}

async function succeed(args: readonly string[]): Promise<CliResult> {
  const result = await cli(...args);
  expect(result, JSON.stringify(result)).toMatchObject({ code: 0 });
  return result;
}

async function run(tag: string, ...options: readonly string[]): Promise<void> {
  await succeed(['oltp_read_only', ...SMALL, ...here, ...SHORT, ...options, `--tag=${tag}`, 'run']);
}

test('what holds is met: exit 0, with the figures of each run', async () => {
  const { stdout } = await succeed(['gate', 'short', '--require=errors == 0', '--require=p99 < 100s', '--json']);
  const report = gateSchema.parse(JSON.parse(stdout)) as GateReport;
  expect(report).toMatchObject({ isMet: true });
  expect(report.checks).toHaveLength(2 * TURNS);
  for (const { measured } of report.checks) expect(measured).toBeTypeOf('number');
});

test('what does not hold is exit 99 with the reason, in every form', async () => {
  const [junit, summary] = [join(scratch, 'gate.xml'), join(scratch, 'summary.md')];
  const args = ['gate', 'latest', '--require=transactions/s > 1000M', '--require=server_work.questions_per_s > 0'];
  const environment = { GITHUB_STEP_SUMMARY: summary };
  const { code, stdout } = await runCli([...args, `--junit=${junit}`, '--github'], { store, environment });
  expect(code).toBe(99);
  expect(stdout).toMatch(/NOT MET {2}transactions\/s > 1000 M/);
  expect(stdout).toMatch(/NOT MET {2}server_work\.questions_per_s > 0 +not seen/);
  expect(stdout).toMatch(/^The gate is not met:/m);
  expect(readFileSync(junit, 'utf8')).toContain('failures="2"');
  expect(readFileSync(summary, 'utf8')).toContain('## ❌ sqldyno gate');
});

test('worse than the baseline is exit 99, and the other way round is none', async () => {
  // What is sent does not depend on how busy this machine is.
  const terms = ['--metric=networkBytes/transaction', '--anyway', '--json'];
  const worse = await cli('gate', 'more', '--baseline=short', ...terms);
  const { comparisons } = JSON.parse(worse.stdout) as GateReport;
  expect({ code: worse.code, verdict: comparisons[0]?.verdict }).toEqual({ code: 99, verdict: 'SLOWER' });
  const better = await cli('gate', 'short', '--baseline=more', ...terms);
  expect({ code: better.code, ...JSON.parse(better.stdout) }).toMatchObject({ code: 0, isMet: true });
});

test('other work is no baseline', async () => {
  const { code, stderr } = await cli('gate', 'more', '--baseline=short');
  expect(code).toBe(1);
  expect(stderr).toContain('--anyway');
});

test('a run that was interrupted passes no gate', async () => {
  const endless = ['oltp_read_only', ...SMALL, ...here, '--time=0', '--no-observe', '--report-interval=1', 'run'];
  const { child, shows, ended } = startCli(endless, { store });
  await shows(/thds: 1/);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  const { code, stdout } = await cli('gate', 'latest', '--require=errors == 0');
  expect(code).toBe(99);
  expect(stdout).toMatch(/NOT MET {2}the run proves something/);
});

test('a run can be scraped while it runs, and not after', async () => {
  const endless = ['oltp_read_only', ...SMALL, ...here, '--time=0', '--no-observe', '--report-interval=1'];
  const { child, shows, ended } = startCli([...endless, '--metrics-port=0', '--tag=live', 'run'], { store });
  let told = '';
  child.stderr.on('data', (text: string) => {
    told += text;
  });
  await shows(/http:\/\/127\.0\.0\.1:\d+\/metrics/);
  await shows(/\[ 2s \] thds: 1/);
  const url = /http:\S+/.exec(told)?.[0] ?? '';
  const first = await scrape(url);
  expect(first.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(first.text).toMatch(
    /^sqldyno_live_run_info\{workload="oltp_read_only",threads="1",mode="closed",tags="live"/m,
  );
  expect(first.text).toContain('sqldyno_live_phase{sqldyno_live_phase="measuring"} 1');
  expect(first.text.endsWith('# EOF\n')).toBe(true);
  expect(transactionsIn(first.text)).toBeGreaterThan(0);
  await shows(/\[ 4s \] thds: 1/);
  expect(transactionsIn((await scrape(url)).text)).toBeGreaterThan(transactionsIn(first.text));
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  await expect(fetch(url)).rejects.toThrow();
});

async function scrape(url: string): Promise<{ readonly type: string | null; readonly text: string }> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return { type: response.headers.get('content-type'), text: await response.text() };
}

function transactionsIn(text: string): number {
  return Number(/^sqldyno_live_transactions_total\{part="measured"\} (\d+)$/m.exec(text)?.[1]);
}

test('each form of a stored run can be written to a file', async () => {
  const { stdout } = await succeed(['runs', 'show', '--help']);
  const formats = [...(/choices: ([^)]+)/.exec(stdout)?.[1] ?? '').matchAll(/"(\w+)"/g)].map(([, name]) => name ?? '');
  expect(formats).toEqual(
    expect.arrayContaining(['markdown', 'openmetrics', 'sysbench', 'github', 'junit', 'parquet']),
  );
  for (const format of formats) {
    const path = join(scratch, `report.${format}`);
    await succeed(['runs', 'show', 'latest', `--format=${format}`, `--to=${path}`]);
    expect(readFileSync(path).length, format).toBeGreaterThan(100);
  }
  const parquet = readFileSync(join(scratch, 'report.parquet'));
  expect(parquet.subarray(0, 4).toString()).toBe('PAR1');
});
