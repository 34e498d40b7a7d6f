/** Sessions wait for the log to be flushed. */
import { figure, percent, type Rule } from '../verdict.ts';

const SHARE_MIN = 0.4;
const HOST_BUSY_MAX = 0.75;

const commit: Rule = ({ evidence, shares }) => {
  const share = shares.commit ?? 0;
  const busy = evidence.measured('cpu', 'busy') ?? 0;
  if (share < SHARE_MIN || busy > HOST_BUSY_MAX) return undefined;
  const count = evidence.commits > 0 ? evidence.commits : evidence.writes;
  const seconds = evidence.commits > 0 ? evidence.commitS : evidence.writeS;
  const flushes = evidence.measured('redo_log', 'log_fsyncs_per_s') ?? evidence.measured('redo_log', 'fsyncs_per_s');
  const writeAwaitMs = evidence.measured('disk', 'data_disk.write_latency_ms');
  const flushAwaitMs = evidence.measured('disk', 'data_disk.flush_latency_ms');
  const setting = evidence.variables['innodb_flush_log_at_trx_commit'];
  return {
    role: 'bottleneck',
    is: 'Commits wait for the disk: flushing the log sets the pace.',
    share,
    evidence: [
      `sessions spent ${percent(share)} of their time in commits, ${figure((seconds / Math.max(1, count)) * 1000)} ms each`,
      ...(flushes === undefined ? [] : [`the server flushed ${figure(flushes)} times a second`]),
      ...(flushAwaitMs === undefined ? [] : [`a flush of the disk took ${figure(flushAwaitMs)} ms`]),
      ...(writeAwaitMs === undefined ? [] : [`write latency of the disk was ${figure(writeAwaitMs)} ms`]),
      `the processors were busy ${percent(busy)} of the time`,
      ...(setting === undefined ? [] : [`innodb_flush_log_at_trx_commit = ${setting}`]),
    ],
    confirmBy:
      'With innodb_flush_log_at_trx_commit = 2 (and sync_binlog = 0), which is not durable, the rate rises by 30 % or more.',
    advice:
      'Put more work into one transaction, let more sessions commit together, or take a disk that flushes faster (with power-loss protection).',
  };
};

export default commit;
