/** What the server's control group allows, and how often it took the processor away. */
import { HOST_NOT_READ, hostsOf, increase, present } from '../host-change.ts';
import { defineProbe } from '../probe.ts';
import { quotient } from '../status-change.ts';

const US_PER_S = 1e6;

export default defineProbe({
  summary: 'Limits of the control group on processors and memory, and how much it throttled.',
  source: 'host',
  between(earlier, later, elapsedS) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const before = hosts.before.cgroup;
    const after = hosts.after.cgroup;
    if (before === undefined || after === undefined)
      return 'No control group limits the server, or its files are hidden.';
    const throttled = increase(before.throttledPeriods, after.throttledPeriods);
    const throttledS = quotient(increase(before.throttledUs, after.throttledUs), US_PER_S);
    return present({
      throttled_ratio: { value: quotient(throttled, increase(before.periods, after.periods)), unit: 'ratio' },
      throttled_cores: { value: quotient(throttledS, elapsedS), unit: 'cores' },
      cpu_limit_cores: { value: after.cpuLimit, unit: 'cores' },
      memory_limit_bytes: { value: after.memoryLimitBytes, unit: 'bytes' },
    });
  },
});
