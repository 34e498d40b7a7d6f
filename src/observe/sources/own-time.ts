/**
 * What observing costs this thread. The clock of the processor cannot be read for one thread in Node 20; the time in
 * which its event loop did not wait can, and is at most a little more: what else it did meanwhile counts as well.
 */
import { performance } from 'node:perf_hooks';

const MS_PER_S = 1000;

/** Returns what tells the seconds since. */
export function watchOwnTime(): () => number {
  const start = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(start).active / MS_PER_S;
}
