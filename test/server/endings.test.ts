/** However a run ends, its record is in the store, with what was measured until then and the cause. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { maintain } from '../../src/lab/maintenance.ts';
import { type RunView, runOnce } from '../../src/lab/run.ts';
import type { ApplyLoad } from '../../src/load/plan.ts';
import { openStore } from '../../src/store/store.ts';
import { connect } from '../../src/wire/connection.ts';
import { prepare, requestFor, startTestBench, type TestBench, type TestRun } from '../support/lab.ts';

let bench: TestBench;

const READ_WRITE: TestRun = { workload: 'oltp_read_write', options: { tables: 1, table_size: 1000 } };
/** Longer than any of these tests: something else ends the run. */
const ENDLESS = { ...READ_WRITE, plan: { threads: 4, timeS: 120, events: 0, intervalS: 0.2 } };
const never = new AbortController().signal;

beforeAll(async () => {
  bench = await startTestBench();
  await prepare(bench, READ_WRITE);
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

/** Does something in the middle: when the first interval of the measured part is over. */
function inTheMiddle(act: () => void): RunView {
  let isDone = false;
  return {
    onInterval: () => {
      if (!isDone) act();
      isDone = true;
    },
  };
}

async function stored(id: string) {
  return openStore(bench.directory).load(id);
}

async function storedIds() {
  return (await openStore(bench.directory).list()).runs.map((run) => run.id);
}

describe('a record is left', () => {
  test('when the time is over', async () => {
    const run = { ...READ_WRITE, plan: { timeS: 0.5, events: 0 } };
    const record = await runOnce(await requestFor(bench, run), {}, never);
    expect(record.ending).toEqual({ kind: 'time' });
    expect(await stored(record.id)).toEqual(record);
    expect(record.target).toMatchObject({ flavor: 'mariadb', isPrivate: true, database: 'sbtest', user: 'root' });
    expect(record.target.variables).toMatchObject({ innodb_flush_log_at_trx_commit: '0' });
    expect(record.findings.map(({ id }) => id)).toEqual(expect.arrayContaining(['same-host', 'not-durable']));
  });

  test('by Ctrl-C', async () => {
    const interruption = new AbortController();
    const view = inTheMiddle(() => interruption.abort());
    const record = await runOnce(await requestFor(bench, ENDLESS), view, interruption.signal);
    expect(record.ending.kind).toBe('interrupted');
    expect(record.totals.transactions.committed).toBeGreaterThan(0);
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    expect(await stored(record.id)).toEqual(record);
  });

  test('by an error in mid-run', async () => {
    await using other = await connect(bench.target);
    const view = inTheMiddle(() => void other.execute('RENAME TABLE sbtest1 TO gone'));
    const record = await runOnce(await requestFor(bench, ENDLESS), view, never);
    await other.execute('RENAME TABLE gone TO sbtest1');
    expect(record.ending).toMatchObject({ kind: 'failed', cause: expect.stringContaining('1146') });
    expect(record.totals.transactions.committed).toBeGreaterThan(0);
    expect(record.totals.errors).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 1146, policy: 'fatal' })]),
    );
    expect(await stored(record.id)).toEqual(record);
  });

  test('where only the observer loses its connection', async () => {
    await using other = await connect(bench.target);
    const observer = other.server.connectionId + 1;
    const view = inTheMiddle(() => void other.execute(`KILL ${observer}`));
    const run = { ...READ_WRITE, plan: { threads: 2, timeS: 1, events: 0, intervalS: 0.2 } };
    const record = await runOnce(await requestFor(bench, run), view, never);
    expect(record.ending).toEqual({ kind: 'time' });
    expect(record.crossCheck).toMatchObject({
      is: 'impossible',
      because: expect.stringContaining('dropped the connection that watches it'),
    });
    expect(record.findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'cross-check-impossible' })]),
    );
    expect(await stored(record.id)).toEqual(record);
  });

  test('by a mistake in the engine itself', async () => {
    const faulty: ApplyLoad = () => Promise.reject(new TypeError('undefined is not a function'));
    const record = await runOnce(await requestFor(bench, READ_WRITE), {}, never, faulty);
    expect(record.ending).toMatchObject({
      kind: 'failed',
      cause: expect.stringContaining('undefined is not a function'),
    });
    expect(record.crossCheck.is).toBe('impossible');
    expect(await stored(record.id)).toEqual(record);
  });

  test('by the death of the server', async () => {
    await using doomed = await startTestBench();
    await prepare(doomed, READ_WRITE);
    const view = inTheMiddle(() => process.kill(doomed.server.pid, 'SIGKILL'));
    const record = await runOnce(await requestFor(doomed, ENDLESS), view, never);
    expect(record.ending).toMatchObject({ kind: 'failed' });
    expect(record.totals.transactions.committed).toBeGreaterThan(0);
    expect(record.intervals.length).toBeGreaterThan(0);
    expect(record.crossCheck).toMatchObject({ is: 'impossible', because: expect.any(String) });
    expect(await openStore(doomed.directory).load('latest')).toEqual(record);
  });
});

describe('nothing is left, and the remedy is said, where nothing was begun', () => {
  test.each<{ run: TestRun; exitCode: number; says: RegExp; because: string }>([
    {
      run: { workload: 'oltp_read_write', options: { tables: 3, table_size: 1000 } },
      exitCode: 2,
      says: /sbtest2/,
      because: 'tables are missing',
    },
    {
      run: { ...READ_WRITE, plan: { threads: 100_000 } },
      exitCode: 2,
      says: /max_connections/,
      because: 'the server cannot take so many',
    },
  ])('$because', async ({ run, exitCode, says }) => {
    const before = await storedIds();
    await expect(runOnce(await requestFor(bench, run), {}, never)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(says),
      exitCode,
    });
    expect(await storedIds()).toEqual(before);
  });

  test('the engine refuses the plan', async () => {
    const before = await storedIds();
    const refusing: ApplyLoad = () => Promise.reject(new UserError('No.', { hint: 'Another.' }));
    await expect(runOnce(await requestFor(bench, READ_WRITE), {}, never, refusing)).rejects.toThrow('No.');
    expect(await storedIds()).toEqual(before);
  });

  test('the store cannot be written', async () => {
    const file = join(bench.directory, 'file');
    writeFileSync(file, '');
    const request = { ...(await requestFor(bench, READ_WRITE)), storeDirectory: file };
    const mustNotRun: ApplyLoad = () => Promise.reject(new Error('the load must not have begun'));
    await expect(runOnce(request, {}, never, mustNotRun)).rejects.toMatchObject({
      name: 'UserError',
      hint: expect.stringContaining('--store'),
    });
  });

  test('it is interrupted before the load', async () => {
    const before = await storedIds();
    await expect(runOnce(await requestFor(bench, READ_WRITE), {}, AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await storedIds()).toEqual(before);
  });
});

describe('maintenance', () => {
  const view = { onNote: () => {}, onAdvance: () => {} };

  async function maintenanceRequest(run: TestRun, database: string) {
    const { plan, workload, workloadOptions } = await requestFor(bench, run);
    const { threads, seed, rand, preparedStatements } = plan;
    const targets = [{ ...bench.target, database }];
    return { targets, workload, workloadName: run.workload, workloadOptions, threads, seed, rand, preparedStatements };
  }

  test.each(['prepare', 'check'] as const)('%s offers to create a database that is missing', async (command) => {
    const request = await maintenanceRequest(READ_WRITE, 'absent');
    await expect(maintain(command, request, view, never)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining("'absent'"),
      hint: expect.stringMatching(/--create-database.*CREATE DATABASE `absent`/),
    });
  });

  test('check says that all is well, or what is not', async () => {
    const notes: string[] = [];
    const noting = { ...view, onNote: (line: string) => notes.push(line) };
    await maintain('check', await maintenanceRequest(READ_WRITE, 'sbtest'), noting, never);
    expect(notes).toEqual([expect.stringContaining('ready')]);
    const short = { workload: 'oltp_read_write', options: { tables: 2, table_size: 1000 } };
    await expect(maintain('check', await maintenanceRequest(short, 'sbtest'), view, never)).rejects.toMatchObject({
      exitCode: 4,
    });
  });

  test('progress is passed on, and cleanup removes what prepare made', async () => {
    await using connection = await connect(bench.target);
    await connection.execute('CREATE DATABASE IF NOT EXISTS passing');
    const request = await maintenanceRequest(READ_WRITE, 'passing');
    const steps: [number, number][] = [];
    const counting = { ...view, onAdvance: (_: string, done: number, total: number) => void steps.push([done, total]) };
    await maintain('prepare', request, counting, never);
    expect(steps.at(-1)).toEqual([1000, 1000]);
    await maintain('cleanup', request, view, never);
    expect((await connection.read('SHOW TABLES FROM passing')).rows).toEqual([]);
  });
});
