/** What performance_schema tells of a real load, against what was sent; and what becomes of it where it is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOnce } from '../../src/lab/run.ts';
import type { StatementAccount } from '../../src/model/observed.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { connect } from '../../src/wire/connection.ts';
import { prepare, requestFor, startTestBench, type TestBench } from '../support/lab.ts';

const never = new AbortController().signal;
const OPTIONS = { table_size: 1_000, tables: 1 };
const EVENTS = 40;

let bench: TestBench;

beforeAll(async () => {
  bench = await startTestBench(['--performance-schema=ON']);
  await prepare(bench, { workload: 'oltp_read_write', options: OPTIONS });
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

async function watched(plan: object): Promise<RunRecord> {
  const load = { events: EVENTS, ...plan };
  const request = await requestFor(bench, { workload: 'oltp_read_write', options: OPTIONS, plan: load });
  return runOnce({ ...request, observe: { intervalS: 1, host: {} } }, {}, never);
}

/** Committed and wasted, by the names of the workload. */
function sentOf({ totals }: RunRecord): Record<string, number> {
  const all = Object.entries(totals.statements.byName);
  return Object.fromEntries(all.map(([name, { committed, wasted }]) => [name, committed + wasted]));
}

function countOf(statements: readonly StatementAccount[], like: RegExp): number {
  return statements.filter(({ text = '' }) => like.test(text)).reduce((sum, { count }) => sum + count, 0);
}

describe('a server that counts its statements', () => {
  test('tells each text as often as it was sent, its rows too, and the cross-check stays exact', async () => {
    const record = await watched({ preparedStatements: false, threads: 1 });
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    const { statements, waits, elapsedS } = record.serverAccount!;
    const sent = sentOf(record);
    const point = statements.find(({ text = '' }) => /^SELECT `c` .* = \?$/.test(text))!;
    expect(point).toMatchObject({ of: 'text', database: bench.target.database, count: sent['point_select'] });
    expect(point).toMatchObject({ rowsExamined: point.count, rowsSent: point.count, errors: 0 });
    expect(countOf(statements, /^UPDATE /)).toBe(sent['index_update']! + sent['non_index_update']!);
    expect(countOf(statements, /^DELETE /)).toBe(sent['delete']);
    expect(countOf(statements, /^INSERT /)).toBe(sent['insert']);
    expect(countOf(statements, /^COMMIT/)).toBe(sent['commit']);
    const sorted = statements.find(({ text = '' }) => text.startsWith('SELECT DISTINCT'))!;
    expect(sorted.temporaryTables).toBe(sent['distinct_range']);
    expect(statements.some(({ text = '' }) => /performance_schema|GLOBAL STATUS/i.test(text))).toBe(false);
    expect(statements.every(({ timeS }) => timeS >= 0 && timeS <= elapsedS)).toBe(true);
    expect(waits.map(({ event }) => event)).toContain('wait/io/table/sql/handler');
  });

  test('tells how often prepared statements were executed', async () => {
    const record = await watched({ preparedStatements: true, threads: 2 });
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    const executed = record.serverAccount!.statements.filter(({ of }) => of.startsWith('prepared'));
    const sent = Object.values(sentOf(record)).reduce((sum, count) => sum + count, 0);
    expect(executed.reduce((sum, { count }) => sum + count, 0)).toBe(sent);
  });

  test('a warm-up is not in it', async () => {
    const plan = { preparedStatements: false, warmupS: 1, isWarmupAuto: false, timeS: 2, events: 0 };
    const record = await watched(plan);
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    const { statements } = record.serverAccount!;
    const measured = record.totals.statements.byName['commit']!.committed;
    const warmup = record.intervals
      .filter(({ isWarmup }) => isWarmup)
      .reduce((sum, each) => sum + each.transactions, 0);
    expect(countOf(statements, /^COMMIT/)).toBeLessThan(measured + warmup);
  });
});

test('what it does not time is said once, and so is a refusal', async () => {
  const record = await watched({ threads: 1 });
  const unseen = record.observation!.unseen.filter(({ what }) => what === 'waits');
  expect(unseen).toEqual([{ what: 'waits', because: expect.stringMatching(/does not time .*wait\/synch/) }]);

  await using root = await connect(bench.target);
  await root.execute("CREATE USER IF NOT EXISTS poor@localhost IDENTIFIED BY 'p'");
  await root.execute(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${bench.target.database}.* TO poor@localhost`);
  const poor = await watched({ targets: [{ ...bench.target, user: 'poor', password: 'p' }], warmupS: 1, timeS: 1 });
  expect(poor.ending.kind).not.toBe('failed');
  expect(poor).not.toHaveProperty('serverAccount');
  const refusals = poor.observation!.unseen.filter(({ what }) => what === 'performance_schema');
  expect(refusals).toEqual([{ what: 'performance_schema', because: expect.stringContaining('denied') }]);
});
