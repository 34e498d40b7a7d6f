/** The hosts of server and client, opened as the user names them, or as the server's address says. */
import { ExitCode, UserError } from '../base/errors.ts';
import { isThisHost } from '../observe/host.ts';
import type { HostSource, HostTarget } from '../observe/host-sample.ts';
import { openLocalHost } from '../observe/sources/local.ts';
import { openNodeExporter } from '../observe/sources/node-exporter.ts';
import { openSshHost } from '../observe/sources/ssh.ts';
import { connect } from '../wire/connection.ts';
import { ServerError } from '../wire/errors.ts';
import type { Connection, ConnectOptions } from '../wire/types.ts';
import { asText, readRows } from '../workload/sql.ts';
import { type Seen, seen, unseenBecause } from './collected.ts';

export interface HostsRequest {
  /** Absent: there is no server, and this machine stands for both hosts. */
  readonly server?: ConnectOptions;
  /** Where there is no server: on whose disk data would lie. */
  readonly directory?: string;
  readonly ssh?: string;
  readonly metricsUrl?: string;
  readonly processId: number;
}

export interface OpenHosts extends AsyncDisposable {
  readonly server: Seen<HostSource>;
  readonly client: Seen<HostSource>;
  /** By the server's address. */
  readonly isHere: boolean;
}

/** Rejects with a UserError where what the user names does not answer. */
export async function openHosts(request: HostsRequest): Promise<OpenHosts> {
  const { server, ssh, metricsUrl, processId } = request;
  const told = server === undefined ? { ...NOBODY, target: directoryOf(request) } : await askForPlace(server);
  const isHere = server === undefined || isThisHost(server.socketPath ?? server.host ?? 'localhost', told.hostname);
  const elsewhere = { ...told.target, clientPids: [] };
  const named =
    ssh !== undefined
      ? await reached(openSshHost(ssh, elsewhere))
      : metricsUrl !== undefined
        ? await reached(openNodeExporter(metricsUrl, elsewhere))
        : undefined;
  const isLocal = isHere && named === undefined;
  const client = await openHere({ ...(isLocal ? told.target : {}), clientPids: [processId] });
  const ofServer = named !== undefined ? seen(named) : isHere ? client : unseenBecause(ELSEWHERE);
  return {
    server: ofServer,
    client,
    isHere,
    [Symbol.asyncDispose]: async () => {
      await named?.[Symbol.asyncDispose]();
      if (client.is === 'seen') await client.value[Symbol.asyncDispose]();
    },
  };
}

/** What could not be read has a cause; an address that is none is the user's mistake, and has not. */
async function reached(opening: Promise<HostSource>): Promise<HostSource> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof UserError) || error.cause === undefined) throw error;
    const { message, hint, cause } = error;
    const exitCode = ExitCode.targetUnavailable;
    throw new UserError(message, { ...(hint === undefined ? {} : { hint }), exitCode, cause });
  }
}

function directoryOf({ directory }: HostsRequest): Place['target'] {
  return directory === undefined ? {} : { dataDirectory: directory };
}

const ELSEWHERE = "The server's host is another one: name it with --host-ssh or --host-metrics.";

async function openHere(target: HostTarget): Promise<Seen<HostSource>> {
  try {
    return seen(await openLocalHost(target));
  } catch (error) {
    return unseenBecause((error as Error).message);
  }
}

interface Place {
  readonly target: Omit<HostTarget, 'clientPids'>;
  readonly hostname: string | undefined;
}

const NOBODY: Place = { target: {}, hostname: undefined };
/** Before anything is examined, a server that does not answer must be noticed. */
const ASK_MS_MAX = 10_000;

/** Where the server says that it is. What it does not say is left out, and one that is not to be had says nothing. */
async function askForPlace(server: ConnectOptions): Promise<Place> {
  const { database: _, ...target } = server;
  try {
    await using connection = await connect({ connectTimeoutMs: ASK_MS_MAX, readTimeoutMs: ASK_MS_MAX, ...target });
    return await placeOf(connection);
  } catch (error) {
    if (error instanceof UserError) throw error;
    return NOBODY;
  }
}

async function placeOf(connection: Connection): Promise<Place> {
  try {
    const [row] = await readRows(connection, 'SELECT @@pid_file, @@datadir, @@hostname');
    const [pidFile = '', dataDirectory = '', hostname = ''] = (row ?? []).map((value) => asText(value));
    return {
      target: { ...(pidFile === '' ? {} : { pidFile }), ...(dataDirectory === '' ? {} : { dataDirectory }) },
      hostname: hostname === '' ? undefined : hostname,
    };
  } catch (error) {
    // A proxy has variables of its own.
    if (!(error instanceof ServerError)) throw error;
    return NOBODY;
  }
}
