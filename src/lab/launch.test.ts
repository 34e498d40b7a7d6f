import { expect, test } from 'vitest';
import { remedyFor } from './launch.ts';

/** As MariaDB 10.11 and MySQL 8 write them. */
test.each([
  { log: '[ERROR] InnoDB: preallocating 536870912 bytes for file ./ib_logfile101 failed with error 28', says: 'full' },
  { log: '[ERROR] InnoDB: Operating system error number 28 in a file operation.', says: 'full' },
  { log: 'Error writing file \'./mysql/db.MAI\' (Errcode: 28 "No space left on device")', says: 'full' },
  { log: '[ERROR] [MY-012639] [InnoDB] Write to file ./ibtmp1 failed at offset 0, OS error 28', says: 'full' },
  { log: '[ERROR] mariadbd: unknown variable "innodb_log_size=5"', says: 'server option' },
  { log: '[ERROR] InnoDB: Cannot allocate memory for the buffer pool', says: 'less memory' },
  { log: "Can't create/write to file './x' (Errcode: 13 \"Permission denied\")", says: /AppArmor|this user/ },
  { log: '[ERROR] InnoDB: Unable to lock ./ibdata1 error: 11', says: 'Another server' },
])('$log: $says', ({ log, says }) => {
  expect(remedyFor(log)).toMatch(says);
});

test.each(['', '[ERROR] Aborting', '[Note] InnoDB: End of log at LSN=28', '[ERROR] error 280'])(
  '"%s" is no sign of anything',
  (log) => {
    expect(remedyFor(log)).toBeUndefined();
  },
);
