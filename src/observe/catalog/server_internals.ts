/** What else slows a server down: temporary tables on disk, tables opened again and again, old versions of rows. */
import { defineProbe } from '../probe.ts';
import { NOT_READ, quotient, statusChange } from '../status-change.ts';

export default defineProbe({
  summary: 'Temporary tables, the cache of open tables, sorts, rows read without an index, purge.',
  source: 'server',
  between(earlier, later, elapsedS) {
    const status = statusChange(earlier, later);
    if (status === undefined) return NOT_READ;
    const perS = (...names: string[]) => ({ value: quotient(status.change(...names), elapsedS), unit: '1/s' });
    return status.readings({
      temporary_tables_per_s: perS('Created_tmp_tables'),
      temporary_disk_tables_per_s: perS('Created_tmp_disk_tables'),
      opened_tables_per_s: perS('Opened_tables'),
      table_cache_misses_per_s: perS('Table_open_cache_misses'),
      table_cache_overflows_per_s: perS('Table_open_cache_overflows'),
      table_locks_waited_per_s: perS('Table_locks_waited'),
      sort_merge_passes_per_s: perS('Sort_merge_passes'),
      full_joins_per_s: perS('Select_full_join'),
      rows_scanned_per_s: perS('Handler_read_rnd_next'),
      rows_by_key_per_s: perS('Handler_read_key'),
      history_list_length: { value: status.now('Innodb_history_list_length', 'trx_rseg_history_len'), unit: 'count' },
    });
  },
});
