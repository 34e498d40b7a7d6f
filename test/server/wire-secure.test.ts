/** TLS in all its modes, and authentication, against a real server with certificates made here. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as mariadb from 'mariadb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import { connect } from '../../src/wire/connection.ts';
import { CAPABILITY } from '../../src/wire/constants.ts';
import { type Connection, type ConnectOptions, SSL_MODES, type SslMode } from '../../src/wire/types.ts';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { startGreetingProxy } from '../support/greeting-proxy.ts';

const PASSWORD = 'pässword mit €uro';

let directory: string;
let certificates: Certificates;
let server: PrivateServer;
let admin: Connection;
let hasEd25519: boolean;

function start(certificate: string): Promise<PrivateServer> {
  const { path } = certificates;
  return startPrivateServer({
    tcp: true,
    extraArguments: [
      `--ssl-ca=${path('ca.pem')}`,
      `--ssl-cert=${path(`${certificate}.pem`)}`,
      `--ssl-key=${path(`${certificate}.key`)}`,
    ],
  });
}

/** Over TCP as the server's owner. */
function open(sslMode: SslMode, options: Partial<ConnectOptions> = {}, to = server): Promise<Connection> {
  const { port, user, password } = to.tcp!;
  return connect({ host: '127.0.0.1', port, user, password, sslMode, ...options });
}

const cipherOf = async (connection: Connection) =>
  (await connection.read("SHOW SESSION STATUS LIKE 'Ssl_cipher'")).rows[0]![1] as string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sqldyno-certificates-'));
  certificates = makeCertificates(directory, Math.floor(Date.now() / 1000));
  server = await start('server');
  admin = await connect(server.target);
  hasEd25519 = await admin.execute("INSTALL SONAME 'auth_ed25519'").then(
    () => true,
    () => false,
  );
});

afterAll(async () => {
  await admin?.close();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('ssl-mode', () => {
  const ca = () => certificates.pem('ca.pem');
  const otherCa = () => certificates.pem('other-ca.pem');

  test.each(SSL_MODES)('%s with the right authority and the right name', async (sslMode) => {
    await using connection = await open(sslMode, { host: 'localhost', sslCa: ca() });
    const cipher = await cipherOf(connection);
    if (sslMode === 'DISABLED') {
      expect(cipher).toBe('');
      expect(connection.server.tls).toBeUndefined();
    } else {
      expect(connection.server.tls).toMatchObject({ cipher, version: expect.stringMatching(/^TLSv1\.[23]$/) });
    }
  });

  test.each<{ sslMode: SslMode; authority: 'right' | 'wrong' | 'none'; host: string; refusal?: RegExp }>([
    { sslMode: 'PREFERRED', authority: 'wrong', host: '127.0.0.1' },
    { sslMode: 'REQUIRED', authority: 'wrong', host: '127.0.0.1' },
    { sslMode: 'REQUIRED', authority: 'none', host: '127.0.0.1' },
    { sslMode: 'VERIFY_CA', authority: 'right', host: '127.0.0.1' },
    { sslMode: 'VERIFY_CA', authority: 'wrong', host: 'localhost', refusal: /Give the CA that signed it/ },
    { sslMode: 'VERIFY_CA', authority: 'none', host: 'localhost', refusal: /Give the CA that signed it/ },
    {
      sslMode: 'VERIFY_IDENTITY',
      authority: 'right',
      host: '127.0.0.1',
      refusal: /Connect by a name that the certificate has/,
    },
    { sslMode: 'VERIFY_IDENTITY', authority: 'wrong', host: 'localhost', refusal: /Give the CA that signed it/ },
  ])('$sslMode, $authority authority, by $host', async ({ sslMode, authority, host, refusal }) => {
    const sslCa = { right: ca(), wrong: otherCa(), none: undefined }[authority];
    const opening = open(sslMode, { host, ...(sslCa !== undefined && { sslCa }) });
    if (refusal === undefined) {
      await using connection = await opening;
      expect(await cipherOf(connection)).not.toBe('');
    } else {
      await expect(opening).rejects.toMatchObject({ kind: 'tls', message: expect.stringMatching(refusal) });
    }
  });

  test('a certificate that has expired', async () => {
    await using expired = await start('expired');
    const options = { host: 'localhost', sslCa: ca() };
    await expect(open('VERIFY_CA', options, expired)).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining('Renew the certificate'),
    });
    await using unverified = await open('REQUIRED', options, expired);
    expect(unverified.server.tls).toBeDefined();
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('at least %s', async (tlsVersionMin) => {
    await using connection = await open('REQUIRED', { tlsVersionMin });
    expect(connection.server.tls!.version >= tlsVersionMin).toBe(true);
  });

  test('a server that speaks only older versions than allowed; attributes reach it', async () => {
    await using old = await startPrivateServer({
      tcp: true,
      extraArguments: [
        `--ssl-cert=${certificates.path('server.pem')}`,
        `--ssl-key=${certificates.path('server.key')}`,
        '--tls-version=TLSv1.2',
        '--performance-schema=ON',
      ],
    });
    await expect(open('REQUIRED', { tlsVersionMin: 'TLSv1.3' }, old)).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining('Allow a lower TLS version'),
    });
    await using connection = await open('REQUIRED', { attributes: { program_name: 'wire test' } }, old);
    expect(connection.server.tls).toMatchObject({ version: 'TLSv1.2' });
    const attributes = await connection.read(
      'SELECT ATTR_NAME, ATTR_VALUE FROM performance_schema.session_account_connect_attrs',
    );
    expect(attributes.rows).toEqual([['program_name', 'wire test']]);
  });

  test('a client certificate where the account demands one', async () => {
    await admin.execute(`CREATE USER certified IDENTIFIED BY '${PASSWORD}' REQUIRE SUBJECT '/CN=client'`);
    const account = { user: 'certified', password: PASSWORD };
    await expect(open('REQUIRED', account)).rejects.toMatchObject({ code: 1045 });
    const sslCert = certificates.pem('client.pem');
    await using connection = await open('REQUIRED', { ...account, sslCert, sslKey: certificates.pem('client.key') });
    expect(connection.isOpen).toBe(true);
  });

  test.each([
    { is: 'no PEM', options: () => ({ sslCa: 'no certificate', sslCert: 'neither', sslKey: 'nor this' }) },
    {
      is: "a key of another's certificate",
      options: () => ({ sslCert: certificates.pem('client.pem'), sslKey: certificates.pem('server.key') }),
    },
  ])('$is', async ({ options }) => {
    await expect(open('REQUIRED', options())).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining('cannot be used'),
    });
  });

  test('a Unix socket stays plain when PREFERRED, and is encrypted when REQUIRED', async () => {
    await using preferred = await connect({ ...server.target, sslMode: 'PREFERRED' });
    expect(preferred.server.tls).toBeUndefined();
    await using required = await connect({ ...server.target, sslMode: 'VERIFY_IDENTITY', sslCa: ca() });
    expect(await cipherOf(required)).not.toBe('');
  });

  test('a server that offers no TLS: PREFERRED goes on, REQUIRED does not', async () => {
    using proxy = await startGreetingProxy(server.socketPath, CAPABILITY.SSL);
    const { user, password } = server;
    const target = { host: proxy.host, port: proxy.port, user, password };
    await using connection = await connect({ ...target, sslMode: 'PREFERRED' });
    expect(connection.server.tls).toBeUndefined();
    await expect(connect({ ...target, sslMode: 'REQUIRED' })).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining('offers no TLS'),
    });
  });

  test('statements, rows of many chunks and long packets over TLS', async () => {
    await using connection = await open('REQUIRED');
    const statement = await connection.prepare(
      'SELECT 7, ? FROM information_schema.collations a, information_schema.collations b LIMIT 20000',
    );
    const { rows } = await statement.read(['x'.repeat(100)]);
    expect(rows).toHaveLength(20_000);
    expect(rows.at(-1)).toEqual([7, 'x'.repeat(100)]);
    await admin.execute('SET GLOBAL max_allowed_packet = 67108864');
    await using long = await open('REQUIRED');
    const text = 'l'.repeat(17 * 1024 * 1024);
    expect((await long.read(`SELECT LENGTH('${text}')`)).rows).toEqual([[text.length]]);
    expect(((await long.read(`SELECT REPEAT('l', ${text.length})`)).rows[0]![0] as string) === text).toBe(true);
  });

  test('bytes are counted before encryption', async () => {
    await using connection = await open('REQUIRED');
    const counted = async () => {
      const received = connection.bytesReceived;
      const { rows } = await connection.read("SHOW SESSION STATUS LIKE 'Bytes_%'");
      const status = new Map(rows.map(([name, value]) => [name, Number(value)]));
      return { up: status.get('Bytes_received')! - connection.bytesSent, down: status.get('Bytes_sent')! - received };
    };
    const before = await counted();
    for (let round = 0; round < 3; round++) await connection.execute("SELECT REPEAT('x', 40000)");
    expect(await counted()).toEqual(before);
  });
});

describe('authentication, in the SQL of MariaDB', () => {
  beforeEach(({ skip }) => {
    if (server.flavor !== 'mariadb') skip('MySQL names its plugins otherwise');
  });

  const account = (user: string, password = PASSWORD): Partial<ConnectOptions> => ({ user, password });
  const who = async (connection: Connection) => (await connection.read('SELECT CURRENT_USER()')).rows[0]![0];

  test.each<SslMode>(['DISABLED', 'REQUIRED'])('mysql_native_password (%s)', async (sslMode) => {
    await admin.execute(
      `CREATE OR REPLACE USER native IDENTIFIED VIA mysql_native_password USING PASSWORD('${PASSWORD}')`,
    );
    await using connection = await open(sslMode, account('native'));
    expect(await who(connection)).toBe('native@%');
    await expect(open(sslMode, account('native', 'wrong'))).rejects.toMatchObject({ code: 1045 });
    await expect(open(sslMode, account('native', ''))).rejects.toMatchObject({ code: 1045 });
  });

  test('an account without a password', async () => {
    await admin.execute('CREATE OR REPLACE USER open_house');
    await using connection = await open('DISABLED', account('open_house', ''));
    expect(await who(connection)).toBe('open_house@%');
  });

  test('client_ed25519: the server switches to it, and so does the mariadb driver', async ({ skip }) => {
    if (!hasEd25519) skip('the server has no auth_ed25519');
    for (const [index, password] of [PASSWORD, 'a', 'x'.repeat(200)].entries()) {
      const user = `signing${index}`;
      await admin.execute(`CREATE OR REPLACE USER ${user} IDENTIFIED VIA ed25519 USING PASSWORD('${password}')`);
      await using connection = await open('DISABLED', account(user, password));
      expect(await who(connection)).toBe(`${user}@%`);
      const { port } = server.tcp!;
      const peer = await mariadb.createConnection({ host: '127.0.0.1', port, user, password });
      await peer.end();
      await expect(open('DISABLED', account(user, `${password} `))).rejects.toMatchObject({ code: 1045 });
      await expect(open('DISABLED', account(user, ''))).rejects.toMatchObject({ code: 1045 });
    }
  });

  test('several plugins for one account: one that fits is enough', async ({ skip }) => {
    if (!hasEd25519) skip('the server has no auth_ed25519');
    await admin.execute(
      "CREATE OR REPLACE USER either IDENTIFIED VIA ed25519 USING PASSWORD('first') OR mysql_native_password USING PASSWORD('second')",
    );
    for (const password of ['first', 'second']) {
      await using connection = await open('DISABLED', account('either', password));
      expect(await who(connection)).toBe('either@%');
    }
  });

  test('by the identity of the operating system', async ({ skip }) => {
    const user = userInfo().username;
    const plugins = await admin.read("SELECT 1 FROM information_schema.plugins WHERE plugin_name = 'unix_socket'");
    if (plugins.rowCount === 0) skip('the server has no unix_socket');
    await admin.execute(
      `CREATE OR REPLACE USER '${user}'@'localhost' IDENTIFIED VIA unix_socket OR mysql_native_password`,
    );
    await using connection = await connect({ ...server.target, user, password: '' });
    expect(await who(connection)).toBe(`${user}@localhost`);
  });

  test('the password appears in no error', async () => {
    const secret = 'not-to-be-shown';
    for (const options of [account('native', secret), { ...account('native', secret), host: '127.0.0.1', port: 1 }]) {
      const error = await open('REQUIRED', options).catch((failure: unknown) => failure as Error);
      expect(error).toBeInstanceOf(Error);
      expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain(secret);
    }
  });
});

describe('time limits', () => {
  test('a host that accepts and says nothing', async () => {
    const { createServer } = await import('node:net');
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port } = silent.address() as { port: number };
    const options = {
      host: '127.0.0.1',
      port,
      user: 'x',
      password: '',
      sslMode: 'DISABLED',
      connectTimeoutMs: 50,
    } as const;
    await expect(connect(options)).rejects.toMatchObject({
      kind: 'timeout',
      message: `No connection to 127.0.0.1:${port} within 50 ms.`,
    });
    silent.close();
  });
});
