/** oltp_read_write: sysbench's classic, reads and writes of five kinds in one transaction. */
import { defineOltp } from '../oltp/family.ts';
import { RANGE_GROUPS, WRITE_GROUPS } from '../oltp/statements.ts';

export default defineOltp({
  summary: 'The reads of oltp_read_only, then two updates, a delete and an insert, in a transaction.',
  transaction: 'read_write',
  groups: ['point_selects', ...RANGE_GROUPS, ...WRITE_GROUPS],
  hasTransaction: true,
});
