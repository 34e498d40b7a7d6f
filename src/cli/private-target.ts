/**
 * The private server that stands in where no target is named. It is kept between commands, since `prepare` is one and
 * `run` another; `sqldyno server stop` ends it.
 */
import { ExitCode, UserError } from '../base/errors.ts';
import { listPrivateServers, startPrivateServer } from '../lab/server.ts';
import type { ConnectOptions } from '../wire/types.ts';
import { selfCommand } from './self-command.ts';

export interface PrivateTarget {
  readonly connection: ConnectOptions;
  readonly notes: readonly string[];
}

export interface PrivateTargetRequest {
  readonly name: string;
  readonly database: string;
  /** Default as `storeDirectory`. */
  readonly storeDirectory: string | undefined;
  /** True for `prepare`: other commands need data that a new server cannot have. */
  readonly mayCreate: boolean;
  readonly signal: AbortSignal;
  readonly onNote: (line: string) => void;
}

export async function usePrivateServer(request: PrivateTargetRequest): Promise<PrivateTarget> {
  const { name, storeDirectory, signal, onNote } = request;
  const servers = await listPrivateServers(storeDirectory);
  const found = servers.find(({ file }) => file.name === name);
  if (found?.state === 'running') {
    return {
      connection: connectionTo(found.file.socketPath, request.database),
      notes: [`the private server '${name}' is used; it stays until: ${stopCommand(name)}`],
    };
  }
  const isUsable = found?.state === 'stopped' && found.file.keep;
  if (!request.mayCreate && !isUsable) {
    throw new UserError(`No target is named, and there is no private server '${name}' yet.`, {
      hint: 'Prepare one with the same command and `prepare` at its end, or name a server with --mysql-host=HOST',
      exitCode: ExitCode.targetUnavailable,
    });
  }
  onNote(`Starting the private server '${name}'...`);
  const server = await startPrivateServer({
    keep: true,
    name,
    signal,
    onNote,
    ...(storeDirectory === undefined ? {} : { directory: storeDirectory }),
  });
  return {
    connection: { ...server.target, database: request.database },
    notes: [`the private server '${name}' was started; it stays until: ${stopCommand(name)}`],
  };
}

/** The socket's directory lets in its owner only, who needs no password. */
export function connectionTo(socketPath: string, database: string): ConnectOptions {
  return { socketPath, user: 'root', password: '', database, sslMode: 'DISABLED' };
}

export function stopCommand(name: string): string {
  return `${selfCommand()} server stop${name === 'default' ? '' : ` ${name}`}`;
}
