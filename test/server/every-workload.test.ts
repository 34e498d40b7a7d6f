/** Whatever lies in the catalog runs on a real server, and what it sent equals what the server counted, exactly. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultsOf } from '../../src/base/options.ts';
import { createDatabase, maintain } from '../../src/lab/maintenance.ts';
import { type RunRequest, runOnce } from '../../src/lab/run.ts';
import { loadWorkload, workloadNames } from '../../src/workload/find.ts';
import { requestFor, startTestBench, type TestBench } from '../support/lab.ts';

/** Where a workload has these options, it is small enough to be made again for every case. */
const SMALL: Readonly<Record<string, number>> = { table_size: 2_000, rows: 2_000, rows_per_insert: 50, loop_count: 3 };
/** With these, where it has them, it leaves out what cannot be done on several sessions at once. */
const FOR_SEVERAL: Readonly<Record<string, boolean>> = { skip_create: true, skip_delete: true };
const EVENTS = 300;
const never = new AbortController().signal;

let bench: TestBench;

beforeAll(async () => {
  bench = await startTestBench();
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

async function requestOf(name: string, threads: number, preparedStatements: boolean): Promise<RunRequest> {
  const { workload } = await loadWorkload(name);
  const wanted = { ...SMALL, ...(threads > 1 ? FOR_SEVERAL : {}) };
  const options = Object.fromEntries(Object.entries(wanted).filter(([option]) => option in workload.options));
  const target = { ...bench.target, database: `of_${name.replaceAll('-', '_')}` };
  await createDatabase(target);
  // What comes in a fixed order is done once, whole.
  const isInOrder = workload.work?.({ ...defaultsOf(workload.options), ...options } as never)?.sequence !== undefined;
  const plan = { targets: [target], threads, ...(isInOrder ? {} : { events: EVENTS }), preparedStatements };
  return requestFor(bench, { workload: name, options, plan });
}

async function maintainFor(command: 'prepare' | 'cleanup', request: RunRequest): Promise<void> {
  const { plan, workload, workloadOptions } = request;
  const { targets, threads, seed, rand, preparedStatements } = plan;
  const settings = { targets, threads, seed, rand, preparedStatements };
  const quiet = { onNote: () => {}, onAdvance: () => {} };
  await maintain(command, { ...settings, workload, workloadName: plan.workload.name, workloadOptions }, quiet, never);
}

const CASES = [1, 8, 256].flatMap((threads) => [
  { threads, preparedStatements: true, as: 'prepared' },
  { threads, preparedStatements: false, as: 'as text' },
]);

describe.each(workloadNames())('%s', (name) => {
  test.each(CASES)('$threads sessions, $as', async ({ threads, preparedStatements }) => {
    const request = await requestOf(name, threads, preparedStatements);
    await maintainFor('prepare', request);
    const record = await runOnce(request, {}, never);
    expect(record.ending).toEqual({ kind: 'events' });
    const skipped = record.totals.errors.filter(({ policy }) => policy === 'skipped');
    const { committed, rolledBack = {} } = record.totals.transactions;
    const ended = Object.values(rolledBack).reduce((sum, count) => sum + count, committed);
    const given = ended + skipped.reduce((sum, { count }) => sum + count, 0);
    expect(given).toBe(request.plan.events);
    expect(record.crossCheck).toEqual({ is: 'done', ok: true, rows: expect.any(Array) });
    await maintainFor('cleanup', request);
  });
});
