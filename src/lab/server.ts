/**
 * Private servers: a MariaDB or MySQL of one's own, started from the program that is installed, in a directory of its
 * own, reachable by its owner alone, and gone without a trace afterwards.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { nowMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import type { ConnectOptions, ServerFlavor } from '../wire/types.ts';
import { launch, PortTaken } from './launch.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { needServerBinary, type ServerBinary } from './server-binary.ts';
import { createDataDirectory, rootArguments } from './server-data.ts';
import {
  createServerDirectory,
  dataOf,
  endProcess,
  endServer,
  type FoundServer,
  foundServers,
  lockForStart,
  ownIdentity,
  pathsOf,
  removeServerDirectory,
  SERVER_FORMAT,
  type ServerFile,
  SOCKET_DIRECTORY_PREFIX,
  serversDirectory,
  sweepOrphans,
  writeServerFile,
} from './server-directory.ts';
import { endAtExit, forgetAtExit } from './server-exit.ts';
import { asArguments, checkExtraArguments, serverSettings, usableMemoryBytes } from './server-settings.ts';
import { portsToTry, type TcpAccess, tcpArguments, writeTcpAccess } from './server-tcp.ts';

export interface PrivateServerOptions {
  /** Server options, such as `--innodb-buffer-pool-size=1G`; they win over the settings of server-settings.ts. */
  readonly extraArguments?: readonly string[];
  /** Text of an option file with all its settings, in place of those and of server-settings.ts. */
  readonly optionFile?: string;
  /** A data directory that is there: it is used where it lies, and is still there when the server is gone. */
  readonly data?: string;
  /** Default: a new name; with `keep`: `default`. */
  readonly name?: string;
  /** Survives this program: the server goes on, and after `stop` its data is still there for the next start. */
  readonly keep?: boolean;
  /** The store's directory; default as `storeDirectory`. The server lives in `servers/NAME` in it. */
  readonly directory?: string;
  /** Default: SQLDYNO_SERVER_BINARY, else what is installed. */
  readonly binary?: string;
  /** Also listens on 127.0.0.1, with an account that has a random password. A number asks for that very port. */
  readonly tcp?: boolean | number;
  /** Gives the start up; nothing is left. */
  readonly signal?: AbortSignal;
  /** Told what the sweep removed. */
  readonly onNote?: (line: string) => void;
}

export interface PrivateServer extends AsyncDisposable {
  readonly name: string;
  /** In a directory that only its owner can enter: whoever can reach it needs no password. */
  readonly socketPath: string;
  readonly user: 'root';
  readonly password: '';
  /** How to connect through the socket. */
  readonly target: ConnectOptions;
  /** Undefined unless asked for. */
  readonly tcp: TcpAccess | undefined;
  readonly port: number | undefined;
  readonly flavor: ServerFlavor;
  readonly version: string;
  readonly pid: number;
  readonly directory: string;
  /** An option file for the usual clients; only with `tcp`. */
  readonly clientFile: string | undefined;
  /** Ends it; deletes it unless `keep`. May be called more than once. */
  stop(): Promise<void>;
}

const DEFAULT_KEPT_NAME = 'default';
const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/i;

/** A kept server writes its dirty pages out; on an SD card that takes a while. */
const KEPT_TERM_DEADLINE_MS = 120_000;
/** What is deleted right afterwards need not be written out. */
const TERM_DEADLINE_MS = 10_000;

/** macOS has 104 bytes for a socket's path, its terminating zero included; Linux 108. */
const SOCKET_PATH_BYTES_MAX = 103;

/** Room for `/sqldyno-XXXXXX/mysqld.sock`. */
const SHORT_PARENT_BYTES_MAX = SOCKET_PATH_BYTES_MAX - 27;

export async function startPrivateServer(options: PrivateServerOptions = {}): Promise<PrivateServer> {
  checkOptions(options);
  const binary = await needServerBinary(options.binary);
  const parent = serversDirectory(options.directory);
  await sweepOrphans(parent, options.onNote ?? (() => {}));
  const claim = claimDirectory(parent, binary, options);
  if (!claim.file.keep) endAtExit(claim.directory, claim.file);
  try {
    return await startIn(claim, binary, options);
  } catch (error) {
    await giveUp(claim);
    throw error;
  } finally {
    claim.release();
  }
}

export async function listPrivateServers(store?: string): Promise<readonly FoundServer[]> {
  return foundServers(serversDirectory(store));
}

/** Ends a kept server. Its data stays for the next start unless `remove`. False where it was not running. */
export async function stopPrivateServer(
  name: string = DEFAULT_KEPT_NAME,
  options: { readonly directory?: string; readonly remove?: boolean } = {},
): Promise<boolean> {
  const found = foundServers(serversDirectory(options.directory));
  const server = found.find(({ file }) => file.name === name);
  if (server === undefined) throw unknownServer(name, found);
  const { directory, file, state } = server;
  if (state === 'elsewhere') throw belongsElsewhere(server);
  if (!file.keep && state !== 'orphaned') {
    throw new UserError(`The private server '${name}' is in use by process ${file.owner.pid}.`, {
      hint: 'It ends with that process.',
    });
  }
  await endServer(directory, file, KEPT_TERM_DEADLINE_MS);
  if (options.remove === true || state === 'orphaned') await removeServerDirectory(directory, file);
  else writeServerFile(directory, { ...file, server: null });
  return state === 'running';
}

interface Claim {
  readonly directory: string;
  readonly file: ServerFile;
  /** False for a kept server that is started again. */
  readonly isNew: boolean;
  release(): void;
}

function claimDirectory(parent: string, binary: ServerBinary, options: PrivateServerOptions): Claim {
  const keep = options.keep ?? false;
  const name = options.name ?? (keep ? DEFAULT_KEPT_NAME : `run-${process.pid}-${randomBytes(4).toString('hex')}`);
  const paths = pathsOf(join(parent, name));
  const socketDirectory = Buffer.byteLength(paths.socket) > SOCKET_PATH_BYTES_MAX ? shortDirectory() : null;
  const content = {
    name,
    keep,
    initialised: false,
    owner: ownIdentity(),
    server: null,
    flavor: binary.flavor,
    version: binary.version,
    binary: binary.path,
    socketPath: socketDirectory === null ? paths.socket : join(socketDirectory, 'mysqld.sock'),
    socketDirectory,
    port: null,
    arguments: [],
    startedAt: new Date(nowMs()).toISOString(),
    ...(options.data === undefined ? {} : { data: options.data }),
  };
  try {
    const directory = createServerDirectory(parent, content);
    if (directory === undefined) return claimAgain(parent, content, binary);
    return { directory, file: { format: SERVER_FORMAT, ...content }, isNew: true, release: () => {} };
  } catch (error) {
    if (socketDirectory !== null) rmSync(socketDirectory, { recursive: true, force: true });
    throw error;
  }
}

/** The name exists: fine for a kept server that has been stopped. */
function claimAgain(parent: string, wanted: Omit<ServerFile, 'format'>, binary: ServerBinary): Claim {
  const directory = join(parent, wanted.name);
  const found = foundServers(parent).find((server) => server.directory === directory);
  if (found === undefined) {
    throw new UserError(`${directory} exists and is no private server.`, { hint: 'Choose another name.' });
  }
  const { file, state } = found;
  if (state === 'elsewhere') throw belongsElsewhere(found);
  if (state === 'running' || !file.keep || !wanted.keep) {
    throw new UserError(`A private server named '${file.name}' exists already.`, {
      hint: `Its socket is ${file.socketPath} (user root, no password). For another server choose another name.`,
    });
  }
  if (file.flavor !== binary.flavor) {
    const data = `${file.flavor} ${file.version}`;
    throw new UserError(`The data of the private server '${file.name}' is of ${data}, not of ${binary.flavor}.`, {
      hint: 'Choose another name, or set SQLDYNO_SERVER_BINARY to the program that made it.',
    });
  }
  const release = lockForStart(directory);
  if (file.socketDirectory !== null) rmSync(file.socketDirectory, { recursive: true, force: true });
  const { socketPath, socketDirectory, owner, startedAt, version } = wanted;
  const renewed = { ...file, socketPath, socketDirectory, owner, startedAt, version, binary: binary.path };
  writeServerFile(directory, renewed);
  return { directory, file: renewed, isNew: false, release };
}

/** Makes the data where there is none yet, and starts the server. */
async function startIn(claim: Claim, binary: ServerBinary, options: PrivateServerOptions): Promise<PrivateServer> {
  const { directory } = claim;
  const settings = asArguments(serverSettings(binary, usableMemoryBytes()));
  const isByFile = options.optionFile !== undefined;
  const serverArguments = isByFile ? [] : [...settings, ...(options.extraArguments ?? [])];
  const initialised = await initialise(claim, binary, options);
  const ports = portsToTry(options.tcp ?? false, initialised.port);
  for (const port of ports) {
    const file = { ...initialised, port, arguments: serverArguments };
    try {
      return await startOnce(directory, file, options);
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
    }
  }
  throw new UserError(`The private server cannot listen on 127.0.0.1: port ${ports.join(', ')} in use.`, {
    hint: 'Choose another port, or none: the socket needs no port.',
    exitCode: ExitCode.targetUnavailable,
  });
}

async function initialise(claim: Claim, binary: ServerBinary, options: PrivateServerOptions): Promise<ServerFile> {
  const { directory, file } = claim;
  if (file.initialised) return file;
  const paths = pathsOf(directory);
  if (options.data === undefined) {
    await createDataDirectory(binary, paths.data, options.extraArguments ?? [], options.signal);
  }
  await mkdir(paths.temporary, { mode: 0o700 });
  const initialised = { ...file, initialised: true };
  writeServerFile(directory, initialised);
  return initialised;
}

async function startOnce(
  directory: string,
  planned: ServerFile,
  { optionFile, signal }: PrivateServerOptions,
): Promise<PrivateServer> {
  const paths = pathsOf(directory);
  if (optionFile !== undefined) writeFileSync(paths.optionFile, optionFile, { mode: 0o600 });
  const defaults = optionFile === undefined ? ['--no-defaults'] : [`--defaults-file=${paths.optionFile}`, ENGLISH];
  const tcp = planned.port === null ? undefined : writeTcpAccess(paths, planned.port);
  let file = planned;
  try {
    await launch({
      binary: planned.binary,
      arguments: [...defaults, ...placeArguments(directory, planned), ...planned.arguments],
      errorLog: paths.errorLog,
      onSpawn: (server) => {
        file = { ...planned, server };
        writeServerFile(directory, file);
        if (!file.keep) endAtExit(directory, file);
      },
      signal,
    });
    return handleOf(directory, file, tcp);
  } finally {
    rmSync(paths.initFile, { force: true });
  }
}

/** The error log is read, which an option file could have in another language. */
const ENGLISH = '--lc-messages=en_US';

/** Where it lives and how it is reached; wins over an option file. Which file that is must be said before. */
function placeArguments(directory: string, file: ServerFile): string[] {
  const { socketPath, port } = file;
  const paths = pathsOf(directory);
  return [
    ...rootArguments(),
    `--datadir=${dataOf(directory, file)}`,
    `--tmpdir=${paths.temporary}`,
    `--socket=${socketPath}`,
    `--pid-file=${paths.pidFile}`,
    `--log-error=${paths.errorLog}`,
    ...tcpArguments(paths, port),
  ];
}

function handleOf(directory: string, file: ServerFile, tcp: TcpAccess | undefined): PrivateServer {
  const { name, socketPath, flavor, version, server } = file;
  assert(server !== null, 'a server that has been started is on record');
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopOwn(directory, file, server);
    return stopping;
  };
  return {
    name,
    socketPath,
    user: 'root',
    password: '',
    target: { socketPath, user: 'root', password: '', sslMode: 'DISABLED' },
    tcp,
    port: tcp?.port,
    flavor,
    version,
    pid: server.pid,
    directory,
    clientFile: tcp === undefined ? undefined : pathsOf(directory).clientFile,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function stopOwn(directory: string, file: ServerFile, server: ProcessIdentity): Promise<void> {
  await endProcess(server, file.keep ? KEPT_TERM_DEADLINE_MS : TERM_DEADLINE_MS);
  if (file.keep) return writeServerFile(directory, { ...file, server: null });
  await removeServerDirectory(directory, file);
  forgetAtExit(directory);
}

/** After a failed start: what was made for it goes; data that a kept server had before stays. */
async function giveUp({ directory, file, isNew }: Claim): Promise<void> {
  forgetAtExit(directory);
  if (isNew) await removeServerDirectory(directory, file);
  else writeServerFile(directory, { ...file, server: null });
}

function checkOptions({ name, tcp, extraArguments = [] }: PrivateServerOptions): void {
  if (process.platform === 'win32') {
    throw new UserError('Private servers need Unix sockets, which servers on Windows do not have.', {
      hint: 'Name a running server as the target.',
    });
  }
  if (name !== undefined && !NAME.test(name)) {
    throw new UserError(`'${name}' is no name for a private server.`, {
      hint: 'Take up to 40 letters, digits, dashes and underscores.',
    });
  }
  if (typeof tcp === 'number' && !(Number.isInteger(tcp) && tcp > 0 && tcp < 65_536)) {
    throw new UserError(`${tcp} is no port.`, { hint: 'Ports are 1 to 65535.' });
  }
  checkExtraArguments(extraArguments);
}

/** In a place with a short name; mkdtemp makes it for its owner alone. */
function shortDirectory(): string {
  const candidates = [process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp'];
  for (const candidate of candidates) {
    if (candidate === undefined || Buffer.byteLength(candidate) > SHORT_PARENT_BYTES_MAX) continue;
    try {
      return mkdtempSync(join(candidate, SOCKET_DIRECTORY_PREFIX));
    } catch {
      // Not there or not writable: the next one.
    }
  }
  throw new UserError('No directory is short enough for the path of a Unix socket.', {
    hint: 'Choose a shorter one with --store, or set TMPDIR to one.',
  });
}

function belongsElsewhere({ directory, file }: FoundServer): UserError {
  return new UserError(
    `The private server '${file.name}' belongs to another host or container (${file.owner.place}).`,
    {
      hint: `Stop it there. Where that host is gone for good, delete ${directory}.`,
    },
  );
}

function unknownServer(name: string, found: readonly FoundServer[]): UserError {
  const names = found.map(({ file }) => file.name).join(', ');
  return new UserError(`There is no private server named '${name}'.`, {
    hint: names === '' ? 'There is none at all.' : `There are: ${names}.`,
  });
}
