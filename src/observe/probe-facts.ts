/** What probes need to know of a host, out of its facts. */
import type { HostFacts } from './host-sample.ts';
import type { ProbeFacts } from './probe.ts';

export function probeFactsOf(facts: HostFacts): Pick<ProbeFacts, 'dataDisk' | 'dataDiskSlaves' | 'serverCores'> {
  const disk = facts['disk.name'];
  const below = facts['disk.below'];
  const cores = facts['server.cores'] ?? facts['cpu.threads'];
  return {
    ...(typeof disk === 'string' ? { dataDisk: disk } : {}),
    ...(typeof below === 'string' ? { dataDiskSlaves: below.split(', ') } : {}),
    ...(typeof cores === 'number' ? { serverCores: cores } : {}),
  };
}
