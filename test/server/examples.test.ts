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

test('bench.cnf gives the options of a run', async () => {
  const args = ['oltp_read_write', `--config-file=${join(EXAMPLES, 'bench.cnf')}`];
  expect(await runCli([...args, 'prepare'], { store })).toMatchObject({ code: 0 });
  const result = await runCli([...args, '--warmup-time=0', '--events=50', 'run'], { store });
  expect(result, result.stderr).toMatchObject({ code: 0 });
  const { load, workload } = await openStore(store).load('latest');
  expect(load).toMatchObject({ threads: 8, timeS: 30, warmupS: 0, percentiles: [50, 95, 99, 99.9] });
  expect(workload.options).toMatchObject({ tables: 4 });
});
