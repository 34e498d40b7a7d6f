/** Sessions that wait for each other's row locks. */
import { defineProbe } from '../probe.ts';
import { NOT_READ, quotient, statusChange } from '../status-change.ts';

export default defineProbe({
  summary: 'Waits for row locks, the time spent in them, deadlocks.',
  source: 'server',
  between(earlier, later, elapsedS) {
    const status = statusChange(earlier, later);
    if (status === undefined) return NOT_READ;
    const perS = (...names: string[]) => ({ value: quotient(status.change(...names), elapsedS), unit: '1/s' });
    const waitedMs = status.change('Innodb_row_lock_time');
    return status.readings({
      waits_per_s: perS('Innodb_row_lock_waits'),
      // Sessions that waited on average; the server counts a wait when it has ended.
      waiting: { value: quotient(waitedMs === undefined ? undefined : waitedMs / 1000, elapsedS), unit: 'sessions' },
      mean_wait_ms: { value: quotient(waitedMs, status.change('Innodb_row_lock_waits')), unit: 'ms' },
      waiting_now: { value: status.now('Innodb_row_lock_current_waits'), unit: 'sessions' },
      deadlocks_per_s: perS('Innodb_deadlocks', 'lock_deadlocks'),
    });
  },
});
