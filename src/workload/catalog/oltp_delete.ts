/** oltp_delete: rows that go and do not come back. */
import { defineOltp } from '../oltp/family.ts';

export default defineOltp({
  summary: 'One delete by id; the rows do not come back.',
  details: [
    'Nothing refills the table: as rows run out, deletes find nothing to delete. The report counts these apart, as ' +
      'writes without effect. Other workloads then miss rows: cleanup and prepare before them.',
  ],
  transaction: 'delete',
  groups: ['one_delete'],
  hasTransaction: false,
  rowsMin: 1,
});
