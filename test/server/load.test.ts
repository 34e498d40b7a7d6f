/**
 * The engine on worker threads, as it is shipped: compiled, against a real server. What does not need threads is tested
 * in `src/load/engine.test.ts`.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApplyLoad, LoadHooks, LoadPlan, LoadResult, SentCounts } from '../../src/load/plan.ts';
import { fromLatencyRecord } from '../../src/stats/latency-record.ts';
import { connect } from '../../src/wire/connection.ts';
import { prepare, requestFor, startTestBench, type TestBench, type TestRun } from '../support/lab.ts';

/** Node runs no worker thread from TypeScript: `npm run test:server` builds first. */
const ENGINE = new URL('../../dist/src/load/engine.js', import.meta.url);

const READ_WRITE: TestRun = { workload: 'oltp_read_write', options: { tables: 1, table_size: 1_000 } };
const never = new AbortController().signal;

let bench: TestBench;
let applyLoad: ApplyLoad;

beforeAll(async () => {
  bench = await startTestBench(['--max-connections=400']);
  await prepare(bench, READ_WRITE);
  ({ applyLoad } = (await import(ENGINE.href)) as { applyLoad: ApplyLoad });
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

async function planFor(on: TestBench, run: TestRun): Promise<LoadPlan> {
  return (await requestFor(on, run)).plan;
}

async function load(changes: Partial<LoadPlan>, hooks: LoadHooks = {}, on = bench): Promise<LoadResult> {
  return applyLoad(await planFor(on, { ...READ_WRITE, plan: changes }), hooks, never);
}

const COUNTED = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback'] as const;

/** Only counters that looking at them does not raise. */
async function look(): Promise<Record<string, number>> {
  await using connection = await connect(bench.target);
  const { rows } = await connection.read("SHOW GLOBAL STATUS LIKE 'Com\\_%'");
  return Object.fromEntries(rows.map(([name, value]) => [String(name).toLowerCase(), Number(value)]));
}

async function loadAndCompare(changes: Partial<LoadPlan>) {
  let before: Record<string, number> = {};
  let after: Record<string, number> = {};
  let sent: SentCounts | undefined;
  const result = await load(changes, {
    onReady: async () => {
      before = await look();
    },
    onFinished: async (counts) => {
      sent = counts;
      after = await look();
    },
  });
  const counted = (counter: string) => (after[counter] ?? 0) - (before[counter] ?? 0);
  const serverSide = Object.fromEntries(COUNTED.map((verb) => [verb, counted(`com_${verb}`)]));
  const clientSide = Object.fromEntries(COUNTED.map((verb) => [verb, sent!.byVerb[verb]]));
  expect(clientSide).toEqual(serverSide);
  expect(sent!.executes).toBe(counted('com_stmt_execute'));
  expect(sent!.prepares).toBe(counted('com_stmt_prepare'));
  return result;
}

describe('what was sent equals what the server counted', () => {
  test.each([
    { threads: 1, workers: 1, events: 50, preparedStatements: true },
    { threads: 8, workers: 2, events: 200, preparedStatements: true },
    { threads: 256, workers: 2, events: 300, preparedStatements: true },
    { threads: 8, workers: 2, events: 200, preparedStatements: false },
  ])('$threads threads on $workers workers, prepared: $preparedStatements', async (changes) => {
    const result = await loadAndCompare(changes);
    expect(result.ending).toEqual({ kind: 'events' });
    expect(result.totals.unfinished).toBe(0);
    const skipped = result.totals.errors.filter(({ policy }) => policy === 'skipped');
    expect(result.totals.transactions.committed + skipped.reduce((sum, { count }) => sum + count, 0)).toBe(
      changes.events,
    );
    expect(result.client.workers).toBe(changes.workers);
  });

  test('with deadlocks provoked', async () => {
    const hot = { tables: 1, table_size: 3, delete_inserts: 0, index_updates: 4, range_selects: false };
    const plan = await planFor(bench, { workload: 'oltp_read_write', options: hot });
    const result = await loadAndCompare({ workload: plan.workload, threads: 16, workers: 2, events: 400 });
    const { errors, rollbacks, statements } = result.totals;
    expect(errors.some(({ code, policy }) => code === 1213 && policy === 'retried')).toBe(true);
    expect(rollbacks).toBe(errors.reduce((sum, { count }) => sum + count, 0));
    expect(statements.byName['rollback']).toEqual({ kind: 'other', committed: 0, wasted: rollbacks });
    expect(statements.wasted).toBeGreaterThan(rollbacks);
  });

  test('with a new connection after every few transactions', async () => {
    const { errors } = await planFor(bench, READ_WRITE);
    const renewing = { ...errors, reconnectEveryEvents: 5 };
    const result = await loadAndCompare({ threads: 4, workers: 2, events: 100, errors: renewing });
    expect(result.totals.reconnects).toBeGreaterThan(10);
    expect(result.sent.connects).toBe(result.totals.reconnects);
  });
});

test('a process that has applied a load ends by itself: no thread and no socket is left', async () => {
  const plan = await planFor(bench, { ...READ_WRITE, plan: { threads: 4, workers: 2, events: 20, ratePerS: 200 } });
  const script = `
    import { applyLoad } from ${JSON.stringify(ENGINE.href)};
    const result = await applyLoad(${JSON.stringify(plan)}, {}, new AbortController().signal);
    console.log(JSON.stringify(result.ending), result.totals.transactions.committed);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { timeout: 60_000 });
  expect((await run).stdout).toBe(`{"kind":"events"} 20\n`);
});

/** A workload of which the second session does something to its thread after 200 statements. */
function ownWorkload(name: string, afterSome: string): LoadPlan['workload'] {
  const path = join(bench.directory, `${name}.mjs`);
  writeFileSync(
    path,
    `export default {
      summary: 'Reads, until its second session does something else.',
      options: {},
      needs: () => ({ statementsPerSession: 1, writes: false, tables: [] }),
      async session({ connection, sessionIndex }) {
        const select = await connection.statement('select', 'read', 'SELECT 1');
        let runs = 0;
        const run = async () => {
          await select.run();
          if (sessionIndex === 1 && ++runs === 200) { ${afterSome} }
        };
        return { look: { weight: 1, run } };
      },
    };`,
  );
  return { name, path, options: {} };
}

const TWO_WORKERS = { threads: 2, workers: 2, timeS: 60, events: 0, intervalS: 0.05 };

test('the death of a worker: the result of the others, and what it had reported', async () => {
  const workload = ownWorkload('suicide', "setTimeout(() => { throw new Error('out of luck'); });");
  const result = await load({ ...TWO_WORKERS, workload });
  expect(result.ending).toMatchObject({
    kind: 'failed',
    cause: expect.stringMatching(/^Worker 2 of 2 died: .*out of luck/s),
  });
  const [survivor] = result.totals.perSession.transactions;
  expect(survivor).toBeGreaterThan(0);
  expect(result.totals.elapsedS).toBeLessThan(60);
});

test('a worker that is caught in the workload’s code is ended with --forced-shutdown', async () => {
  const workload = ownWorkload('caught', 'for (;;);');
  const result = await load({ ...TWO_WORKERS, workload, timeS: 1, forcedShutdownS: 0.1 });
  expect(result.ending.kind).toBe('forced');
  expect(result.totals.perSession.transactions[0]).toBeGreaterThan(0);
});

test('kill -9 of the server: the cause, everything until then, and no hang', async () => {
  await using doomed = await startTestBench();
  await prepare(doomed, READ_WRITE);
  let intervals = 0;
  const onInterval = () => {
    if (++intervals === 1) process.kill(doomed.server.pid, 'SIGKILL');
  };
  const plan = { threads: 8, workers: 2, timeS: 120, events: 0, intervalS: 0.3 };
  const result = await load(plan, { onInterval }, doomed);
  expect(result.ending).toMatchObject({ kind: 'failed', cause: expect.stringContaining('connection lost') });
  expect(result.totals.transactions.committed).toBeGreaterThan(0);
  expect(result.totals.unfinished).toBe(8);
});

test('SIGSTOP of the server for two seconds shows in the response times, not in the service times', async () => {
  const { pid } = bench.server;
  let intervals = 0;
  const onInterval = () => {
    if (++intervals !== 2) return;
    process.kill(pid, 'SIGSTOP');
    setTimeout(() => process.kill(pid, 'SIGCONT'), 2_000);
  };
  const plan = await planFor(bench, { workload: 'oltp_point_select', options: { tables: 1, table_size: 1_000 } });
  const result = await load(
    { workload: plan.workload, threads: 4, ratePerS: 300, arrivals: 'even', timeS: 8, events: 0, intervalS: 1 },
    { onInterval },
  );
  expect(result.ending).toEqual({ kind: 'time' });
  const { service, response } = result.latency.transactions['all']!;
  // Some 600 of 2,400 arrivals came while the server stood still; four of them were under way.
  expect(fromLatencyRecord(response!).percentileUs(99)).toBeGreaterThan(1_500_000);
  expect(fromLatencyRecord(service).percentileUs(99)).toBeLessThan(1_500_000);
  const { transactions, dropped, unfinished } = result.totals;
  expect(transactions.committed + dropped + unfinished).toBe(2_400);
});
