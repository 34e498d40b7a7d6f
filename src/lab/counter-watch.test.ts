import { describe, expect, test } from 'vitest';
import type { SentCounts } from '../load/plan.ts';
import type { Connection, ResultSet, ServerFlavor } from '../wire/types.ts';
import { CounterWatch } from './counter-watch.ts';

/** A server's books, and a connection to it that reads them and is counted in them, as a real one. */
class FakeServer {
  readonly counters: Record<string, number> = {
    Uptime: 100,
    Threads_connected: 1,
    Connections: 10,
    Questions: 1000,
    Com_show_status: 5,
    Com_stmt_prepare: 7,
    Com_stmt_execute: 70,
    Com_stmt_close: 7,
    Com_stmt_reprepare: 0,
    Com_select: 300,
    Com_insert: 40,
    Com_update: 50,
    Com_delete: 60,
    Com_begin: 1,
    Com_commit: 1,
    Com_rollback: 0,
    Qcache_hits: 0,
    Bytes_received: 9000,
    Bytes_sent: 90000,
  };
  processes: (readonly [user: string, command: string, time: number])[] = [];
  flavor: ServerFlavor = 'mariadb';
  /** Stored procedures, functions and triggers of the database. */
  programs = 0;
  looks = 0;
  beforeLook: ((look: number) => void) | undefined;
  bytesSent = 64;
  bytesReceived = 115;

  add(change: Readonly<Record<string, number>>): void {
    for (const [name, by] of Object.entries(change)) this.counters[name] = (this.counters[name] ?? 0) + by;
  }

  get connection(): Connection {
    const server = this;
    return {
      get server() {
        return { flavor: server.flavor };
      },
      get bytesSent() {
        return server.bytesSent;
      },
      get bytesReceived() {
        return server.bytesReceived;
      },
      read: (sql: string) => server.#answer(sql),
    } as unknown as Connection;
  }

  #answer(sql: string): Promise<ResultSet> {
    const requestBytes = sql.length + 5;
    this.bytesSent += requestBytes;
    this.add({ Bytes_received: requestBytes, Questions: 1 });
    if (sql === 'SHOW PROCESSLIST') return this.#reply(['User', 'Command', 'Time'], this.processes);
    if (sql.includes('ROUTINES')) return this.#reply(['1'], Array(this.programs).fill([1]));
    this.looks++;
    this.beforeLook?.(this.looks);
    this.add({ Com_show_status: 1 });
    return this.#reply(['Variable_name', 'Value'], Object.entries({ ...this.counters }));
  }

  /** The answer is not in the answer. */
  async #reply(names: readonly string[], values: readonly (readonly (string | number)[])[]): Promise<ResultSet> {
    const rows = values.map((row) => row.map(String));
    const replyBytes = 50 + JSON.stringify(rows).length;
    await Promise.resolve();
    this.bytesReceived += replyBytes;
    this.add({ Bytes_sent: replyBytes });
    return { columns: names.map((name) => ({ name })), rows } as unknown as ResultSet;
  }
}

const SETUP: SentCounts = {
  connects: 2,
  prepares: 4,
  executes: 0,
  queries: 2,
  byVerb: { other: 2 },
  bytesSent: 400,
  bytesReceived: 800,
  errors: 0,
};
const SETUP_COUNTED = {
  Connections: 2,
  Threads_connected: 2,
  Com_stmt_prepare: 4,
  Questions: 2,
  Bytes_received: 400,
  Bytes_sent: 800,
};
const LOAD: SentCounts = {
  connects: 0,
  prepares: 0,
  executes: 30,
  queries: 5,
  byVerb: { select: 20, begin: 5, commit: 5, rollback: 5 },
  bytesSent: 3000,
  bytesReceived: 6000,
  errors: 0,
};
const LOAD_COUNTED = {
  Questions: 35,
  Com_stmt_execute: 30,
  Com_select: 20,
  Com_begin: 5,
  Com_commit: 5,
  Com_rollback: 5,
  Bytes_received: 3000,
  Bytes_sent: 6000,
};
const PLAN = {
  threads: 2,
  errors: {
    ignore: [],
    attemptsMax: 1,
    lostConnection: 'stop',
    reconnectDeadlineS: 1,
    reconnectEveryEvents: 0,
  },
} as const;
const OVER = { ending: { kind: 'time' }, errors: [] } as const;

async function check(
  server: FakeServer,
  duringLoad: () => void,
  sent = LOAD,
  evidence: Parameters<CounterWatch['verdict']>[0] = OVER,
) {
  const watch = new CounterWatch([server.connection], PLAN, { attemptsMax: 5, pauseMs: 1 });
  await watch.begin();
  server.add(SETUP_COUNTED);
  await watch.ready(SETUP);
  duringLoad();
  await watch.finished(sent);
  return watch.verdict(evidence);
}

/** Our two sessions and the observer. */
const OURS = [
  ['root', 'Sleep', 0],
  ['root', 'Sleep', 0],
  ['root', 'Query', 0],
] as const;

describe('counts that agree', () => {
  test('are told row by row, set-up apart, the observer taken out', async () => {
    const server = new FakeServer();
    const verdict = await check(server, () => server.add(LOAD_COUNTED));
    expect(verdict).toMatchObject({ is: 'done', ok: true });
    expect(verdict.is === 'done' && verdict.rows).toEqual([
      { counter: 'Questions', client: 2, server: 2, during: 'set-up' },
      { counter: 'Connections', client: 2, server: 2, during: 'set-up' },
      { counter: 'Com_stmt_prepare', client: 4, server: 4, during: 'set-up' },
      { counter: 'Bytes_received', client: 400, server: 400, during: 'set-up' },
      { counter: 'Bytes_sent', client: 800, server: 800, during: 'set-up' },
      { counter: 'Questions', client: 35, server: 35 },
      { counter: 'Com_stmt_execute', client: 30, server: 30 },
      { counter: 'Com_select', client: 20, server: 20 },
      { counter: 'Com_begin', client: 5, server: 5 },
      { counter: 'Com_commit', client: 5, server: 5 },
      { counter: 'Com_rollback', client: 5, server: 5 },
      { counter: 'Bytes_received', client: 3000, server: 3000 },
      { counter: 'Bytes_sent', client: 6000, server: 6000 },
    ]);
  });

  test('may come a little late', async () => {
    const server = new FakeServer();
    const verdict = await check(server, () => {
      const { Bytes_sent, ...atOnce } = LOAD_COUNTED;
      server.add(atOnce);
      const looksBefore = server.looks;
      server.beforeLook = (look) => look === looksBefore + 3 && server.add({ Bytes_sent });
    });
    expect(verdict).toMatchObject({ is: 'done', ok: true });
    expect(server.looks).toBe(5);
  });

  test('are summed where the server prepared a statement again', async () => {
    const server = new FakeServer();
    const again = { Com_stmt_reprepare: 2, Com_stmt_prepare: 2, Com_stmt_execute: 2, Com_select: 2 };
    const verdict = await check(server, () => {
      server.add(LOAD_COUNTED);
      server.add(again);
    });
    expect(verdict).toMatchObject({
      is: 'done',
      ok: true,
      note: expect.stringContaining('prepared 2 statements again'),
    });
  });

  test('include answers of the query cache where the server is MySQL, and no bytes of its handshake', async () => {
    const server = new FakeServer();
    server.flavor = 'mysql';
    const verdict = await check(server, () => server.add({ ...LOAD_COUNTED, Com_select: 15, Qcache_hits: 5 }));
    expect(verdict).toMatchObject({ is: 'done', ok: true });
    const counters = verdict.is === 'done' ? verdict.rows.map(({ counter, during }) => `${during} ${counter}`) : [];
    expect(counters).not.toContain('set-up Bytes_sent');
  });
});

describe('counts that differ', () => {
  test.each([
    { counter: 'Com_select', by: 1, because: 'one more than we sent' },
    { counter: 'Com_select', by: -1, because: 'one less' },
    { counter: 'Bytes_received', by: 1, because: 'a single byte' },
    { counter: 'Com_stmt_close', by: 1, because: 'something that we never sent' },
  ])('fail where nobody else is there: $counter by $by, $because', async ({ counter, by }) => {
    const server = new FakeServer();
    server.processes = [...OURS, ['event_scheduler', 'Daemon', 0], ['dba', 'Sleep', 5000]];
    const verdict = await check(server, () => {
      server.add(LOAD_COUNTED);
      server.add({ [counter]: by });
    });
    expect(verdict).toMatchObject({ is: 'done', ok: false });
  });

  test.each([
    { processes: [...OURS, ['app', 'Query', 0]] as const, more: {}, says: '1 sessions of others were active' },
    { processes: OURS, more: { Connections: 3 }, says: '3 connections were made by others' },
    { processes: OURS.slice(0, 2), more: {}, says: '1 sessions of others were connected' },
  ])(
    'are no failure where others are at work, unless too little was counted: $says',
    async ({ processes, more, says }) => {
      for (const { by, ok } of [
        { by: 1, ok: true },
        { by: -1, ok: false },
      ]) {
        const server = new FakeServer();
        server.processes = [...processes];
        const verdict = await check(server, () => {
          server.add(LOAD_COUNTED);
          server.add({ ...more, Com_select: by });
        });
        expect(verdict).toMatchObject({ is: 'done', ok, note: expect.stringContaining(says) });
      }
    },
  );

  test.each([
    { more: { Com_select: 3, Com_insert: 1 }, ok: true, because: 'they are counted under their verbs' },
    { more: { Com_select: 3, Questions: 3 }, ok: false, because: 'they are no questions' },
    { more: { Com_select: -1 }, ok: false, because: 'they take nothing away' },
  ])('are looked at again where there are stored programs: $more, $because', async ({ more, ok }) => {
    const server = new FakeServer();
    server.processes = [...OURS];
    server.programs = 1;
    const verdict = await check(server, () => {
      server.add(LOAD_COUNTED);
      server.add(more);
    });
    expect(verdict).toMatchObject({ is: 'done', ok });
    if (ok) expect(verdict).toMatchObject({ note: expect.stringContaining('stored procedures') });
  });

  test('prove nothing where connections were lost', async () => {
    const server = new FakeServer();
    const lost = { code: 0, sqlState: '', symbol: 'closed', count: 2, policy: 'reconnected', example: '' } as const;
    const verdict = await check(server, () => server.add({ ...LOAD_COUNTED, Com_select: 19 }), LOAD, {
      ...OVER,
      errors: [lost],
    });
    expect(verdict).toMatchObject({ is: 'impossible', because: expect.stringContaining('2 connections were lost') });
  });
});

describe('no comparison is possible', () => {
  test.each([
    { change: { Uptime: -90 }, says: 'restarted' },
    { change: { Com_select: -300 }, says: 'reset' },
  ])('after the counters were $says', async ({ change, says }) => {
    const server = new FakeServer();
    const verdict = await check(server, () => server.add(change));
    expect(verdict).toMatchObject({ is: 'impossible', because: expect.stringContaining(says) });
  });

  test('where the server keeps other counters', async () => {
    const server = new FakeServer();
    delete server.counters['Com_stmt_execute'];
    const verdict = await check(server, () => {});
    expect(verdict).toMatchObject({ is: 'impossible', because: expect.stringContaining('Com_stmt_execute') });
  });

  test('where the load ended before it was finished', async () => {
    const server = new FakeServer();
    const watch = new CounterWatch([server.connection], PLAN, { attemptsMax: 5, pauseMs: 1 });
    await watch.begin();
    const verdict = watch.verdict({ ending: { kind: 'failed', cause: 'Too many connections.' }, errors: [] });
    expect(verdict).toMatchObject({ is: 'impossible', because: expect.stringContaining('Too many connections.') });
  });
});
