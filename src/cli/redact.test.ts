import { expect, test } from 'vitest';
import { redactCommand } from './redact.ts';

test.each([
  { arg: '--mysql-password=secret', kept: '--mysql-password=***' },
  { arg: '--mysql_password=secret=x', kept: '--mysql_password=***' },
  { arg: '--mysql-password=', kept: '--mysql-password=***' },
  {
    arg: 'mysql://ben:se:cr@et@host:3306/db?ssl-mode=REQUIRED',
    kept: 'mysql://ben:***@host:3306/db?ssl-mode=REQUIRED',
  },
  { arg: '--url=mariadb://ben:secret@host/db', kept: '--url=mariadb://ben:***@host/db' },
  { arg: 'mysql://ben@host/db', kept: 'mysql://ben@host/db' },
  { arg: '--mysql-password-file=/etc/pw', kept: '--mysql-password-file=/etc/pw' },
  { arg: '-psecret', kept: '-p***' },
  { arg: '-p', kept: '-p' },
  { arg: '-aspsecret', kept: '-asp***' },
  { arg: '-upaul', kept: '-upaul' },
  { arg: '--pass=secret', kept: '--pass=***' },
  { arg: '--pa=2', kept: '--pa=2' },
  { arg: '--password=secret', kept: '--password=***' },
  { arg: '--threads=8', kept: '--threads=8' },
  { arg: 'run', kept: 'run' },
])('$arg is kept as $kept', ({ arg, kept }) => {
  expect(redactCommand([arg])).toEqual([kept]);
});
