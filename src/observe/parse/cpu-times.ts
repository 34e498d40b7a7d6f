/** /proc/stat: where the processors' time went (proc_stat(5)). */
import type { CpuTimes } from '../host-sample.ts';
import { TICKS_PER_S } from './text.ts';

export interface CpuReport {
  readonly cpu?: CpuTimes;
  readonly cores?: readonly CpuTimes[];
  readonly contextSwitches?: number;
}

export function parseStat(text: string): CpuReport {
  let cpu: CpuTimes | undefined;
  let contextSwitches: number | undefined;
  const cores: CpuTimes[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('cpu')) {
      const times = timesIn(line);
      if (times === undefined) continue;
      if (line.startsWith('cpu ')) cpu = times;
      else cores.push(times);
    } else if (line.startsWith('ctxt ')) {
      contextSwitches = Number(line.slice(5));
    }
  }
  return {
    ...(cpu === undefined ? {} : { cpu }),
    ...(cores.length === 0 ? {} : { cores }),
    ...(contextSwitches === undefined ? {} : { contextSwitches }),
  };
}

/** Kernels before 2.6.11 end before `steal`; `guest`, which follows, is counted in `user`. */
function timesIn(line: string): CpuTimes | undefined {
  const [user, nice, system, idle, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) / TICKS_PER_S);
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return undefined;
  const times = { user, nice, system, idle, iowait, irq, softirq, steal };
  return Object.values(times).every(Number.isFinite) ? times : undefined;
}
