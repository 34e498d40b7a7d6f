/** What the figures say of the redo log: whether commits wait for it, how long a flush takes, whether it is full. */
import type { Evidence } from './evidence.ts';

/** At 0 and 2 the background does, once a second; 3 is MariaDB's alone. */
const FLUSHING = ['1', '3'];

export function flushesAtCommit({ variables }: Evidence): boolean {
  const redo = FLUSHING.includes(variables['innodb_flush_log_at_trx_commit'] ?? '1');
  return redo || flushesBinaryLog(variables);
}

function flushesBinaryLog(variables: Evidence['variables']): boolean {
  const isOn = /^(?:ON|1)$/i.test(variables['log_bin'] ?? '');
  return isOn && Number(variables['sync_binlog'] ?? 0) > 0;
}

/** As the disk tells it; a write where it counts no flushes: with O_DSYNC, or an older kernel. */
export function flushMs(evidence: Evidence): number | undefined {
  return (
    evidence.measured('disk', 'data_disk.flush_latency_ms') ?? evidence.measured('disk', 'data_disk.write_latency_ms')
  );
}

/** Where InnoDB begins to flush whatever the I/O capacity says. */
const AGE_MIN = 0.75;
/** Of the log, in a second: slower than this, it is not the size that keeps the checkpoint behind. */
const TURNOVERS_PER_S_MIN = 1 / 120;

export interface LogUse {
  /** 95th percentile, of what the log can hold. */
  readonly age: number;
  readonly bytesPerS: number;
  readonly capacityBytes: number;
  /** Pages flushed while sessions waited; MySQL tells. */
  readonly syncFlushedPerS: number;
}

export function logUse(evidence: Evidence): LogUse | undefined {
  const age = evidence.peak('redo_log', 'checkpoint_age_ratio', 0.95);
  const bytesPerS = evidence.measured('redo_log', 'bytes_per_s');
  const capacityBytes = evidence.measured('redo_log', 'capacity_bytes');
  if (age === undefined || bytesPerS === undefined || capacityBytes === undefined) return undefined;
  return {
    age,
    bytesPerS,
    capacityBytes,
    syncFlushedPerS: evidence.measured('buffer_pool', 'sync_flushed_per_s') ?? 0,
  };
}

export function isLogFull(evidence: Evidence): boolean {
  const use = logUse(evidence);
  if (use === undefined) return false;
  const turnsPerS = use.bytesPerS / use.capacityBytes;
  return use.syncFlushedPerS > 0 || (use.age >= AGE_MIN && turnsPerS >= TURNOVERS_PER_S_MIN);
}
