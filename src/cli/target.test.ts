import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { parseOptions, splitWords } from '../base/options-parse.ts';
import type { Target, TargetWorld } from './target.ts';
import { readUrl, resolveTarget } from './target.ts';
import { TARGET_OPTIONS } from './target-options.ts';

const scratch = scratchDirectories();

const NOWHERE: TargetWorld = {
  environment: {},
  optionFiles: [],
  socketPaths: [],
  exists: () => false,
  readText: (path) => {
    throw Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' });
  },
  askPassword: async () => 'typed',
};

async function resolve(args: readonly string[], world: Partial<TargetWorld> = {}): Promise<Target> {
  const parsed = parseOptions(splitWords(args, TARGET_OPTIONS).options, TARGET_OPTIONS);
  expect(parsed.problems).toEqual([]);
  return resolveTarget(parsed.values, parsed.given, { ...NOWHERE, ...world });
}

async function connectionsOf(args: readonly string[], world: Partial<TargetWorld> = {}) {
  const target = await resolve(args, world);
  if (target.is !== 'server') throw new Error('a server is expected');
  return target.connections;
}

function optionFile(content: string): string {
  const path = join(scratch(), 'my.cnf');
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

test.each([
  { args: [], because: 'nothing names a target' },
  { args: ['--mysql-db=shop'], because: 'a database alone says what, not where' },
  { args: ['--mysql-ssl=off', '--connect-timeout=3'], because: 'how to connect does not say where' },
])('$args is a private server: $because', async ({ args }) => {
  expect(await resolve(args)).toMatchObject({ is: 'private' });
});

test('an option file alone is no target, or a stranger would be loaded unasked', async () => {
  const file = optionFile('[client]\nhost=production\n');
  expect(await resolve([], { optionFiles: [file] })).toEqual({ is: 'private', database: 'sbtest' });
});

test('defaults are those of sysbench', async () => {
  expect(await connectionsOf(['--mysql-host=h'])).toEqual([
    {
      host: 'h',
      port: 3306,
      user: 'sbtest',
      password: '',
      database: 'sbtest',
      sslMode: 'DISABLED',
      tlsVersionMin: 'TLSv1.2',
      connectTimeoutMs: 10_000,
      readTimeoutMs: 0,
      allowPublicKeyRetrieval: true,
    },
  ]);
});

test('ports are taken in turn, on each host', async () => {
  const connections = await connectionsOf(['--mysql-host=a,b', '--mysql-port=3306,3307']);
  expect(connections.map(({ host, port }) => `${host}:${port}`)).toEqual(['a:3306', 'a:3307', 'b:3306', 'b:3307']);
});

test('sockets go before hosts', async () => {
  const connections = await connectionsOf(['--mysql-host=a', '--mysql-socket=/s1,/s2']);
  expect(connections.map(({ socketPath }) => socketPath)).toEqual(['/s1', '/s2']);
});

const WITH_SOCKET = { socketPaths: ['/none', '/run/s'], exists: (path: string) => path === '/run/s' };

test.each([
  { args: ['--mysql-user=u'], world: WITH_SOCKET, place: { socketPath: '/run/s' }, because: 'localhost is the socket' },
  { args: ['--mysql-host=localhost'], world: {}, place: { host: '127.0.0.1', port: 3306 }, because: 'there is none' },
  {
    args: ['--mysql-port=3307'],
    world: WITH_SOCKET,
    place: { host: '127.0.0.1', port: 3307 },
    because: 'who names a port means it',
  },
  {
    args: ['--mysql-user=u'],
    world: { environment: { MYSQL_UNIX_PORT: '/other' }, exists: () => true },
    place: { socketPath: '/other' },
    because: 'the variable of the MySQL clients is honoured',
  },
])('$args connects to $place: $because', async ({ args, world, place }) => {
  const target = await resolve(args, world);
  expect(target).toMatchObject({ is: 'server', connections: [place] });
  expect(target.is === 'server' && target.notes[0]).toMatch(/^localhost is/);
});

test.each([
  {
    args: ['--mysql-password=p'],
    world: { environment: { MYSQL_PWD: 'e' } },
    password: 'p',
    because: 'the option wins',
  },
  { args: ['--mysql-host=h'], world: { environment: { MYSQL_PWD: 'e' } }, password: 'e', because: 'the environment' },
  { args: ['--mysql-password-file=/f'], world: { readText: () => 'f\nx' }, password: 'f', because: 'the first line' },
  { args: ['--mysql-password'], world: {}, password: 'typed', because: 'bare asks' },
  { args: ['--mysql-password='], world: {}, password: '', because: 'empty is a password too' },
  { args: ['--ask-password'], world: {}, password: 'typed', because: 'asked for' },
  { args: ['--url=mysql://u:p%40w@h'], world: {}, password: 'p@w', because: 'a URL escapes it' },
])('$args gives the password $password: $because', async ({ args, world, password }) => {
  expect((await connectionsOf(args, world))[0]?.password).toBe(password);
});

test.each([
  {
    args: ['--mysql-host=h'],
    file: 'user=ben\npassword="se#cret" # not this',
    expected: { host: 'h', user: 'ben', password: 'se#cret' },
    because: 'user and password are left open',
  },
  {
    args: ['--mysql-host=h', '--mysql-user=eve'],
    file: 'user=ben\npassword=secret',
    expected: { host: 'h', user: 'eve', password: '' },
    because: "ben's password is not tried for eve",
  },
  {
    args: ['--mysql-host=h', '--mysql-user=ben'],
    file: 'user=ben\npassword=secret',
    expected: { user: 'ben', password: 'secret' },
    because: 'it is his own',
  },
  {
    args: ['--mysql-user=ben'],
    file: 'host=h\nport=3310',
    expected: { host: 'h', port: 3310 },
    because: 'the place is left open',
  },
  {
    args: ['--mysql-host=h'],
    file: 'socket=/s\nport=3310',
    expected: { host: 'h', port: 3306 },
    because: 'a socket or port of another place does not fit',
  },
  { args: ['--mysql-user=ben'], file: 'socket=/s', expected: { socketPath: '/s' }, because: 'a socket is a place' },
  {
    args: ['--mysql-host=h', '--no-defaults'],
    file: 'user=ben',
    expected: { user: 'sbtest' },
    because: 'files were ruled out',
  },
  {
    args: ['--defaults-file'],
    file: 'host=h',
    expected: { host: 'h', user: 'sbtest' },
    because: 'files are the target',
  },
])('$args with a file of $file: $because', async ({ args, file, expected }) => {
  const optionFiles = [optionFile(`[mysqld]\nport=1\n[client]\n${file}\n[mysql]\nhost=not-this\n`)];
  expect((await connectionsOf(args, { optionFiles }))[0]).toMatchObject(expected);
});

test('includes are followed, later lines win, and names are lenient', async () => {
  const included = optionFile('[client]\nuser=second\nssl_mode=REQUIRED\n');
  const main = optionFile(`[client]\nuser=first\n!include ${included}\n`);
  const expected = { user: 'second', sslMode: 'REQUIRED' };
  expect((await connectionsOf([`--defaults-file=${main}`]))[0]).toMatchObject(expected);
});

test('a file that was named must exist', async () => {
  await expect(resolve(['--defaults-file=/nowhere/my.cnf'])).rejects.toThrow('/nowhere/my.cnf cannot be read');
});

test.each([
  { args: ['--mysql-ssl=on'], sslMode: 'REQUIRED' },
  { args: ['--mysql-ssl'], sslMode: 'REQUIRED' },
  { args: ['--mysql-ssl=verify_identity'], sslMode: 'VERIFY_IDENTITY' },
  { args: ['--ssl-mode=PREFERRED'], sslMode: 'PREFERRED' },
  { args: ['--url=mysql://h?ssl-mode=VERIFY_CA'], sslMode: 'VERIFY_CA' },
  { args: ['--mysql-ssl-ca=/ca'], sslMode: 'VERIFY_CA' },
  { args: ['--mysql-ssl-cert=/c', '--mysql-ssl-key=/k'], sslMode: 'REQUIRED' },
  { args: ['--mysql-ssl-ca=/ca', '--mysql-ssl=off'], sslMode: 'DISABLED' },
])('$args means $sslMode', async ({ args, sslMode }) => {
  const [connection] = await connectionsOf(['--mysql-host=h', ...args], { readText: () => 'PEM' });
  expect(connection?.sslMode).toBe(sslMode);
});

test('a URL says everything', () => {
  expect(Object.fromEntries(readUrl('mysql://ben:p%40w@[::1]:3307/shop?ssl-mode=REQUIRED&connect_timeout=3'))).toEqual({
    user: 'ben',
    password: 'p@w',
    host: '::1',
    port: '3307',
    database: 'shop',
    'ssl-mode': 'REQUIRED',
    'connect-timeout': '3',
  });
});

test.each([
  { url: 'postgres://h', says: 'mysql:// or mariadb://' },
  { url: 'mysql://h?sslmode=x', says: 'parameter sslmode is not known' },
  { url: 'mysql://a b:p@', says: 'not well-formed' },
  { url: 'mysql://u:%zz@h', says: 'a % that begins no character' },
])('the URL $url is refused without showing it', ({ url, says }) => {
  expect(() => readUrl(url)).toThrow(says);
});

test.each([
  { args: ['--mysql-port=70000'], says: '--mysql-port must be' },
  { args: ['--mysql-host='], says: 'names no host' },
  { args: ['--mysql-host=h', '--mysql-ssl-ca=/none'], says: '--mysql-ssl-ca: /none cannot be read (ENOENT)' },
  { args: ['--mysql-password-file=/none'], says: '--mysql-password-file: /none cannot be read (ENOENT)' },
])('$args is refused', async ({ args, says }) => {
  await expect(resolve(args)).rejects.toThrow(says);
});
