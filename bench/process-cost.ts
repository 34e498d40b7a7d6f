/**
 * What a process costs, read from outside while it runs, in the same way for every program: CPU time of all its threads
 * and its peak memory, from /proc. Linux only.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of the threads that live now, in nanoseconds: first field of `schedstat` (kernel: sched-stats). */
export function cpuNs(pid: number): bigint {
  let sum = 0n;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += BigInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0] ?? '0');
    } catch {
      // The thread ended between the listing and the reading.
    }
  }
  return sum;
}

/** Largest resident set so far, in bytes. */
export function memoryPeakBytes(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Number(line?.[1] ?? 0) * 1024;
}

/** The machine that a result was measured on, in a line. */
export function machineLine(): string {
  const cpu = /^model name\s*:\s*(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'latin1'))?.[1] ?? 'unknown processor';
  const cores = (readFileSync('/proc/cpuinfo', 'latin1').match(/^processor\s*:/gm) ?? []).length;
  const kernel = readFileSync('/proc/sys/kernel/osrelease', 'latin1').trim();
  const memoryKb = Number(/^MemTotal:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'latin1'))?.[1] ?? 0);
  return `${cores} cores of ${cpu}, ${Math.round(memoryKb / 1024 / 1024)} GiB, Linux ${kernel}, Node ${process.version}`;
}
