/** Experiments as people run them: the program by its command line, killed at any moment, and taken up again. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExperimentRecord } from '../../src/model/experiment.ts';
import { openExperiments } from '../../src/store/experiments.ts';
import { openStore } from '../../src/store/store.ts';
import { connect } from '../../src/wire/connection.ts';
import { asText, readRows } from '../../src/workload/sql.ts';
import { type CliProcess, runCli, startCli } from '../support/cli.ts';
import { startTestBench, type TestBench } from '../support/lab.ts';
import { processes, until } from '../support/processes.ts';

let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-experiment-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const POOLS = `
name: pools
workload: oltp_read_write --tables=1 --table-size=2000
load: --threads=2 --time=0.5
pairs: 3
margin: 5%
variants:
  small: {settings: {innodb_buffer_pool_size: 16M}}
  large: {settings: {innodb_buffer_pool_size: 64M}}
`;

function fileOf(text: string): { readonly file: string; readonly store: string } {
  const directory = mkdtempSync(join(scratch, 'x-'));
  const file = join(directory, 'experiment.yaml');
  writeFileSync(file, text);
  const store = join(directory, 'store');
  mkdirSync(store);
  return { file, store };
}

async function kill({ child, ended }: CliProcess): Promise<void> {
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ signal: 'SIGKILL' });
}

/** Of private servers whose data is in the store. */
function serversIn(store: string): number[] {
  return processes()
    .filter(({ name }) => /^(?:mariadbd|mysqld)/.test(name))
    .filter(({ pid }) => commandLineOf(pid).includes(store))
    .map(({ pid }) => pid);
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Every planned run counted once, by a record of its own that is in the store. */
async function expectWhole({ id, runs, result, ending }: ExperimentRecord, store: string): Promise<void> {
  expect(ending).toEqual({ kind: 'done' });
  const { journal } = await openExperiments(store).load(id);
  const counted = result?.variants.flatMap((variant) => variant.runs) ?? [];
  expect(new Set(counted).size).toBe(runs.length);
  const records = await Promise.all(counted.map((run) => openStore(store).load(run)));
  expect(records.map((record) => record.experiment?.number).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
    runs.map(({ number }) => number),
  );
  expect(records.every(({ experiment }) => experiment?.id === id)).toBe(true);
  const done = journal.flatMap((entry) => (entry.is === 'done' ? [entry.number] : []));
  expect(new Set(done).size).toBe(done.length);
}

describe('on private servers', () => {
  test('each run begins with the data and the settings of its variant, and nothing is left but the records', async () => {
    const { file, store } = fileOf(POOLS);
    const run = await runCli(['experiment', file, '--json'], { store });
    expect(run, run.stderr).toMatchObject({ code: 0 });
    const { experiments } = JSON.parse(run.stdout) as { experiments: ExperimentRecord[] };
    const [record] = experiments;
    await expectWhole(record!, store);
    expect(record?.result?.comparisons[0]).toMatchObject({ variant: 'large', baseline: 'small', pairs: { length: 3 } });
    for (const { variant, runs } of record?.result?.variants ?? []) {
      for (const id of runs) {
        const { target, crossCheck } = await openStore(store).load(id);
        expect(target.variables['innodb_buffer_pool_size']).toBe(String((variant === 'small' ? 16 : 64) * 1024 ** 2));
        expect(crossCheck).toMatchObject({ ok: true });
      }
    }
    expect(serversIn(store)).toEqual([]);
    expect(existsSync(join(store, 'experiments', record!.id, 'data'))).toBe(false);
    const shown = await runCli(['experiment', 'show', '--format=markdown'], { store });
    expect(shown.stdout).toContain('| large');
  });

  test('killed while loading, while measuring and between runs, it is taken up to the same plan', async () => {
    const { file, store } = fileOf(POOLS);
    const first = startCli(['experiment', 'run', file], { store });
    await first.shows(/creating it, loading/);
    await kill(first);
    const [id] = readdirSync(join(store, 'experiments')).filter((name) => !name.startsWith('.'));
    const planned = (await openExperiments(store).load(id!)).record.runs;

    for (const pattern of [/1\/6 block/, /3\/6 block/]) {
      const again = startCli(['experiment', 'resume'], { store });
      await again.shows(pattern);
      await kill(again);
    }
    const last = await runCli(['experiment', 'resume', id!, '--json'], { store });
    expect(last, last.stderr).toMatchObject({ code: 0 });
    const { experiments } = JSON.parse(last.stdout) as { experiments: ExperimentRecord[] };
    expect(experiments[0]?.runs).toEqual(planned);
    await expectWhole(experiments[0]!, store);
    expect(serversIn(store)).toEqual([]);
    expect(existsSync(join(store, 'experiments', id!, 'data'))).toBe(false);
  });

  test('a server that is killed under a run costs that run, which is done again', async () => {
    const { file, store } = fileOf(POOLS.replace('--time=0.5', '--time=3').replace('pairs: 3', 'pairs: 1'));
    const experiment = startCli(['experiment', 'run', file, '--json'], { store });
    await until('a run begins', () => existsSync(join(store, 'runs')));
    const server = await until('a server runs', () => serversIn(store)[0]);
    process.kill(server, 'SIGKILL');
    const ended = await experiment.ended;
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const { experiments } = JSON.parse(ended.stdout) as { experiments: ExperimentRecord[] };
    await expectWhole(experiments[0]!, store);
  });

  test.each([
    {
      wrong: 'a misspelt key',
      text: POOLS.replace('pairs:', 'paris:'),
      says: /experiment\.yaml:5:1: .*paris.*\n.*pairs/,
    },
    {
      wrong: 'an option that the workload lacks',
      text: POOLS.replace('--table-size', '--table-sise'),
      says: /table-sise/,
    },
    {
      wrong: 'a setting that the server does not know',
      text: POOLS.replace('large: {settings: {innodb_buffer_pool_size: 64M}}', 'large: {settings: {innodb_pool: 64M}}'),
      says: /large.*innodb_pool|innodb_pool.*large/s,
    },
  ])('$wrong is told, and nothing is left running', async ({ text, says }) => {
    const { file, store } = fileOf(text);
    const run = await runCli(['experiment', 'run', file], { store });
    expect(run.code).not.toBe(0);
    expect(run.stderr).toMatch(says);
    expect(serversIn(store)).toEqual([]);
  });
});

describe('on a server that is named', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await startTestBench();
  });
  afterAll(async () => {
    await bench?.[Symbol.asyncDispose]();
  });

  const COMMITS = POOLS.replace('name: pools', 'name: commits')
    .replace(
      'small: {settings: {innodb_buffer_pool_size: 16M}}',
      'each-second: {global: {innodb_flush_log_at_trx_commit: 2}}',
    )
    .replace(
      'large: {settings: {innodb_buffer_pool_size: 64M}}',
      'each: {global: {innodb_flush_log_at_trx_commit: 1}}',
    );

  async function flushSetting(): Promise<string> {
    await using connection = await connect(bench.target);
    const [row] = await readRows(connection, 'SELECT @@GLOBAL.innodb_flush_log_at_trx_commit');
    return asText(row?.[0]);
  }

  test('its variables are changed only with consent, and put back, also after the program was killed', async () => {
    const { file, store } = fileOf(COMMITS);
    const before = await flushSetting();
    const target = [`--mysql-socket=${bench.server.socketPath}`, '--mysql-user=root'];
    const refused = await runCli(['experiment', 'run', file, ...target], { store });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('--allow-settings');
    expect(await flushSetting()).toBe(before);

    const killed = startCli(['experiment', 'run', file, ...target, '--allow-settings'], { store });
    await killed.shows(/2\/6 block/);
    await kill(killed);
    const done = await runCli(['experiment', 'resume', ...target, '--allow-settings', '--json'], { store });
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const { experiments } = JSON.parse(done.stdout) as { experiments: ExperimentRecord[] };
    await expectWhole(experiments[0]!, store);
    for (const { variant, runs } of experiments[0]?.result?.variants ?? []) {
      for (const id of runs) {
        const { target: seen } = await openStore(store).load(id);
        expect(seen.variables['innodb_flush_log_at_trx_commit']).toBe(variant === 'each' ? '1' : '2');
      }
    }
    expect(await flushSetting()).toBe(before);
  });
});
