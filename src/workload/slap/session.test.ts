import { describe, expect, test } from 'vitest';
import { openTestSession, recordingConnection, type SentStatement } from '../../../test/support/sessions.ts';
import type { SlapOptions } from './options.ts';

/** Of clients that take turns: event number `index` is turn `index / threads` of client `index % threads`. */
async function sentBy(options: Partial<SlapOptions>, { events = 4, threads = 1, seed = 1 } = {}) {
  const connection = recordingConnection();
  const session = await openTestSession('slap', connection, { options, threads, seed });
  const setUp = connection.sent.splice(0);
  for (let index = 0; index < events; index++) await session.run(index);
  return { setUp, sent: connection.sent, session: session.session };
}

const names = (sent: readonly SentStatement[]) => sent.map(({ name }) => name);

describe('queries that are made here', () => {
  test.each<{ options: Partial<SlapOptions>; queries: string[] }>([
    { options: {}, queries: ['insert', 'select', 'insert', 'select'] },
    { options: { auto_generate_sql_load_type: 'write' }, queries: ['insert', 'insert', 'insert', 'insert'] },
    { options: { auto_generate_sql_load_type: 'read' }, queries: ['select', 'select', 'select', 'select'] },
    { options: { auto_generate_sql_load_type: 'update' }, queries: ['update', 'update', 'update', 'update'] },
    {
      options: { auto_generate_sql_add_autoincrement: true },
      queries: ['insert', 'select_by_key', 'insert', 'select_by_key'],
    },
    {
      options: { auto_generate_sql_add_autoincrement: true, auto_generate_sql_load_type: 'read' },
      queries: ['select', 'select', 'select', 'select'],
    },
    {
      options: { auto_generate_sql_guid_primary: true, auto_generate_sql_load_type: 'update' },
      queries: ['update_by_key', 'update_by_key', 'update_by_key', 'update_by_key'],
    },
    // A list of three: where it begins again, two INSERTs follow each other.
    { options: { auto_generate_sql_unique_query_number: 2 }, queries: ['insert', 'select', 'insert', 'insert'] },
  ])('$options: $queries', async ({ options, queries }) => {
    expect(names((await sentBy(options)).sent)).toEqual(queries);
  });

  test('an INSERT leaves its keys to the server, as mysqlslap does', async () => {
    const { sent } = await sentBy({
      auto_generate_sql_guid_primary: true,
      auto_generate_sql_secondary_indexes: 2,
      number_int_cols: '2',
    });
    expect(sent[0]?.sql).toBe('INSERT INTO t1 VALUES (uuid(), uuid(), uuid(), ?, ?, ?)');
    expect(sent[1]?.sql).toBe('SELECT intcol1, intcol2, charcol1 FROM t1 WHERE id = ?');
  });

  test('keys are those of the rows at the beginning', async () => {
    const options = { auto_generate_sql_add_autoincrement: true, auto_generate_sql_load_type: 'key' } as const;
    const { sent } = await sentBy({ ...options, auto_generate_sql_write_number: 5 }, { events: 200 });
    expect(new Set(sent.map(({ parameters }) => parameters[0]))).toEqual(new Set([1, 2, 3, 4]));
  });

  test('as many different ones as the list has, and then again', async () => {
    const options = { auto_generate_sql_load_type: 'write', auto_generate_sql_unique_query_number: 6 } as const;
    const { sent } = await sentBy(options, { events: 21 });
    const all = sent.map(({ parameters }) => parameters.join());
    expect(new Set(all).size).toBe(7);
    expect(all.slice(7, 14)).toEqual(all.slice(0, 7));
  });

  test('clients go through the list in step, whatever their number', async () => {
    const options = { auto_generate_sql_load_type: 'write' } as const;
    const alone = await sentBy(options, { events: 5 });
    const three = await sentBy(options, { events: 15, threads: 3 });
    expect(three.sent.map(({ parameters }) => parameters)).toEqual(
      alone.sent.flatMap(({ parameters }) => [parameters, parameters, parameters]),
    );
  });
});

describe('queries of the user', () => {
  const query = 'SELECT 1;INSERT INTO a VALUES (1);SELECT 1;CALL p()';

  test('in their order, equal ones under one name', async () => {
    const { sent } = await sentBy({ query, delimiter: ';' }, { events: 6 });
    expect(names(sent)).toEqual(['query_1', 'query_2', 'query_1', 'query_3', 'query_1', 'query_2']);
    expect(sent.map(({ kind }) => kind)).toEqual(['read', 'write', 'read', 'other', 'read', 'write']);
    expect(sent[3]?.sql).toBe('CALL p()');
  });

  test('of many the verbs are the names', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `SELECT ${index}`).join('\n');
    expect(new Set(names((await sentBy({ query: many }, { events: 60 })).sent))).toEqual(new Set(['select']));
  });
});

describe('--commit', () => {
  const options = { query: 'SELECT 1;SELECT 2', delimiter: ';', commit: 3, number_of_queries: 7 } as const;

  test('makes a transaction of some queries, the last one of the rest', async () => {
    const { setUp, sent, session } = await sentBy(options, { events: 3 });
    expect(setUp.map(({ sql }) => sql)).toEqual(['SET autocommit = 0']);
    expect(session['transaction']?.transactional).toBe(true);
    const [one, two] = ['query_1', 'query_2'];
    expect(names(sent)).toEqual([one, two, one, 'commit', two, one, two, 'commit', one, 'commit']);
  });

  test('with --time it goes on with whole ones', async () => {
    const { sent } = await sentBy(options, { events: 4 });
    expect(names(sent).slice(-4)).toEqual(['query_2', 'query_1', 'query_2', 'commit']);
  });
});

test('--init-command comes first on each connection', async () => {
  const { setUp } = await sentBy({ init_command: "SET sql_mode = ''", commit: 2 });
  expect(setUp.map(({ sql }) => sql)).toEqual(['SET autocommit = 0', "SET sql_mode = ''"]);
});

test('--validate finds a row that is not there, and an INSERT that does nothing', async () => {
  const byKey = { auto_generate_sql_add_autoincrement: true, auto_generate_sql_load_type: 'key' } as const;
  const reading = await openTestSession('slap', recordingConnection(), { options: byKey, validate: true });
  await expect(reading.run(0)).rejects.toThrow(/select_by_key \(id \d+\): expected one row, got 0/);
  const connection = recordingConnection({ affectedRows: 0 });
  const writing = await openTestSession('slap', connection, { validate: true });
  await expect(writing.run(0)).rejects.toThrow(/expected one row inserted, got 0/);
});
