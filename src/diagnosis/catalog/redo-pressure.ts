/** The redo log is too small for the rate at which it is written: pages are written back in a hurry. */
import { isLogFull, logUse } from '../log.ts';
import { figure, percent, type Rule } from '../verdict.ts';

/** Of the sessions' time. */
const SHARE_MIN = 0.3;

const redoPressure: Rule = ({ evidence, shares }) => {
  const use = logUse(evidence);
  if (use === undefined || !isLogFull(evidence)) return undefined;
  const { age, bytesPerS, capacityBytes, syncFlushedPerS } = use;
  const name = 'innodb_redo_log_capacity' in evidence.variables ? 'innodb_redo_log_capacity' : 'innodb_log_file_size';
  const share = shares.checkpoint ?? 0;
  return {
    role: share >= SHARE_MIN ? 'bottleneck' : 'contributes',
    is:
      share >= SHARE_MIN
        ? 'Writes wait for room in the redo log, which is too small.'
        : 'The redo log is too small: pages are written back early and in a hurry.',
    share,
    evidence: [
      `the checkpoint was up to ${percent(age)} of the log behind (at the 95th percentile)`,
      `${figure(bytesPerS / 2 ** 20)} MiB of redo a second fill its ${figure(capacityBytes / 2 ** 20)} MiB in ${figure(capacityBytes / bytesPerS)} s`,
      ...(shares.checkpoint === undefined
        ? []
        : [`sessions spent ${percent(share)} of their time in writes that waited for no lock, read or processor`]),
      ...(syncFlushedPerS > 0 ? [`${figure(syncFlushedPerS)} pages a second were flushed while sessions waited`] : []),
    ],
    confirmBy: `With twice the ${name} the rate rises, and the stalls go.`,
    advice: `Raise ${name} to what is written in an hour of peak load, as far as the time for recovery allows.`,
  };
};

export default redoPressure;
