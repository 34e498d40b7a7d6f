/** The redo log: how fast it is written, and how far behind it the checkpoint is. */
import { defineProbe, type Moment, type ProbeFacts } from '../probe.ts';
import { NOT_READ, quotient, type StatusChange, statusChange } from '../status-change.ts';

export default defineProbe({
  summary: 'Redo written, the age of the checkpoint against what the log can hold, waits and flushes.',
  source: 'server',
  between(earlier, later, elapsedS, facts) {
    const status = statusChange(earlier, later);
    if (status === undefined) return NOT_READ;
    const perS = (...names: string[]) => ({ value: quotient(status.change(...names), elapsedS), unit: '1/s' });
    const age = ageOf(later);
    const capacity = capacityOf(status, facts);
    return status.readings({
      bytes_per_s: {
        ...perS('Innodb_lsn_current', 'Innodb_redo_log_current_lsn', 'Innodb_os_log_written'),
        unit: 'bytes/s',
      },
      written_bytes_per_s: { ...perS('Innodb_os_log_written'), unit: 'bytes/s' },
      write_requests_per_s: perS('Innodb_log_write_requests'),
      writes_per_s: perS('Innodb_log_writes'),
      waits_per_s: perS('Innodb_log_waits'),
      log_fsyncs_per_s: perS('Innodb_os_log_fsyncs'),
      fsyncs_per_s: perS('Innodb_data_fsyncs'),
      checkpoint_age_bytes: { value: age, unit: 'bytes' },
      capacity_bytes: { value: capacity, unit: 'bytes' },
      checkpoint_age_ratio: { value: quotient(age, capacity), unit: 'ratio' },
    });
  },
});

/** MariaDB tells it, MySQL since 8.0.30 by two positions, and before by a metric. */
function ageOf({ server }: Moment): number | undefined {
  const status = server?.status;
  const told = status?.get('Innodb_checkpoint_age') ?? server?.metrics?.get('log_lsn_checkpoint_age');
  if (told !== undefined) return told;
  const current = status?.get('Innodb_redo_log_current_lsn');
  const checkpoint = status?.get('Innodb_redo_log_checkpoint_lsn');
  return current === undefined || checkpoint === undefined ? undefined : current - checkpoint;
}

function capacityOf(status: StatusChange, { variables }: ProbeFacts): number | undefined {
  const told = status.now('Innodb_checkpoint_max_age', 'Innodb_redo_log_capacity_resized');
  if (told !== undefined && told > 0) return told;
  const capacity = Number(variables.get('innodb_redo_log_capacity') ?? Number.NaN);
  if (Number.isFinite(capacity)) return capacity;
  const size = Number(variables.get('innodb_log_file_size') ?? Number.NaN);
  const bytes = size * Number(variables.get('innodb_log_files_in_group') ?? 1);
  return Number.isFinite(bytes) ? bytes : undefined;
}
