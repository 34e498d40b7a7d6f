/** Sweeps on real servers: every value in every block, settings that arrive, and what was cut short goes on. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunRecord } from '../../src/model/run.ts';
import type { SweepResult } from '../../src/model/sweep.ts';
import { sweepSchema } from '../../src/model/sweep-schema.ts';
import { openExperiments } from '../../src/store/experiments.ts';
import { openStore } from '../../src/store/store.ts';
import { runCli, startCli } from '../support/cli.ts';
import { startTestBench, type TestBench } from '../support/lab.ts';
import { query } from '../support/maintenance.ts';

const SMALL = ['oltp_point_select', '--tables=1', '--table-size=1000', '--time=0.5', '--warmup-time=0'];

let bench: TestBench;
let scratch: string;
let store: string;

beforeAll(async () => {
  bench = await startTestBench();
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-sweep-'));
  store = join(scratch, 'store');
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

function onBench(...args: readonly string[]): string[] {
  const target = [`--mysql-socket=${bench.server.socketPath}`, '--mysql-user=root', '--mysql-db=sbtest'];
  return ['sweep', ...SMALL, ...target, ...args];
}

async function sweep(args: readonly string[]): Promise<SweepResult> {
  const { code, stdout, stderr } = await runCli([...args, '--json'], { store });
  expect(code, stderr).toBe(0);
  const result = JSON.parse(stdout) as SweepResult;
  expect(sweepSchema.parse(result)).toEqual(result);
  return result;
}

async function runsOfValue({ values }: SweepResult, value: string): Promise<RunRecord[]> {
  const ids = values.find((each) => each.value === value)?.runs ?? [];
  return Promise.all(ids.map((id) => openStore(store).load(id)));
}

test('over threads: each value once in each block, with a curve of all runs', async () => {
  const result = await sweep(onBench('--over=threads', '--values=4,1,2,3', '--repeats=2', '--tag=mine'));
  expect(result).toMatchObject({ over: 'threads', of: 'load', repeats: 2, ending: { kind: 'done' } });
  expect(result.values.map(({ value }) => value)).toEqual(['1', '2', '3', '4']);
  expect(result.curve).toMatchObject({ is: 'fitted', trustedTo: 8 });
  const { record } = await openExperiments(store).load(result.id);
  expect(record.plan).toMatchObject({ baseline: '4', start: { data: 'kept', cache: 'warm' } });
  for (const { value } of result.values) {
    const runs = await runsOfValue(result, value);
    expect(runs.map(({ load, experiment }) => [load.threads, experiment?.block])).toEqual([
      [Number(value), 1],
      [Number(value), 2],
    ]);
    for (const { tags } of runs) expect(tags).toContain('mine');
  }
});

test('over a variable of a server that others use: with consent, and put back', async () => {
  const of = 'SELECT @@GLOBAL.innodb_lru_scan_depth';
  const before = await query(bench.target, of);
  const line = onBench('--over=innodb_lru_scan_depth', '--values=512,2048', '--repeats=1');
  const refused = await runCli(line, { store });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('--allow-settings');
  const result = await sweep([...line, '--allow-settings']);
  expect(result).toMatchObject({ of: 'global', knee: { marginShare: 0.02 } });
  for (const value of ['512', '2048']) {
    const [run] = await runsOfValue(result, value);
    expect(run?.tags).toContain(value);
  }
  expect(await query(bench.target, of)).toEqual(before);
});

test('over the pool of a private server, cut short and gone on with: no run is lost, none counted twice', async () => {
  const line = ['sweep', ...SMALL, '--over=innodb_buffer_pool_size', '--values=32M,64M', '--repeats=2'];
  const cli = startCli(line, { store });
  await cli.shows(/^1\/4 block 1 /m);
  cli.child.kill('SIGINT');
  const { code, stdout, stderr } = await cli.ended;
  expect(code, stderr).toBe(130);
  expect(stdout).toMatch(/It ended early: some values have fewer runs/);
  const id = /sqldyno sweep --continue=(\S+)/.exec(stderr)?.[1];
  const before = (await openStore(store).list({ experiment: id! })).runs.map((run) => run.id);

  const result = await sweep(['sweep', `--continue=${id}`]);
  expect(result).toMatchObject({ id, of: 'settings', ending: { kind: 'done' } });
  const counted = result.values.flatMap(({ runs }) => runs);
  expect(counted).toHaveLength(4);
  expect(new Set(counted).size).toBe(4);
  expect(counted).toContain(before[0]);
  for (const [value, bytes] of [
    ['32M', 2 ** 25],
    ['64M', 2 ** 26],
  ] as const) {
    const sizes = (await runsOfValue(result, value)).map(({ target }) => target.variables['innodb_buffer_pool_size']);
    expect(sizes).toEqual([String(bytes), String(bytes)]);
  }
  expect(readdirSync(join(store, 'servers'))).toEqual([]);

  const again = await sweep(['sweep', `--continue=${id}`]);
  expect(again).toEqual(result);
});
