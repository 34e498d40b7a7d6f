/**
 * Collects what the checks need, of the server and of both hosts, within a time: what has not answered by then is
 * unseen. Nothing is changed anywhere, but for a small file on the disk of the data that is gone again at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../base/clock.ts';
import type { HostFacts, HostSource } from '../observe/host-sample.ts';
import { connect } from '../wire/connection.ts';
import { ServerError } from '../wire/errors.ts';
import type { Connection, ConnectOptions } from '../wire/types.ts';
import { type Collected, type HostLook, type Seen, type ServerLook, seen, unseenBecause } from './collected.ts';
import {
  beginHost,
  type HostBeginning,
  idleLook,
  lookAtClient,
  lookAtFlushes,
  sampleHost,
  type Timed,
} from './host-look.ts';
import {
  askServer,
  noAnswers,
  readStatus,
  refusalText,
  type ServerAnswers,
  type ServerQuestions,
} from './server-look.ts';
import { before } from './within.ts';

export interface CollectRequest {
  /** Unseen where none is examined. A connection of its own is opened to it, and closed. */
  readonly server: Seen<ConnectOptions>;
  /** Of the server. */
  readonly serverHost: Seen<HostSource>;
  /** The same object where it is one machine. Opened and closed by the caller. */
  readonly clientHost: Seen<HostSource>;
  /** By its address, the server is on this machine. Where the hosts say which they are, they are believed. */
  readonly isHere?: boolean;
  /** The load that is meant to run. */
  readonly questions?: ServerQuestions;
  /** How long the hosts are watched without load. */
  readonly idleS: number;
  /** For everything together. Default: 0.9 s more than `idleS`. */
  readonly limitS?: number;
  readonly signal?: AbortSignal;
}

/** So that an automatic look, with opening the hosts, stays below two seconds whatever does not answer. */
const LIMIT_BEYOND_IDLE_S = 0.9;
/** A server that takes longer is still being asked while the hosts are watched. */
const ASKING_ALONE_MS = 400;
/** Kept back for the last look. */
const LAST_LOOK_MS = 300;
const MS_PER_S = 1000;

export async function collect(request: CollectRequest): Promise<Collected> {
  const startMs = monotonicMs();
  const { idleS, limitS = idleS + LIMIT_BEYOND_IDLE_S } = request;
  const endMs = startMs + limitS * MS_PER_S;
  const idleEndMs = endMs - LAST_LOOK_MS;
  await using server = new ServerTalk(request, endMs);
  // On this machine the look at the disk stops this thread, and would be in every time that is taken meanwhile.
  if (!isSameSource(request)) void server.ask();
  const hosts = await beginHosts(request, endMs - idleS * MS_PER_S);
  const flush = flushLook(hosts, request.server.is === 'seen');
  await before(Math.min(monotonicMs() + ASKING_ALONE_MS, idleEndMs), server.ask());
  const world = { endMs, now: monotonicMs };
  const first = await sampleBoth(hosts, world);
  await sleep(Math.max(0, Math.min(idleS * MS_PER_S, idleEndMs - monotonicMs())), undefined, signalOf(request));
  const [second] = await Promise.all([sampleBoth(hosts, world), server.lookAgain()]);
  const looks = await hostLooks(hosts, { first, second, flush });
  return {
    server: server.look,
    ...looks,
    ...isOneHost(request, hosts),
    problems: server.problems,
    tookS: (monotonicMs() - startMs) / MS_PER_S,
  };
}

function signalOf({ signal }: CollectRequest): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

interface Both<T> {
  readonly server: Seen<T>;
  readonly client: Seen<T>;
}

function isSameSource({ serverHost, clientHost }: CollectRequest): boolean {
  return serverHost.is === 'seen' && clientHost.is === 'seen' && serverHost.value === clientHost.value;
}

async function beginHosts(request: CollectRequest, endMs: number): Promise<Both<HostBeginning>> {
  const server = beginHost(request.serverHost, endMs);
  const client = isSameSource(request) ? server : beginHost(request.clientHost, endMs);
  return { server: await server, client: await client };
}

function flushLook({ server, client }: Both<HostBeginning>, hasServer: boolean): HostLook['flush'] {
  if (server.is === 'unseen') return server;
  const local = client.is === 'seen' ? client.value.facts : undefined;
  return lookAtFlushes(server.value.facts, { local, hasServer });
}

async function sampleBoth(
  { server, client }: Both<HostBeginning>,
  world: Parameters<typeof sampleHost>[1],
): Promise<Both<Timed>> {
  const ofServer = server.is === 'seen' ? sampleHost(server.value, world) : server;
  const ofClient = client === server ? ofServer : client.is === 'seen' ? sampleHost(client.value, world) : client;
  return { server: await ofServer, client: await ofClient };
}

interface Looks {
  readonly first: Both<Timed>;
  readonly second: Both<Timed>;
  readonly flush: HostLook['flush'];
}

async function hostLooks(
  { server, client }: Both<HostBeginning>,
  { first, second, flush }: Looks,
): Promise<Pick<Collected, 'serverHost' | 'clientHost'>> {
  const own = await lookAtClient();
  const look = async (begun: HostBeginning, of: 'server' | 'client'): Promise<HostLook> => ({
    description: begun.source.description,
    facts: begun.facts,
    room: begun.room,
    idle: await idleLook(begun.facts, first[of], second[of]),
    flush,
    ...(client.is === 'seen' && isSameHost(begun.facts, client.value.facts) ? { client: own } : {}),
  });
  const serverHost = server.is === 'seen' ? seen(await look(server.value, 'server')) : server;
  // Over SSH, too, one may come out where one is.
  const isOne = server.is === 'seen' && client.is === 'seen' && isSameHost(server.value.facts, client.value.facts);
  if (isOne || client === server) return { serverHost, clientHost: serverHost };
  return { serverHost, clientHost: client.is === 'seen' ? seen(await look(client.value, 'client')) : client };
}

function isSameHost(one: HostFacts, other: HostFacts): boolean {
  return one === other || (one['bootId'] !== undefined && one['bootId'] === other['bootId']);
}

/** A host that has no server is nobody's host but the client's. */
function isOneHost(request: CollectRequest, { server, client }: Both<HostBeginning>): Pick<Collected, 'isOneHost'> {
  const ids = [server, client].map((host) => (host.is === 'seen' ? host.value.facts['bootId'] : undefined));
  if (ids[0] !== undefined && ids[1] !== undefined) return { isOneHost: ids[0] === ids[1] };
  return request.isHere === undefined ? {} : { isOneHost: request.isHere };
}

/** The talk with the server, which goes on while the hosts are watched, and is cut off where it takes too long. */
class ServerTalk implements AsyncDisposable {
  readonly #request: CollectRequest;
  readonly #endMs: number;
  readonly #answers: ServerAnswers;
  #asking: Promise<void> | undefined;
  #isOver = false;
  #connection: Connection | undefined;
  #failure: string | undefined;
  #later: { readonly status: ServerLook['status']['later']; readonly atMs: number } | undefined;

  constructor(request: CollectRequest, endMs: number) {
    this.#request = request;
    this.#endMs = endMs;
    this.#answers = noAnswers(request.questions);
  }

  /** Everything once, however often it is called. Never rejects. */
  ask(): Promise<void> {
    this.#asking ??= this.#ask().catch((error: Error) => {
      this.#failure = refusalText(error);
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const { server, questions } = this.#request;
    if (server.is === 'unseen') return;
    const leftMs = Math.max(1, this.#endMs - monotonicMs());
    const connection = await connectAnyway({ ...server.value, connectTimeoutMs: leftMs, readTimeoutMs: leftMs });
    if (this.#isOver) return connection.destroy();
    this.#connection = connection;
    await askServer(connection, { database: server.value.database, questions }, this.#answers);
  }

  /** When it has been asked everything; where that takes too long, there is no second look. */
  async lookAgain(): Promise<void> {
    await before(this.#endMs, this.ask());
    const connection = this.#connection;
    if (connection === undefined || !this.#answers.isDone) return;
    const status = await before(this.#endMs, readStatus(connection)).catch((error: Error) => {
      this.#failure = refusalText(error);
      return undefined;
    });
    if (status !== undefined) this.#later = { status, atMs: monotonicMs() };
  }

  get look(): Seen<ServerLook> {
    const { server } = this.#request;
    if (server.is === 'unseen') return server;
    const { variables, earlier, setAtRuntime, defaults, tables, roundTripUs, clock, replication } = this.#answers;
    if (this.#connection === undefined || variables === undefined || earlier === undefined) {
      return unseenBecause(this.#failure ?? 'The server did not answer in time.');
    }
    const later = this.#later ?? earlier;
    const { flavor, version } = this.#connection.server;
    return seen({
      flavor,
      version,
      variables,
      status: { earlier: earlier.status, later: later.status, elapsedS: (later.atMs - earlier.atMs) / MS_PER_S },
      setAtRuntime,
      defaults,
      tables,
      roundTripUs,
      clock,
      replication,
      isOverTcp: server.value.socketPath === undefined,
    });
  }

  get problems(): Collected['problems'] {
    const { problems } = this.#answers;
    if (problems.is === 'seen') return problems;
    const { server } = this.#request;
    if (server.is === 'unseen') return server;
    return this.#failure === undefined ? problems : unseenBecause(this.#failure);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    const connection = this.#connection;
    // A query that still runs must not hold anybody up.
    if (!this.#answers.isDone) connection?.destroy();
    else await before(this.#endMs, connection?.close() ?? Promise.resolve());
    connection?.destroy();
  }
}

/** ER_BAD_DB_ERROR */
const UNKNOWN_DATABASE = 1049;

/** A database that is missing is something to be said, not a reason to see nothing. */
async function connectAnyway({ database, ...target }: ConnectOptions): Promise<Connection> {
  try {
    return await connect(database === undefined ? target : { ...target, database });
  } catch (error) {
    if (!(error instanceof ServerError) || error.code !== UNKNOWN_DATABASE) throw error;
    return connect(target);
  }
}
