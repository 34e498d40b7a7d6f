/** The server's settings that a reader needs to judge a figure. */
import type { Connection } from '../wire/types.ts';

/** Where a server lacks one, it is left out: names differ between flavors and versions. Nothing here is a secret. */
const THAT_MATTER = [
  // What it is
  'version',
  'version_comment',
  'version_compile_machine',
  'version_compile_os',
  'default_storage_engine',
  // Durability
  'innodb_flush_log_at_trx_commit',
  'innodb_flush_log_at_timeout',
  'innodb_flush_method',
  'innodb_doublewrite',
  'innodb_use_fdatasync',
  'innodb_log_file_buffering',
  'innodb_data_file_buffering',
  'innodb_data_file_write_through',
  'log_bin',
  'sync_binlog',
  'binlog_format',
  'binlog_row_image',
  'rpl_semi_sync_master_enabled',
  'rpl_semi_sync_source_enabled',
  'aria_sync_log_dir',
  // Memory
  'innodb_buffer_pool_size',
  'innodb_buffer_pool_instances',
  'innodb_buffer_pool_chunk_size',
  'innodb_dedicated_server',
  'innodb_log_buffer_size',
  'key_buffer_size',
  'sort_buffer_size',
  'join_buffer_size',
  'tmp_table_size',
  'max_heap_table_size',
  'query_cache_type',
  'query_cache_size',
  'large_pages',
  // Redo, flushing and reading
  'innodb_log_file_size',
  'innodb_log_files_in_group',
  'innodb_redo_log_capacity',
  'innodb_io_capacity',
  'innodb_io_capacity_max',
  'innodb_flush_neighbors',
  'innodb_max_dirty_pages_pct',
  'innodb_adaptive_flushing',
  'innodb_adaptive_hash_index',
  'innodb_change_buffering',
  'innodb_read_io_threads',
  'innodb_write_io_threads',
  'innodb_page_cleaners',
  'innodb_purge_threads',
  'innodb_use_native_aio',
  'innodb_page_size',
  'innodb_checksum_algorithm',
  'innodb_file_per_table',
  'innodb_fill_factor',
  'innodb_compression_default',
  'innodb_encrypt_tables',
  // Concurrency
  'max_connections',
  'back_log',
  'thread_handling',
  'thread_pool_size',
  'thread_cache_size',
  'innodb_thread_concurrency',
  'innodb_lock_wait_timeout',
  'innodb_deadlock_detect',
  'innodb_autoinc_lock_mode',
  'innodb_snapshot_isolation',
  'transaction_isolation',
  'tx_isolation',
  'autocommit',
  'table_open_cache',
  'table_open_cache_instances',
  'table_definition_cache',
  'open_files_limit',
  'max_prepared_stmt_count',
  'max_allowed_packet',
  // What costs on the way
  'performance_schema',
  'general_log',
  'slow_query_log',
  'userstat',
  'skip_name_resolve',
  'require_secure_transport',
  'character_set_server',
  'collation_server',
  'sql_mode',
  'local_infile',
  'read_only',
  'super_read_only',
] as const;

/** As this session sees them: the session's value where there is one, the global one elsewhere. */
export async function readVariables(connection: Connection): Promise<Readonly<Record<string, string>>> {
  const { rows } = await connection.read('SHOW VARIABLES');
  const all = new Map(rows.map(([name, value]) => [String(name), String(value ?? '')]));
  const present = THAT_MATTER.filter((name) => all.has(name));
  return Object.fromEntries(present.map((name) => [name, all.get(name) ?? '']));
}

/** Settings by which a commit that was acknowledged may be lost, each as a sentence; empty for a durable server. */
export function durabilityGaps(variables: Readonly<Record<string, string>>): string[] {
  const is = (name: string, ...values: readonly string[]) => values.includes(variables[name]?.toUpperCase() ?? '');
  const gaps: string[] = [];
  const flush = variables['innodb_flush_log_at_trx_commit'];
  // MariaDB's 3 is as durable as 1: it makes group commit flush as of old.
  if (flush !== undefined && !['1', '3'].includes(flush)) {
    gaps.push(`innodb_flush_log_at_trx_commit = ${flush}: about a second of commits can be lost`);
  }
  if (is('log_bin', 'ON', '1') && !is('sync_binlog', '1', '')) {
    gaps.push(`sync_binlog = ${variables['sync_binlog']}: the binary log can lack commits after a crash`);
  }
  if (is('innodb_doublewrite', 'OFF', '0', 'DETECT_ONLY')) {
    gaps.push(
      `innodb_doublewrite = ${variables['innodb_doublewrite']}: a page half written at a power cut cannot be repaired`,
    );
  }
  if (is('innodb_flush_method', 'NOSYNC', 'LITTLESYNC')) {
    gaps.push(`innodb_flush_method = ${variables['innodb_flush_method']}: writes are not flushed to the disk`);
  }
  return gaps;
}
