/** /proc/<pid>: what one process has used, and who else is there (proc_pid_stat(5)). */
import type { ProcessCounters } from '../host-sample.ts';
import { known, numberNamed, TICKS_PER_S } from './text.ts';

const KIB = 1024;
const NS_PER_S = 1e9;

export interface ProcessLine {
  readonly pid: number;
  /** At most 15 characters: the kernel keeps no more. */
  readonly name: string;
  readonly parentPid: number;
  readonly majorFaults: number;
  readonly cpuS: number;
  /** Of children that have ended and were waited for. */
  readonly childrenCpuS: number;
  readonly threads: number;
  readonly startedAtS: number;
}

/** The name may hold spaces and parentheses: it ends at the last one that closes. */
const STAT = /^(\d+) \((.*)\) [A-Za-z] (.+)$/s;

export function parseProcessStat(line: string): ProcessLine | undefined {
  const match = STAT.exec(line.trimEnd());
  if (match === null) return undefined;
  // The manual counts from 1, and the state, before these, is its third.
  const fields = match[3]!.split(' ');
  const at = (field: number) => Number(fields[field - 4]);
  return {
    pid: Number(match[1]),
    name: match[2]!,
    parentPid: at(4),
    majorFaults: at(12),
    cpuS: (at(14) + at(15)) / TICKS_PER_S,
    childrenCpuS: (at(16) + at(17)) / TICKS_PER_S,
    threads: at(20),
    startedAtS: at(22) / TICKS_PER_S,
  };
}

/** Many stat files, one after another. A name that holds a line break costs its process only. */
export function parseProcessList(text: string): ProcessLine[] {
  const lines = text.split('\n').map(parseProcessStat);
  return lines.filter((line) => line !== undefined);
}

export interface ProcessTexts {
  readonly stat: string | undefined;
  readonly status?: string | undefined;
  /** Another user's may not be read. */
  readonly io?: string | undefined;
}

export function processCounters({ stat, status, io }: ProcessTexts): ProcessCounters | undefined {
  const line = stat === undefined ? undefined : parseProcessStat(stat);
  if (line === undefined) return undefined;
  const residentKib = numberNamed('VmRSS', status);
  return {
    pid: line.pid,
    name: line.name,
    cpuS: line.cpuS,
    startedAtS: line.startedAtS,
    majorFaults: line.majorFaults,
    ...known({
      readBytes: numberNamed('read_bytes', io),
      writtenBytes: numberNamed('write_bytes', io),
      residentBytes: residentKib === undefined ? undefined : residentKib * KIB,
    }),
  };
}

/** Of the schedstat files of all threads, one a line: the second number is the time ready and waiting. */
export function parseRunDelay(text: string | undefined): number | undefined {
  const waits = [...(text ?? '').matchAll(/^\d+ (\d+) \d+$/gm)].map((match) => Number(match[1]));
  return waits.length === 0 ? undefined : waits.reduce((sum, ns) => sum + ns, 0) / NS_PER_S;
}

const SERVER = /^(?:mariadbd|mysqld)(?:-debug)?$/;

/** Undefined where there is none, or where it cannot be told which one is meant. */
export function serverAmong(processes: readonly ProcessLine[]): number | undefined {
  const servers = processes.filter(({ name }) => SERVER.test(name));
  return servers.length === 1 ? servers[0]?.pid : undefined;
}

export function isServerName(name: string): boolean {
  return SERVER.test(name);
}

/** Display servers, and what draws a session on them; whole names, as the kernel cuts them. */
const DESKTOP = new Set([
  'Xorg',
  'X',
  'Xwayland',
  'weston',
  'sway',
  'labwc',
  'wayfire',
  'Hyprland',
  'gnome-shell',
  'gnome-session-b',
  'mutter',
  'kwin',
  'kwin_x11',
  'kwin_wayland',
  'plasmashell',
  'xfce4-session',
  'xfwm4',
  'lxsession',
  'lxqt-session',
  'lxpanel',
  'openbox',
  'pcmanfm',
  'cinnamon',
  'cinnamon-sessio',
  'mate-session',
  'marco',
  'budgie-panel',
]);

/** Names of the processes that a graphical session consists of, each once. */
export function desktopAmong(processes: readonly ProcessLine[]): string[] {
  return [...new Set(processes.map(({ name }) => name).filter((name) => DESKTOP.has(name)))].sort();
}
