/**
 * A host over SSH: the system's own `ssh`, so that keys, agents, jump hosts and options of ~/.ssh/config hold, with one
 * connection for the whole run and nothing installed there. It never asks for a password, and never holds up the run:
 * an answer that is late is dropped, a connection that is dead is made anew, at growing intervals.
 */
import { readFileSync } from 'node:fs';
import { monotonicMs } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { HostFacts, HostSample, HostSource, HostTarget, Room, SampleLook } from '../host-sample.ts';
import { parseProcessStat } from '../parse/process.ts';
import { LinuxHost } from './linux.ts';
import { watchOwnTime } from './own-time.ts';
import { remoteFiles } from './remote-files.ts';
import { openShell, type RemoteShell } from './remote-shell.ts';

export interface SshOptions {
  /** Default: `ssh`. */
  readonly program?: string;
  /** Before the destination, such as `-F FILE`. */
  readonly extraArguments?: readonly string[];
  /** A sample that takes longer is dropped. Default: 3 s. */
  readonly sampleDeadlineMs?: number;
}

export interface SshDestination {
  readonly host: string;
  readonly user?: string;
  readonly port?: number;
}

const SAMPLE_DEADLINE_MS = 3_000;
/** Finding one's way about a host takes a dozen round trips. */
const SETUP_DEADLINE_MS = 15_000;
const CONNECT_TIMEOUT_S = 10;
/** A peer that has vanished without a word is noticed after this much silence, three times over. */
const KEEPALIVE_S = 5;
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 30_000;
const MS_PER_S = 1000;

/** `host`, `user@host`, `user@host:2222`, `[::1]:2222`, `ssh://user@host:2222`. */
export function parseDestination(text: string): SshDestination {
  const match = /^(?:ssh:\/\/)?(?:([^@\s]+)@)?(?:\[([0-9a-fA-F:.%\w]+)\]|([^\s@:[\]/]+))(?::(\d+))?\/?$/.exec(text);
  const host = match?.[2] ?? match?.[3];
  const user = match?.[1];
  const port = match?.[4] === undefined ? undefined : Number(match[4]);
  // A word that begins with a dash would be an option of ssh's.
  if (host === undefined || /^-/.test(host) || /^-/.test(user ?? '') || (port ?? 1) < 1 || (port ?? 1) > 65_535) {
    throw new UserError(`'${text}' is no host to connect to over SSH.`, {
      hint: 'Write it like db1, dba@db1:2222 or [::1]:2222; everything else belongs in ~/.ssh/config.',
    });
  }
  return { host, ...(user === undefined ? {} : { user }), ...(port === undefined ? {} : { port }) };
}

/** Rejects with a UserError where the host cannot be reached, lets nobody in, or is no Linux. */
export async function openSshHost(text: string, target: HostTarget, options: SshOptions = {}): Promise<HostSource> {
  const destination = parseDestination(text);
  const source = new SshSource(destination, target, options);
  try {
    await source.connect();
  } catch (error) {
    await source[Symbol.asyncDispose]();
    const again = `ssh ${portArguments(destination).join(' ')} -o BatchMode=yes ${nameOf(destination)} true`;
    throw new UserError(`${source.description} cannot be read: ${(error as Error).message}.`, {
      hint: `Nothing must ask for a password or a confirmation: try \`${again.replaceAll(/\s+/g, ' ')}\`.`,
      cause: error,
    });
  }
  return source;
}

function nameOf({ user, host }: SshDestination): string {
  return user === undefined ? host : `${user}@${host}`;
}

function portArguments({ port }: SshDestination): string[] {
  return port === undefined ? [] : ['-p', String(port)];
}

function sshArguments(destination: SshDestination, { extraArguments = [] }: SshOptions): string[] {
  const settings = [
    'BatchMode=yes',
    `ConnectTimeout=${CONNECT_TIMEOUT_S}`,
    `ServerAliveInterval=${KEEPALIVE_S}`,
    'ServerAliveCountMax=3',
    // A connection that is shared already may be used; one that would outlive the run is not begun.
    'ControlMaster=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
  ];
  const given = settings.flatMap((setting) => ['-o', setting]);
  // `exec`, whatever the login shell is, so that closing the connection ends the one process there is.
  const command = ['--', nameOf(destination), 'exec sh'];
  return [...extraArguments, '-T', '-a', '-x', ...given, ...portArguments(destination), ...command];
}

interface Connection {
  readonly shell: RemoteShell;
  readonly host: LinuxHost;
  /** CPU seconds of the processes over there that serve this connection. */
  readonly hostCpuS: () => number;
}

class SshSource implements HostSource {
  readonly description: string;
  readonly #destination: SshDestination;
  readonly #target: HostTarget;
  readonly #options: SshOptions;
  readonly #troubles: { atMs: number; is: string }[] = [];
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  #shell: RemoteShell | undefined;
  #retryAtMs = 0;
  #backoffMs = BACKOFF_FIRST_MS;
  #because = 'it was never connected';
  #isClosed = false;
  #samples = 0;
  #ownTimeS = 0;
  /** Of the running `ssh`, when last looked at. */
  #programCpuS = 0;
  /** Of connections that are over. */
  #pastClientCpuS = 0;
  #pastHostCpuS = 0;

  constructor(destination: SshDestination, target: HostTarget, options: SshOptions) {
    this.#destination = destination;
    this.#target = target;
    this.#options = options;
    const port = destination.port === undefined ? '' : `:${destination.port}`;
    this.description = `ssh ${nameOf(destination)}${port}`;
  }

  get cost() {
    const clientCpuS = this.#ownTimeS + this.#pastClientCpuS + this.#programCpuS;
    const hostCpuS = this.#pastHostCpuS + (this.#connection?.hostCpuS() ?? 0);
    return { samples: this.#samples, clientCpuS, hostCpuS };
  }

  get troubles() {
    return this.#troubles;
  }

  async sample(look?: SampleLook): Promise<HostSample> {
    const deadlineMs = this.#options.sampleDeadlineMs ?? SAMPLE_DEADLINE_MS;
    try {
      const { host } = await within(deadlineMs, this.connect());
      const ownTimeS = watchOwnTime();
      const sample = await host.sample(look);
      this.#ownTimeS += ownTimeS();
      this.#programCpuS = cpuSOf(this.#shell?.processId);
      this.#samples++;
      this.#backoffMs = BACKOFF_FIRST_MS;
      return sample;
    } catch (error) {
      throw new Error(`${this.description}: ${(error as Error).message}.`, { cause: error });
    }
  }

  async facts(): Promise<HostFacts> {
    const { host } = await this.connect();
    return host.facts();
  }

  async room(): Promise<Room | undefined> {
    const { host } = await this.connect();
    return host.room();
  }

  connect(): Promise<Connection> {
    if (this.#connection !== undefined) return Promise.resolve(this.#connection);
    if (this.#connecting !== undefined) return this.#connecting;
    const waitMs = this.#retryAtMs - monotonicMs();
    if (this.#isClosed) return Promise.reject(new Error('it was closed'));
    if (waitMs > 0) return Promise.reject(new Error(`not connected: ${this.#because}`));
    this.#connecting = this.#open();
    // Whoever waits hears of it; nobody may be waiting any more.
    this.#connecting.catch(() => {});
    return this.#connecting;
  }

  async #open(): Promise<Connection> {
    const shell = openShell(this.#options.program ?? 'ssh', sshArguments(this.#destination, this.#options));
    this.#shell = shell;
    void shell.ended.then((reason) => this.#onEnd(shell, reason));
    try {
      const connection = await this.#setUp(shell);
      if (this.#isClosed) throw new Error('it was closed');
      this.#connection = connection;
      return connection;
    } catch (error) {
      await shell.close();
      throw error;
    } finally {
      this.#connecting = undefined;
    }
  }

  async #setUp(shell: RemoteShell): Promise<Connection> {
    let deadlineMs = SETUP_DEADLINE_MS;
    const ask = (commands: string) => shell.ask(commands, deadlineMs);
    // Profiles may greet; from here on only answers come.
    await ask(':');
    const files = await remoteFiles(ask);
    const [shellPid, parentPid] = (await ask('echo "$$ $PPID"')).trim().split(' ');
    const ownPaths = [`/proc/${shellPid}/stat`, `/proc/${parentPid}/stat`];
    let hostCpuS = 0;
    const read = async (paths: readonly string[]) => {
      const texts = await files.read([...paths, ...ownPaths]);
      const own = ownPaths.map((path) => parseProcessStat(texts.get(path) ?? ''));
      const used = own.reduce((sum, line) => sum + (line?.cpuS ?? 0), 0);
      // What the shell started is counted with it; what started the shell has had other children.
      hostCpuS = Math.max(hostCpuS, used + (own[0]?.childrenCpuS ?? 0));
      return texts;
    };
    const host = await LinuxHost.open({ ...files, read }, this.#target);
    deadlineMs = this.#options.sampleDeadlineMs ?? SAMPLE_DEADLINE_MS;
    return { shell, host, hostCpuS: () => hostCpuS };
  }

  #onEnd(shell: RemoteShell, reason: string): void {
    if (this.#shell !== shell) return;
    const atMs = monotonicMs();
    this.#pastHostCpuS += this.#connection?.hostCpuS() ?? 0;
    this.#pastClientCpuS += this.#programCpuS;
    this.#programCpuS = 0;
    this.#connection = undefined;
    this.#shell = undefined;
    this.#because = reason;
    this.#retryAtMs = atMs + this.#backoffMs;
    this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MAX_MS);
    if (!this.#isClosed) this.#troubles.push({ atMs, is: `${this.description} was lost: ${reason}.` });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#shell?.close();
  }
}

/** Of a process of this machine, so far; 0 where that cannot be told. */
function cpuSOf(processId: number | undefined): number {
  if (processId === undefined || process.platform !== 'linux') return 0;
  try {
    return parseProcessStat(readFileSync(`/proc/${processId}/stat`, 'utf8'))?.cpuS ?? 0;
  } catch {
    // It has ended.
    return 0;
  }
}

async function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no connection within ${limitMs / MS_PER_S} s`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
