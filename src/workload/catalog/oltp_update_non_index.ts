/** oltp_update_non_index: an update that touches the row alone. */
import { defineOltp } from '../oltp/family.ts';

export default defineOltp({
  summary: 'One update of a column without an index, by id.',
  transaction: 'non_index_update',
  groups: ['non_index_updates'],
  hasTransaction: false,
});
