/** The same session, however the stream is cut into chunks. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connect } from '../src/wire/connection.ts';
import { CAPABILITY, COLUMN_TYPE } from '../src/wire/constants.ts';
import { type FakeServerOptions, startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import { type Fault, splitAt } from '../src/wire/fake-server/faults.ts';
import { MARIADB_1011, MYSQL_57, MYSQL_80, withoutCapabilities } from '../src/wire/fake-server/profile.ts';
import { rows } from '../src/wire/fake-server/reply.ts';
import { letOthersRead, SERVER_TLS, temporarySocket } from './support/wire.ts';
import { ACCOUNT, forEachOf, optionsFor, SHORT_SESSION, sessionAnswers, walkThrough } from './support/wire-session.ts';

const profiles = [
  { like: 'MySQL 8.0', profile: MYSQL_80 },
  { like: 'MySQL 5.7 without DEPRECATE_EOF', profile: withoutCapabilities(MYSQL_57, CAPABILITY.DEPRECATE_EOF) },
  { like: 'MariaDB', profile: MARIADB_1011 },
];

/** A server that splits the stream of each connection after the first as told. */
async function startWithSplits(splitOf: (connectionId: number) => Fault, options: FakeServerOptions) {
  const server = await startFakeServer({
    accounts: [ACCOUNT],
    answer: sessionAnswers,
    faults: (id) => (id === 1 ? [] : [splitOf(id)]),
    ...options,
  });
  const whole = await walkThrough(optionsFor(server));
  expect(whole.failure).toBeUndefined();
  return { server, whole, byteCount: server.connections[0]?.bytesSent ?? 0 };
}

test('two chunks, parted at every byte', async () => {
  using socket = temporarySocket();
  const { server } = await startWithSplits((id) => splitAt([id - 2], letOthersRead), { socketPath: socket.path });
  await using _ = server;
  const whole = await walkThrough(optionsFor(server), SHORT_SESSION);
  expect(whole.failure).toBeUndefined();
  const byteCount = server.connections[1]?.bytesSent ?? 0;
  await forEachOf(Array.from({ length: byteCount - 1 }), async () => {
    expect(await walkThrough(optionsFor(server), SHORT_SESSION)).toEqual(whole);
  });
  expect(server.violations).toEqual([]);
});

/** Far enough apart that most chunks hold several packets. */
const STRIDE_BYTES = 64;

test.each(profiles)('long chunks, parted at every byte in one of the sessions ($like)', async ({ profile }) => {
  const { server, whole, byteCount } = await startWithSplits((id) => splitAt(every(id - 1), letOthersRead), {
    profile,
  });
  const every = (first: number) => Array.from({ length: byteCount / STRIDE_BYTES }, (_, n) => first + n * STRIDE_BYTES);
  await using _ = server;
  await forEachOf(Array.from({ length: STRIDE_BYTES }), async () => {
    expect(await walkThrough(optionsFor(server))).toEqual(whole);
  });
  expect(server.violations).toEqual([]);
});

test.each(profiles)('byte by byte ($like)', async ({ profile }) => {
  const { server, whole } = await startWithSplits(() => splitAt('every-byte', letOthersRead), { profile });
  await using _ = server;
  expect(await walkThrough(optionsFor(server))).toEqual(whole);
});

test('byte by byte within TLS', async () => {
  const { server, whole } = await startWithSplits(() => splitAt('every-byte', letOthersRead), { tls: SERVER_TLS });
  await using _ = server;
  expect(await walkThrough(optionsFor(server, { sslMode: 'REQUIRED' }))).toEqual(whole);
});

test('any chunks', async () => {
  let splits: readonly number[] = [];
  const { server, whole, byteCount } = await startWithSplits(() => splitAt(splits, letOthersRead), {});
  await using _ = server;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: byteCount - 1 }), { maxLength: 40 }),
      async (positions) => {
        splits = positions.sort((left, right) => left - right);
        expect(await walkThrough(optionsFor(server))).toEqual(whole);
      },
    ),
    { seed: 1, numRuns: 50 },
  );
});

test('a row of several packets, the chunks of which end around their headers', async () => {
  const big = randomBytes(0xff_ffff * 2 + 10);
  const reply = rows([{ name: 'b', type: COLUMN_TYPE.LONG_BLOB }], [[big], [null], [Buffer.of(1)]]);
  // Greeting, OK, column count and column come first; the exact place of the parts' headers follows from these.
  const before = await bytesBeforeFirstRow();
  const headers = [before, before + 4 + 0xff_ffff, before + 2 * (4 + 0xff_ffff)];
  const around = headers.flatMap((header) => [header - 1, header, header + 2, header + 4, header + 5]);
  await using server = await startFakeServer({
    answer: () => reply,
    faults: () => [splitAt(around, letOthersRead)],
  });
  const connection = await connect(optionsFor(server));
  const result = await connection.read('SELECT b');
  await connection.close();
  expect(
    result.rows.map(([value]) => Buffer.compare(value === null ? Buffer.of() : (value as Uint8Array), big)),
  ).toEqual([0, -1, expect.any(Number)]);
  expect(result.rows.slice(1)).toEqual([[null], [Buffer.of(1)]]);
});

/** Of a session that asks for one column `b` of bytes. */
async function bytesBeforeFirstRow(): Promise<number> {
  await using server = await startFakeServer({
    answer: () => rows([{ name: 'b', type: COLUMN_TYPE.LONG_BLOB }], []),
  });
  const connection = await connect(optionsFor(server));
  const { bytesReceived } = connection;
  await connection.read('SELECT b');
  const endOfRows = 4 + 7;
  const before = connection.bytesReceived - endOfRows;
  expect(before).toBeGreaterThan(bytesReceived);
  await connection.close();
  return before;
}
