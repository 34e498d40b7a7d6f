/** Sessions wait for their commits, as a rule for the log to be flushed. */
import { flushesAtCommit } from '../log.ts';
import { busyLine } from '../processors.ts';
import { figure, percent, type Rule } from '../verdict.ts';

const SHARE_MIN = 0.4;
/** Where the kernel does not tell who waits for a processor: a busy host may be all that commits wait for. */
const HOST_BUSY_MAX = 0.75;

/** A commit waits for a few flushes, and for those of others; not for so many. */
const ABOVE_DISK_MIN = 20;

const commit: Rule = ({ evidence, shares }) => {
  const share = shares.commit ?? 0;
  const busy = evidence.measured('cpu', 'busy') ?? 0;
  const isDoubtful = busy > HOST_BUSY_MAX && shares['cpu-queue'] === undefined;
  if (share < SHARE_MIN || isDoubtful) return undefined;
  const flushesLog = flushesAtCommit(evidence);
  const count = evidence.commits > 0 ? evidence.commits : evidence.writes;
  const seconds = evidence.commits > 0 ? evidence.commitS : evidence.writeS;
  const flushes = evidence.measured('redo_log', 'log_fsyncs_per_s') ?? evidence.measured('redo_log', 'fsyncs_per_s');
  const writeAwaitMs = evidence.measured('disk', 'data_disk.write_latency_ms');
  const flushAwaitMs = evidence.measured('disk', 'data_disk.flush_latency_ms');
  const eachMs = (seconds / Math.max(1, count)) * 1000;
  // Counted where the disk is: what holds flushes up above it is in no figure of the disk.
  const isAboveDisk = flushesLog && flushAwaitMs !== undefined && eachMs > ABOVE_DISK_MIN * flushAwaitMs;
  const setting = evidence.variables['innodb_flush_log_at_trx_commit'];
  return {
    role: 'bottleneck',
    is: flushesLog
      ? `Commits wait for the ${isAboveDisk ? 'log to be flushed, though the disk is fast' : 'disk, where the log is flushed'}.`
      : 'Commits wait, though the log is not flushed for them.',
    share,
    evidence: [
      `sessions spent ${percent(share)} of their time in commits, ${figure(eachMs)} ms each`,
      ...(flushes === undefined ? [] : [`the server flushed ${figure(flushes)} times a second`]),
      ...(flushAwaitMs === undefined ? [] : [`a flush of the disk took ${figure(flushAwaitMs)} ms`]),
      ...(isAboveDisk ? ['so most of the waiting is above the disk: file system, volume, or whatever serves it'] : []),
      ...(writeAwaitMs === undefined ? [] : [`write latency of the disk was ${figure(writeAwaitMs)} ms`]),
      busyLine(evidence),
      ...(setting === undefined ? [] : [`innodb_flush_log_at_trx_commit = ${setting}`]),
    ],
    confirmBy: flushesLog
      ? 'With innodb_flush_log_at_trx_commit = 2 (and sync_binlog = 0), which is not durable, the rate rises by 30 % or more.'
      : 'Without replicas that acknowledge, on a server of its own, the rate rises by 30 % or more.',
    advice: isAboveDisk
      ? 'Put more work into one transaction, let more sessions commit together, and look at what lies between the server and the disk: file system and its options, volume, encryption, network storage, system calls that are traced.'
      : flushesLog
        ? 'Put more work into one transaction, let more sessions commit together, or take a disk that flushes faster (with power-loss protection).'
        : 'Look at what else a commit waits for: semi-synchronous replication, a cluster, writing the binary log.',
  };
};

export default commit;
