import { expect, test } from 'vitest';
import { UserError } from '../base/errors.ts';
import { ServerError, WireError, type WireErrorKind } from '../wire/errors.ts';
import type { ConnectOptions } from '../wire/types.ts';
import { explainConnectError } from './connect-errors.ts';

const TARGET: ConnectOptions = {
  host: 'db1',
  port: 3306,
  user: 'ben',
  password: 'hunter2',
  database: 'my`shop',
  sslMode: 'DISABLED',
};

function serverError(code: number, message: string) {
  return new ServerError({ code, sqlState: '42000', symbol: 'ER_X', message });
}

function explained(error: unknown): UserError {
  const result = explainConnectError(error, TARGET);
  if (result instanceof UserError) return result;
  throw new Error('not explained');
}

test.each([
  { code: 1045, is: "db1:3306 refuses user 'ben' with this password", remedy: "CREATE USER 'ben'@'%'" },
  {
    code: 1049,
    is: "The database 'my`shop' does not exist",
    remedy: 'CREATE DATABASE `my``shop`; Where the workload has a prepare',
  },
  { code: 1044, is: "User 'ben' may not use the database", remedy: 'GRANT ALL ON `my``shop`.*' },
  { code: 1040, is: 'has no connection left', remedy: 'max_connections' },
  { code: 1130, is: 'lets nobody in from this machine', remedy: 'CREATE USER' },
  { code: 3118, is: "refuses user 'ben'", remedy: 'unlock' },
])('server error $code: $is', ({ code, is, remedy }) => {
  const error = explained(serverError(code, 'As the server says.'));
  expect(error.message).toContain(is);
  expect(error.hint).toContain(remedy);
  expect(error.exitCode).toBe(2);
  expect(error.message + error.hint).not.toContain('hunter2');
});

const KINDS: readonly WireErrorKind[] = ['refused', 'timeout', 'closed', 'protocol', 'tls', 'auth'];

test.each(KINDS)('a connection that fails by %s names the address and a remedy', (kind) => {
  const error = explained(new WireError(kind, 'Something happened.'));
  expect(error.message).toContain('db1:3306');
  expect(error.message).toMatch(/Something happened\.$/);
  expect(error.hint).toBeTruthy();
  expect(error.exitCode).toBe(2);
});

test('the database and nothing else is offered to be created', () => {
  expect(explained(serverError(1049, 'x')).hint).toContain('--create-database');
  expect(explained(serverError(1045, 'x')).hint).not.toContain('--create-database');
});

test('other errors stay what they are', () => {
  for (const error of [serverError(1064, 'syntax'), new TypeError('a mistake')]) {
    expect(explainConnectError(error, TARGET)).toBe(error);
  }
});
