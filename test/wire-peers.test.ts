/** Independent clients against the fake server: what both agree on is the protocol, not a mistake of our two halves. */
import { Readable } from 'node:stream';
import * as mariadb from 'mariadb';
import mysql from 'mysql2/promise';
import { expect, test } from 'vitest';
import { COLUMN_TYPE } from '../src/wire/constants.ts';
import { startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import { MARIADB_1011, MYSQL_57, MYSQL_80 } from '../src/wire/fake-server/profile.ts';
import { ok, rows, several } from '../src/wire/fake-server/reply.ts';
import { AUTHORITY, RSA, SERVER_TLS, temporarySocket } from './support/wire.ts';

const people = rows(
  [
    { name: 'id', type: COLUMN_TYPE.LONG },
    { name: 'name', type: COLUMN_TYPE.VAR_STRING },
    { name: 'born', type: COLUMN_TYPE.DATETIME, decimals: 6 },
  ],
  [
    [1, 'Ada', '1815-12-10 00:00:00.500000'],
    [-2, null, '1906-12-09 12:34:56.000789'],
  ],
);
const login = { host: '127.0.0.1', user: 'sbtest', password: 'secret', dateStrings: true } as const;

test.each([
  { plugin: 'mysql_native_password', profile: MYSQL_57 },
  { plugin: 'mysql_native_password', profile: MARIADB_1011 },
  { plugin: 'mysql_native_password', profile: MYSQL_80 },
  { plugin: 'caching_sha2_password', profile: MYSQL_80 },
  { plugin: 'caching_sha2_password', profile: MYSQL_57 },
])('mysql2: login by $plugin, rows as text and binary, from a server like $profile.version', async (row) => {
  await using server = await startFakeServer({
    profile: row.profile,
    accounts: [{ user: 'sbtest', methods: [{ plugin: row.plugin, password: 'secret' }] }],
    rsa: RSA,
    answer: (sql) => (sql.includes('people') ? people : undefined),
    recordMax: 10,
  });
  const connection = await mysql.createConnection({ ...login, port: server.port });
  const [text] = await connection.query('SELECT * FROM people');
  const [binary] = await connection.execute('SELECT * FROM people WHERE id > ? AND name <> ?', [-5, 'Bob']);
  await connection.ping();
  await connection.end();

  const expected = [
    { id: 1, name: 'Ada', born: '1815-12-10 00:00:00.500000' },
    { id: -2, name: null, born: '1906-12-09 12:34:56.000789' },
  ];
  expect(text).toEqual(expected);
  expect(binary).toEqual(expected);
  expect(server.violations).toEqual([]);
  expect(server.statements.map(({ command, parameters }) => [command, parameters])).toEqual([
    ['query', []],
    ['prepare', []],
    ['execute', [-5, 'Bob']],
  ]);
});

test('mysql2: TLS, several results, a local file and an error', async () => {
  await using server = await startFakeServer({
    tls: SERVER_TLS,
    accounts: [{ user: 'sbtest', methods: [{ plugin: 'caching_sha2_password', password: 'secret' }] }],
    answer: (sql) => (sql.startsWith('CALL') ? several(people, ok({ affectedRows: 3 })) : undefined),
  });
  const connection = await mysql.createConnection({
    ...login,
    port: server.port,
    ssl: { ca: AUTHORITY },
    multipleStatements: true,
    infileStreamFactory: () => Readable.from([Buffer.from('1\n2\n'), Buffer.from('3\n')]),
  });
  const [called] = await connection.query('CALL both()');
  const [numbers] = await connection.query("SELECT 1 AS one; SELECT 'a;b' AS text");
  const [loaded] = await connection.query("LOAD DATA LOCAL INFILE 'three-lines' INTO TABLE t");
  await connection.end();

  expect(called).toMatchObject([[{ id: 1 }, { id: -2 }], { affectedRows: 3 }]);
  expect(numbers).toEqual([[{ one: 1 }], [{ text: 'a;b' }]]);
  expect(loaded).toMatchObject({ affectedRows: 3 });
  expect(server.connections[0]).toMatchObject({ isTls: true, steps: ['caching_sha2_password', 'full'] });
  expect(server.violations).toEqual([]);
});

test.each([
  { plugin: 'mysql_native_password', steps: ['mysql_native_password'] },
  { plugin: 'client_ed25519', steps: ['switch client_ed25519', 'client_ed25519'] },
  { plugin: 'sha256_password', steps: ['switch sha256_password', 'sha256_password', 'rsa-key-requested', 'rsa'] },
  {
    plugin: 'caching_sha2_password',
    steps: ['switch caching_sha2_password', 'caching_sha2_password', 'full', 'rsa-key-requested', 'rsa'],
  },
])('mariadb: login by $plugin, and rows without their columns sent again', async ({ plugin, steps }) => {
  await using server = await startFakeServer({
    profile: MARIADB_1011,
    accounts: [{ user: 'sbtest', methods: [{ plugin, password: 'secret' }] }],
    rsa: RSA,
    answer: (sql) => (sql.includes('people') ? people : undefined),
  });
  const connection = await mariadb.createConnection({ ...login, port: server.port, allowPublicKeyRetrieval: true });
  const text: unknown = await connection.query('SELECT * FROM people');
  const binary: unknown = await connection.execute('SELECT * FROM people WHERE id > ?', [-5]);
  await connection.end();

  expect([...(text as object[])]).toMatchObject([
    { id: 1, name: 'Ada' },
    { id: -2, name: null },
  ]);
  expect([...(binary as object[])]).toMatchObject([
    { id: 1, name: 'Ada' },
    { id: -2, name: null },
  ]);
  expect(server.connections[0]).toMatchObject({ cachesMetadata: true, steps });
  expect(server.violations).toEqual([]);
});

test('mariadb: a wrong password is refused for every plugin', async () => {
  const plugins = ['mysql_native_password', 'client_ed25519', 'sha256_password', 'caching_sha2_password'];
  await using server = await startFakeServer({
    profile: MARIADB_1011,
    accounts: plugins.map((plugin) => ({ user: plugin, methods: [{ plugin, password: 'right' }] })),
    rsa: RSA,
  });
  for (const user of plugins) {
    const attempt = mariadb.createConnection({
      ...login,
      user,
      password: 'wrong',
      port: server.port,
      allowPublicKeyRetrieval: true,
    });
    await expect(attempt, user).rejects.toMatchObject({ errno: 1045, sqlState: '28000' });
  }
});

test('mysql2: over a Unix socket, counters equal what was sent', async () => {
  using socket = temporarySocket();
  await using server = await startFakeServer({ socketPath: socket.path, profile: MYSQL_57 });
  const connection = await mysql.createConnection({ ...login, socketPath: socket.path });
  await connection.query('BEGIN');
  await connection.execute('SELECT c FROM sbtest1 WHERE id=?', [1]);
  await connection.execute('SELECT c FROM sbtest1 WHERE id=?', [2]);
  await connection.execute('UPDATE sbtest1 SET k=k+1 WHERE id=?', [2]);
  await connection.query('COMMIT');
  const [shown] = await connection.query<mysql.RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'Com\\_%'");
  await connection.end();

  const counters = Object.fromEntries(shown.map((row) => [row['Variable_name'], Number(row['Value'])]));
  expect(counters).toMatchObject({ Com_begin: 1, Com_select: 2, Com_update: 1, Com_commit: 1, Com_show_status: 1 });
  expect(counters).toMatchObject({ Com_stmt_prepare: 2, Com_stmt_execute: 3, Com_insert: 0 });
  expect(server.status().get('Questions')).toBe(6);
});
