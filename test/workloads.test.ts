/** The contract of a workload, kept by every entry of the catalog; and what the OLTP family sends, event by event. */
import { describe, expect, test } from 'vitest';
import { defaultsOf, type Option } from '../src/base/options.ts';
import { parseOptions, shownName, splitWords } from '../src/base/options-parse.ts';
import { COMMON_OPTIONS } from '../src/cli/workload-line.ts';
import { connect } from '../src/wire/connection.ts';
import { startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import { loadWorkload, workloadNames } from '../src/workload/find.ts';
import { describeMix } from '../src/workload/mix.ts';
import { ValidationError } from '../src/workload/workload.ts';
import { openTestSession, recordingConnection, type SentStatement, wireConnection } from './support/sessions.ts';

const names = workloadNames();

test('the sysbench family is there, whole', () => {
  expect(names).toEqual(
    expect.arrayContaining([
      'bulk_insert',
      'oltp_delete',
      'oltp_inlist_select',
      'oltp_insert',
      'oltp_point_select',
      'oltp_read_only',
      'oltp_read_write',
      'oltp_update_index',
      'oltp_update_non_index',
      'oltp_write_only',
      'select_random_points',
      'select_random_ranges',
    ]),
  );
});

describe.each(names)('%s', (name) => {
  test('says what it is and what it takes', async () => {
    const { workload } = await loadWorkload(name);
    expect(workload.summary).toMatch(/^[A-Z].{20,}\.$/);
    for (const paragraph of workload.details ?? []) expect(paragraph).toMatch(/^\S[\s\S]{20,}\.$/);
    for (const [key, option] of Object.entries(workload.options)) {
      expect(key).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(option.help, key).toMatch(/^\S.{5,}[^.\s]$/);
      expectDefaultAllowed(key, option);
    }
    expect(workload.validate?.(defaultsOf(workload.options)) ?? []).toEqual([]);
    const shared = Object.entries(workload.defaults ?? {}).map(([key, value]) => `${shownName(key)}=${value}`);
    const { options } = splitWords(shared, COMMON_OPTIONS);
    expect(parseOptions(options, COMMON_OPTIONS).problems).toEqual([]);
  });

  test('holds as many prepared statements as it says', async () => {
    const { workload } = await loadWorkload(name);
    const tables = 'tables' in workload.options && !name.startsWith('select_') ? 3 : 1;
    const options = { ...defaultsOf(workload.options), ...(tables > 1 ? { tables } : {}) };
    const connection = recordingConnection();
    const session = await openTestSession(name, connection, { options });
    // Where tables come into being on the way, so do the statements.
    for (const index of session.parts) await session.run(index).catch(exceptForWrongResults);
    expect(connection.prepared).toHaveLength(workload.needs(options as never).statementsPerSession);
    expect(new Set(connection.prepared).size).toBe(connection.prepared.length);
  });

  test('sends what its mix says, with a value for every placeholder', async () => {
    const { workload } = await loadWorkload(name);
    const connection = recordingConnection();
    const session = await openTestSession(name, connection);
    connection.sent.length = 0;
    const events = 5;
    for (let index = 0; index < events; index++) await session.run(index);
    expect(connection.sent.length).toBeGreaterThan(0);
    const mix = workload.mix?.(defaultsOf(workload.options) as never);
    if (mix !== undefined && Object.keys(session.session).length === 1) {
      const wanted = Object.fromEntries(mix.map((line) => [line.name, line.perTransaction * events]));
      expect(countsByName(connection.sent)).toEqual(wanted);
    }
    for (const { sql, parameters } of connection.sent) {
      expect(parameters).toHaveLength(sql.split('?').length - 1);
      expect(parameters.every((value) => typeof value === 'string' || Number.isSafeInteger(value))).toBe(true);
    }
  });

  test('sends the same for the same seed, in whatever session the event runs', async () => {
    const settings = { threads: 4, seed: 7 };
    const once = await sentBy(name, { ...settings, sessionIndex: 1 });
    expect(await sentBy(name, { ...settings, sessionIndex: 1 })).toEqual(once);
    // bulk_insert is told apart by its session on purpose: each has a table of its own.
    if (name !== 'bulk_insert') expect(await sentBy(name, { ...settings, sessionIndex: 3 })).toEqual(once);
    if (name !== 'bulk_insert') expect(await sentBy(name, { ...settings, seed: 8 })).not.toEqual(once);
  });

  test('runs against a server that speaks the protocol', async () => {
    await using server = await startFakeServer({ recordMax: 10_000 });
    const target = { host: '127.0.0.1', port: server.port, user: 'u', password: '', sslMode: 'DISABLED' } as const;
    await using connection = await connect({ ...target, database: 'sbtest' });
    const recording = wireConnection(connection);
    const session = await openTestSession(name, recording);
    for (let index = 0; index < 3; index++) await session.run(index);
    const executed = server.statements.filter(({ command }) => command === 'execute');
    const sent = recording.sent.filter(({ sql }) => recording.prepared.includes(sql));
    expect(executed.map(({ sql, parameters }) => ({ sql, parameters: parameters.map(String) }))).toEqual(
      sent.map(({ sql, parameters }) => ({ sql, parameters: parameters.map(String) })),
    );
    expect(server.violations).toEqual([]);
  });

  test('needs what its own statements touch', async () => {
    const { workload } = await loadWorkload(name);
    const needs = workload.needs(defaultsOf(workload.options) as never, 2);
    const sent = await sentBy(name, {});
    expect(needs.writes).toBe(sent.some(({ kind }) => kind === 'write'));
    const made = sent.flatMap(({ sql }) => /^CREATE TABLE `?(\w+)/.exec(sql)?.[1] ?? []);
    const tables = new Set([...needs.tables.map((table) => table.name), ...made]);
    const touched = sent.flatMap(({ sql }) => /(?:FROM|INTO|UPDATE) `?(\w+)/.exec(sql)?.[1] ?? []);
    expect(touched.filter((table) => !tables.has(table))).toEqual([]);
    for (const probe of needs.probes ?? []) expect(probe).toMatch(new RegExp(` \`?(?:${[...tables].join('|')})\\b`));
  });
});

function expectDefaultAllowed(key: string, option: Option): void {
  if (option.kind !== 'integer' && option.kind !== 'number') return;
  expect(option.default, key).toBeGreaterThanOrEqual(option.min ?? Number.NEGATIVE_INFINITY);
  expect(option.default, key).toBeLessThanOrEqual(option.max ?? Number.POSITIVE_INFINITY);
}

function countsByName(sent: readonly SentStatement[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name } of sent) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

async function sentBy(name: string, settings: Parameters<typeof openTestSession>[2]): Promise<SentStatement[]> {
  const connection = recordingConnection();
  const session = await openTestSession(name, connection, settings);
  // Of parts in a fixed order the first one whole: it may make the tables of all others.
  const first = Array.from({ length: session.parts[1] ?? 3 }, (_, index) => index);
  for (const index of [...first, 1_000]) await session.run(index);
  return connection.sent;
}

/** The double has no rows to give. */
function exceptForWrongResults(error: unknown): void {
  if (!(error instanceof ValidationError)) throw error;
}

describe('per transaction, as sysbench', () => {
  test.each([
    { name: 'oltp_point_select', options: {}, mix: '1 read, 0 writes, 0 other', statements: 1 },
    { name: 'oltp_point_select', options: { point_selects: 10 }, mix: '1 read, 0 writes, 0 other', statements: 1 },
    { name: 'oltp_read_only', options: {}, mix: '14 reads, 0 writes, 2 other', statements: 7 },
    { name: 'oltp_read_only', options: { range_selects: false }, mix: '10 reads, 0 writes, 2 other', statements: 3 },
    { name: 'oltp_read_write', options: {}, mix: '14 reads, 4 writes, 2 other', statements: 11 },
    { name: 'oltp_read_write', options: { tables: 10 }, mix: '14 reads, 4 writes, 2 other', statements: 92 },
    { name: 'oltp_read_write', options: { skip_trx: true }, mix: '14 reads, 4 writes, 0 other', statements: 9 },
    { name: 'oltp_read_write', options: { delete_inserts: 3 }, mix: '14 reads, 8 writes, 2 other', statements: 11 },
    { name: 'oltp_write_only', options: {}, mix: '0 reads, 4 writes, 2 other', statements: 6 },
    { name: 'oltp_write_only', options: { tables: 10 }, mix: '0 reads, 4 writes, 2 other', statements: 42 },
    { name: 'oltp_update_index', options: {}, mix: '0 reads, 1 write, 0 other', statements: 1 },
    { name: 'oltp_update_index', options: { index_updates: 5 }, mix: '0 reads, 5 writes, 0 other', statements: 1 },
    { name: 'oltp_update_non_index', options: {}, mix: '0 reads, 1 write, 0 other', statements: 1 },
    { name: 'oltp_insert', options: {}, mix: '0 reads, 1 write, 0 other', statements: 0 },
    { name: 'oltp_delete', options: { delete_inserts: 9 }, mix: '0 reads, 1 write, 0 other', statements: 1 },
    { name: 'select_random_points', options: {}, mix: '1 read, 0 writes, 0 other', statements: 1 },
    { name: 'select_random_ranges', options: {}, mix: '1 read, 0 writes, 0 other', statements: 1 },
  ])('$name $options: $mix', async ({ name, options, mix, statements }) => {
    const { workload } = await loadWorkload(name);
    const all = { ...defaultsOf(workload.options), ...options } as never;
    expect(describeMix(workload, all)).toBe(`per transaction: ${mix}`);
    expect(workload.needs(all).statementsPerSession).toBe(statements);
  });

  test('reads that were asked away are told before the run', async () => {
    const { workload } = await loadWorkload('oltp_read_write');
    const none = { point_selects: 0, simple_ranges: 0, sum_ranges: 0, order_ranges: 0, distinct_ranges: 0 };
    const options = { ...defaultsOf(workload.options), ...none } as never;
    expect(describeMix(workload, options)).toBe('per transaction: 0 reads, 4 writes, 2 other');
    expect(workload.validate?.(options)).toEqual([]);
  });

  test('options that leave nothing to send are refused', async () => {
    const { workload } = await loadWorkload('oltp_update_index');
    const options = { ...defaultsOf(workload.options), index_updates: 0 } as never;
    expect(workload.validate?.(options)?.[0]).toMatch(/no statement to send/);
  });
});

describe('oltp_read_write', () => {
  test('sends its statements in the order of sysbench', async () => {
    const sent = await sentBy('oltp_read_write', { options: { point_selects: 2 } });
    const perEvent = [
      'begin',
      'point_select',
      'point_select',
      'simple_range',
      'sum_range',
      'order_range',
      'distinct_range',
      'index_update',
      'non_index_update',
      'delete',
      'insert',
      'commit',
    ];
    expect(sent.map(({ name }) => name).slice(0, perEvent.length)).toEqual(perEvent);
  });

  test('draws the table once for a group and the ids each time', async () => {
    const sent = await sentBy('oltp_read_write', { options: { tables: 50, point_selects: 20, table_size: 100_000 } });
    const points = sent.slice(0, 30).filter(({ name }) => name === 'point_select');
    expect(new Set(points.map(({ sql }) => sql)).size).toBe(1);
    expect(new Set(points.map(({ parameters }) => parameters[0])).size).toBeGreaterThan(15);
    expect(new Set(sent.filter(({ name }) => name !== 'begin' && name !== 'commit').map(tableOf)).size).toBeGreaterThan(
      5,
    );
  });

  test('inserts the row that it deletes', async () => {
    const sent = await sentBy('oltp_read_write', { options: { tables: 5 } });
    const deleted = sent.filter(({ name }) => name === 'delete');
    const inserted = sent.filter(({ name }) => name === 'insert');
    expect(inserted.map(({ parameters }) => parameters[0])).toEqual(deleted.map(({ parameters }) => parameters[0]));
    expect(inserted.map(tableOf)).toEqual(deleted.map(tableOf));
    for (const { parameters } of inserted) {
      expect(parameters[2]).toMatch(/^\d{11}(-\d{11}){9}$/);
      expect(parameters[3]).toMatch(/^\d{11}(-\d{11}){4}$/);
    }
  });

  test('is one transaction unless told otherwise', async () => {
    const inTransaction = await openTestSession('oltp_read_write', recordingConnection());
    expect(inTransaction.session['read_write']?.transactional).toBe(true);
    const alone = await openTestSession('oltp_read_write', recordingConnection(), { options: { skip_trx: true } });
    expect(alone.session['read_write']?.transactional).toBe(false);
  });
});

function tableOf({ sql }: SentStatement): string | undefined {
  return /sbtest\d+/.exec(sql)?.[0];
}

describe('oltp_insert', () => {
  const lastId = (id: number | null) => recordingConnection({ rows: () => [[id]] });

  test('leaves the numbering to the server', async () => {
    const sent = await sentBy('oltp_insert', {});
    expect(sent.map(({ parameters }) => parameters[0])).toEqual([0, 0, 0, 0]);
  });

  test('without AUTO_INCREMENT takes ids above those that are there, no two alike', async () => {
    const connection = lastId(41);
    const session = await openTestSession('oltp_insert', connection, { options: { auto_inc: false, tables: 2 } });
    connection.sent.length = 0;
    const events = 5_000;
    for (let index = 0; index < events; index++) await session.run(index);
    const ids = connection.sent.map(({ parameters }) => Number(parameters[0]));
    expect(new Set(ids).size).toBe(events);
    expect(Math.min(...ids)).toBeGreaterThan(41);
    expect(Math.max(...ids)).toBeLessThan(2 ** 31);
  });

  test('a session that comes back goes on with the ids of its run', async () => {
    const options = { ...defaultsOf((await loadWorkload('oltp_insert')).workload.options), auto_inc: false };
    const { workload } = await loadWorkload('oltp_insert');
    const idsAfter = async (last: number) => {
      const connection = lastId(last);
      const session = await workload.session({
        connection,
        options: options as never,
        random: { next: () => 0.5, integer: (from) => from, restart: () => {} },
        keys: { draw: (_random, from) => from },
        sessionIndex: 0,
        threads: 1,
        terminals: 0,
        tally: () => ({ add: () => {} }),
        pause: async () => {},
        validate: false,
        seed: 1,
      });
      connection.sent.length = 0;
      for (let index = 0; index < 10; index++) await session['insert']?.run({ index, terminal: -1 });
      return connection.sent.map(({ parameters }) => parameters[0]);
    };
    const first = await idsAfter(10);
    expect(await idsAfter(16_000_000)).toEqual(first);
  });

  test('a table that is full of ids is said to be', async () => {
    const open = openTestSession('oltp_insert', lastId(2_147_000_000), { options: { auto_inc: false } });
    await expect(open).rejects.toThrow(/do not fit/);
  });
});

describe('bulk_insert', () => {
  test('goes on above the highest id, and sends a failed event again', async () => {
    let failsNext = false;
    const connection = recordingConnection({ rows: () => [[100]] });
    const flaky: typeof connection = {
      ...connection,
      statement: async (...args) => {
        const statement = await connection.statement(...args);
        return {
          ...statement,
          run: async (parameters) => {
            const outcome = await statement.run(parameters);
            if (failsNext) throw new Error('deadlock');
            return outcome;
          },
        };
      },
    };
    const session = await openTestSession('bulk_insert', flaky, { options: { rows_per_insert: 2 }, sessionIndex: 4 });
    connection.sent.length = 0;
    failsNext = true;
    await expect(session.run(0)).rejects.toThrow('deadlock');
    failsNext = false;
    await session.run(0);
    await session.run(1);
    expect(connection.sent.map(({ parameters }) => parameters)).toEqual([
      [101, 101, 102, 102],
      [101, 101, 102, 102],
      [103, 103, 104, 104],
    ]);
    expect(connection.sent[0]?.sql).toBe('INSERT INTO sbtest5 VALUES (?,?),(?,?)');
  });
});

describe('select_random_points', () => {
  test('draws each event from its own part of the keys', async () => {
    const connection = recordingConnection();
    const session = await openTestSession('select_random_points', connection, {
      options: { table_size: 1_000 },
      threads: 4,
      sessionIndex: 3,
    });
    for (const index of [0, 1, 2, 3, 4]) await session.run(index);
    for (const [event, { parameters }] of connection.sent.entries()) {
      const part = event % 4;
      expect(parameters.every((key) => Number(key) >= part * 250 && Number(key) <= (part + 1) * 250)).toBe(true);
    }
  });

  test('takes one table', async () => {
    const { workload } = await loadWorkload('select_random_points');
    const options = { ...defaultsOf(workload.options), tables: 2 } as never;
    expect(workload.validate?.(options)?.[0]).toMatch(/one table/);
  });
});
