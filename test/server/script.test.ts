/** SQL scripts on a real server: counts that agree, values that arrive, and the same statements however it is run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultsOf } from '../../src/base/options.ts';
import { maintain } from '../../src/lab/maintenance.ts';
import { type RunRequest, runOnce } from '../../src/lab/run.ts';
import type { LoadPlan } from '../../src/load/plan.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { loadWorkload } from '../../src/workload/find.ts';
import { requestFor, startTestBench, type TestBench } from '../support/lab.ts';
import { query } from '../support/maintenance.ts';

const never = new AbortController().signal;
let bench: TestBench;

beforeAll(async () => {
  bench = await startTestBench();
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

interface Scripts {
  /** By the name of the file, in the order of the options. */
  readonly files: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly plan?: Partial<LoadPlan>;
}

async function requestOf({ files, options, plan }: Scripts): Promise<RunRequest> {
  const { workload } = await loadWorkload('script');
  const given = { ...defaultsOf(workload.options), ...options };
  const read = workload.readFiles?.(given as never, (path) => files[path]!);
  return requestFor(bench, { workload: 'script', options: read as never, ...(plan === undefined ? {} : { plan }) });
}

async function run(scripts: Scripts): Promise<RunRecord> {
  const record = await runOnce(await requestOf(scripts), {}, never);
  expect(record.ending.kind).toMatch(/^(?:events|time)$/);
  expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
  return record;
}

async function maintainWith(command: 'prepare' | 'cleanup', scripts: Scripts): Promise<void> {
  const { plan, workload, workloadOptions } = await requestOf(scripts);
  const { targets, threads, seed, rand, preparedStatements } = plan;
  const request = {
    targets,
    threads,
    seed,
    rand,
    preparedStatements,
    workload,
    workloadName: 'script',
    workloadOptions,
  };
  await maintain(command, request, { onNote: () => {}, onAdvance: () => {} }, never);
}

const SETUP = `
-- define: rows = 50
CREATE TABLE log (event BIGINT, kind VARCHAR(20), n BIGINT, x DOUBLE, t VARCHAR(40)) CHARSET utf8mb4;
CREATE TABLE stock (id INT NOT NULL PRIMARY KEY, amount INT NOT NULL);
DELIMITER //
CREATE PROCEDURE fill_stock(IN up_to INT) BEGIN
  DECLARE id INT DEFAULT 1;
  WHILE id <= up_to DO
    INSERT INTO stock VALUES (id, 100);
    SET id = id + 1;
  END WHILE;
END//
DELIMITER ;
CALL fill_stock(:rows);
DROP PROCEDURE fill_stock;
`;
const TEARDOWN = 'DROP TABLE log; DROP TABLE stock;';

const SELL = String.raw`
\set id random_zipfian(1, 50, 0.9)
\set wanted random_gaussian(1, 9, 2.5)
\set share :wanted / 10.0
\set word random_text('@@@-###')
BEGIN;
SELECT amount, amount > 50 FROM stock WHERE id = :id FOR UPDATE \gset amount plenty
\if :plenty and :event % 10 <> 0
  UPDATE stock SET amount = amount - :wanted WHERE id = :id;
  INSERT INTO log VALUES (:event, 'sold', :wanted, :share, :word);
  COMMIT;
\elif :event % 10 = 0
  ROLLBACK;
\else
  UPDATE stock SET amount = :amount + 1000 WHERE id = :id;
  INSERT INTO log VALUES (:event, 'refilled', :wanted, :share, :word);
  COMMIT;
\endif
`;
const LOOK = String.raw`
-- name: look
\set n random_exponential(1, 1000, 3.0)
\set none null
INSERT INTO log VALUES (:event, 'looked', :n, :none, 'it''s :n');
\sleep 1 us
`;
const FILES = { 'sell.sql': SELL, 'look.sql': LOOK, 'setup.sql': SETUP, 'down.sql': TEARDOWN };
const MAINTENANCE = { files: FILES, options: { setup_file: ['setup.sql'], teardown_file: ['down.sql'] } };

test('prepare and cleanup run their files, with values, and with procedures', async () => {
  await maintainWith('prepare', { ...MAINTENANCE, options: { ...MAINTENANCE.options, define: ['rows=7'] } });
  expect(await query(bench.target, 'SELECT COUNT(*), SUM(amount) FROM stock')).toEqual([[7, '700']]);
  await maintainWith('cleanup', MAINTENANCE);
  expect(await query(bench.target, "SHOW TABLES LIKE 'stock'")).toEqual([]);
});

test('a statement that is refused is told with its place, and what is not given too', async () => {
  const files = { 'setup.sql': 'SELECT 1;\nINSERT INTO nowhere VALUES (1);' };
  const wrong = maintainWith('prepare', { files, options: { setup_file: ['setup.sql'] } });
  await expect(wrong).rejects.toThrow(/^setup\.sql:2:1: the server refused this statement: Table .*nowhere/);
  const nothing = maintainWith('cleanup', { files, options: { setup_file: ['setup.sql'] } });
  await expect(nothing).rejects.toThrow(/no --teardown-file is given/);
});

describe('the same seed', () => {
  const CASES = [
    { threads: 1, workers: 1, preparedStatements: true },
    { threads: 2, workers: 2, preparedStatements: true },
    { threads: 8, workers: 2, preparedStatements: true },
    { threads: 8, workers: 2, preparedStatements: false },
  ];
  /** What does not depend on the order in which events come. */
  const LOG = "SELECT event, IF(kind = 'looked', kind, ''), n, x, t FROM log ORDER BY event";
  const logs: unknown[] = [];

  test.each(CASES)('$threads threads, $workers workers, prepared: $preparedStatements', async (load) => {
    await maintainWith('prepare', MAINTENANCE);
    const options = { file: ['sell.sql@3', 'look.sql'] };
    const record = await run({ files: FILES, options, plan: { ...load, events: 400, seed: 3 } });
    const { committed, byName, rolledBack } = record.totals.transactions;
    expect(Object.keys(byName).sort()).toEqual(['look', 'sell']);
    expect(committed + (rolledBack?.['sell'] ?? 0)).toBe(400);
    expect(rolledBack?.['sell']).toBeGreaterThan(20);
    const log = await query(bench.target, LOG);
    expect(log).toHaveLength(committed);
    logs.push(log);
    await maintainWith('cleanup', MAINTENANCE);
  });

  test('has sent the same', () => {
    expect(logs).toHaveLength(CASES.length);
    for (const log of logs) expect(log).toEqual(logs[0]);
    const values = (logs[0] as unknown[][]).filter(([, kind]) => kind === 'looked');
    expect(values.length).toBeGreaterThan(50);
    for (const [, , n, x, t] of values)
      expect([Number(n) >= 1 && Number(n) <= 1000, x, t]).toEqual([true, null, "it's :n"]);
  });
});

describe.each([true, false])('values, prepared: %s', (preparedStatements) => {
  test.each(["it's", 'back\\slash', '"; DROP TABLE log; --', 'ünïcödé ✓', ''])('%s arrives as it is', async (value) => {
    await maintainWith('prepare', MAINTENANCE);
    const files = { 'keep.sql': "INSERT INTO log VALUES (:event, 'kept', NULL, 1 / 3, :value);" };
    const plan = { events: 3, preparedStatements };
    await run({ files, options: { file: ['keep.sql'], define: [`value=${value}`] }, plan });
    expect(await query(bench.target, 'SELECT t FROM log')).toEqual([[value], [value], [value]]);
    await maintainWith('cleanup', MAINTENANCE);
  });
});

test('what a script makes itself it can use', async () => {
  const files = {
    'temporary.sql':
      'CREATE TEMPORARY TABLE own (a INT);\nINSERT INTO own VALUES (:event);\nSELECT a FROM own \\gset a\nDROP TEMPORARY TABLE own;',
  };
  const record = await run({ files, options: { file: ['temporary.sql'] }, plan: { events: 20, threads: 2 } });
  expect(record.totals.statements.byName).toMatchObject({
    create_own: { committed: 20 },
    insert_own: { kind: 'write' },
  });
});

test('--in-transaction makes one transaction of the statements of a file', async () => {
  const files = { 'two.sql': 'SELECT 1;\nSELECT 2;' };
  const record = await run({ files, options: { file: ['two.sql'], in_transaction: true }, plan: { events: 5 } });
  expect(record.totals.statements.byName).toMatchObject({ begin: { committed: 5 }, commit: { committed: 5 } });
});

test('a pause ends with the load', async () => {
  const files = { 'wait.sql': 'SELECT 1;\n\\sleep 100000\nSELECT 2;' };
  const record = await run({ files, options: { file: ['wait.sql'] }, plan: { events: 0, timeS: 0.3, threads: 2 } });
  expect(record.totals.transactions.byName).toEqual({ wait: 2 });
});

test('a value that cannot be computed with stops the run, and says where', async () => {
  const files = { 'wrong.sql': "SELECT 'much' \\gset a\n\\set b :a + 1\nSELECT :b;" };
  const record = await runOnce(
    await requestOf({ files, options: { file: ['wrong.sql'] }, plan: { events: 5 } }),
    {},
    never,
  );
  expect(record.ending).toMatchObject({
    kind: 'failed',
    cause: expect.stringMatching(/wrong\.sql:2:1: 'much' is no number/),
  });
});

test('the texts are in the record, so that it can be run again', async () => {
  const files = { 'one.sql': 'SELECT 1;' };
  const record = await run({ files, options: { file: ['one.sql'] }, plan: { events: 1 } });
  expect(record.workload.options).toMatchObject({ file: ['one.sql'], texts: ['SELECT 1;'] });
});
