import { describe, expect, test } from 'vitest';
import {
  type DoubleReply,
  DoubleServer,
  ERRORS,
  loadPlan,
  type Request,
  TurnedClock,
} from '../../test/support/load.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import { defineWorkload, ValidationError, type Workload } from '../workload/workload.ts';
import { ClosedLoop } from './closed-loop.ts';
import { createKeyDistribution } from './distribution.ts';
import type { ErrorPolicy, LoadPlan } from './plan.ts';
import { Names, Recorder } from './recorder.ts';
import { Sent } from './sent.ts';
import { LoadSession } from './session.ts';
import type { SessionParts } from './session-parts.ts';
import { StopSignal } from './stop-signal.ts';
import { TICKETS_BYTES, Tickets } from './tickets.ts';

const deadlock = new ServerError({
  code: 1213,
  sqlState: '40001',
  symbol: 'ER_LOCK_DEADLOCK',
  message: 'Deadlock found',
});
const duplicate = new ServerError({ code: 1062, sqlState: '23000', symbol: 'ER_DUP_ENTRY', message: 'Duplicate' });
const gone = new WireError('closed', 'the server closed the connection');

/** BEGIN, UPDATE with a drawn key, COMMIT. */
const transfer = defineWorkload({
  summary: 'A transaction.',
  options: {},
  needs: () => ({ statementsPerSession: 3, writes: true, tables: [] }),
  session: async ({ connection, random }) => {
    const begin = await connection.statement('begin', 'other', 'BEGIN');
    const update = await connection.statement('update', 'write', 'UPDATE');
    const commit = await connection.statement('commit', 'other', 'COMMIT');
    return {
      transfer: {
        weight: 1,
        transactional: true,
        run: async () => {
          await begin.run();
          await update.run([random.integer(1, 1_000_000)]);
          await commit.run();
        },
      },
    };
  },
});

interface Harness {
  readonly clock: TurnedClock;
  readonly server: DoubleServer;
  readonly session: LoadSession;
  readonly measured: Recorder;
  readonly sent: Sent;
  readonly signal: StopSignal;
  readonly fatal: unknown[];
  readonly notes: string[];
  readonly finished: Promise<void>;
}

interface Setting {
  readonly workload?: Workload;
  readonly errors?: Partial<ErrorPolicy>;
  readonly plan?: Partial<LoadPlan>;
  readonly answer?: (request: Request) => DoubleReply;
}

async function start({ workload = transfer as Workload, errors, plan: changes, answer }: Setting): Promise<Harness> {
  const plan = loadPlan({ events: 1, errors: { ...ERRORS, ...errors }, ...changes });
  const clock = new TurnedClock();
  const server = new DoubleServer(clock, answer);
  const names = new Names();
  const [warmup, measured, scratch] = [0, 1, 2].map(() => new Recorder(names, 1)) as [Recorder, Recorder, Recorder];
  const signal = new StopSignal(clock);
  const [fatal, notes]: [unknown[], string[]] = [[], []];
  const sent = new Sent();
  const parts: SessionParts = {
    plan,
    world: server.world(workload),
    workload,
    keys: createKeyDistribution(plan.rand),
    names,
    sent,
    signal,
    scratch,
    onNames: () => {
      for (const recorder of [warmup, measured, scratch]) recorder.makeRoom();
    },
    onFatal: (error, transaction) => {
      fatal.push(error);
      notes.push(`fatal in ${transaction}`);
      signal.stop();
    },
    onLost: () => notes.push('lost'),
    onResumed: () => notes.push('resumed'),
    onPart: (part) => notes.push(`part ${part}`),
    onEventEnd: () => {},
  };
  const schedule = { startMs: 1_000, measureStartMs: 1_000, endMs: Number.POSITIVE_INFINITY };
  const tickets = new Tickets(new SharedArrayBuffer(TICKETS_BYTES), plan.events);
  const phases = { warmup, measured, isMeasuring: true };
  const ofAll = { sessions: [0], sessionsOfAll: 1, eventsPerSession: 0 };
  const source = new ClosedLoop({ schedule, phases, tickets, signal, ...ofAll });
  const session = new LoadSession(parts, 0, 0);
  await session.open(1_000);
  const finished = session.run(source, 1_000);
  return { clock, server, session, measured, sent, signal, fatal, notes, finished };
}

/** Fails the first `times` statements with this SQL. */
function failing(sql: string, error: Error, times = Number.POSITIVE_INFINITY) {
  let left = times;
  return (request: Request): DoubleReply => (request.sql === sql && left-- > 0 ? error : {});
}

async function toItsEnd(harness: Harness) {
  await harness.clock.turnBy(100_000);
  await harness.finished;
  const { transactions, statements, counts, errors } = harness.measured.take();
  const byName = Object.fromEntries(statements.map(({ name, committed, wasted }) => [name, [committed, wasted]]));
  return { committed: transactions[0]!.committed, service: transactions[0]!.service, byName, counts, errors };
}

describe('an error that the policy forgives', () => {
  test('is answered with ROLLBACK, and the same transaction again, with the same values', async () => {
    const harness = await start({ answer: failing('UPDATE', deadlock, 2) });
    const { committed, byName, counts, errors } = await toItsEnd(harness);
    expect(harness.server.sqlOf(1)).toEqual([
      ...['BEGIN', 'UPDATE', 'ROLLBACK'],
      ...['BEGIN', 'UPDATE', 'ROLLBACK'],
      ...['BEGIN', 'UPDATE', 'COMMIT'],
    ]);
    const values = harness.server.requests.filter(({ sql }) => sql === 'UPDATE').map(({ parameters }) => parameters[0]);
    expect(new Set(values).size).toBe(1);
    expect(committed).toBe(1);
    expect(byName).toEqual({ begin: [1, 2], update: [1, 2], commit: [1, 0], rollback: [0, 2] });
    expect(counts).toMatchObject({ retries: 2, rollbacks: 2, skipped: 0, unfinished: 0 });
    expect(errors).toMatchObject([{ code: 1213, count: 2, policy: 'retried', example: 'Deadlock found' }]);
    expect(harness.sent.toCounts()).toMatchObject({ executes: 7, queries: 2, errors: 2, byVerb: { rollback: 2 } });
  });

  test('pauses longer after every failure, and the latency contains it all', async () => {
    const harness = await start({ answer: failing('UPDATE', deadlock, 4) });
    const { service } = await toItsEnd(harness);
    // Pauses of up to 1, 2, 4 and 8 ms, of which at least half passes.
    expect(service.minUs).toBeGreaterThanOrEqual(7_500);
    expect(service.minUs).toBeLessThanOrEqual(15_000);
  });

  test('is given up after the last attempt', async () => {
    const harness = await start({ errors: { attemptsMax: 3 }, answer: failing('UPDATE', deadlock) });
    const { committed, byName, counts, errors } = await toItsEnd(harness);
    expect(committed).toBe(0);
    expect(byName['update']).toEqual([0, 3]);
    expect(counts).toMatchObject({ retries: 2, skipped: 1, rollbacks: 3, unfinished: 0 });
    expect(errors).toMatchObject([
      { policy: 'retried', count: 2 },
      { policy: 'skipped', count: 1 },
    ]);
  });

  test('is not tried again once the load is over: the transaction is unfinished', async () => {
    const harness = await start({ answer: failing('UPDATE', deadlock) });
    await harness.clock.turnBy(0.1);
    harness.signal.stop();
    const { committed, counts } = await toItsEnd(harness);
    expect([committed, counts.unfinished, counts.skipped]).toEqual([0, 1, 0]);
    expect(harness.server.sqlOf(1)).toEqual(['BEGIN', 'UPDATE', 'ROLLBACK']);
  });

  test('needs no ROLLBACK where no transaction is open', async () => {
    const single = singleStatement();
    const harness = await start({ workload: single, answer: failing('SELECT', deadlock, 1) });
    const { counts } = await toItsEnd(harness);
    expect(harness.server.sqlOf(1)).toEqual(['SELECT', 'SELECT']);
    expect(counts.rollbacks).toBe(0);
  });

  test('gets a ROLLBACK where the server says that a transaction is open', async () => {
    const workload = singleStatement(['FIRST', 'SELECT']);
    let failures = 1;
    const answer = ({ sql }: Request) => (sql === 'SELECT' && failures-- > 0 ? deadlock : { status: 1 });
    const harness = await start({ workload, answer });
    await toItsEnd(harness);
    expect(harness.server.sqlOf(1)).toEqual(['FIRST', 'SELECT', 'ROLLBACK', 'FIRST', 'SELECT']);
  });
});

/** Statements one after another, in a transaction that is none. */
function singleStatement(sqls: readonly string[] = ['SELECT'], onRun: () => void = () => {}): Workload {
  return {
    summary: 'Plain statements.',
    options: {},
    needs: () => ({ statementsPerSession: 1, writes: false, tables: [] }),
    session: async ({ connection }) => {
      const statements = await Promise.all(sqls.map((sql) => connection.statement(sql, 'read', sql)));
      const run = async () => {
        for (const statement of statements) await statement.run();
        onRun();
      };
      return { plain: { weight: 1, run } };
    },
  };
}

describe('an error that it does not', () => {
  test('ends the load, after a ROLLBACK that sets its locks free', async () => {
    const harness = await start({ answer: failing('UPDATE', duplicate) });
    const { committed, counts, errors } = await toItsEnd(harness);
    expect(harness.fatal).toEqual([duplicate]);
    expect(harness.notes).toEqual(['fatal in transfer']);
    expect(harness.server.sqlOf(1)).toEqual(['BEGIN', 'UPDATE', 'ROLLBACK']);
    expect([committed, counts.unfinished]).toEqual([0, 1]);
    expect(errors).toMatchObject([{ code: 1062, policy: 'fatal', count: 1 }]);
  });

  test('of the workload’s own code ends it too, with the place', async () => {
    const workload = singleStatement(['SELECT'], () => {
      throw new TypeError('x is not a function');
    });
    const harness = await start({ workload });
    const { errors } = await toItsEnd(harness);
    expect(harness.fatal).toEqual([expect.any(TypeError)]);
    expect(errors).toMatchObject([{ symbol: 'WORKLOAD', example: expect.stringContaining('session.test.ts') }]);
  });
});

test('a wrong result is counted and rolled back, and the run goes on', async () => {
  let runs = 0;
  const workload = singleStatement(['SELECT'], () => {
    if (runs++ === 0) throw new ValidationError('expected 1 row, got 0');
  });
  const harness = await start({ workload, plan: { events: 2 } });
  const { committed, counts, errors } = await toItsEnd(harness);
  expect([committed, counts.invalid, counts.unfinished]).toEqual([1, 1, 0]);
  expect(errors).toMatchObject([{ policy: 'validation', example: 'expected 1 row, got 0' }]);
});

describe('a lost connection', () => {
  test('ends the load where nobody asked to reconnect', async () => {
    const harness = await start({ answer: failing('UPDATE', gone) });
    const { counts, errors } = await toItsEnd(harness);
    expect(harness.fatal).toEqual([gone]);
    expect(counts.unfinished).toBe(1);
    expect(errors).toMatchObject([{ code: 0, symbol: 'CONNECTION_CLOSED', policy: 'fatal' }]);
  });

  test('is opened again, the session set up anew and the event run again', async () => {
    const harness = await start({ errors: { lostConnection: 'resume' }, answer: failing('UPDATE', gone, 1) });
    harness.server.refusals.push(new WireError('refused', 'nobody listens'), new WireError('refused', 'still nobody'));
    const { committed, byName, counts, errors, service } = await toItsEnd(harness);
    expect(harness.notes).toEqual(['lost', 'resumed']);
    expect(harness.server.sqlOf(2)).toEqual(['BEGIN', 'UPDATE', 'COMMIT']);
    const values = harness.server.requests.filter(({ sql }) => sql === 'UPDATE').map(({ parameters }) => parameters[0]);
    expect(new Set(values).size).toBe(1);
    expect(committed).toBe(1);
    expect(byName['update']).toEqual([1, 1]);
    expect(counts).toMatchObject({ reconnects: 1, unfinished: 0 });
    expect(errors).toMatchObject([{ policy: 'reconnected', count: 1 }]);
    expect(harness.sent.toCounts()).toMatchObject({ connects: 2, prepares: 6 });
    // Two pauses of up to 10 and 20 ms: the outage is in the latency.
    expect(service.minUs).toBeGreaterThanOrEqual(15_000);
  });

  test('fails the run when the server does not come back in time', async () => {
    const harness = await start({ errors: { lostConnection: 'resume', reconnectDeadlineS: 2 } });
    harness.server.answer = failing('UPDATE', gone);
    harness.server.refusals.push(...Array.from({ length: 100 }, () => new WireError('refused', 'nobody listens')));
    const { counts } = await toItsEnd(harness);
    expect(harness.fatal).toEqual([expect.objectContaining({ message: expect.stringContaining('within 2 s') })]);
    expect(counts.unfinished).toBe(1);
    // Pauses of up to 10, 20, 40 … 500 ms, of which at least half passes, make 8 to 13 attempts in two seconds.
    const attempts = 100 - harness.server.refusals.length;
    expect(attempts).toBeGreaterThanOrEqual(8);
    expect(attempts).toBeLessThanOrEqual(13);
  });

  test('is not opened again once the load is over', async () => {
    const harness = await start({ errors: { lostConnection: 'resume' }, answer: failing('UPDATE', gone) });
    harness.server.refusals.push(...Array.from({ length: 100 }, () => new WireError('refused', 'nobody listens')));
    await harness.clock.turnBy(50);
    harness.signal.stop();
    const { counts } = await toItsEnd(harness);
    expect(harness.fatal).toEqual([]);
    expect(counts.unfinished).toBe(1);
  });
});

test('--reconnect=N opens a new connection after every N events, not counted as an error', async () => {
  const harness = await start({ errors: { reconnectEveryEvents: 2 }, plan: { events: 5 } });
  const { committed, counts, errors } = await toItsEnd(harness);
  expect(committed).toBe(5);
  expect(counts.reconnects).toBe(2);
  expect(errors).toEqual([]);
  expect([1, 2, 3].map((connection) => harness.server.sqlOf(connection).length)).toEqual([6, 6, 3]);
  const { bytesSent } = harness.sent.toCounts();
  // Each connection has sent 100 bytes to get in, and 10 a statement.
  expect(bytesSent).toBe(300 + 15 * 10);
});

test('a cut counts what runs as unfinished, and nothing that comes after', async () => {
  const harness = await start({ answer: ({ sql }) => ({ delayMs: sql === 'COMMIT' ? 50 : 0 }) });
  await harness.clock.turnBy(10);
  harness.session.cut();
  const { committed, byName, counts, errors } = await toItsEnd(harness);
  expect(committed).toBe(0);
  expect(byName).toEqual({ begin: [0, 1], update: [0, 1], commit: [0, 1] });
  expect(counts.unfinished).toBe(1);
  expect(errors).toEqual([]);
  expect(harness.server.connections[0]!.isOpen).toBe(false);
});

test('a workload that sends nothing does not keep timers from their turn', async () => {
  const workload: Workload = {
    summary: 'Nothing.',
    options: {},
    needs: () => ({ statementsPerSession: 0, writes: false, tables: [] }),
    session: async () => ({ nothing: { weight: 1, run: async () => {} } }),
  };
  const harness = await start({ workload, plan: { events: 0 } });
  await harness.clock.turnBy(1);
  harness.signal.stop();
  await harness.finished;
  expect(harness.measured.take().transactions[0]!.service.maxUs).toBe(0);
});

test('events of one seed send the same values, whatever was before', async () => {
  const drawn = async (failures: number) => {
    const harness = await start({ plan: { events: 3, seed: 9 }, answer: failing('UPDATE', deadlock, failures) });
    await toItsEnd(harness);
    const values = harness.server.requests.filter(({ sql }) => sql === 'UPDATE').map(({ parameters }) => parameters[0]);
    return [...new Set(values)];
  };
  expect(await drawn(0)).toEqual(await drawn(3));
  expect(await drawn(0)).toHaveLength(3);
});
