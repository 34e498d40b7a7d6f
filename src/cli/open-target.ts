/** Decides on the target of a command, and makes sure that it answers before anything else is done. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { createDatabase } from '../lab/maintenance.ts';
import { connect } from '../wire/connection.ts';
import { ServerError } from '../wire/errors.ts';
import type { ConnectOptions, ServerInfo } from '../wire/types.ts';
import { explainConnectError } from './connect-errors.ts';
import { usualOptionFiles } from './option-files.ts';
import { askPassword } from './password.ts';
import { usePrivateServer } from './private-target.ts';
import type { TargetWorld } from './target.ts';
import { addressOf, resolveTarget, USUAL_SOCKETS } from './target.ts';
import type { WorkloadLine } from './workload-line.ts';

export interface OpenTarget {
  readonly connections: readonly ConnectOptions[];
  readonly isPrivate: boolean;
  /** Of the first one. */
  readonly server: ServerInfo;
  readonly address: string;
  readonly notes: readonly string[];
}

const UNKNOWN_DATABASE = 1049; // ER_BAD_DB_ERROR

export const THIS_MACHINE: TargetWorld = {
  environment: process.env,
  optionFiles: usualOptionFiles(homedir()),
  socketPaths: USUAL_SOCKETS,
  exists: existsSync,
  readText: (path) => readFileSync(path, 'utf8'),
  askPassword,
};

/** Where the database is that is worked in: as the target says, another, or none yet. */
export type DatabaseOfTarget = { readonly is: 'made' } | { readonly is: 'there'; readonly name: string | undefined };

export interface Opening {
  readonly signal: AbortSignal;
  readonly onNote: (line: string) => void;
  /** Default: the target's own. */
  readonly database?: DatabaseOfTarget;
  /** The command makes its own data, so a private server may be new. `prepare` does. */
  readonly makesData?: boolean;
}

/** What of a command line says where the server is. */
export interface TargetLine extends Pick<WorkloadLine, 'target' | 'given'> {
  readonly command?: WorkloadLine['command'];
  readonly output: Pick<WorkloadLine['output'], 'store'>;
}

export async function openTarget(line: TargetLine, opening: Opening): Promise<OpenTarget> {
  const { signal, onNote, database = { is: 'there', name: undefined } } = opening;
  const target = await resolveTarget(line.target, line.given, THIS_MACHINE);
  const inDatabase = (connection: ConnectOptions) => withDatabase(connection, database);
  if (target.is === 'server') {
    const { connections, createDatabase, notes } = target;
    return { ...(await lookAtAll(connections.map(inDatabase), createDatabase, signal)), isPrivate: false, notes };
  }
  const { connection, notes } = await usePrivateServer({
    name: line.target.server,
    database: target.database,
    storeDirectory: line.output.store === '' ? undefined : line.output.store,
    mayCreate: opening.makesData ?? line.command === 'prepare',
    signal,
    onNote,
  });
  return { ...(await lookAtAll([inDatabase(connection)], true, signal)), isPrivate: true, notes };
}

function withDatabase(connection: ConnectOptions, database: DatabaseOfTarget): ConnectOptions {
  const { database: own, ...server } = connection;
  if (database.is === 'made') return server;
  const name = database.name ?? own;
  return name === undefined ? server : { ...server, database: name };
}

export async function lookAtAll(
  connections: readonly ConnectOptions[],
  mayCreateDatabase: boolean,
  signal: AbortSignal,
): Promise<Omit<OpenTarget, 'isPrivate' | 'notes'>> {
  const server = await reachAll(connections, mayCreateDatabase, signal);
  return { connections, server, address: [...new Set(connections.map(addressOf))].join(', ') };
}

async function reachAll(
  targets: readonly ConnectOptions[],
  mayCreateDatabase: boolean,
  signal: AbortSignal,
): Promise<ServerInfo> {
  const servers: ServerInfo[] = [];
  for (const target of targets) {
    const reached = reach(target, mayCreateDatabase).catch((error) => {
      throw explainConnectError(error, target);
    });
    servers.push(await orInterrupted(reached, signal));
  }
  return servers[0] as ServerInfo;
}

async function reach(target: ConnectOptions, mayCreateDatabase: boolean): Promise<ServerInfo> {
  try {
    await using connection = await connect(target);
    return connection.server;
  } catch (error) {
    const isMissing = error instanceof ServerError && error.code === UNKNOWN_DATABASE;
    if (!isMissing || !mayCreateDatabase) throw error;
    await createDatabase(target);
    return reach(target, false);
  }
}

/** Nobody who pressed Ctrl-C wants to wait for an address that does not answer. */
async function orInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, stop } = aborted(signal);
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop();
  }
}

function aborted(signal: AbortSignal): { promise: Promise<never>; stop(): void } {
  let stop = () => {};
  const promise = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => signal.removeEventListener('abort', onAbort);
  });
  return { promise, stop };
}
