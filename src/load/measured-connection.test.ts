import { beforeEach, describe, expect, test } from 'vitest';
import { DoubleServer, settle, TARGET, TurnedClock } from '../../test/support/load.ts';
import { ServerError } from '../wire/errors.ts';
import { MeasuredConnection } from './measured-connection.ts';
import { Names, Recorder } from './recorder.ts';
import { Sent } from './sent.ts';

let clock: TurnedClock;
let server: DoubleServer;
let names: Names;
let recorder: Recorder;
let sent: Sent;

beforeEach(() => {
  clock = new TurnedClock();
  server = new DoubleServer(clock);
  names = new Names();
  recorder = new Recorder(names, 1);
  sent = new Sent();
});

async function measured(preparedStatements = true): Promise<MeasuredConnection> {
  const connection = await server.connect(TARGET);
  sent.opened(connection);
  const onNames = () => recorder.makeRoom();
  return new MeasuredConnection({ connection, clock, names, sent, recorder, preparedStatements, onNames });
}

/** Runs what takes time, until it is done. */
async function turning<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await clock.turnBy(10_000);
  return promise;
}

describe('counting', () => {
  test('what was sent is pending until the attempt is committed or wasted', async () => {
    const connection = await measured();
    const update = await connection.statement('update', 'write', 'UPDATE t SET a = ?');
    server.answer = () => ({ affectedRows: 0 });
    await turning(update.run([1]));
    expect(recorder.take().statements[0]).toMatchObject({ committed: 0, wasted: 0 });
    connection.commit();
    await turning(update.run([2]));
    connection.waste();
    const { statements, counts } = recorder.take();
    expect(statements[0]).toMatchObject({ name: 'update', kind: 'write', committed: 1, wasted: 1 });
    expect(counts).toMatchObject({ writesWithoutEffect: 1, bytesSent: 20, bytesReceived: 40 });
    expect(sent.toCounts()).toMatchObject({ prepares: 1, executes: 2, queries: 0, byVerb: { update: 2, select: 0 } });
  });

  test('rows are those of committed work', async () => {
    const connection = await measured();
    const select = await connection.statement('select', 'read', 'SELECT a FROM t');
    server.answer = () => ({ hasRows: true, rowCount: 7 });
    await turning(select.run());
    connection.waste();
    await turning(select.run());
    connection.commit();
    expect(recorder.take().counts.rowsRead).toBe(7);
  });

  test('statements of one name are one line, and of two kinds a mistake', async () => {
    const connection = await measured();
    await connection.statement('select', 'read', 'SELECT 1');
    await connection.statement('select', 'read', 'SELECT 2');
    await connection.statement('last', 'read', 'SELECT 3', { text: true });
    expect(names.statements).toEqual([
      { name: 'select', kind: 'read', isPrepared: true },
      { name: 'last', kind: 'read', isPrepared: false },
    ]);
    await expect(connection.statement('select', 'write', 'UPDATE t SET a = 1')).rejects.toThrow('both read and write');
  });

  test('a statement that the server refuses is counted, and so is its time', async () => {
    const connection = await measured();
    const select = await connection.statement('select', 'read', 'SELECT 1');
    server.answer = () => new ServerError({ code: 1213, sqlState: '40001', symbol: 'ER_LOCK_DEADLOCK', message: 'x' });
    await expect(turning(select.run())).rejects.toMatchObject({ code: 1213 });
    connection.waste();
    const { statements } = recorder.take();
    expect(statements[0]).toMatchObject({ wasted: 1, latency: { count: 1 } });
    expect(sent.toCounts()).toMatchObject({ executes: 1, errors: 1 });
  });

  test('values that do not fit are refused before anything is sent', async () => {
    const connection = await measured(false);
    const select = await connection.statement('select', 'read', 'SELECT ?');
    await expect(select.run([])).rejects.toThrow('1 placeholders and was given 0 values');
    connection.waste();
    expect(recorder.take().statements[0]).toMatchObject({ wasted: 0 });
    expect(sent.toCounts().queries).toBe(0);
    server.answer = () => ({ delayMs: 1 });
    await expect(turning(select.run([1]))).resolves.toMatchObject({ affectedRows: 1 });
  });
});

describe('time', () => {
  test('a statement takes from sending to its reply, a transaction from the first sending to the last reply', async () => {
    const connection = await measured();
    const select = await connection.statement('select', 'read', 'SELECT 1');
    server.answer = () => ({ delayMs: 5 });
    connection.begin(recorder);
    const first = select.run();
    await clock.turnBy(5);
    await first;
    clock.nowMs += 3;
    const second = select.run();
    await clock.turnBy(5);
    await second;
    expect(connection.lastReplyMs - connection.firstSendMs).toBe(13);
    expect(recorder.take().statements[0]!.latency).toMatchObject({ count: 2, minUs: 5_000, maxUs: 5_000 });
  });
});

describe('prepared or as text', () => {
  test('as text where prepared statements are off, with literals', async () => {
    const connection = await measured(false);
    const select = await connection.statement('select', 'read', 'SELECT c FROM t WHERE a = ? AND b = ?');
    await turning(select.run([1, "it's"]));
    expect(server.requests).toMatchObject([{ sql: "SELECT c FROM t WHERE a = 1 AND b = 'it''s'", isPrepared: false }]);
    expect(sent.toCounts()).toMatchObject({ prepares: 0, executes: 0, queries: 1 });
  });

  test('as text where the workload says so for one statement', async () => {
    const connection = await measured();
    const insert = await connection.statement('insert', 'write', 'INSERT INTO t VALUES (?)', { text: true });
    await turning(insert.run([1]));
    expect(server.requests).toMatchObject([{ sql: 'INSERT INTO t VALUES (1)', isPrepared: false }]);
  });

  test('as text where the server cannot prepare it: error 1295', async () => {
    const refusal = new ServerError({ code: 1295, sqlState: 'HY000', symbol: 'ER_UNSUPPORTED_PS', message: 'x' });
    server.unpreparable.set('BEGIN', refusal);
    const connection = await measured();
    const begin = await connection.statement('begin', 'other', 'BEGIN');
    await turning(begin.run());
    expect(server.requests).toMatchObject([{ sql: 'BEGIN', isPrepared: false }]);
    expect(sent.toCounts()).toMatchObject({ prepares: 1, queries: 1, errors: 1, byVerb: { begin: 1 } });
  });

  test('any other refusal to prepare is passed on', async () => {
    const refusal = new ServerError({ code: 1461, sqlState: '42000', symbol: 'ER_X', message: 'too many' });
    server.unpreparable.set('SELECT 1', refusal);
    await expect((await measured()).statement('select', 'read', 'SELECT 1')).rejects.toBe(refusal);
  });

  test('backslashes are written as the last reply told', async () => {
    const connection = await measured(false);
    const select = await connection.statement('select', 'read', 'SELECT ?');
    server.answer = () => ({ status: 2 });
    await turning(select.run(['\\']));
    server.answer = () => ({ status: 512 });
    await turning(select.run(['\\']));
    await turning(select.run(['\\']));
    expect(server.requests.map(({ sql }) => sql)).toEqual(["SELECT _utf8mb4 X'5c'", "SELECT '\\\\'", "SELECT '\\'"]);
  });
});

test('rows() gives the rows, and is counted like run()', async () => {
  const connection = await measured();
  const select = await connection.statement('select', 'read', 'SELECT a FROM t');
  server.answer = () => ({ hasRows: true, rowCount: 1, rows: [[5]] });
  expect(await turning(select.rows())).toEqual([[5]]);
  connection.commit();
  const { statements, counts } = recorder.take();
  expect(statements[0]).toMatchObject({ committed: 1, latency: { count: 1 } });
  expect(counts.rowsRead).toBe(1);
  expect(sent.toCounts()).toMatchObject({ executes: 1, byVerb: { select: 1 } });
});

test('two statements at once are a mistake of the workload, told with both names', async () => {
  const connection = await measured();
  const one = await connection.statement('one', 'read', 'SELECT 1');
  const two = await connection.statement('two', 'read', 'SELECT 2');
  server.answer = () => ({ delayMs: 1 });
  const first = one.run();
  await expect(two.run()).rejects.toThrow("'two' while 'one'");
  await expect(two.rows()).rejects.toThrow("'two' while 'one'");
  await clock.turnBy(1);
  await expect(first).resolves.toBeDefined();
  await settle();
  expect(server.requests).toHaveLength(1);
});
