/** Whether the load generator itself sets the pace. */
import { increase, present } from '../host-change.ts';
import { defineProbe } from '../probe.ts';
import { quotient } from '../status-change.ts';

export default defineProbe({
  summary: 'Processors used by the client, how busy the event loop of each worker is, garbage collection, memory.',
  source: 'client',
  between(earlier, later, elapsedS) {
    const before = earlier.client;
    const after = later.client;
    if (before === undefined || after === undefined) return 'The client was not watched.';
    const cores = quotient(increase(before.cpuS, after.cpuS), elapsedS);
    const waiting = quotient(increase(before.runDelayS, after.runDelayS), elapsedS);
    const utilizations = after.eventLoopUtilizations;
    const collectedMs = increase(before.garbageCollectionMs, after.garbageCollectionMs);
    const each = utilizations.map((value, number) => [
      `worker${number}.event_loop_utilization`,
      { value, unit: 'ratio' },
    ]);
    return present({
      cpu_cores: { value: cores, unit: 'cores' },
      cpu_per_worker: { value: quotient(cores, utilizations.length), unit: 'cores' },
      waiting_threads: { value: waiting, unit: 'count' },
      run_delay_ratio: {
        value: waiting === undefined ? undefined : quotient(waiting, waiting + (cores ?? 0)),
        unit: 'ratio',
      },
      event_loop_utilization: {
        value: utilizations.length === 0 ? undefined : Math.max(...utilizations),
        unit: 'ratio',
      },
      garbage_collection_ms_per_s: { value: quotient(collectedMs, elapsedS), unit: 'ms/s' },
      resident_bytes: { value: after.residentBytes, unit: 'bytes' },
      ...Object.fromEntries(each),
    });
  },
});
