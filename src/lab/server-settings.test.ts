import { describe, expect, test } from 'vitest';
import {
  asArguments,
  bufferPoolMib,
  checkExtraArguments,
  initialArguments,
  serverSettings,
} from './server-settings.ts';

const GIB = 1024 ** 3;

test.each([
  { memoryGib: 0.2, poolMib: 64, because: 'less than this no server is happy with' },
  { memoryGib: 0.9, poolMib: 128, because: 'a Pi with 1 GB' },
  { memoryGib: 7.7, poolMib: 1024, because: 'a Pi with 8 GB' },
  { memoryGib: 256, poolMib: 2048, because: 'a larger one is for the user to ask for' },
])('of $memoryGib GiB the pool gets $poolMib MiB: $because', ({ memoryGib, poolMib }) => {
  expect(bufferPoolMib(memoryGib * GIB)).toBe(poolMib);
});

describe('the redo log is named as the version names it', () => {
  test.each([
    { flavor: 'mariadb', version: '10.6.12-MariaDB', argument: '--innodb-log-file-size=512M' },
    { flavor: 'mysql', version: '8.0.30', argument: '--innodb-redo-log-capacity=512M' },
    { flavor: 'mysql', version: '8.4.3', argument: '--innodb-redo-log-capacity=512M' },
    { flavor: 'mysql', version: '8.0.29', argument: '--innodb-log-file-size=256M' },
    { flavor: 'mysql', version: '5.7.44', argument: '--innodb-log-file-size=256M' },
  ] as const)('$flavor $version: $argument', ({ flavor, version, argument }) => {
    expect(asArguments(serverSettings({ flavor, version }, 8 * GIB))).toContain(argument);
  });
});

test('no setting makes the server less durable than its makers ship it', () => {
  const names = serverSettings({ flavor: 'mysql', version: '8.4.3' }, GIB).map(({ name }) => name);
  expect(names.filter((name) => /flush|sync|doublewrite|checksum/.test(name))).toEqual([]);
});

test.each([
  '--skip-networking',
  '--skip_name_resolve=0',
  '--loose-socket=/x',
  '--bind-addr=0.0.0.0',
  '--disable-networking',
  'x',
])('the user may not give %s', (argument) => {
  expect(() => checkExtraArguments([argument])).toThrow(/private server|server option/i);
});

test.each([
  '--innodb-buffer-pool-size=1G',
  '--innodb_flush_log_at_trx_commit=2',
  '--skip-innodb-doublewrite',
  '--performance-schema',
  '--port-open-timeout=1',
  '--log-bin',
  '--user-statistics',
])('the user may give %s', (argument) => {
  expect(() => checkExtraArguments([argument])).not.toThrow();
});

test('the page size must be known when the data is made', () => {
  expect(initialArguments(['--innodb_page_size=4k', '--max-connections=5'])).toEqual(['--innodb_page_size=4k']);
});
