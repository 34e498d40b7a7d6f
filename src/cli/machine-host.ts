/** The host of a machine's card: its facts, and how much of it was given to others meanwhile. */
import { availableParallelism, freemem, totalmem } from 'node:os';
import { formatPercent } from '../base/units.ts';
import type { MachineFacts } from '../model/machine-card.ts';
import type { Finding } from '../model/run.ts';
import { hostFacts } from '../observe/host.ts';
import type { CpuTimes, HostSource } from '../observe/host-sample.ts';
import { openLocalHost } from '../observe/sources/local.ts';

export interface MachineHost {
  readonly facts: MachineFacts;
  /** Of the time since it was opened. */
  findings(): Promise<readonly Finding[]>;
}

/** `directory` is where the disk is measured. */
export async function openMachineHost(directory: string): Promise<MachineHost> {
  const source = await openSource(directory);
  if (source === undefined) return { facts: factsOfNode(), findings: async () => [] };
  const facts = renamed(await source.facts());
  const before = (await source.sample()).cpu;
  return { facts, findings: async () => stolenFindings(before, (await source.sample()).cpu) };
}

/** Only Linux tells all that there is to tell. */
async function openSource(directory: string): Promise<HostSource | undefined> {
  if (process.platform !== 'linux') return undefined;
  // Limits are those of this process: a server that happens to run here is not what is measured.
  return openLocalHost({ serverPid: process.pid, dataDirectory: directory, clientPids: [process.pid] });
}

function renamed(facts: MachineFacts): MachineFacts {
  const names = Object.entries(facts).map(([name, value]) => [
    name.replace(/^datadir\./, 'directory.').replace(/^server\./, 'process.'),
    value,
  ]);
  return Object.fromEntries(names) as MachineFacts;
}

function factsOfNode(): MachineFacts {
  const { os, kernel, architecture, cpu, cores, coresUsable, memoryBytes } = hostFacts();
  const facts = {
    distribution: os,
    'kernel.release': kernel,
    architecture,
    'cpu.model': cpu,
    'cpu.threads': cores,
    'process.cores': coresUsable,
    'memory.totalBytes': memoryBytes,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as MachineFacts;
}

/** Less is what any hypervisor takes for itself. */
const STOLEN_SHARE_MIN = 0.01;

export function stolenFindings(before: CpuTimes | undefined, after: CpuTimes | undefined): Finding[] {
  if (before === undefined || after === undefined) return [];
  const names = Object.keys(after) as (keyof CpuTimes)[];
  const total = names.reduce((sum, name) => sum + after[name] - before[name], 0);
  const share = total > 0 ? (after.steal - before.steal) / total : 0;
  if (share < STOLEN_SHARE_MIN) return [];
  return [
    {
      id: 'stolen-time',
      severity: 'warning',
      is: `${formatPercent(share)} of the processors' time was wanted here, and given to another virtual machine.`,
      because: 'The hypervisor has promised its processors to more than one.',
      remedy: 'Take the card at another hour, or on a host of its own, before you compare it.',
    },
  ];
}

export function usableThreads(): number {
  return availableParallelism();
}

/** Without swapping, and within the limit of a container. */
export function usableMemoryBytes(): number {
  const limitBytes = process.constrainedMemory();
  const isLimited = limitBytes > 0 && limitBytes < totalmem();
  return isLimited ? Math.min(freemem(), Math.max(0, limitBytes - process.memoryUsage.rss())) : freemem();
}
