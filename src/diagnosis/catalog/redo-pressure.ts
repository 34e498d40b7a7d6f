/** The redo log is too small for the rate at which it is written: pages are written back in a hurry. */
import { figure, percent, type Rule } from '../verdict.ts';

/** Where InnoDB begins to flush whatever the I/O capacity says. */
const AGE_MIN = 0.75;
/** Of the log, in a second. */
const TURNOVERS_PER_S_MIN = 1 / 120;

const redoPressure: Rule = ({ evidence }) => {
  const age = evidence.peak('redo_log', 'checkpoint_age_ratio', 0.95);
  const bytesPerS = evidence.measured('redo_log', 'bytes_per_s');
  const capacity = evidence.measured('redo_log', 'capacity_bytes');
  const syncFlushed = evidence.measured('buffer_pool', 'sync_flushed_per_s') ?? 0;
  if (age === undefined || bytesPerS === undefined || capacity === undefined) return undefined;
  const turnsPerS = bytesPerS / capacity;
  if (syncFlushed === 0 && (age < AGE_MIN || turnsPerS < TURNOVERS_PER_S_MIN)) return undefined;
  const name = 'innodb_redo_log_capacity' in evidence.variables ? 'innodb_redo_log_capacity' : 'innodb_log_file_size';
  return {
    role: 'contributes',
    is: 'The redo log is too small: pages are written back early and in a hurry.',
    evidence: [
      `the checkpoint was up to ${percent(age)} of the log behind (at the 95th percentile)`,
      `${figure(bytesPerS / 2 ** 20)} MiB of redo a second fill its ${figure(capacity / 2 ** 20)} MiB in ${figure(1 / turnsPerS)} s`,
      ...(syncFlushed > 0 ? [`${figure(syncFlushed)} pages a second were flushed while sessions waited`] : []),
    ],
    confirmBy: `With twice the ${name} the rate rises, and the stalls go.`,
    advice: `Raise ${name} to what is written in an hour of peak load, as far as the time for recovery allows.`,
  };
};

export default redoPressure;
