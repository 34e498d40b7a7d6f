/** oltp_write_only: the writes of oltp_read_write without its reads. */
import { defineOltp } from '../oltp/family.ts';
import { WRITE_GROUPS } from '../oltp/statements.ts';

export default defineOltp({
  summary: 'The writes of oltp_read_write: two updates, a delete and an insert, in a transaction.',
  transaction: 'write_only',
  groups: WRITE_GROUPS,
  hasTransaction: true,
});
