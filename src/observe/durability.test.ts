import { expect, test } from 'vitest';
import { durabilityOf } from './durability.ts';

const SAFE = { innodb_flush_log_at_trx_commit: '1', innodb_doublewrite: 'ON', log_bin: 'OFF', sync_binlog: '0' };

test.each([
  { changes: {}, is: 'D4' },
  { changes: { log_bin: 'ON', sync_binlog: '1' }, is: 'D4' },
  { changes: { log_bin: 'ON', sync_binlog: '0' }, is: 'D2' },
  { changes: { log_bin: 'ON', innodb_flush_log_at_trx_commit: '3' }, is: 'D4' },
  { changes: { innodb_flush_log_at_trx_commit: '2' }, is: 'D2' },
  { changes: { innodb_flush_log_at_trx_commit: '2', innodb_log_file_buffering: 'OFF' }, is: 'D3' },
  { changes: { innodb_flush_log_at_trx_commit: '0' }, is: 'D1' },
  { changes: { innodb_doublewrite: 'OFF' }, is: 'D0' },
  { changes: { innodb_flush_method: 'nosync' }, is: 'D0' },
])('$changes: $is', ({ changes, is }) => {
  const found = durabilityOf({ ...SAFE, ...changes });
  expect(found.is).toBe(is);
  expect(found.because).toMatch(/^[A-Z].*\.$/);
});

test('a disk that does not keep its flushes leaves nothing to promise', () => {
  expect(durabilityOf(SAFE, { keepsFlushes: false, because: 'cache=unsafe' })).toEqual({
    is: 'unknown',
    because: 'cache=unsafe',
  });
  expect(durabilityOf(SAFE).because).toMatch(/provided/);
  expect(durabilityOf(SAFE, { keepsFlushes: true }).because).not.toMatch(/provided/);
  expect(durabilityOf({})).toMatchObject({ is: 'unknown' });
});
