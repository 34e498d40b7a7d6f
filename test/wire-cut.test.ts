/** A connection cut, stalled or reset after every byte of a whole session. */
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { CAPABILITY } from '../src/wire/constants.ts';
import { WireError, type WireErrorKind } from '../src/wire/errors.ts';
import { type FakeServerOptions, startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import { cutAfterBytes, type Fault, stallAfterBytes } from '../src/wire/fake-server/faults.ts';
import { MARIADB_1011, MYSQL_57, MYSQL_80, withoutCapabilities } from '../src/wire/fake-server/profile.ts';
import type { ConnectOptions } from '../src/wire/types.ts';
import { SERVER_TLS, temporarySocket } from './support/wire.ts';
import {
  ACCOUNT,
  forEachOf,
  optionsFor,
  SHORT_SESSION,
  sessionAnswers,
  type Transcript,
  walkThrough,
} from './support/wire-session.ts';

const profiles = [
  { like: 'MySQL 8.0', profile: MYSQL_80 },
  { like: 'MySQL 5.7 without DEPRECATE_EOF', profile: withoutCapabilities(MYSQL_57, CAPABILITY.DEPRECATE_EOF) },
  { like: 'MariaDB', profile: MARIADB_1011 },
];

/** How one session ends whose connection has this fault, and how it ends without. */
async function startWithFaults(faultOf: (connectionId: number) => Fault | undefined, options: FakeServerOptions) {
  const server = await startFakeServer({
    accounts: [ACCOUNT],
    answer: sessionAnswers,
    faults: (id) => [faultOf(id)].filter((fault) => fault !== undefined),
    ...options,
  });
  const whole = await walkThrough(optionsFor(server));
  expect(whole.failure).toBeUndefined();
  expect(whole.steps).toHaveLength(10);
  return { server, whole, byteCount: server.connections[0]?.bytesSent ?? 0 };
}

function expectFailure(what: string, got: Transcript, whole: Transcript, kinds: readonly WireErrorKind[]): void {
  expect(got.steps, what).toEqual(whole.steps.slice(0, got.steps.length));
  expect(got.failure, what).toBeInstanceOf(WireError);
  expect(kinds, what).toContain((got.failure as WireError).kind);
  expect((got.failure as WireError).message, what).toMatch(/^[A-Z].*\.$/s);
}

test.each(profiles)('$like, cut after every byte: closed, and no wrong result', async ({ profile }) => {
  using socket = temporarySocket();
  // The first two connections are whole; of the others, number n + 3 is cut after n bytes.
  const { server } = await startWithFaults((id) => (id <= 2 ? undefined : cutAfterBytes(id - 3)), {
    profile,
    socketPath: socket.path,
  });
  await using _ = server;
  const whole = await walkThrough(optionsFor(server), SHORT_SESSION);
  expect(whole.failure).toBeUndefined();
  const byteCount = server.connections[1]?.bytesSent ?? 0;
  expect(byteCount).toBeGreaterThan(300);
  const cuts = Array.from({ length: byteCount }, (_cut, index) => index);
  await forEachOf(cuts, async () => {
    const got = await walkThrough(optionsFor(server), SHORT_SESSION);
    expectFailure(`after ${got.steps.length} steps`, got, whole, ['closed']);
  });
  expect(
    server.connections.slice(2).map(({ bytesSent }) => bytesSent),
    'every cut was made',
  ).toEqual(cuts);
});

test('cut where the session was over anyway: no failure', async () => {
  let cut: Fault | undefined;
  const { server, whole, byteCount } = await startWithFaults(() => cut, { profile: MYSQL_80 });
  await using _ = server;
  cut = cutAfterBytes(byteCount);
  expect(await walkThrough(optionsFor(server))).toEqual(whole);
});

test('reset in mid-session: closed, or what had come before is whole', async () => {
  const { server, whole, byteCount } = await startWithFaults(
    (id) => (id === 1 ? undefined : cutAfterBytes((id - 2) * 7, { abruptly: true })),
    { profile: MYSQL_80 },
  );
  await using _ = server;
  await forEachOf(Array.from({ length: Math.ceil(byteCount / 7) }), async () => {
    const got = await walkThrough(optionsFor(server));
    // Before the greeting a reset is that of a port where nobody serves.
    expectFailure(`after ${got.steps.length} steps`, got, whole, ['closed', 'refused']);
  });
});

test('stalled in mid-session: the time limits end it', async () => {
  const { server, whole, byteCount } = await startWithFaults(
    (id) => (id === 1 ? undefined : stallAfterBytes((id - 2) * 31)),
    { profile: MYSQL_80 },
  );
  await using _ = server;
  await forEachOf(Array.from({ length: Math.ceil(byteCount / 31) }), async () => {
    const got = await walkThrough(optionsFor(server, { connectTimeoutMs: 200, readTimeoutMs: 60 }));
    expectFailure(`after ${got.steps.length} steps`, got, whole, ['timeout']);
  });
});

test('cut within TLS, from its first byte on: tls or closed', async () => {
  const { server, whole } = await startWithFaults(() => undefined, { profile: MYSQL_80, tls: SERVER_TLS });
  await using _ = server;
  const withTls: Partial<ConnectOptions> = { sslMode: 'REQUIRED' };
  await using relay = await startRelay(server.port);
  expect(await walkThrough(optionsFor(server, { ...withTls, port: relay.port }))).toEqual(whole);
  const byteCount = relay.bytesRelayed[0] ?? 0;
  expect(byteCount).toBeGreaterThan(1_500);

  const step = 29;
  const cuts = Array.from({ length: Math.floor(byteCount / step) }, (_, index) => index * step);
  await forEachOf(cuts, async (cut) => {
    const got = await walkThrough(optionsFor(server, { ...withTls, port: await relay.portCutAfter(cut) }));
    // What is left out at the very end may be TLS's own goodbye, after the last step.
    if (got.failure === undefined) expect(got).toEqual(whole);
    else expectFailure(`cut after ${cut} bytes`, got, whole, ['tls', 'closed']);
  });
});

interface Relay extends AsyncDisposable {
  readonly port: number;
  readonly bytesRelayed: readonly number[];
  /** A port of its own that closes when so many bytes have come from the server. */
  portCutAfter(byteCount: number): Promise<number>;
}

/** Passes bytes on as they are, encrypted as they may be. */
async function startRelay(targetPort: number): Promise<Relay> {
  const listeners: Server[] = [];
  const bytesRelayed: number[] = [];
  const listen = async (cutAfter: number): Promise<number> => {
    const listener = createServer((client) => relayTo(client, cutAfter));
    listeners.push(listener);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return (listener.address() as { port: number }).port;
  };
  const relayTo = (client: Socket, cutAfter: number): void => {
    const index = bytesRelayed.push(0) - 1;
    const target = connectSocket(targetPort, '127.0.0.1');
    client.on('error', () => target.destroy()).on('close', () => target.destroy());
    target.on('error', () => client.destroy()).on('close', () => client.end());
    client.on('data', (chunk) => target.write(chunk));
    target.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, cutAfter - (bytesRelayed[index] ?? 0));
      bytesRelayed[index] = (bytesRelayed[index] ?? 0) + part.length;
      client.write(part);
      if (bytesRelayed[index] === cutAfter) target.destroy();
    });
  };
  const port = await listen(Number.POSITIVE_INFINITY);
  return {
    port,
    bytesRelayed,
    portCutAfter: listen,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
    },
  };
}
