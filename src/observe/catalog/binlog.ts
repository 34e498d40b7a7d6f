/** The binary log, and how many transactions share one flush of it. */
import { defineProbe } from '../probe.ts';
import { NOT_READ, quotient, statusChange } from '../status-change.ts';

export default defineProbe({
  summary: 'Commits through the binary log, and how many share one group.',
  source: 'server',
  between(earlier, later, elapsedS, { variables }) {
    const status = statusChange(earlier, later);
    if (status === undefined) return NOT_READ;
    if (/^(?:OFF|0)$/i.test(variables.get('log_bin') ?? '')) return 'The server writes no binary log.';
    const perS = (...names: string[]) => ({ value: quotient(status.change(...names), elapsedS), unit: '1/s' });
    return status.readings({
      commits_per_s: perS('Binlog_commits'),
      groups_per_s: perS('Binlog_group_commits'),
      commits_per_group: {
        value: quotient(status.change('Binlog_commits'), status.change('Binlog_group_commits')),
        unit: 'count',
      },
      bytes_per_s: { ...perS('Binlog_bytes_written'), unit: 'bytes/s' },
      cache_disk_use_per_s: perS('Binlog_cache_disk_use'),
    });
  },
});
