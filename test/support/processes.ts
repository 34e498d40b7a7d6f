/** Who runs on this machine, as /proc tells: to find what a test has started, and to see that it is gone. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Process {
  readonly pid: number;
  readonly parentPid: number;
  readonly name: string;
  readonly state: string;
}

/** Those that have ended and only wait to be collected are left out. */
export function processes(): Process[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const match = /^(\d+) \((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'));
      if (match === null || match[3] === 'Z') return [];
      return [{ pid: Number(match[1]), name: match[2]!, state: match[3]!, parentPid: Number(match[4]) }];
    } catch {
      // It ended between the list and the look.
      return [];
    }
  });
}

/** Children, their children, and so on. */
export function descendantsOf(pid: number): Process[] {
  const all = processes();
  const childrenOf = (parent: number): Process[] =>
    all.filter(({ parentPid }) => parentPid === parent).flatMap((child) => [child, ...childrenOf(child.pid)]);
  return childrenOf(pid);
}

/** Far more than it can take: whoever waits in vain learns it from the failure. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;

export async function until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>) {
  const endMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > endMs) throw new Error(`waited in vain until ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
