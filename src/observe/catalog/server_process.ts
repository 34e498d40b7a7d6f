/** What the database server's own process uses. */
import { HOST_NOT_READ, hostsOf, increase, present } from '../host-change.ts';
import type { ProcessCounters } from '../host-sample.ts';
import { defineProbe } from '../probe.ts';
import { quotient } from '../status-change.ts';

export default defineProbe({
  summary: "The server process's processors, time waiting for one, input and output, faults and memory.",
  source: 'host',
  between(earlier, later, elapsedS, { serverCores }) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const before = hosts.before.server;
    const after = hosts.after.server;
    if (before === undefined || after === undefined)
      return 'The server has no process on the host that could be found.';
    // It was started again: another process, another count.
    if (before.pid !== after.pid || before.startedAtS !== after.startedAtS) return {};
    const perS = (name: 'readBytes' | 'writtenBytes' | 'majorFaults') =>
      quotient(increase(before[name], after[name]), elapsedS);
    const cores = quotient(increase(before.cpuS, after.cpuS), elapsedS);
    const waiting = waitingThreads(before, after);
    return present({
      cpu_cores: { value: cores, unit: 'cores' },
      cpu_ratio: { value: quotient(cores, serverCores), unit: 'ratio' },
      waiting_threads: { value: waiting, unit: 'count' },
      run_delay_ratio: {
        value: waiting === undefined ? undefined : quotient(waiting, waiting + (cores ?? 0)),
        unit: 'ratio',
      },
      read_bytes_per_s: { value: perS('readBytes'), unit: 'bytes/s' },
      written_bytes_per_s: { value: perS('writtenBytes'), unit: 'bytes/s' },
      major_faults_per_s: { value: perS('majorFaults'), unit: '1/s' },
      resident_bytes: { value: after.residentBytes, unit: 'bytes' },
    });
  },
});

/**
 * On average, threads that could run and had no processor. It has times of its own, since many threads are asked less
 * often; threads that ended took theirs with them, so that the sum may fall.
 */
function waitingThreads(before: ProcessCounters, after: ProcessCounters): number | undefined {
  const passedS = increase(before.runDelayAtS, after.runDelayAtS);
  return passedS === 0 ? undefined : quotient(increase(before.runDelayS, after.runDelayS), passedS);
}
