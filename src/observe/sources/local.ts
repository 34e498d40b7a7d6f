/** This machine: its own /proc and /sys. */
import { monotonicMs } from '../../base/clock.ts';
import type { HostFacts, HostSample, HostSource, HostTarget, SampleLook } from '../host-sample.ts';
import { LinuxHost } from './linux.ts';
import { localFiles } from './local-files.ts';

const MS_PER_S = 1000;

/**
 * Rejects where this is no Linux. What it costs is told as the client's, since both are one machine: the time that
 * reading takes, which is the processor's, as nothing in it waits.
 */
export async function openLocalHost(target: HostTarget): Promise<HostSource> {
  if (process.platform !== 'linux') throw new Error(`A host that runs ${process.platform} tells nothing of itself.`);
  const host = await LinuxHost.open(localFiles, target);
  let samples = 0;
  let clientCpuS = 0;
  const sample = async (look?: SampleLook): Promise<HostSample> => {
    const startMs = monotonicMs();
    const sampled = await host.sample(look);
    samples++;
    clientCpuS += (monotonicMs() - startMs) / MS_PER_S;
    return sampled;
  };
  return {
    description: 'this machine',
    sample,
    facts: (): Promise<HostFacts> => host.facts(),
    room: () => host.room(),
    get cost() {
      return { samples, clientCpuS };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
