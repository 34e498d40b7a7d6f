/**
 * Names a process so that it cannot be confused with a later one of the same number: pid, start time, and the host
 * and pid namespace in which the number means anything. A store may lie on a file system that several hosts or
 * containers share, so a pid of another place is never judged, much less killed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** Compared only, never parsed: boot id and clock ticks from /proc, or what `ps` says. */
  readonly startedAt: string;
  readonly place: string;
}

/** unknown: it belongs to another place, or may not be looked at from here. */
export type ProcessState = 'running' | 'gone' | 'unknown';

/** Undefined where no such process runs. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const startedAt = startTimeOf(pid);
  return startedAt === undefined ? undefined : { pid, startedAt, place: place() };
}

export function stateOf(identity: ProcessIdentity): ProcessState {
  if (identity.place !== place()) return 'unknown';
  const startedAt = startTimeOf(identity.pid);
  if (startedAt !== undefined) return startedAt === identity.startedAt ? 'running' : 'gone';
  return isHidden(identity.pid) ? 'unknown' : 'gone';
}

function place(): string {
  return `${hostname()} ${linkOf('/proc/self/ns/pid')}`.trimEnd();
}

function startTimeOf(pid: number): string | undefined {
  const bootId = textOf('/proc/sys/kernel/random/boot_id')?.trim();
  return bootId === undefined ? startTimeByPs(pid) : startTimeByProc(pid, bootId);
}

/** proc(5): after the command's closing parenthesis come field 3, the state, and so on to field 22, the start time. */
function startTimeByProc(pid: number, bootId: string): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[22 - 3];
  // Nobody has waited for it yet, but it runs no more.
  if (state === 'Z' || state === 'X') return undefined;
  return `${bootId} ${startTicks}`;
}

/** Where there is no /proc: macOS and the BSDs. */
function startTimeByPs(pid: number): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    }).trim();
    const [state, ...startedAt] = output.split(/\s+/);
    if (state === undefined || state === '' || state.startsWith('Z')) return undefined;
    return startedAt.join(' ');
  } catch {
    // ps fails where no such process runs.
    return undefined;
  }
}

/** True for a process that exists although it cannot be seen: /proc mounted with hidepid. */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
