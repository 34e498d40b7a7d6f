/** /proc/meminfo, /proc/vmstat and /proc/pressure. */
import type { MemoryGauges, PressureCounters } from '../host-sample.ts';
import { known, numberNamed, numbersByName } from './text.ts';

const KIB = 1024;

export function parseMeminfo(text: string): MemoryGauges | undefined {
  const kib = numbersByName(text);
  const bytes = (name: string) => {
    const value = kib.get(name);
    return value === undefined ? undefined : value * KIB;
  };
  const totalBytes = bytes('MemTotal');
  const availableBytes = bytes('MemAvailable') ?? estimatedAvailable(bytes);
  if (totalBytes === undefined || availableBytes === undefined) return undefined;
  return {
    totalBytes,
    availableBytes,
    swapTotalBytes: bytes('SwapTotal') ?? 0,
    swapFreeBytes: bytes('SwapFree') ?? 0,
    ...known({ dirtyBytes: bytes('Dirty') }),
  };
}

/** Kernels before 3.14 do not tell; what is free, and what the page cache could give back, is near it. */
function estimatedAvailable(bytes: (name: string) => number | undefined): number | undefined {
  const free = bytes('MemFree');
  return free === undefined ? undefined : free + (bytes('Buffers') ?? 0) + (bytes('Cached') ?? 0);
}

export function parseSwapping(vmstat: string): { swappedInPages?: number; swappedOutPages?: number } {
  return known({ swappedInPages: numberNamed('pswpin', vmstat), swappedOutPages: numberNamed('pswpout', vmstat) });
}

/** Undefined where the kernel has no pressure stall information: older than 4.20, or built or booted without. */
export function parsePressure(
  cpu: string | undefined,
  io: string | undefined,
  memory: string | undefined,
): PressureCounters | undefined {
  const counters = known<PressureCounters>({
    cpuSomeUs: stalledUs(cpu, 'some'),
    ioSomeUs: stalledUs(io, 'some'),
    ioFullUs: stalledUs(io, 'full'),
    memorySomeUs: stalledUs(memory, 'some'),
    memoryFullUs: stalledUs(memory, 'full'),
  });
  return Object.keys(counters).length === 0 ? undefined : counters;
}

/** The running total; the averages beside it are smoothed, and lag. */
function stalledUs(text: string | undefined, kind: 'some' | 'full'): number | undefined {
  const total = new RegExp(`^${kind} .*\\btotal=(\\d+)`, 'm').exec(text ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}
