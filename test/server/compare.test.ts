/** Real runs side by side, as people ask for them: by run, by tag, refused, told, and as JSON. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import type { RunsComparison } from '../../src/model/comparison.ts';
import { openStore } from '../../src/store/store.ts';
import { connect } from '../../src/wire/connection.ts';
import { type CliResult, runCli } from '../support/cli.ts';

/** Durable settings would only make tests wait for the disk. */
const FAST = ['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=0'];
const SMALL = ['--tables=1', '--table-size=500'];
/** Enough for a rate; which side is faster is nobody's concern here. */
const SHORT = ['--threads=1', '--events=60', '--time=0', '--no-observe'];
const TURNS = 4;

let scratch: string;
let store: string;
let server: PrivateServer;
let here: readonly string[];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-compare-'));
  store = join(scratch, 'store');
  server = await startPrivateServer({ directory: join(scratch, 'lab'), extraArguments: FAST });
  here = [`--mysql-socket=${server.socketPath}`, '--mysql-user=root', '--mysql-db=bench'];
  const admin = await connect(server.target);
  await admin.execute('CREATE DATABASE bench');
  await admin.close();
  await succeed(['oltp_read_only', ...SMALL, ...here, 'prepare']);
  for (let turn = 0; turn < TURNS; turn++) {
    await run('short', 'oltp_read_only', ...SMALL);
    await run('ranges', 'oltp_read_only', ...SMALL, '--range-size=200');
  }
  await run('threads', 'oltp_read_only', ...SMALL, '--threads=2');
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

async function run(tag: string, workload: string, ...options: readonly string[]): Promise<void> {
  await succeed([workload, ...here, ...SHORT, ...options, `--tag=${tag}`, 'run']);
}

async function compared(...args: readonly string[]): Promise<RunsComparison> {
  const { stdout } = await succeed(['compare', ...args, '--json']);
  return JSON.parse(stdout) as RunsComparison;
}

test('runs of other options are refused, with what differs, and compared where that is wanted', async () => {
  const refused = await cli('compare', 'short', 'ranges');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/workload\.range_size is not the same: 100 with short, 200 with ranges/i);
  expect(refused.stderr).toContain('--anyway');
  const comparison = await compared('short', 'ranges', '--anyway');
  expect(comparison).toMatchObject({ format: 'sqldyno.comparison/1', baseline: 'short', pairing: 'in turn' });
  expect(comparison.differences).toMatchObject([{ is: 'refused', what: 'workload.range_size' }]);
});

test('figures are those of the records, and pairs are the runs that followed each other', async () => {
  const { result } = await compared('short', 'ranges', '--anyway', '--metric=p95(read_only)');
  const [comparison] = result.comparisons;
  expect(comparison?.pairs.map(({ block }) => block)).toEqual([1, 2, 3, 4]);
  const { runs } = await openStore(store).list({ tags: ['ranges'] });
  const p95s = runs.map(({ latencyUs }) => (latencyUs?.p95 ?? 0) / 1_000);
  expect(comparison?.pairs.map(({ variant }) => variant)).toEqual(p95s);
  expect(result.variants.map(({ runs: of }) => of.length)).toEqual([TURNS, TURNS]);
});

test('another number of threads is told, and so is an order that was not balanced', async () => {
  const { stdout } = await succeed(['compare', 'short', 'threads']);
  expect(stdout).toMatch(/load\.threads is not the same: 1 with short, 2 with threads/);
  expect(stdout).toMatch(/order was not balanced/);
  expect(stdout).toMatch(/UNDECIDED/);
});

test('one run of each is undecided, whichever way it is named', async () => {
  const { runs } = await openStore(store).list({ tags: ['short'] });
  const [first, second] = runs.map(({ id }) => id);
  const { result, pairing } = await compared(first!, second!.split('-').at(-1)!);
  expect(pairing).toBe('none');
  expect(result.comparisons[0]?.verdict).toBe('UNDECIDED');
  const several = await compared(`${first},${second}`, `${runs[2]!.id},${runs[3]!.id}`);
  expect(several.result.variants.map(({ runs: of }) => of)).toEqual([
    [first, second],
    [runs[2]!.id, runs[3]!.id],
  ]);
});

test('runs named together are grouped by tag', async () => {
  const { result } = await compared('short,ranges', '--by=tag', '--anyway');
  expect(result.variants.map(({ variant }) => variant)).toEqual(['short', 'ranges']);
});

test.each([
  { args: ['short'], says: /nothing to compare short with/ },
  { args: ['short', 'nobody'], says: /There is no run 'nobody'/ },
  { args: ['short', 'threads', '--metric=tps'], says: /'tps' is no metric/ },
  { args: ['short', 'threads', '--metric=p99(nobody)'], says: /None of these runs tells p99\(nobody\)/ },
  { args: ['short', 'threads', '--margin=2'], says: /--margin must be a share/ },
  { args: ['short', 'threads', '--baseline=x'], says: /--baseline=x is none/ },
  { args: ['short', 'threads', '--by=moon'], says: /tag, host, variant\.\n +See: sqldyno compare --help/ },
])('$args is refused', async ({ args, says }) => {
  const { code, stderr } = await cli('compare', ...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(says);
});
