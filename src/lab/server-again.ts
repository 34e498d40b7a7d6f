/** Finds the private server of an earlier run, and starts it again as it was where it has been stopped. */
import { basename, dirname } from 'node:path';
import { ExitCode, UserError } from '../base/errors.ts';
import type { RunRecord } from '../model/run.ts';
import type { ConnectOptions } from '../wire/types.ts';
import type { ChangedServer } from './knob-journal.ts';
import { startPrivateServer } from './server.ts';
import { type FoundServer, foundServers, serversDirectory } from './server-directory.ts';
import { asArguments, serverSettings, usableMemoryBytes } from './server-settings.ts';

export interface ServerAgain {
  readonly connection: ConnectOptions;
  readonly private: NonNullable<ChangedServer['private']>;
  /** It had been stopped. */
  readonly isStarted: boolean;
}

export interface AgainRequest {
  readonly record: RunRecord;
  /** As asked for; absent: that of the record. */
  readonly name?: string;
  readonly storeDirectory?: string;
  readonly signal: AbortSignal;
  readonly onNote: (line: string) => void;
}

export async function findServerAgain(request: AgainRequest): Promise<ServerAgain> {
  const { record, storeDirectory, onNote } = request;
  const found = serverOf(request);
  const { name, server, socketPath } = found.file;
  const { database } = record.target;
  if (found.state === 'running' && server !== null) {
    const connection = { socketPath, user: 'root', password: '', database, sslMode: 'DISABLED' } as const;
    return { connection, private: { name, process: server }, isStarted: false };
  }
  onNote(`Starting the private server '${name}' again...`);
  const started = await startPrivateServer({
    keep: true,
    name,
    extraArguments: ownArguments(found),
    tcp: found.file.port ?? false,
    binary: found.file.binary,
    signal: request.signal,
    onNote,
    ...(storeDirectory === undefined ? {} : { directory: storeDirectory }),
  });
  const file = foundServers(serversDirectory(storeDirectory)).find((each) => each.file.name === name)?.file;
  if (file === undefined || file.server === null) throw new Error('a server that has been started is on record');
  return {
    connection: { ...started.target, database },
    private: { name, process: file.server },
    isStarted: true,
  };
}

function serverOf({ record, name, storeDirectory }: AgainRequest): FoundServer {
  const servers = foundServers(serversDirectory(storeDirectory));
  const wanted = name ?? nameIn(record, servers);
  const found = servers.find(({ file }) => file.name === wanted);
  if (found?.state === 'running' || (found?.state === 'stopped' && found.file.keep)) return found;
  throw new UserError(`The private server '${wanted}' of that run is gone, and its data with it.`, {
    hint: 'Prepare one that stays, run on it, and try the verdict of that run: see sqldyno server start.',
    exitCode: ExitCode.targetUnavailable,
  });
}

/** Where the path would have been too long, the socket lies elsewhere, and only its server's file names it. */
function nameIn({ target }: RunRecord, servers: readonly FoundServer[]): string {
  const bySocket = servers.find(({ file }) => file.socketPath === target.address);
  return bySocket?.file.name ?? basename(dirname(target.address));
}

/** What it was given beside the settings of every private server. */
function ownArguments({ file }: FoundServer): string[] {
  const settings = asArguments(serverSettings(file, usableMemoryBytes()));
  return file.arguments.filter((argument) => !settings.includes(argument));
}
