/** oltp_read_only: the reads of an order desk, none of the writes. */
import { defineOltp } from '../oltp/family.ts';
import { RANGE_GROUPS } from '../oltp/statements.ts';

export default defineOltp({
  summary: 'Ten rows by id and four range reads, in a transaction.',
  transaction: 'read_only',
  groups: ['point_selects', ...RANGE_GROUPS],
  hasTransaction: true,
});
