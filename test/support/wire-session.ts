/**
 * One session that walks through the whole protocol, written down step by step. Whatever is done to the stream, a step
 * either comes out as here, or fails; it never comes out otherwise.
 */
import { connect } from '../../src/wire/connection.ts';
import { COLUMN_FLAG, COLUMN_TYPE } from '../../src/wire/constants.ts';
import { ServerError } from '../../src/wire/errors.ts';
import type { FakeServer } from '../../src/wire/fake-server/fake-server.ts';
import { type Answer, error, ok, rows, several } from '../../src/wire/fake-server/reply.ts';
import type { Connection, ConnectOptions, ResultSet } from '../../src/wire/types.ts';

export const ACCOUNT = { user: 'u', methods: [{ plugin: 'mysql_native_password', password: 'pw' }] };

const two = rows(
  [
    { name: 'i', type: COLUMN_TYPE.LONG, flags: COLUMN_FLAG.NOT_NULL },
    { name: 't', type: COLUMN_TYPE.VAR_STRING },
  ],
  [
    [-1, 'one'],
    [70_000, null],
  ],
);

export const sessionAnswers: Answer = (sql) => {
  if (sql.startsWith('SELECT')) return two;
  if (sql.startsWith('CALL')) return several(ok(), two);
  if (sql.startsWith('BAD')) return error(1064, '42000', 'No.');
  return ok({ affectedRows: 2, lastInsertId: 300, warningCount: 1, info: 'Rows matched: 2' });
};

export interface Transcript {
  readonly steps: readonly unknown[];
  /** What ended the session early. */
  readonly failure: unknown;
}

type Step = (connection: Connection) => unknown;

const read: Step = async (connection) => plain(await connection.read('SELECT 1'));

const prepareAndExecute: Step = async (connection) => {
  const statement = await connection.prepare('SELECT ?');
  const first = plain(await statement.read([5]));
  const counted = { ...(await statement.execute(['text'])) };
  statement.close();
  const { parameterCount, columns } = statement;
  return { parameterCount, names: columns.map(({ name }) => name), first, counted };
};

/** A query, a prepare, executions with rows: short enough to be repeated for every byte of it. */
export const SHORT_SESSION: readonly Step[] = [read, prepareAndExecute];

export const LONG_SESSION: readonly Step[] = [
  read,
  async (connection) => ({ ...(await connection.execute('INSERT')) }),
  async (connection) => (await connection.readAll('CALL both()')).map(plain),
  (connection) => connection.read('BAD').catch(statementError),
  async (connection) => ({ ...(await connection.execute('SELECT 2')) }),
  prepareAndExecute,
  async (connection) => connection.prepare('BAD').catch(statementError),
  async (connection) => connection.ping().then(() => 'pong'),
  async (connection) => connection.reset().then(() => 'reset'),
];

/** Never rejects, whatever happens to the connection. */
export async function walkThrough(options: ConnectOptions, session = LONG_SESSION): Promise<Transcript> {
  const steps: unknown[] = [];
  let connection: Connection | undefined;
  try {
    connection = await connect(options);
    steps.push([connection.server.flavor, connection.server.version]);
    for (const step of session) steps.push(await step(connection));
    await connection.close();
    return { steps, failure: undefined };
  } catch (failure) {
    connection?.destroy();
    return { steps, failure };
  }
}

export function optionsFor(server: FakeServer, options: Partial<ConnectOptions> = {}): ConnectOptions {
  const address =
    server.socketPath === undefined ? { host: '127.0.0.1', port: server.port } : { socketPath: server.socketPath };
  return { ...address, user: 'u', password: 'pw', sslMode: 'DISABLED', ...options };
}

/** Runs many at a time: each mostly waits for its turn of the event loop. */
export async function forEachOf<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = items.entries();
  const lane = async () => {
    for (const [, item] of left) await run(item);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
}

function plain(result: ResultSet): unknown {
  const { columns, ...rest } = result;
  return { ...rest, names: columns.map(({ name, type }) => `${name} ${type}`) };
}

/** An error of a statement is an outcome; anything else ends the session. */
function statementError(failure: unknown): unknown {
  if (failure instanceof ServerError) return [failure.code, failure.sqlState, failure.symbol, failure.message];
  throw failure;
}
