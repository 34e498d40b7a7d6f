/** What counts as the same value, what of a server's answer is told, and what as drift. */
import { describe, expect, test } from 'vitest';
import { driftOf, effectiveOf, isSameValue } from './effective.ts';

describe('an asked value and an effective one', () => {
  test.each([
    { asked: '9G', effective: '9663676416', same: true, because: 'units are of 1024' },
    { asked: '67000K', effective: '68157440', same: false, because: 'it was rounded up to a whole MiB' },
    { asked: '64m', effective: '67108864', same: true, because: 'units in small letters are as good' },
    { asked: '0.5', effective: '0.500000', same: true, because: 'servers print all decimals' },
    { asked: 'ON', effective: '1', same: true, because: 'some switches are told as numbers' },
    { asked: '0', effective: 'OFF', same: true, because: 'and others as words' },
    { asked: 'OFF', effective: 'ON', same: false, because: 'they differ' },
    { asked: '2', effective: 'ON', same: false, because: 'a number is no switch' },
    { asked: 'o_direct', effective: 'O_DIRECT', same: true, because: 'words are told in capitals' },
    { asked: 'NO_ZERO_DATE, ANSI', effective: 'ANSI,NO_ZERO_DATE', same: true, because: 'lists have no order' },
    { asked: './undo/', effective: './undo', same: true, because: 'a folder is one with or without a slash' },
  ])('$asked and $effective: $same, since $because', ({ asked, effective, same }) => {
    expect(isSameValue(asked, effective)).toBe(same);
  });
});

describe('what the server made of it', () => {
  const variables = new Map([
    ['innodb_buffer_pool_size', '68157440'],
    ['log_bin', 'ON'],
    ['skip_name_resolve', 'ON'],
    ['innodb_adaptive_hash_index', 'OFF'],
  ]);

  test.each([
    { asked: { 'innodb-buffer-pool-size': '65M' }, adjusted: [] },
    {
      asked: { 'loose-innodb-buffer-pool-size': '64M' },
      adjusted: [{ name: 'loose-innodb-buffer-pool-size', asked: '64M', effective: '68157440' }],
    },
    { asked: { log_bin: 'binlog' }, adjusted: [] },
    { asked: { skip_log_bin: '' }, adjusted: [{ name: 'skip_log_bin', asked: '', effective: 'ON' }] },
    { asked: { 'skip-log-bin': '0' }, adjusted: [] },
    { asked: { skip_name_resolve: '' }, adjusted: [] },
    { asked: { skip_innodb_adaptive_hash_index: '' }, adjusted: [] },
    {
      asked: { enable_innodb_adaptive_hash_index: '' },
      adjusted: [{ name: 'enable_innodb_adaptive_hash_index', asked: '', effective: 'OFF' }],
    },
  ])('$asked', ({ asked, adjusted }) => {
    expect(effectiveOf(asked as Record<string, string>, variables, '')).toEqual({ adjusted, notes: [] });
  });

  test('its warnings about an option are told, and those about others are not', () => {
    const log = [
      "2026-11-30 23:02:24 0 [Warning] 'innodb-buffer-pool-instances' was removed. It does nothing now.",
      '2026-11-30T23:02:24Z 0 [Warning] [MY-011069] [Server] The syntax --log-slow-extra is deprecated.',
      '2026-11-30 23:02:24 0 [Note] InnoDB: innodb_buffer_pool_size=4g',
    ].join('\n');
    expect(effectiveOf({ innodb_buffer_pool_instances: '4', log_slow_extra: '1' }, variables, log).notes).toEqual([
      "The server says of innodb_buffer_pool_instances: 'innodb-buffer-pool-instances' was removed. It does nothing now.",
      'The server says of log_slow_extra: The syntax --log-slow-extra is deprecated.',
    ]);
    expect(effectiveOf({ innodb_buffer_pool: '1', plugin_load_add: 'x' }, variables, log).notes).toEqual([
      'innodb_buffer_pool is no variable of this server, so what became of it cannot be read back.',
    ]);
  });
});

test('drift is what differs from the first run, but for what differs at each start', () => {
  const before = new Map([
    ['port', '20001'],
    ['pid_file', '/a'],
    ['server_uuid', 'x'],
    ['max_connections', '100'],
    ['sort_buffer_size', '1'],
  ]);
  const now = new Map([
    ['port', '20002'],
    ['pid_file', '/b'],
    ['server_uuid', 'y'],
    ['max_connections', '101'],
    ['init_connect', ''],
  ]);
  expect(driftOf(before, now)).toEqual([
    'init_connect is empty, and was absent in the first run of it.',
    'max_connections is 101, and was 100 in the first run of it.',
    'sort_buffer_size is absent, and was 1 in the first run of it.',
  ]);
  expect(driftOf(undefined, now)).toEqual([]);
});
