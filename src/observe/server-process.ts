/**
 * The CPU time of the server's process, where it runs on this machine and /proc shows it, as it does in a container
 * that this host runs, too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Connection } from '../wire/types.ts';

export interface ServerProcess {
  readonly pid: number;
  /** Of all its threads, ended ones included, since it began; undefined once it has ended. */
  cpuS(): number | undefined;
}

/** Linux tells process times in hundredths of a second, whatever the kernel itself counts in: time(7), USER_HZ. */
const TICKS_PER_S = 100;
/** The server counts its uptime from when it is ready, a moment after its process has begun. */
const START_S_MAX = 60;
/** Both are rounded to whole seconds, and read one after the other. */
const READING_S = 2;

/** Undefined where it cannot be told for certain which process it is. */
export async function findServerProcess(connection: Connection): Promise<ServerProcess | undefined> {
  const { rows } = await connection.read("SHOW GLOBAL STATUS LIKE 'Uptime'");
  const uptimeS = Number(rows[0]?.[1] ?? Number.NaN);
  const pids = serverPids().filter((pid) => hasBegun(pid, uptimeS));
  const [pid] = pids;
  if (pid === undefined || pids.length > 1) return byPidFile(connection, pids);
  return processOf(pid);
}

/** Several servers that were started together: the one that says so of itself, if its file may be read. */
async function byPidFile(connection: Connection, among: readonly number[]): Promise<ServerProcess | undefined> {
  if (among.length === 0) return undefined;
  const { rows } = await connection.read("SHOW GLOBAL VARIABLES LIKE 'pid_file'");
  const pid = Number(textOf(String(rows[0]?.[1] ?? '')) ?? Number.NaN);
  return among.includes(pid) ? processOf(pid) : undefined;
}

function processOf(pid: number): ServerProcess {
  return { pid, cpuS: () => cpuSOf(statOf(pid)) };
}

function serverPids(): number[] {
  return entriesOf('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => /^(?:mysqld|mariadbd)/.test(textOf(`/proc/${pid}/comm`) ?? ''))
    .map(Number);
}

/** True where its age fits the server's uptime. */
function hasBegun(pid: number, uptimeS: number): boolean {
  const stat = statOf(pid);
  const bootS = Number.parseFloat(textOf('/proc/uptime') ?? '');
  if (stat === undefined) return false;
  const aheadS = bootS - startSOf(stat) - uptimeS;
  return aheadS >= -READING_S && aheadS <= START_S_MAX;
}

/** Fields of proc(5), /proc/pid/stat, from the third on: the second, a name in brackets, may hold spaces. */
type Stat = readonly string[];

function statOf(pid: number): Stat | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Field 22, since the machine was started. */
function startSOf(stat: Stat): number {
  return Number(stat[22 - 3]) / TICKS_PER_S;
}

/** Fields 14 and 15: in its own code, and in the kernel's for it. */
function cpuSOf(stat: Stat | undefined): number | undefined {
  return stat === undefined ? undefined : (Number(stat[14 - 3]) + Number(stat[15 - 3])) / TICKS_PER_S;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
