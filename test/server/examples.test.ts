/** The examples are run as they stand. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { runCli } from '../support/cli.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

let store: string;

beforeAll(() => {
  store = mkdtempSync(join(tmpdir(), 'sqldyno-test-examples-'));
});

afterAll(async () => {
  await runCli(['server', 'stop', '--rm'], { store });
  rmSync(store, { recursive: true, force: true });
});

test('measure.mjs runs a load by the API', async () => {
  const child = spawn(process.execPath, [join(EXAMPLES, 'measure.mjs')], {
    env: { ...process.env, SQLDYNO_STORE: store },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, output).toBe(0);
  expect(output).toMatch(/^[1-9]\d* transactions\/s$/m);
  expect(output).toContain('counts agree with the server: true');
});

test("hot-row.mjs is a workload of one's own, with its option", async () => {
  const workload = [join(EXAMPLES, 'hot-row.mjs'), '--rows=2'];
  const help = await runCli([join(EXAMPLES, 'hot-row.mjs'), 'help'], { store });
  expect(help.stdout).toContain('--rows=N');
  for (const step of ['prepare', 'run', 'cleanup']) {
    const result = await runCli([...workload, '--threads=4', '--events=200', step], { store });
    expect(result, result.stderr).toMatchObject({ code: 0 });
  }
  const record = await openStore(store).load('latest');
  expect(record.totals.transactions.byName).toEqual({ add: 200 });
  expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
});

test('job-queue.ts is one in TypeScript, with two types of transactions and a count of its own', async () => {
  const workload = [join(EXAMPLES, 'job-queue.ts'), '--jobs=20', '--put-weight=2'];
  expect(await runCli([...workload, 'prepare'], { store })).toMatchObject({ code: 0 });
  const result = await runCli([...workload, '--threads=4', '--events=200', 'run'], { store });
  expect(result, result.stderr).toMatchObject({ code: 0 });
  const record = await openStore(store).load('latest');
  expect(Object.keys(record.totals.transactions.byName).sort()).toEqual(['put', 'take']);
  expect(record.totals.transactions.committed).toBe(200);
  expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
  expect(await runCli([...workload, 'cleanup'], { store })).toMatchObject({ code: 0 });
});

test('transfer.sql and statement.sql run on what bank-setup.sql makes, and bank-teardown.sql leaves nothing', async () => {
  const example = (name: string) => join(EXAMPLES, name);
  const setup = ['script', `--setup-file=${example('bank-setup.sql')}`, '--define=accounts=500'];
  expect(await runCli([...setup, 'prepare'], { store })).toMatchObject({ code: 0 });
  const mix = [`--file=${example('transfer.sql')}@3`, `--file=${example('statement.sql')}`, '--define=accounts=500'];
  for (const words of [
    [example('transfer.sql'), '--define=accounts=500'],
    ['script', ...mix],
  ]) {
    const result = await runCli([...words, '--threads=4', '--events=200', 'run'], { store });
    expect(result, result.stderr).toMatchObject({ code: 0 });
  }
  const record = await openStore(store).load('latest');
  expect(Object.keys(record.totals.transactions.byName).sort()).toEqual(['account_statement', 'transfer']);
  expect(record.totals.statements.byName).toMatchObject({ withdraw: { kind: 'write' }, deposit: { kind: 'write' } });
  expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
  const teardown = ['script', `--teardown-file=${example('bank-teardown.sql')}`];
  expect(await runCli([...teardown, 'cleanup'], { store })).toMatchObject({ code: 0 });
  // Had anything been left, it would be there already.
  expect(await runCli([...setup, 'prepare'], { store })).toMatchObject({ code: 0 });
});

test('bench.cnf gives the options of a run', async () => {
  const args = ['oltp_read_write', `--config-file=${join(EXAMPLES, 'bench.cnf')}`];
  expect(await runCli([...args, 'prepare'], { store })).toMatchObject({ code: 0 });
  const result = await runCli([...args, '--warmup-time=0', '--events=50', 'run'], { store });
  expect(result, result.stderr).toMatchObject({ code: 0 });
  const { load, workload } = await openStore(store).load('latest');
  expect(load).toMatchObject({ threads: 8, timeS: 30, warmupS: 0, percentiles: [50, 95, 99, 99.9] });
  expect(workload.options).toMatchObject({ tables: 4 });
});
