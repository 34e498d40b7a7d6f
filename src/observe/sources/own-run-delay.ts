/**
 * How long this process has waited for processors: where that is much, the load generator is late through no fault of
 * its own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseRunDelay } from '../parse/process.ts';

const THREADS = '/proc/self/task';

/** Seconds, over all threads that are there now. Undefined where the kernel does not tell: elsewhere than on Linux. */
export function ownRunDelayS(): number | undefined {
  try {
    return parseRunDelay(readdirSync(THREADS).map(schedstatOf).join(''));
  } catch {
    return undefined;
  }
}

function schedstatOf(thread: string): string {
  try {
    return readFileSync(`${THREADS}/${thread}/schedstat`, 'latin1');
  } catch {
    // It ended between the list and the look.
    return '';
  }
}
