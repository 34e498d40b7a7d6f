/** Pressure stall information: shares of the time in which tasks waited for a resource. What `iowait` only hints at. */
import { HOST_NOT_READ, hostsOf, increase, present } from '../host-change.ts';
import type { PressureCounters } from '../host-sample.ts';
import { defineProbe } from '../probe.ts';
import { quotient } from '../status-change.ts';

const US_PER_S = 1e6;

export default defineProbe({
  summary: 'Shares of the time in which some, or all, tasks waited for a processor, a disk or memory.',
  source: 'host',
  between(earlier, later, elapsedS) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const before = hosts.before.pressure;
    const after = hosts.after.pressure;
    if (before === undefined || after === undefined) {
      return 'The host tells no pressure (PSI): its kernel is older than 4.20, or was built or booted without.';
    }
    const share = (name: keyof PressureCounters) => {
      const value = quotient(increase(before[name], after[name]), elapsedS * US_PER_S);
      // Two clocks that are read one after the other may show more than all of the time.
      return { value: value === undefined ? undefined : Math.min(1, value), unit: 'ratio' };
    };
    return present({
      cpu_some: share('cpuSomeUs'),
      io_some: share('ioSomeUs'),
      io_full: share('ioFullUs'),
      memory_some: share('memorySomeUs'),
      memory_full: share('memoryFullUs'),
    });
  },
});
