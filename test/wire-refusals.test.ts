/** Servers that refuse, fall silent, say goodbye or want what they should not have. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { framePayload } from '../src/wire/bytes/frame.ts';
import { connect } from '../src/wire/connection.ts';
import { CAPABILITY, COLUMN_TYPE } from '../src/wire/constants.ts';
import type { WireError } from '../src/wire/errors.ts';
import { type FirstWords, startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import { MARIADB_1011, MYSQL_57, MYSQL_80, withoutCapabilities } from '../src/wire/fake-server/profile.ts';
import { close, error, localInfile, ok, rows, silence } from '../src/wire/fake-server/reply.ts';
import { temporarySocket } from './support/wire.ts';
import { optionsFor } from './support/wire-session.ts';

const SENTENCE = expect.stringMatching(/^[A-Z].*\.$/s);
const one = rows([{ name: 'n', type: COLUMN_TYPE.LONG }], [[1]]);

async function connectToServerThatSays(firstWords: FirstWords): Promise<unknown> {
  await using server = await startFakeServer({ firstWords });
  return await connect(optionsFor(server, { connectTimeoutMs: 5_000 })).catch((failure: unknown) => failure);
}

test.each([
  { code: 1040, sqlState: '08004', symbol: 'ER_CON_COUNT_ERROR', message: 'Too many connections' },
  { code: 1129, sqlState: 'HY000', symbol: 'ER_HOST_IS_BLOCKED', message: "Host 'h' is blocked" },
  { code: 1130, sqlState: 'HY000', symbol: 'ER_HOST_NOT_PRIVILEGED', message: "Host 'h' is not allowed to connect" },
])('greeted with error $code: reported with its code, with SQLSTATE or without', async (row) => {
  const { code, sqlState, message, symbol } = row;
  const refusal = error(code, sqlState, message);
  const bare = await connectToServerThatSays({ is: 'error', error: refusal });
  expect(bare).toMatchObject({ name: 'ServerError', code, symbol, message });
  const full = await connectToServerThatSays({ is: 'error', error: refusal, withSqlState: true });
  expect(full).toMatchObject({ name: 'ServerError', code, symbol, message, sqlState });
});

function greeting(bytes: Buffer): FirstWords {
  return { is: 'bytes', bytes: framePayload(bytes, 0) };
}
const v10 = Buffer.from('\x0a8.0.36\0\x07\0\0\0abcdefgh\0', 'latin1');

test.each([
  { what: 'protocol 9', words: greeting(Buffer.from('\x093.23.58\0\x01\0\0\0abcdefgh\0', 'latin1')), kind: 'protocol' },
  { what: 'an unknown protocol', words: greeting(Buffer.of(11, 0)), kind: 'protocol' },
  { what: 'a greeting without capabilities', words: greeting(v10), kind: 'protocol' },
  {
    what: 'a greeting without the protocol of 4.1',
    words: greeting(
      Buffer.concat([
        v10,
        Buffer.from('0080 08 0200 0000 00 00000000000000000000'.replaceAll(' ', ''), 'hex'),
        Buffer.alloc(13),
      ]),
    ),
    kind: 'protocol',
  },
  { what: 'an empty packet', words: greeting(Buffer.of()), kind: 'protocol' },
  { what: 'HTTP', words: { is: 'bytes', bytes: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') }, kind: 'protocol' },
  { what: 'SSH', words: { is: 'bytes', bytes: Buffer.from('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n') }, kind: 'protocol' },
  { what: 'nothing, and closes', words: { is: 'close' }, kind: 'closed' },
] as const)('a server that says $what: $kind', async ({ words, kind }) => {
  expect(await connectToServerThatSays(words)).toMatchObject({ name: 'WireError', kind, message: SENTENCE });
});

test('a server that says nothing: the time limit of connecting ends it', async () => {
  await using server = await startFakeServer({ firstWords: { is: 'silence' } });
  const attempt = connect(optionsFor(server, { connectTimeoutMs: 30 }));
  await expect(attempt).rejects.toMatchObject({ name: 'WireError', kind: 'timeout', message: SENTENCE });
});

test('nobody there: refused, by TCP and by socket', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  listener.close();
  await once(listener, 'close');
  using socket = temporarySocket();
  for (const address of [{ host: '127.0.0.1', port }, { socketPath: socket.path }]) {
    const attempt = connect({ ...address, user: 'u', password: 'pw', sslMode: 'DISABLED' });
    await expect(attempt).rejects.toMatchObject({ name: 'WireError', kind: 'refused', message: SENTENCE });
  }
});

test('an unknown database is the error of the server', async () => {
  await using server = await startFakeServer({ databases: ['sbtest'] });
  const attempt = connect(optionsFor(server, { database: 'nosuch' }));
  await expect(attempt).rejects.toMatchObject({ name: 'ServerError', code: 1049, symbol: 'ER_BAD_DB_ERROR' });
  await using connection = await connect(optionsFor(server, { database: 'sbtest' }));
  expect(connection.isOpen).toBe(true);
});

test.each([
  { code: 1053, symbol: 'ER_SERVER_SHUTDOWN', message: 'Server shutdown in progress' },
  { code: 4031, symbol: 'ER_CLIENT_INTERACTION_TIMEOUT', message: 'The client was disconnected by the server.' },
])('between statements error $code, then the end: the reason is told', async ({ code, symbol, message }) => {
  await using server = await startFakeServer();
  const connection = await connect(optionsFor(server));
  const ended = new Promise<Error | undefined>((resolve) => {
    connection.onEnd = resolve;
  });
  await server.sendUnasked(1, close(error(code, '08S01', message)));
  const because = await ended;
  expect(because).toMatchObject({ name: 'WireError', kind: 'closed', cause: { code, symbol, message } });
  expect(because?.message).toContain(String(code));
  expect(connection.isOpen).toBe(false);
  const late = await connection.ping().catch((failure: unknown) => failure);
  expect(late).toMatchObject({ name: 'WireError', kind: 'closed', message: expect.stringContaining(String(code)) });
});

test('an error in answer to a statement, then the end: the statement has the error, the connection its end', async () => {
  await using server = await startFakeServer({
    answer: (sql) => (sql === 'KILL' ? close(error(1927, '70100', 'Connection was killed')) : undefined),
  });
  const connection = await connect(optionsFor(server));
  const ended = new Promise<Error | undefined>((resolve) => {
    connection.onEnd = resolve;
  });
  const killed = await connection.execute('KILL').catch((failure: unknown) => failure);
  expect(killed).toMatchObject({ name: 'ServerError', code: 1927 });
  expect(await ended).toMatchObject({ name: 'WireError', kind: 'closed' });
});

test('the end of an idle connection is told once, our own goodbye is no failure', async () => {
  await using server = await startFakeServer();
  const ends: (Error | undefined)[] = [];
  const dropped = await connect(optionsFor(server));
  const ended = new Promise<void>((resolve) => {
    dropped.onEnd = (because) => {
      ends.push(because);
      resolve();
    };
  });
  server.dropConnections();
  await ended;
  dropped.destroy();
  expect(ends).toMatchObject([{ name: 'WireError', kind: 'closed' }]);

  const polite = await connect(optionsFor(server));
  polite.onEnd = (because) => ends.push(because);
  await polite.close();
  await polite.close();
  expect(ends.slice(1)).toEqual([undefined]);
});

test('a statement in flight fails with the reason we give for dropping the connection', async () => {
  await using server = await startFakeServer({ answer: () => silence() });
  const connection = await connect(optionsFor(server));
  const flight = connection.execute('SELECT 1');
  connection.destroy(new Error('enough'));
  await expect(flight).rejects.toThrow('enough');
});

test('a reply that does not come: the read time limit ends the connection', async () => {
  await using server = await startFakeServer({ answer: (sql) => (sql === 'HANG' ? silence() : one) });
  const connection = await connect(optionsFor(server, { readTimeoutMs: 40 }));
  expect((await connection.read('SELECT 1')).rows).toEqual([[1]]);
  const failure = await connection.execute('HANG').catch((reason: unknown) => reason);
  expect(failure).toMatchObject({ name: 'WireError', kind: 'timeout', message: SENTENCE });
  expect(connection.isOpen).toBe(false);
});

test('silence between statements is no failure', async () => {
  await using server = await startFakeServer({ answer: () => one });
  const connection = await connect(optionsFor(server, { readTimeoutMs: 5 }));
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(connection.isOpen).toBe(true);
  expect((await connection.read('SELECT 1')).rows).toEqual([[1]]);
  await connection.close();
});

test.each([
  { how: 'read', ask: (sql: string) => (c: Awaited<ReturnType<typeof connect>>) => c.read(sql) },
  { how: 'execute', ask: (sql: string) => (c: Awaited<ReturnType<typeof connect>>) => c.execute(sql) },
  {
    how: 'a prepared statement',
    ask: (sql: string) => async (c: Awaited<ReturnType<typeof connect>>) => (await c.prepare(sql)).execute(),
  },
])('a server that asks for a local file unbidden is refused: $how', async ({ ask }) => {
  const received: number[] = [];
  await using server = await startFakeServer({
    answer: (_sql, _parameters, { phase }) =>
      phase === 'prepare'
        ? ok()
        : localInfile('/etc/passwd', (content) => {
            received.push(content.length);
            return ok();
          }),
  });
  const connection = await connect(optionsFor(server));
  const { bytesSent } = connection;
  const failure = await ask('SELECT 1')(connection).catch((reason: unknown) => reason);
  expect(failure).toMatchObject({
    name: 'WireError',
    kind: 'protocol',
    message: expect.stringContaining('/etc/passwd'),
  });
  expect(received, 'nothing was sent').toEqual([]);
  expect(connection.isOpen).toBe(false);
  expect(connection.bytesSent - bytesSent, 'the request alone').toBeLessThan(60);
});

test('a file offered for one statement is sent for that one, and once', async () => {
  const content = randomBytes(300_000);
  const received: Uint8Array[] = [];
  const wantsFile = localInfile('rows.csv', (bytes) => {
    received.push(bytes);
    return ok({ affectedRows: bytes.length, info: 'Records: 1' });
  });
  await using server = await startFakeServer({ answer: (sql) => (sql === 'LOAD' ? wantsFile : one) });
  const connection = await connect(optionsFor(server));
  const chunks = [content.subarray(0, 10), content.subarray(10, 200_000), content.subarray(200_000)];
  const outcome = await connection.execute('LOAD', { infile: Readable.from(chunks) });
  expect(outcome).toMatchObject({ affectedRows: content.length });
  expect(received.map((bytes) => Buffer.compare(bytes, content))).toEqual([0]);

  expect(await connection.execute('LOAD', { infile: Readable.from([]) })).toMatchObject({ affectedRows: 0 });
  // Offered, and not asked for: nothing goes out.
  expect((await connection.read('SELECT 1', { infile: Readable.from(['no']) })).rows).toEqual([[1]]);
  await expect(connection.execute('LOAD')).rejects.toMatchObject({ name: 'WireError', kind: 'protocol' });
  expect(received).toHaveLength(2);
  expect(server.violations).toEqual([]);
});

test('a second request for the file within one statement is refused', async () => {
  const received: Uint8Array[] = [];
  const twice = localInfile('first', (bytes) => {
    received.push(bytes);
    return localInfile('second', (more) => {
      received.push(more);
      return ok();
    });
  });
  await using server = await startFakeServer({ answer: () => twice });
  const connection = await connect(optionsFor(server));
  const failure = await connection
    .execute('LOAD', { infile: Readable.from(['once']) })
    .catch((reason: unknown) => reason);
  expect(failure).toMatchObject({ name: 'WireError', kind: 'protocol' });
  expect(received.map(String)).toEqual(['once']);
});

test('a file that cannot be read: the statement fails, and no half of it is taken for the whole', async () => {
  const received: Uint8Array[] = [];
  await using server = await startFakeServer({
    answer: () =>
      localInfile('half', (bytes) => {
        received.push(bytes);
        return ok();
      }),
  });
  async function* half() {
    yield Buffer.from('first half');
    throw new Error('disk gone');
  }
  const connection = await connect(optionsFor(server));
  const failure = await connection
    .execute('LOAD', { infile: Readable.from(half()) })
    .catch((reason: unknown) => reason);
  expect((failure as WireError).message).toContain('disk gone');
  expect(received).toEqual([]);
});

test('a refused file is the error of the server, and the connection goes on', async () => {
  await using server = await startFakeServer({
    answer: (sql) => (sql === 'LOAD' ? localInfile('f', () => error(1062, '23000', 'Duplicate entry')) : one),
  });
  await using connection = await connect(optionsFor(server));
  const load = connection.execute('LOAD', { infile: Readable.from(['1\n1\n']) });
  await expect(load).rejects.toMatchObject({ name: 'ServerError', code: 1062, symbol: 'ER_DUP_ENTRY' });
  expect((await connection.read('SELECT 1')).rows).toEqual([[1]]);
});

test.each([
  { profile: MYSQL_80, server: { flavor: 'mysql', version: '8.0.36' } },
  { profile: MYSQL_57, server: { flavor: 'mysql', version: '5.7.44-log' } },
  { profile: MARIADB_1011, server: { flavor: 'mariadb', version: '10.11.6-MariaDB' } },
  {
    profile: withoutCapabilities(MYSQL_57, CAPABILITY.PLUGIN_AUTH),
    server: { flavor: 'mysql', version: '5.7.44-log' },
  },
])('who greets is known: $server.flavor $server.version', async ({ profile, server }) => {
  await using fake = await startFakeServer({ profile });
  await using connection = await connect(optionsFor(fake, { attributes: { program_name: 'sqldyno', _pid: '1' } }));
  expect(connection.server).toMatchObject({ ...server, connectionId: 1, tls: undefined });
  expect(fake.connections[0]?.attributes).toEqual({ program_name: 'sqldyno', _pid: '1' });
});

test('bytes are counted as the server counts them', async () => {
  await using server = await startFakeServer({ answer: () => one });
  const connection = await connect(optionsFor(server));
  await connection.read('SELECT 1');
  const statement = await connection.prepare('SELECT ?');
  await statement.execute(['x'.repeat(70_000)]);
  await connection.ping();
  expect(connection.bytesSent).toBe(server.connections[0]?.bytesReceived);
  expect(connection.bytesReceived).toBe(server.connections[0]?.bytesSent);
  await connection.close();
  expect(server.violations).toEqual([]);
});

test('requests of 16 MiB and more go as several packets, and are answered', async () => {
  const lengths: number[] = [];
  await using server = await startFakeServer({
    answer: (sql, parameters) => {
      lengths.push(sql.length, ...parameters.map((parameter) => String(parameter).length));
      return one;
    },
  });
  await using connection = await connect(optionsFor(server));
  // One byte is the command's: the first of these fills a packet exactly, and an empty one must follow.
  for (const length of [0xff_fffe, 0xff_ffff, 0x100_0000]) {
    expect((await connection.read('x'.repeat(length))).rows).toEqual([[1]]);
  }
  const statement = await connection.prepare('SELECT ?');
  expect((await statement.read(['y'.repeat(0x100_0001)])).rows).toEqual([[1]]);
  expect(lengths).toEqual([0xff_fffe, 0xff_ffff, 0x100_0000, 8, 8, 0x100_0001]);
  expect(server.violations).toEqual([]);
});
