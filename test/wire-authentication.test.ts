/** Every plugin over every kind of connection, with the right and a wrong password, at once or after a switch. */
import { describe, expect, test } from 'vitest';
import { framePayload } from '../src/wire/bytes/frame.ts';
import { connect } from '../src/wire/connection.ts';
import { CAPABILITY } from '../src/wire/constants.ts';
import { okPayload } from '../src/wire/fake-server/encode.ts';
import { type FakeServerOptions, startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import { garbage, replacePacket } from '../src/wire/fake-server/faults.ts';
import {
  MARIADB_1011,
  MYSQL_57,
  MYSQL_80,
  type ServerProfile,
  withoutCapabilities,
} from '../src/wire/fake-server/profile.ts';
import { ok } from '../src/wire/fake-server/reply.ts';
import type { ConnectOptions } from '../src/wire/types.ts';
import {
  AUTHORITY,
  CLIENT_TLS,
  ELSEWHERE_TLS,
  OTHER_RSA_PUBLIC_KEY,
  RSA,
  SERVER_TLS,
  STRANGER,
  temporarySocket,
} from './support/wire.ts';
import { optionsFor } from './support/wire-session.ts';

const PLUGINS = [
  'mysql_native_password',
  'caching_sha2_password',
  'sha256_password',
  'mysql_clear_password',
  'client_ed25519',
] as const;
type Plugin = (typeof PLUGINS)[number];
const TRANSPORTS = ['tcp', 'socket', 'tls'] as const;
type Transport = (typeof TRANSPORTS)[number];

const PASSWORD = 'correct horse battery staple ☂';
const DENIED = { name: 'ServerError', code: 1045, sqlState: '28000', symbol: 'ER_ACCESS_DENIED_ERROR' };

interface Login {
  readonly plugin: string;
  readonly transport?: Transport;
  /** What the account has. */
  readonly password?: string;
  readonly options?: Partial<ConnectOptions>;
  readonly server?: FakeServerOptions;
  /** How often, on one server. */
  readonly times?: number;
}

/** How logging in comes out, and what the server saw of it. */
async function logIn({ plugin, transport = 'tcp', password = PASSWORD, options, server: more, times = 1 }: Login) {
  using socket = temporarySocket();
  await using server = await startFakeServer({
    accounts: [{ user: 'u', methods: [{ plugin, password }] }],
    rsa: RSA,
    ...(transport === 'socket' ? { socketPath: socket.path } : {}),
    ...(transport === 'tls' ? { tls: SERVER_TLS } : {}),
    ...more,
  });
  const sslMode = transport === 'tls' ? 'REQUIRED' : 'DISABLED';
  let outcome: unknown;
  for (let time = 0; time < times; time++) {
    outcome = await connect(
      optionsFor(server, { password: PASSWORD, sslMode, allowPublicKeyRetrieval: true, ...options }),
    ).catch((failure: unknown) => failure);
    if (outcome !== null && typeof outcome === 'object' && 'close' in outcome) {
      await connectionOf(outcome).ping();
      await connectionOf(outcome).close();
      outcome = 'in';
    }
  }
  return { outcome, steps: server.connections.at(-1)?.steps ?? [], violations: server.violations };
}

function connectionOf(outcome: object): Awaited<ReturnType<typeof connect>> {
  return outcome as Awaited<ReturnType<typeof connect>>;
}

/** mysql_clear_password shows the password to whoever listens: TLS or not at all. */
function isAllowed(plugin: string, transport: Transport): boolean {
  return plugin !== 'mysql_clear_password' || transport === 'tls';
}

const REFUSED_BY_US = { name: 'WireError', kind: 'auth' };

describe.each(TRANSPORTS)('over %s', (transport) => {
  test.each(PLUGINS)('%s: the right password, a wrong one, none', async (plugin) => {
    const right = await logIn({ plugin, transport });
    const wrong = await logIn({ plugin, transport, options: { password: 'wrong' } });
    const missing = await logIn({ plugin, transport, options: { password: '' } });
    if (isAllowed(plugin, transport)) {
      expect(right.outcome).toBe('in');
      expect(wrong.outcome).toMatchObject(DENIED);
      expect(missing.outcome).toMatchObject(DENIED);
    } else {
      for (const { outcome } of [right, wrong, missing]) expect(outcome).toMatchObject(REFUSED_BY_US);
    }
    expect([...right.violations, ...wrong.violations, ...missing.violations]).toEqual([]);
  });

  test.each(PLUGINS.filter((plugin) => plugin !== 'client_ed25519'))(
    '%s: an account without a password',
    async (plugin) => {
      const empty = await logIn({ plugin, transport, password: '', options: { password: '' } });
      if (isAllowed(plugin, transport)) expect(empty.outcome).toBe('in');
      else expect(empty.outcome).toMatchObject(REFUSED_BY_US);
      const needless = await logIn({ plugin, transport, password: '' });
      expect(needless.outcome).toMatchObject(isAllowed(plugin, transport) ? DENIED : REFUSED_BY_US);
    },
  );

  const pairs = PLUGINS.flatMap((greeted) => PLUGINS.map((plugin) => ({ greeted, plugin })));
  test.each(pairs)('greeted with $greeted, the account has $plugin', async ({ greeted, plugin }) => {
    for (const like of [MYSQL_80, MARIADB_1011]) {
      const profile: ServerProfile = { ...like, defaultPlugin: greeted };
      const { outcome, steps, violations } = await logIn({ plugin, transport, server: { profile } });
      if (isAllowed(plugin, transport)) expect(outcome).toBe('in');
      else expect(outcome).toMatchObject(REFUSED_BY_US);
      const answered = GREETED.includes(greeted) ? greeted : 'mysql_native_password';
      expect(steps.includes(`switch ${plugin}`)).toBe(plugin !== answered);
      expect(violations).toEqual([]);
    }
  });
});

/** A greeting by one of these is answered by the same, others by the oldest; the server then asks for what it wants. */
const GREETED: readonly Plugin[] = ['mysql_native_password', 'caching_sha2_password'];

test.each([
  { transport: 'tcp', path: ['caching_sha2_password', 'full', 'rsa-key-requested', 'rsa'] },
  { transport: 'socket', path: ['caching_sha2_password', 'full'] },
  { transport: 'tls', path: ['caching_sha2_password', 'full'] },
] as const)('caching_sha2_password over $transport: full at first, then fast', async ({ transport, path }) => {
  const login = { plugin: 'caching_sha2_password', transport } as const;
  expect((await logIn(login)).steps).toEqual(path);
  expect((await logIn({ ...login, times: 2 })).steps).toEqual(['caching_sha2_password', 'fast']);
});

describe.each(['caching_sha2_password', 'sha256_password'])('%s without TLS', (plugin) => {
  test('asks for the key only where that is allowed', async () => {
    const { outcome, steps } = await logIn({ plugin, options: { allowPublicKeyRetrieval: false } });
    expect(outcome).toMatchObject({ ...REFUSED_BY_US, message: expect.stringContaining('public key') });
    expect(steps).not.toContain('rsa-key-requested');
    expect(steps).not.toContain('rsa');
  });

  test('uses the key given, without asking', async () => {
    const options = { allowPublicKeyRetrieval: false, serverPublicKey: RSA.publicKey };
    const { outcome, steps } = await logIn({ plugin, options });
    expect(outcome).toBe('in');
    expect(steps).not.toContain('rsa-key-requested');
    expect(steps).toContain('rsa');
  });

  test('with the key of another server the password stays secret', async () => {
    const { outcome, steps } = await logIn({ plugin, options: { serverPublicKey: OTHER_RSA_PUBLIC_KEY } });
    expect(outcome).toMatchObject(DENIED);
    expect(steps).toContain('not-rsa');
  });

  test.each([
    { what: 'no PEM', key: 'this is no key' },
    { what: 'a certificate', key: SERVER_TLS.cert },
  ])('a server whose key is $what', async ({ key }) => {
    const rsa = { ...RSA, publicKey: key };
    expect((await logIn({ plugin, server: { rsa } })).outcome).toMatchObject(REFUSED_BY_US);
  });

  test('a password that is too long for the key', async () => {
    const password = 'x'.repeat(300);
    expect((await logIn({ plugin, password, options: { password } })).outcome).toMatchObject(REFUSED_BY_US);
  });
});

test('every plugin takes a long password in another alphabet', async () => {
  const password = 'пароль'.repeat(12);
  for (const plugin of PLUGINS) {
    const { outcome } = await logIn({ plugin, transport: 'tls', password, options: { password } });
    expect(outcome, plugin).toBe('in');
  }
});

test.each(['mysql_old_password', 'authentication_kerberos_client', 'dialog', ''])(
  'a plugin that is not spoken, %s, is refused by name',
  async (plugin) => {
    const { outcome } = await logIn({ plugin, transport: 'tls' });
    expect(outcome).toMatchObject({ ...REFUSED_BY_US, message: expect.stringContaining(plugin) });
  },
);

test('a server of MySQL 4.0 asks by one byte, and is refused', async () => {
  const { outcome } = await logIn({
    plugin: 'mysql_native_password',
    server: { faults: () => [replacePacket(1, Uint8Array.of(0xfe))] },
  });
  expect(outcome).toMatchObject({ ...REFUSED_BY_US, message: expect.stringContaining('mysql_old_password') });
});

test('an account with several methods: they are tried in turn', async () => {
  const methods = [
    { plugin: 'client_ed25519', password: 'another' },
    { plugin: 'caching_sha2_password', password: 'another' },
    { plugin: 'mysql_native_password', password: PASSWORD },
  ];
  const { outcome, steps } = await logIn({
    plugin: '',
    server: { profile: MARIADB_1011, accounts: [{ user: 'u', methods }] },
  });
  expect(outcome).toBe('in');
  expect(steps.filter((step) => step.startsWith('switch'))).toEqual(methods.map(({ plugin }) => `switch ${plugin}`));
});

test('an unknown user is refused as one with a wrong password', async () => {
  const { outcome } = await logIn({ plugin: 'mysql_native_password', options: { user: 'nobody' } });
  expect(outcome).toMatchObject(DENIED);
});

test('no secret is in an error', async () => {
  for (const plugin of PLUGINS) {
    const { outcome } = await logIn({ plugin, password: 'another' });
    const { message, stack, cause } = outcome as Error;
    expect(`${message} ${stack} ${String(cause)}`).not.toContain(PASSWORD);
  }
});

test('a server that cannot switch plugins', async () => {
  const profile = withoutCapabilities(MYSQL_57, CAPABILITY.PLUGIN_AUTH | CAPABILITY.PLUGIN_AUTH_LENENC_CLIENT_DATA);
  const { outcome } = await logIn({ plugin: 'mysql_native_password', server: { profile } });
  expect(outcome).toBe('in');
});

test.each([
  { what: 'data that the plugin does not know', payload: [0x01, 0x09] },
  { what: 'a request for more data without data', payload: [0x01] },
  { what: 'the fast path, then the full one', payload: [0x01, 0x03, 0x04] },
  { what: 'a switch without a name', payload: [0xfe, 0x61] },
  { what: 'a switch with a short nonce', payload: [0xfe, ...Buffer.from('mysql_native_password\0abc')] },
  { what: 'a switch without a nonce', payload: [0xfe, ...Buffer.from('client_ed25519\0')] },
  { what: 'an empty packet', payload: [] },
  { what: 'a file request', payload: [0xfb, 0x61] },
])('instead of a verdict $what: the connection ends', async ({ payload }) => {
  const { outcome } = await logIn({
    plugin: 'caching_sha2_password',
    server: { faults: () => [replacePacket(1, Uint8Array.from(payload))] },
  });
  expect(outcome).toMatchObject({ name: 'WireError', kind: 'protocol' });
});

test('a verdict that does not wait for the answer', async () => {
  const verdict = framePayload(okPayload(ok(), { ...PLAIN, capabilities: CAPABILITY.PROTOCOL_41 }), 3);
  const switchBytes = 4 + 1 + 'mysql_native_password'.length + 1 + 21;
  const { outcome, steps } = await logIn({
    plugin: 'mysql_native_password',
    options: { password: 'wrong' },
    server: { faults: () => [garbage(GREETING_BYTES + switchBytes, verdict)] },
  });
  expect(outcome).toMatchObject({ name: 'WireError', kind: 'protocol' });
  expect(steps).toEqual(['switch mysql_native_password']);
});

/** Of the server that greets as MySQL 8.0.36 with caching_sha2_password. */
const GREETING_BYTES = 4 + 74;

describe('TLS', () => {
  const plugin = 'mysql_native_password';
  const tls = (options: Partial<ConnectOptions>, server: FakeServerOptions = {}) =>
    logIn({ plugin, transport: 'tls', options, server });

  test.each([
    { sslMode: 'PREFERRED', sslCa: undefined, cert: SERVER_TLS, is: 'in' },
    { sslMode: 'REQUIRED', sslCa: undefined, cert: SERVER_TLS, is: 'in' },
    { sslMode: 'REQUIRED', sslCa: STRANGER, cert: ELSEWHERE_TLS, is: 'in' },
    { sslMode: 'VERIFY_CA', sslCa: AUTHORITY, cert: SERVER_TLS, is: 'in' },
    { sslMode: 'VERIFY_CA', sslCa: AUTHORITY, cert: ELSEWHERE_TLS, is: 'in' },
    { sslMode: 'VERIFY_CA', sslCa: STRANGER, cert: SERVER_TLS, is: 'refused' },
    { sslMode: 'VERIFY_CA', sslCa: undefined, cert: SERVER_TLS, is: 'refused' },
    { sslMode: 'VERIFY_IDENTITY', sslCa: AUTHORITY, cert: SERVER_TLS, is: 'in' },
    { sslMode: 'VERIFY_IDENTITY', sslCa: AUTHORITY, cert: ELSEWHERE_TLS, is: 'refused' },
    { sslMode: 'VERIFY_IDENTITY', sslCa: STRANGER, cert: SERVER_TLS, is: 'refused' },
  ] as const)('$sslMode (row $#): $is', async ({ sslMode, sslCa, cert, is }) => {
    const { outcome, steps } = await tls({ sslMode, ...(sslCa === undefined ? {} : { sslCa }) }, { tls: cert });
    if (is === 'in') expect(outcome).toBe('in');
    else expect(outcome).toMatchObject({ name: 'WireError', kind: 'tls' });
    // Nothing of the user goes to a server that is not trusted.
    expect(steps.length > 0).toBe(is === 'in');
  });

  test('the connection tells its version and cipher', async () => {
    await using server = await startFakeServer({ tls: { ...SERVER_TLS, maxVersion: 'TLSv1.2' } });
    await using connection = await connect(optionsFor(server, { sslMode: 'REQUIRED' }));
    expect(connection.server.tls).toMatchObject({ version: 'TLSv1.2', cipher: expect.stringMatching(/./) });
    expect(server.connections[0]?.isTls).toBe(true);
  });

  test('a version below the least that is wanted is refused', async () => {
    const old = { tls: { ...SERVER_TLS, maxVersion: 'TLSv1.2' } } as const;
    expect((await tls({ tlsVersionMin: 'TLSv1.2' }, old)).outcome).toBe('in');
    expect((await tls({ tlsVersionMin: 'TLSv1.3' }, old)).outcome).toMatchObject({ name: 'WireError', kind: 'tls' });
  });

  test('a server without TLS: PREFERRED goes on in plain, the stricter modes send nothing', async () => {
    for (const sslMode of ['PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const) {
      await using server = await startFakeServer({ profile: MYSQL_57 });
      const outcome = await connect(optionsFor(server, { sslMode })).catch((failure: unknown) => failure);
      if (sslMode === 'PREFERRED') {
        expect(outcome).toMatchObject({ isOpen: true, server: { tls: undefined } });
        connectionOf(outcome as object).destroy();
      } else {
        expect(outcome).toMatchObject({ name: 'WireError', kind: 'tls' });
        expect(server.connections[0]?.bytesReceived).toBe(0);
      }
    }
  });

  test("the client's certificate is shown to a server that asks", async () => {
    await using server = await startFakeServer({ tls: { ...SERVER_TLS, clientCa: AUTHORITY } });
    await using connection = await connect(optionsFor(server, { sslMode: 'REQUIRED', ...CLIENT_TLS }));
    expect(connection.isOpen).toBe(true);
    expect(server.connections[0]?.clientCertificate).toBe('sqldyno test client');
  });

  test.each([
    { sslCert: 'no certificate', sslKey: 'no key' },
    { sslCert: CLIENT_TLS.sslCert, sslKey: SERVER_TLS.key },
    { sslCa: 'no authority' },
  ])('certificates that cannot be used (row $#)', async (options) => {
    const { outcome, steps } = await tls({ sslMode: 'VERIFY_CA', ...options });
    expect(outcome).toMatchObject({ name: 'WireError', kind: 'tls' });
    expect(steps).toEqual([]);
  });

  test('what is slipped in before TLS begins is not taken for the word of the server', async () => {
    const verdict = framePayload(okPayload(ok(), { ...PLAIN, capabilities: CAPABILITY.PROTOCOL_41 }), 3);
    for (const sequence of [1, 2, 3]) {
      const packet = Buffer.concat([verdict.subarray(0, 3), Buffer.of(sequence), verdict.subarray(4)]);
      const { outcome } = await tls({ password: 'wrong' }, { faults: () => [garbage(GREETING_BYTES, packet)] });
      expect(outcome).toMatchObject({ name: 'WireError' });
    }
  });
});

const PLAIN = { isBinary: false, cachesMetadata: false, sendsColumns: true, status: 2 };
