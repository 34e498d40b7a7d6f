import { expect, test } from 'vitest';
import { durabilityGaps } from './variables.ts';

const DURABLE = {
  innodb_flush_log_at_trx_commit: '1',
  innodb_doublewrite: 'ON',
  innodb_flush_method: 'O_DIRECT',
  log_bin: 'ON',
  sync_binlog: '1',
};

test.each([
  { change: {}, gaps: 0, because: 'all is flushed' },
  { change: { innodb_flush_log_at_trx_commit: '3' }, gaps: 0, because: "MariaDB's 3 flushes as 1 does" },
  { change: { innodb_flush_log_at_trx_commit: '2' }, gaps: 1, because: 'a second can be lost' },
  { change: { innodb_flush_log_at_trx_commit: '0', innodb_doublewrite: 'OFF' }, gaps: 2, because: 'each is told' },
  { change: { innodb_doublewrite: 'DETECT_ONLY' }, gaps: 1, because: 'what is only found is not repaired' },
  { change: { sync_binlog: '0' }, gaps: 1, because: 'the binary log may lag' },
  { change: { log_bin: 'OFF', sync_binlog: '0' }, gaps: 0, because: 'without a binary log it does not matter' },
  { change: { innodb_flush_method: 'nosync' }, gaps: 1, because: 'nothing is flushed' },
])('$change: $because', ({ change, gaps }) => {
  expect(durabilityGaps({ ...DURABLE, ...change })).toHaveLength(gaps);
});

test('what a server does not tell is not held against it', () => {
  expect(durabilityGaps({})).toEqual([]);
});
