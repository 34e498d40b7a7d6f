/** The whole engine in this thread, against a server that speaks the protocol over real sockets. */
import { afterEach, describe, expect, test } from 'vitest';
import { loadPlan, TARGET } from '../../test/support/load.ts';
import { UserError } from '../base/errors.ts';
import type { Interval } from '../model/run.ts';
import { connect } from '../wire/connection.ts';
import { type FakeServer, type FakeServerOptions, startFakeServer } from '../wire/fake-server/fake-server.ts';
import { stallAfterBytes } from '../wire/fake-server/faults.ts';
import { type Answer, error, ok, silence } from '../wire/fake-server/reply.ts';
import { defineWorkload, type Workload } from '../workload/workload.ts';
import { applyLoadIn } from './engine.ts';
import type { LoadHooks, LoadPlan } from './plan.ts';
import { threadClock } from './world.ts';

const mixed = defineWorkload({
  summary: 'A read alone, and a transaction that writes.',
  options: {},
  needs: () => ({ statementsPerSession: 4, writes: true, tables: [] }),
  session: async ({ connection, random, keys }) => {
    const begin = await connection.statement('begin', 'other', 'BEGIN');
    const read = await connection.statement('read', 'read', 'SELECT c FROM t WHERE id = ?');
    const update = await connection.statement('update', 'write', 'UPDATE t SET k = ? WHERE id = ?');
    const commit = await connection.statement('commit', 'other', 'COMMIT');
    const key = () => keys.draw(random, 1, 1_000);
    return {
      look: {
        weight: 3,
        run: async () => {
          await read.run([key()]);
        },
      },
      pay: {
        weight: 1,
        transactional: true,
        run: async () => {
          await begin.run();
          await update.run([random.integer(1, 100), key()]);
          await commit.run();
        },
      },
    };
  },
}) as Workload;

let server: FakeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Setting {
  readonly server?: FakeServerOptions;
  readonly plan?: Partial<LoadPlan>;
  readonly hooks?: LoadHooks;
  readonly signal?: AbortSignal;
  readonly workload?: Workload;
  /** Called with the running server, before the load begins. */
  readonly whenListening?: (server: FakeServer) => void;
}

async function load(setting: Setting) {
  server = await startFakeServer(setting.server);
  setting.whenListening?.(server);
  const target = { ...TARGET, port: server.port };
  const world = { clock: threadClock(), connect, loadWorkload: async () => setting.workload ?? mixed };
  const plan = loadPlan({ targets: [target], ...setting.plan });
  return applyLoadIn(world, plan, setting.hooks ?? {}, setting.signal ?? new AbortController().signal);
}

/** Sockets of a load that is over are gone on both sides. */
async function expectNobodyConnected(): Promise<void> {
  await expect.poll(() => server!.connections.filter(({ isOpen }) => isOpen)).toEqual([]);
}

/** Calls `act` when this many statements have been executed. */
function afterStatements(count: number, act: () => void): FakeServerOptions {
  let left = count;
  return {
    answer: (_sql, _parameters, { phase }) => {
      if (phase !== 'prepare' && --left === 0) act();
      return undefined;
    },
  };
}

describe('counts', () => {
  test.each([
    { threads: 1, workers: 1, preparedStatements: true },
    { threads: 8, workers: 2, preparedStatements: true },
    { threads: 8, workers: 2, preparedStatements: false },
  ])('$threads threads, $workers workers, prepared: $preparedStatements: equal the server’s', async (plan) => {
    const readings: Map<string, number>[] = [];
    const look = async () => {
      readings.push(new Map(server!.status()));
    };
    const result = await load({ plan: { events: 300, ...plan }, hooks: { onReady: look, onFinished: look } });
    const [before, after] = readings as [Map<string, number>, Map<string, number>];
    const counted = (counter: string) => (after.get(counter) ?? 0) - (before.get(counter) ?? 0);
    expect(result.ending).toEqual({ kind: 'events' });
    expect(result.totals.transactions.committed).toBe(300);
    const { sent, setup } = result;
    expect({
      select: counted('Com_select'),
      update: counted('Com_update'),
      begin: counted('Com_begin'),
      commit: counted('Com_commit'),
    }).toEqual({
      select: sent.byVerb['select'],
      update: sent.byVerb['update'],
      begin: sent.byVerb['begin'],
      commit: sent.byVerb['commit'],
    });
    expect([counted('Com_stmt_execute'), counted('Questions')]).toEqual([sent.executes, sent.executes + sent.queries]);
    expect([counted('Bytes_received'), counted('Bytes_sent')]).toEqual([sent.bytesSent, sent.bytesReceived]);
    expect(setup).toMatchObject({ connects: plan.threads, prepares: plan.preparedStatements ? 4 * plan.threads : 0 });
    expect(before.get('Bytes_received')).toBe(setup.bytesSent);
    expect(result.totals.bytes).toEqual({ sent: sent.bytesSent, received: sent.bytesReceived });
    const { statements, perSession } = result.totals;
    expect(statements.read + statements.write + statements.other).toBe(sent.executes + sent.queries);
    expect(perSession.transactions.reduce((sum, count) => sum + count)).toBe(300);
    expect(result.latency.transactions['all']!.service.count).toBe(300);
    expect(result.latency.statements['read']!.count).toBe(statements.byName['read']!.committed);
    await expectNobodyConnected();
  });

  test('work in vain is told apart, and so are the engine’s own ROLLBACKs', async () => {
    let updates = 0;
    const answer: Answer = (sql, _parameters, { phase }) =>
      phase === 'execute' && sql.startsWith('UPDATE') && ++updates % 2 === 0
        ? error(1213, '40001', 'Deadlock found')
        : undefined;
    const result = await load({ server: { answer }, plan: { events: 200, threads: 4 } });
    const { statements, errors, rollbacks, retries, transactions } = result.totals;
    expect(transactions.committed).toBe(200);
    const deadlocks = errors.find(({ code }) => code === 1213)!.count;
    expect([rollbacks, retries]).toEqual([deadlocks, deadlocks]);
    expect(statements.wasted).toBe(3 * deadlocks);
    expect(result.sent.byVerb['rollback']).toBe(deadlocks);
    expect(statements.write).toBe(transactions.byName['pay']);
    expect(result.sent.errors).toBe(deadlocks);
  });

  test('a write that changes no row is found', async () => {
    const answer = (sql: string) => (sql.startsWith('UPDATE') ? ok({ affectedRows: 0 }) : undefined);
    const result = await load({ server: { answer }, plan: { events: 100 } });
    expect(result.totals.statements.writesWithoutEffect).toBe(result.totals.statements.write);
    expect(result.findings.map(({ id }) => id)).toContain('writes-without-effect');
  });
});

test('one seed sends the same statements, however many threads and workers there are', async () => {
  const sentBy = async (threads: number, workers: number, seed: number) => {
    await load({ server: { recordMax: 10_000 }, plan: { events: 150, threads, workers, seed } });
    const executed = server!.statements.filter(({ command }) => command === 'execute');
    const texts = executed.map(({ sql, parameters }) => `${sql} ${parameters.join()}`).sort();
    await server!.close();
    return texts;
  };
  const reference = await sentBy(1, 1, 7);
  expect(await sentBy(4, 1, 7)).toEqual(reference);
  expect(await sentBy(16, 2, 7)).toEqual(reference);
  expect(await sentBy(1, 1, 8)).not.toEqual(reference);
});

describe('phases', () => {
  test('the warm-up runs, and is in no total', async () => {
    const phases: string[] = [];
    const result = await load({
      plan: { warmupS: 0.2, timeS: 0.3, threads: 2, workers: 2, intervalS: 0.1 },
      hooks: { onPhase: (phase) => phases.push(phase) },
    });
    expect(phases).toEqual(['connecting', 'warming up', 'measuring', 'stopping']);
    expect(result.ending).toEqual({ kind: 'time' });
    const warmup = result.intervals.filter(({ isWarmup }) => isWarmup);
    const measured = result.intervals.filter(({ isWarmup }) => !isWarmup);
    expect(warmup.map(({ startS, endS }) => [startS, endS])).toEqual([
      [-0.2, -0.1],
      [-0.1, 0],
    ]);
    expect(measured[0]).toMatchObject({ startS: 0, endS: 0.1 });
    expect(sum(warmup)).toBeGreaterThan(0);
    expect(sum(measured)).toBe(result.totals.transactions.committed);
    const { read, write, other } = result.totals.statements;
    expect(read + write + other).toBeLessThan(result.sent.executes);
    expect(result.totals.elapsedS).toBeGreaterThanOrEqual(0.3);
    expect(result.intervals.at(-1)!.endS).toBeCloseTo(result.totals.elapsedS, 9);
  });

  test('measuring begins when the load is steady, and lasts as long as was asked for', async () => {
    const notes: string[] = [];
    const phases: string[] = [];
    const result = await load({
      plan: { isWarmupAuto: true, warmupS: 4, timeS: 0.3, threads: 2, workers: 2, intervalS: 0.02 },
      hooks: { onNote: (line) => notes.push(line), onPhase: (phase) => phases.push(phase) },
    });
    expect(phases).toEqual(['connecting', 'warming up', 'measuring', 'stopping']);
    expect(result.ending).toEqual({ kind: 'time' });
    const warmup = result.intervals.filter(({ isWarmup }) => isWarmup);
    const measured = result.intervals.filter(({ isWarmup }) => !isWarmup);
    expect([warmup.at(-1)!.endS, measured[0]!.startS]).toEqual([0, 0]);
    expect(result.settings.warmupS).toBeCloseTo(-warmup[0]!.startS, 6);
    expect(result.settings.isWarmupAuto).toBe(true);
    expect(result.totals.elapsedS).toBeGreaterThanOrEqual(0.3);
    expect(sum(measured)).toBe(result.totals.transactions.committed);
    expect(sum(warmup)).toBeGreaterThan(0);
    // Whether it was steady before the limit is for the machine to say; one of the two is told.
    const wasSteady = notes.some((note) => note.startsWith('Steady after'));
    expect(wasSteady).toBe(result.settings.warmupS < 4);
    expect(result.findings.some(({ id }) => id === 'never-settled')).toBe(!wasSteady);
  });

  test('the limit of events is for the measured part alone', async () => {
    const result = await load({ plan: { warmupS: 0.1, events: 50, threads: 4 } });
    expect(result.totals.transactions.committed).toBe(50);
    expect(result.ending).toEqual({ kind: 'events' });
  });

  test('checkpoints add up to the totals', async () => {
    const result = await load({ plan: { timeS: 0.3, threads: 2, checkpointsS: [0.1, 0.2] } });
    expect(result.checkpoints.map(({ atS }) => atS)).toEqual([0.1, 0.2]);
    const atCheckpoints = result.checkpoints.reduce((all, { totals }) => all + totals.transactions.committed, 0);
    expect(atCheckpoints).toBe(sum(result.intervals.filter(({ endS }) => endS <= 0.2)));
    expect(sum(result.intervals)).toBe(result.totals.transactions.committed);
  });
});

function sum(intervals: readonly Interval[]): number {
  return intervals.reduce((all, { transactions }) => all + transactions, 0);
}

test('open loop: whatever was due is committed, dropped or unfinished', async () => {
  const result = await load({ plan: { ratePerS: 500, timeS: 0.4, threads: 4, workers: 2 } });
  const { transactions, dropped, unfinished } = result.totals;
  expect(transactions.committed + dropped + unfinished).toBe(200);
  expect(transactions.committed).toBeGreaterThan(0);
  const { service, response, queue } = result.latency.transactions['all']!;
  expect(response!.sumUs).toBe(service.sumUs + queue!.sumUs);
  expect(result.client.scheduleLagP99Ms).toBeGreaterThanOrEqual(0);
  expect(result.settings).toMatchObject({ mode: 'open', ratePerS: 500 });
});

const counting = defineWorkload({
  summary: 'Every third transaction is undone on purpose; its lines are counted.',
  options: {},
  needs: () => ({ statementsPerSession: 3, writes: true, tables: [] }),
  session: async ({ connection, tally, random }) => {
    const begin = await connection.statement('begin', 'other', 'BEGIN');
    const update = await connection.statement('update', 'write', 'UPDATE t SET k = 1 WHERE id = ?');
    const undo = await connection.statement('undo', 'other', 'ROLLBACK');
    const commit = await connection.statement('commit', 'other', 'COMMIT');
    const lines = tally('lines');
    return {
      order: {
        weight: 1,
        keyingS: 0.01,
        transactional: true,
        run: async ({ index }) => {
          await begin.run();
          lines.add(2);
          await update.run([random.integer(1, 9)]);
          if (index % 3 !== 0) return void (await commit.run());
          lines.add();
          await undo.run();
          return 'rolled back' as const;
        },
      },
    };
  },
}) as Workload;

describe('what a workload means to undo, and what it counts', () => {
  test('is in no rate, and counts once however often an attempt failed', async () => {
    let updates = 0;
    const answer: Answer = (sql, _parameters, { phase }) =>
      phase === 'execute' && sql.startsWith('UPDATE') && ++updates % 4 === 0
        ? error(1213, '40001', 'Deadlock found')
        : undefined;
    const result = await load({ workload: counting, server: { answer }, plan: { events: 90, threads: 4, workers: 2 } });
    const { transactions, statements, tallies, errors } = result.totals;
    const deadlocks = errors.find(({ code }) => code === 1213)!.count;
    expect(deadlocks).toBeGreaterThan(0);
    expect(transactions).toEqual({ committed: 60, byName: { order: 60 }, rolledBack: { order: 30 } });
    expect(tallies).toEqual({ lines: 60 * 2 + 30 * 3 });
    expect([statements.write, statements.other]).toEqual([60, 120]);
    expect(statements.wasted).toBe(30 * 3 + deadlocks * 3);
    expect(result.latency.transactions['all']!.service.count).toBe(60);
  });

  test('with users at terminals, all of it is accounted for', async () => {
    const plan = { terminals: 30, terminalTimeFactor: 1, timeS: 0.4, threads: 4, workers: 2 };
    const result = await load({ workload: counting, plan });
    const { transactions, unfinished } = result.totals;
    expect(transactions.committed).toBeGreaterThan(0);
    expect(transactions.rolledBack!['order']).toBeGreaterThan(0);
    expect(unfinished).toBeLessThanOrEqual(30);
    expect(result.settings).toMatchObject({ mode: 'terminals', terminals: 30, terminalTimeFactor: 1 });
    const { service, response, queue } = result.latency.transactions['all']!;
    expect(response!.sumUs).toBe(service.sumUs + queue!.sumUs);
    expect(result.client.scheduleLagP99Ms).toBeGreaterThanOrEqual(0);
  });

  test('users need transactions with times of their own', async () => {
    const wrong = load({ plan: { terminals: 3, timeS: 1 } });
    await expect(wrong).rejects.toThrow(/no keying and no thinking times/);
  });
});

describe('a workload that deceives itself', () => {
  const careless = (body: (send: () => Promise<unknown>) => Promise<unknown>) =>
    defineWorkload({
      summary: 'One statement.',
      options: {},
      needs: () => ({ statementsPerSession: 1, writes: true, tables: [] }),
      session: async ({ connection }) => {
        const insert = await connection.statement('insert', 'write', 'INSERT INTO t VALUES (1)');
        const run = async () => {
          await body(() => insert.run());
        };
        return { one: { weight: 1, run } };
      },
    }) as Workload;

  test('errors that it catches make the run invalid', async () => {
    const answer: Answer = (_sql, _parameters, { phase }) =>
      phase === 'execute' ? error(1062, '23000', 'Duplicate entry') : undefined;
    const workload = careless((send) => send().catch(() => {}));
    const result = await load({ workload, server: { answer }, plan: { events: 10 } });
    expect(result.findings[0]).toMatchObject({ id: 'errors-swallowed', severity: 'invalid' });
  });

  test('so do transactions that it leaves open', async () => {
    const inTransaction = 1;
    const answer: Answer = (_sql, _parameters, { phase }) =>
      phase === 'execute' ? ok({ affectedRows: 1, status: inTransaction }) : undefined;
    const workload = careless((send) => send());
    const result = await load({ workload, server: { answer }, plan: { events: 10 } });
    expect(result.findings[0]).toMatchObject({ id: 'transactions-left-open', severity: 'invalid' });
  });

  test('a statement that is called what it is not is refused', async () => {
    const workload: Workload = {
      ...careless(async () => {}),
      session: async ({ connection }) => {
        await connection.statement('look', 'read', 'UPDATE t SET k = 1');
        return { one: { weight: 1, run: async () => {} } };
      },
    };
    const result = await load({ workload, plan: { events: 1 } });
    expect(result.ending).toMatchObject({
      kind: 'failed',
      cause: expect.stringContaining("'look' read, and it is write"),
    });
  });
});

describe('a fixed amount of work', () => {
  let reference: readonly string[] | undefined;
  test.each([
    { threads: 3, workers: 1 },
    { threads: 3, workers: 2 },
  ])('every one of $threads sessions on $workers workers does its share, and always the same', async (plan) => {
    const result = await load({ server: { recordMax: 10_000 }, plan: { eventsPerThread: 20, ...plan } });
    expect(result.ending).toEqual({ kind: 'events' });
    expect(result.totals.perSession.transactions).toEqual([20, 20, 20]);
    const executed = server!.statements.filter(({ command }) => command === 'execute');
    const texts = executed.map(({ sql, parameters }) => `${sql} ${parameters.join()}`).sort();
    reference ??= texts;
    expect(texts).toEqual(reference);
  });

  test('part after part, in their order', async () => {
    const parts: string[] = [];
    const sequence = [
      { transaction: 'pay', events: 5 },
      { transaction: 'look', events: 15 },
    ];
    const result = await load({
      server: { recordMax: 1_000 },
      plan: { sequence, events: 20 },
      hooks: { onPart: (part) => parts.push(part) },
    });
    expect(parts).toEqual(['pay', 'look']);
    expect(result.totals.transactions.byName).toEqual({ look: 15, pay: 5 });
    const executed = server!.statements.filter(({ command }) => command === 'execute').map(({ sql }) => sql);
    expect(executed.slice(0, 15).every((sql) => !sql.startsWith('SELECT'))).toBe(true);
    expect(executed.slice(15).every((sql) => sql.startsWith('SELECT'))).toBe(true);
  });
});

describe('endings', () => {
  test('Ctrl-C: in good order, with what was measured', async () => {
    const interruption = new AbortController();
    const result = await load({
      server: afterStatements(500, () => interruption.abort(new Error('Interrupted by SIGINT.'))),
      plan: { threads: 4, workers: 2 },
      signal: interruption.signal,
    });
    expect(result.ending).toEqual({ kind: 'interrupted', cause: 'Interrupted by SIGINT.' });
    expect(result.totals.transactions.committed).toBeGreaterThan(100);
    expect(result.totals.unfinished).toBe(0);
    await expectNobodyConnected();
  });

  test('Ctrl-C twice: what the server does not answer is not waited for', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const answer: Answer = (sql, _parameters, { phase }) => {
      if (phase === 'prepare' || sql !== 'COMMIT') return undefined;
      setImmediate(() => first.abort());
      setImmediate(() => second.abort());
      return silence();
    };
    const hooks = { atOnce: second.signal };
    const result = await load({ server: { answer }, plan: { threads: 2 }, hooks, signal: first.signal });
    expect(result.ending).toMatchObject({ kind: 'interrupted' });
    expect(result.totals.unfinished).toBeGreaterThan(0);
    expect(result.totals.elapsedS).toBeLessThan(5);
    await expectNobodyConnected();
  });

  test('Ctrl-C before anything: nothing is sent', async () => {
    const result = await load({ signal: AbortSignal.abort(), plan: { threads: 3, events: 10 } });
    expect(result.ending).toMatchObject({ kind: 'interrupted' });
    expect(result.findings[0]).toMatchObject({ id: 'nothing-committed', severity: 'invalid' });
    await expectNobodyConnected();
  });

  test('an error that is not forgiven: the cause, and everything until then', async () => {
    let statements = 0;
    const answer: Answer = (sql, _parameters, { phase }) =>
      phase === 'execute' && sql.startsWith('UPDATE') && ++statements === 40
        ? error(1062, '23000', 'Duplicate entry')
        : undefined;
    const result = await load({ server: { answer }, plan: { threads: 4, workers: 2 } });
    expect(result.ending).toMatchObject({
      kind: 'failed',
      cause: expect.stringMatching(/^Transaction 'pay': server error 1062 \(ER_DUP_ENTRY\): Duplicate entry\. /),
    });
    expect(result.totals.transactions.committed).toBeGreaterThan(39);
    expect(result.totals.errors).toMatchObject([{ code: 1062, policy: 'fatal', count: 1 }]);
    expect(result.totals.unfinished).toBe(1);
    await expectNobodyConnected();
  });

  test('an error in the warm-up: nothing measured, and the cause', async () => {
    const answer: Answer = (sql, _parameters, { phase }) =>
      phase === 'execute' && sql.startsWith('UPDATE') ? error(1062, '23000', 'Duplicate entry') : undefined;
    const result = await load({ server: { answer }, plan: { warmupS: 60, timeS: 60, threads: 2 } });
    expect(result.ending).toMatchObject({ kind: 'failed', cause: expect.stringMatching(/^Transaction 'pay'.*1062/) });
    expect(result.totals).toMatchObject({ elapsedS: 0, transactions: { committed: 0 } });
    expect(result.totals.errors).toMatchObject([{ code: 1062, policy: 'fatal' }]);
  });

  test('the death of the server: no hang', async () => {
    const result = await load({
      server: afterStatements(300, () => server!.dropConnections()),
      plan: { threads: 8, workers: 2, timeS: 60 },
    });
    expect(result.ending).toMatchObject({ kind: 'failed', cause: expect.stringContaining('connection lost') });
    expect(result.totals.transactions.committed).toBeGreaterThan(50);
    const lost = result.totals.errors.filter(({ policy }) => policy === 'fatal');
    expect(lost.reduce((all, { count }) => all + count, 0)).toBe(8);
    expect(result.totals.unfinished).toBe(8);
    expect(result.totals.elapsedS).toBeLessThan(60);
  });

  test('the death of the server while all sessions wait for arrivals: noticed at once', async () => {
    const result = await load({
      plan: { ratePerS: 0.001, timeS: 600, threads: 2 },
      hooks: { onPhase: (phase) => phase === 'measuring' && setTimeout(() => server!.dropConnections(), 20) },
    });
    expect(result.ending).toMatchObject({ kind: 'failed', cause: expect.stringContaining('connection lost') });
  });

  test('a lost server that comes back, with --reconnect: the run goes on', async () => {
    const notes: string[] = [];
    const result = await load({
      server: afterStatements(300, () => server!.dropConnections()),
      plan: { threads: 4, events: 400, errors: { ...loadPlan().errors, lostConnection: 'resume' } },
      hooks: { onNote: (line) => notes.push(line) },
    });
    expect(result.ending).toEqual({ kind: 'events' });
    expect(result.totals.transactions.committed).toBe(400);
    expect(result.totals.reconnects).toBe(4);
    expect(result.totals.errors).toMatchObject([{ policy: 'reconnected' }]);
    expect(result.sent.connects).toBe(4);
    expect(notes).toEqual([expect.stringMatching(/^Reconnecting/), expect.stringMatching(/connected again/)]);
  });

  test('--forced-shutdown: what still runs is cut and counted', async () => {
    const answer: Answer = (sql, _parameters, { phase }) =>
      phase !== 'prepare' && sql === 'COMMIT' ? silence() : undefined;
    const result = await load({
      server: { answer },
      plan: { threads: 4, workers: 2, timeS: 0.2, forcedShutdownS: 0.1 },
    });
    expect(result.ending).toMatchObject({ kind: 'forced' });
    expect(result.totals.unfinished).toBe(4);
    expect(result.totals.elapsedS).toBeGreaterThan(0.25);
    expect(result.totals.statements.wasted).toBe(3 * 4);
    await expectNobodyConnected();
  });
});

describe('before the load', () => {
  test('a server that does not listen is refused with a remedy and exit code 2', async () => {
    const refused = load({ whenListening: (listening) => void listening.close(), plan: { threads: 2 } });
    await expect(refused).rejects.toMatchObject({ name: 'UserError', exitCode: 2, hint: expect.any(String) });
  });

  test('so is one that does not let us in', async () => {
    const accounts = [{ user: 'other', methods: [{ plugin: 'mysql_native_password', password: 'pw' }] }];
    const refused = load({ server: { accounts } });
    await expect(refused).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
    await refused.catch((failure) => expect(failure.message).toContain("user 'u'"));
    await expectNobodyConnected();
  });

  test('so is one that never answers', async () => {
    const refused = load({ server: { firstWords: { is: 'silence' } }, plan: { threads: 2, threadInitTimeoutS: 0.2 } });
    await expect(refused).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('0.2 s') });
  });

  test('an unknown workload is told as it is', async () => {
    const unknown = new UserError("'x' is not a workload here.");
    const world = { clock: threadClock(), connect, loadWorkload: () => Promise.reject(unknown) };
    const rejected = applyLoadIn(world, loadPlan(), {}, new AbortController().signal);
    await expect(rejected).rejects.toMatchObject({ name: 'UserError', message: unknown.message });
  });

  test('a session that the workload cannot set up ends the run, with its number', async () => {
    const answer = (sql: string) =>
      sql.startsWith('SELECT c') ? error(1146, '42S02', "Table 't' doesn't exist") : undefined;
    const result = await load({ server: { answer } });
    expect(result.ending).toMatchObject({
      kind: 'failed',
      cause: expect.stringMatching(/^Session 1 of 1: .*1146.*prepare command/),
    });
    expect(result.setup).toMatchObject({ connects: 1, prepares: 2, errors: 1 });
    await expectNobodyConnected();
  });

  test('sessions that do not get ready in time are told by number', async () => {
    const faults = (connectionId: number) => (connectionId === 1 ? [] : [stallAfterBytes(20)]);
    const result = await load({ server: { faults }, plan: { threads: 3, threadInitTimeoutS: 0.5 } });
    expect(result.ending).toMatchObject({
      kind: 'failed',
      cause: expect.stringMatching(/^Only 1 of 3 sessions were ready within 0.5 s \(1 were connected\)/),
    });
    await expectNobodyConnected();
  });
});

describe('hooks', () => {
  test('a lab that cannot look at the server before the load prevents it', async () => {
    const onReady = () => Promise.reject(new Error('SHOW STATUS was refused'));
    const result = await load({ plan: { events: 10 }, hooks: { onReady } });
    expect(result.ending).toMatchObject({ kind: 'failed', cause: expect.stringContaining('SHOW STATUS was refused') });
    expect(result.sent.executes).toBe(0);
    await expectNobodyConnected();
  });

  test('one that cannot after it loses nothing of the load', async () => {
    const notes: string[] = [];
    const hooks = {
      onFinished: () => Promise.reject(new Error('gone')),
      onNote: (line: string) => notes.push(line),
    };
    const result = await load({ plan: { events: 10 }, hooks });
    expect(result.ending).toEqual({ kind: 'events' });
    expect(result.totals.transactions.committed).toBe(10);
    expect(notes).toEqual([expect.stringContaining('gone')]);
  });

  test('a hook that throws ends the load in good order, and is told', async () => {
    const hooks = {
      onInterval: () => {
        throw new RangeError('a mistake in the view');
      },
    };
    await expect(load({ plan: { timeS: 60, intervalS: 0.05 }, hooks })).rejects.toThrow('a mistake in the view');
    await expectNobodyConnected();
  });
});
