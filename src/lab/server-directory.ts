/**
 * The directory of a private server and the file in it that says whose it is. Whatever ends a program, even kill -9,
 * leaves at most a directory that names a dead owner; the next start finds it, ends its server, and deletes it.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs, nowMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { storeDirectory } from '../store/location.ts';
import type { ServerFlavor } from '../wire/types.ts';
import { identityOf, type ProcessIdentity, stateOf } from './process-identity.ts';

export const SERVER_FORMAT = 'sqldyno.server/1';

/** Contents of `server.json`. No secret is in it. */
export interface ServerFile {
  readonly format: typeof SERVER_FORMAT;
  readonly name: string;
  /** Survives the program that started it, with its data, until `server stop`. */
  readonly keep: boolean;
  /** False until the data directory is whole. */
  readonly initialised: boolean;
  readonly owner: ProcessIdentity;
  /** Null until it has been started, and after it has been stopped. */
  readonly server: ProcessIdentity | null;
  readonly flavor: ServerFlavor;
  readonly version: string;
  readonly binary: string;
  readonly socketPath: string;
  /** A directory elsewhere that holds the socket, where the path would have been too long. */
  readonly socketDirectory: string | null;
  readonly port: number | null;
  readonly arguments: readonly string[];
  readonly startedAt: string;
  /** Where its data lies, if not in its directory: whoever put it there removes it. */
  readonly data?: string;
}

export interface ServerPaths {
  readonly directory: string;
  readonly file: string;
  readonly lock: string;
  readonly data: string;
  readonly temporary: string;
  readonly socket: string;
  readonly pidFile: string;
  readonly errorLog: string;
  readonly initFile: string;
  /** All its settings, where they are not arguments. */
  readonly optionFile: string;
  /** An option file for `mariadb --defaults-file=…`: how to connect over TCP, password included. */
  readonly clientFile: string;
}

/** Directories begin so while they are being made, before they carry a name. */
const UNFINISHED = '.new-';
const UNFINISHED_ABANDONED_AFTER_MS = 600_000;

/** An orphan's data is thrown away, so a short while for an orderly end is enough. */
const ORPHAN_TERM_DEADLINE_MS = 5_000;

/** After SIGKILL only the kernel can still delay the end: a disk that does not answer. */
const KILL_DEADLINE_MS = 30_000;

const POLL_MS = 20;

export function serversDirectory(store: string | undefined): string {
  return join(storeDirectory(store), 'servers');
}

export function pathsOf(directory: string): ServerPaths {
  return {
    directory,
    file: join(directory, 'server.json'),
    lock: join(directory, 'starting.json'),
    data: join(directory, 'data'),
    temporary: join(directory, 'tmp'),
    socket: join(directory, 'mysqld.sock'),
    pidFile: join(directory, 'mysqld.pid'),
    errorLog: join(directory, 'error.log'),
    initFile: join(directory, 'init.sql'),
    optionFile: join(directory, 'my.cnf'),
    clientFile: join(directory, 'client.cnf'),
  };
}

/** Undefined where it is no directory of ours: nothing is ever deleted then. */
export function readServerFile(directory: string): ServerFile | undefined {
  try {
    const content = JSON.parse(readFileSync(pathsOf(directory).file, 'utf8')) as Partial<ServerFile>;
    return content.format === SERVER_FORMAT && content.owner !== undefined ? (content as ServerFile) : undefined;
  } catch {
    return undefined;
  }
}

export function writeServerFile(directory: string, content: ServerFile): void {
  const { file } = pathsOf(directory);
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Appears under its name at once with its file in it, or not at all. Undefined where the name is taken. */
export function createServerDirectory(parent: string, content: Omit<ServerFile, 'format'>): string | undefined {
  const directory = join(parent, content.name);
  const unfinished = join(parent, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  try {
    makeFolder(parent, 0o700);
    mkdirSync(unfinished, { mode: 0o700 });
  } catch (cause) {
    throw notUsable(parent, (cause as Error).message, cause);
  }
  try {
    // Without a password, the directory's mode is what keeps others out; some file systems do not keep modes.
    if ((statSync(unfinished).mode & 0o077) !== 0) throw notUsable(parent, 'its file system does not keep others out');
    writeServerFile(unfinished, { format: SERVER_FORMAT, ...content });
    renameSync(unfinished, directory);
    return directory;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Only one program at a time starts a kept server. Returns what gives the right back. */
export function lockForStart(directory: string): () => void {
  const { lock } = pathsOf(directory);
  const holder = holderOf(lock);
  if (holder !== undefined && stateOf(holder) !== 'gone') {
    throw new UserError(`The private server '${basename(directory)}' is being started by process ${holder.pid}.`, {
      hint: 'Wait for it, or choose another name.',
    });
  }
  if (holder !== undefined) unlinkSync(lock);
  writeFileSync(lock, JSON.stringify(ownIdentity()), { flag: 'wx', mode: 0o600 });
  return () => unlinkSync(lock);
}

export function ownIdentity(): ProcessIdentity {
  const identity = identityOf(process.pid);
  if (identity === undefined) throw new Error('the start time of this very process cannot be read');
  return identity;
}

export interface FoundServer {
  readonly directory: string;
  readonly file: ServerFile;
  /** orphaned: its owner is gone. elsewhere: it belongs to another host or container that shares the store. */
  readonly state: 'running' | 'stopped' | 'orphaned' | 'elsewhere';
}

export function foundServers(parent: string): FoundServer[] {
  return namesIn(parent).flatMap((name) => {
    const directory = join(parent, name);
    const file = name.startsWith(UNFINISHED) ? undefined : readServerFile(directory);
    return file === undefined ? [] : [{ directory, file, state: foundState(file) }];
  });
}

function foundState({ keep, initialised, owner, server }: ServerFile): FoundServer['state'] {
  const ownerState = stateOf(owner);
  if (ownerState === 'unknown') return 'elsewhere';
  const isAbandoned = ownerState === 'gone' && !(keep && initialised);
  if (isAbandoned) return 'orphaned';
  return server !== null && stateOf(server) === 'running' ? 'running' : 'stopped';
}

/** Ends and deletes what dead programs left behind. What cannot be removed is told, and never fatal. */
export async function sweepOrphans(parent: string, onNote: (line: string) => void): Promise<void> {
  for (const { directory, file, state } of foundServers(parent)) {
    if (state !== 'orphaned') continue;
    try {
      await endServer(directory, file, ORPHAN_TERM_DEADLINE_MS);
      await removeServerDirectory(directory, file);
      onNote(`Removed the private server '${file.name}', whose program (process ${file.owner.pid}) is gone.`);
    } catch (error) {
      onNote(`The abandoned private server in ${directory} could not be removed: ${(error as Error).message}`);
    }
  }
  for (const name of namesIn(parent).filter((candidate) => candidate.startsWith(UNFINISHED))) {
    const path = join(parent, name);
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (nowMs() - changedMs > UNFINISHED_ABANDONED_AFTER_MS) await removeTree(path);
  }
}

/** Ends the server of a directory, whether its number was written down or its owner died just before. */
export async function endServer(directory: string, file: ServerFile, termDeadlineMs: number): Promise<void> {
  const server = file.server ?? serverByArguments(dataOf(directory, file));
  if (server !== undefined) await endProcess(server, termDeadlineMs);
}

/** SIGTERM, then SIGKILL. Only ever the very process: a later one of the same number is left alone. */
export async function endProcess(identity: ProcessIdentity, termDeadlineMs: number): Promise<void> {
  for (const { signal, deadlineMs } of [
    { signal: 'SIGTERM', deadlineMs: termDeadlineMs },
    { signal: 'SIGKILL', deadlineMs: KILL_DEADLINE_MS },
  ] as const) {
    if (stateOf(identity) !== 'running') return;
    process.kill(identity.pid, signal);
    const startMs = monotonicMs();
    while (stateOf(identity) === 'running' && monotonicMs() - startMs < deadlineMs) await sleep(POLL_MS);
  }
  if (stateOf(identity) !== 'running') return;
  throw new UserError(`The server process ${identity.pid} does not end, not even by SIGKILL.`, {
    hint: 'Its disk probably does not answer. Look at it with: ps -o pid,stat,wchan,args -p PID',
    exitCode: ExitCode.runFailed,
  });
}

export async function removeServerDirectory(directory: string, file: ServerFile): Promise<void> {
  // Its name is the one that mkdtemp gave; anything else in the file was not written by us.
  if (file.socketDirectory !== null && SOCKET_DIRECTORY.test(basename(file.socketDirectory))) {
    await removeTree(file.socketDirectory);
  }
  await removeTree(directory);
}

export const SOCKET_DIRECTORY_PREFIX = 'sqldyno-';
const SOCKET_DIRECTORY = /^sqldyno-[A-Za-z0-9]{6}$/;

/** A server that is just ending may still make a file meanwhile, so removing is tried again. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

export function dataOf(directory: string, { data }: Pick<ServerFile, 'data'>): string {
  return data ?? pathsOf(directory).data;
}

function serverByArguments(data: string): ProcessIdentity | undefined {
  const wanted = `--datadir=${data}`;
  const pid = namesIn('/proc').length > 0 ? pidByProc(wanted) : pidByPs(wanted);
  return pid === undefined ? undefined : identityOf(pid);
}

function pidByProc(wanted: string): number | undefined {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).find((pid) => argumentsOf(pid).includes(wanted));
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function pidByPs(wanted: string): number | undefined {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const line = lines.find((candidate) => `${candidate} `.includes(` ${wanted} `));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

function holderOf(lock: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

function notUsable(parent: string, because: string, cause?: unknown): UserError {
  return new UserError(`Private servers cannot be kept in ${parent}: ${because}.`, {
    hint: 'Choose another directory with --store or SQLDYNO_STORE.',
    cause,
  });
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}
