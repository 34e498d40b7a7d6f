/** InnoDB's cache: what it holds, what it misses, and how it is written back. */
import { defineProbe } from '../probe.ts';
import { NOT_READ, quotient, statusChange } from '../status-change.ts';

export default defineProbe({
  summary: 'Pages held, free and dirty, reads that missed, pages written back, waits for a free page.',
  source: 'server',
  between(earlier, later, elapsedS, { variables }) {
    const status = statusChange(earlier, later);
    if (status === undefined) return NOT_READ;
    const perS = (...names: string[]) => ({ value: quotient(status.change(...names), elapsedS), unit: '1/s' });
    const pageBytes = status.now('Innodb_page_size') ?? Number(variables.get('innodb_page_size') ?? 16_384);
    const of = (pages: number | undefined) => (pages === undefined ? undefined : pages * pageBytes);
    const missed = status.change('Innodb_buffer_pool_reads');
    return status.readings({
      misses_per_s: perS('Innodb_buffer_pool_reads'),
      read_requests_per_s: perS('Innodb_buffer_pool_read_requests'),
      miss_ratio: { value: quotient(missed, status.change('Innodb_buffer_pool_read_requests')), unit: 'ratio' },
      pending_reads: { value: status.now('Innodb_data_pending_reads'), unit: 'count' },
      read_ahead_per_s: perS('Innodb_buffer_pool_read_ahead'),
      pages_read_per_s: perS('Innodb_pages_read', 'Innodb_data_reads'),
      pages_written_per_s: perS('Innodb_pages_written', 'Innodb_buffer_pool_pages_flushed'),
      lru_flushed_per_s: perS('Innodb_buffer_pool_pages_lru_flushed', 'Innodb_buffer_pool_pages_LRU_flushed'),
      sync_flushed_per_s: perS('buffer_flush_sync_total_pages'),
      wait_free_per_s: perS('Innodb_buffer_pool_wait_free'),
      total_bytes: { value: of(status.now('Innodb_buffer_pool_pages_total')), unit: 'bytes' },
      data_bytes: { value: of(status.now('Innodb_buffer_pool_pages_data')), unit: 'bytes' },
      free_bytes: { value: of(status.now('Innodb_buffer_pool_pages_free')), unit: 'bytes' },
      dirty_bytes: { value: of(status.now('Innodb_buffer_pool_pages_dirty')), unit: 'bytes' },
      dirty_ratio: {
        value: quotient(status.now('Innodb_buffer_pool_pages_dirty'), status.now('Innodb_buffer_pool_pages_data')),
        unit: 'ratio',
      },
    });
  },
});
