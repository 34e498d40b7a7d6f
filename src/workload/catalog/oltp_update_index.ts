/** oltp_update_index: an update that has to keep an index in order too. */
import { defineOltp } from '../oltp/family.ts';

export default defineOltp({
  summary: 'One update of an indexed column, by id.',
  transaction: 'index_update',
  groups: ['index_updates'],
  hasTransaction: false,
});
