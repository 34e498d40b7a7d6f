import { expect, test } from 'vitest';
import { findServerBinary, parseServerVersion } from './server-binary.ts';

test.each([
  {
    output: 'mariadbd  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)',
    is: { flavor: 'mariadb', version: '10.11.6-MariaDB-0+deb12u1' },
  },
  {
    output: '/usr/sbin/mysqld  Ver 8.0.36-0ubuntu0.22.04.1 for Linux on x86_64 ((Ubuntu))',
    is: { flavor: 'mysql', version: '8.0.36-0ubuntu0.22.04.1' },
  },
  {
    output: 'mysqld  Ver 5.7.44 for macos12 on x86_64 (MySQL Community Server (GPL))',
    is: { flavor: 'mysql', version: '5.7.44' },
  },
  { output: 'GNU bash, version 5.2.15(1)-release', is: undefined },
])('$output', ({ output, is }) => {
  expect(parseServerVersion(output)).toEqual(is);
});

test('a program that is none says what it said, in one line', async () => {
  await expect(findServerBinary('/bin/echo')).rejects.toThrow(
    "'/bin/echo' does not say which MySQL or MariaDB version it is: it says '--no-defaults --version'.",
  );
});

test('a program that is no server is told in one line, whatever it says', async () => {
  await expect(findServerBinary('/bin/true')).rejects.toThrow(
    /^'\/bin\/true' does not say which MySQL or MariaDB version it is: it says (?:nothing|'\S.*')\.$/,
  );
});
