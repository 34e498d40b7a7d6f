/** With a server that answers as told: what is asked, and what is said of what it refuses. */
import { describe, expect, test } from 'vitest';
import { ServerError } from '../../wire/errors.ts';
import type { ResultSet, SqlValue } from '../../wire/types.ts';
import { AccountSource } from './server-account.ts';

type Rows = readonly (readonly SqlValue[])[];

/** Answers by the table that is asked; an error is what a server says that refuses. */
class FakeServer {
  readonly asked: string[] = [];
  readonly tables: Record<string, Rows | ServerError> = {
    events_statements_summary_global_by_event_name: [['statement/sql/select', 0, '0', 0, 0, 0, 0, 0]],
    events_statements_summary_by_digest: [],
    prepared_statements_instances: [],
    events_waits_summary_global_by_event_name: [],
    setup_instruments: [
      ['wait/io', 0, 58],
      ['wait/synch', '288', 288],
    ],
  };

  readonly ask = async (sql: string): Promise<ResultSet> => {
    const table = /performance_schema\.(\w+)/.exec(sql)?.[1] ?? '';
    this.asked.push(table);
    const answer = this.tables[table] ?? [];
    if (answer instanceof ServerError) throw answer;
    return { rows: answer } as unknown as ResultSet;
  };

  count(selects: number): void {
    this.tables['events_statements_summary_global_by_event_name'] = [
      ['statement/sql/select', BigInt(selects), String(selects * 1_000_000), 0, 0, 0, 0, 0],
    ];
    this.tables['events_statements_summary_by_digest'] = [
      ['shop 1f', selects, String(selects * 1_000_000), 0, selects, selects, 0, 0, Buffer.from('SELECT ?'), 'shop'],
    ];
  }
}

function refusal(code: number, message: string): ServerError {
  return new ServerError({ code, sqlState: '42000', symbol: 'ER', message });
}

function source(server: FakeServer): AccountSource {
  let ms = 0;
  return new AccountSource(server.ask, () => (ms += 1_500));
}

test('what was counted between beginning and end, whatever form numbers and texts come in', async () => {
  const server = new FakeServer();
  const account = source(server);
  await account.begin('ON');
  server.count(12);
  await account.finish();
  expect(account.account).toMatchObject({
    elapsedS: 1.5,
    statements: [{ of: 'text', text: 'SELECT ?', database: 'shop', count: 12, timeS: 0.012, rowsExamined: 12 }],
  });
  expect(account.unseen).toEqual([{ what: 'waits', because: 'The server does not time 288 of 288 of wait/synch.' }]);
});

test('it may begin again, later; what is switched off is looked up once', async () => {
  const server = new FakeServer();
  const account = source(server);
  await account.begin('ON');
  server.count(5);
  await account.begin('1');
  server.count(8);
  await account.finish();
  expect(account.account!.statements[0]!.count).toBe(3);
  expect(server.asked.filter((table) => table === 'setup_instruments')).toHaveLength(1);
  expect(account.unseen).toHaveLength(1);
});

describe('nothing is to be had', () => {
  test.each(['OFF', '0', undefined])('where it is off: %s. Nothing is asked, and it is said once', async (setting) => {
    const server = new FakeServer();
    const account = source(server);
    await account.begin(setting);
    await account.begin(setting);
    await account.finish();
    expect(server.asked).toEqual([]);
    expect(account.account).toBeUndefined();
    expect(account.unseen).toEqual([{ what: 'performance_schema', because: expect.stringMatching(/^It is off/) }]);
  });

  test('where the user may not read it; and it is not asked again', async () => {
    const server = new FakeServer();
    server.tables['setup_instruments'] = refusal(1142, 'SELECT command denied to user');
    const account = source(server);
    await account.begin('ON');
    await account.begin('ON');
    await account.finish();
    expect(server.asked).toEqual(['setup_instruments']);
    const because = 'SELECT command denied to user. To see it: GRANT SELECT ON performance_schema.*.';
    expect(account.unseen).toEqual([{ what: 'performance_schema', because }]);
  });

  test('where it counts nothing', async () => {
    const server = new FakeServer();
    const account = source(server);
    await account.begin('ON');
    await account.finish();
    expect(account.unseen.at(-1)).toEqual({
      what: 'performance_schema',
      because: expect.stringMatching(/consumers may be off/),
    });
  });
});

test('an older server without prepared_statements_instances is asked for it once', async () => {
  const server = new FakeServer();
  server.tables['prepared_statements_instances'] = refusal(1146, "Table doesn't exist");
  const account = source(server);
  await account.begin('ON');
  server.count(4);
  await account.finish();
  expect(account.account!.statements).toHaveLength(1);
  expect(server.asked.filter((table) => table === 'prepared_statements_instances')).toHaveLength(1);
  expect(account.unseen.map(({ what }) => what)).toEqual(['waits']);
});
