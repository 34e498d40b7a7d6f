/**
 * A server in-process that speaks the protocol without a database: for tests, which tell it what to answer and what to
 * do wrong, and for measuring what the load generator itself costs.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, type SecureVersion, type TLSSocket } from 'node:tls';
import { assert } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import { CAPABILITY } from '../constants.ts';
import type { RsaKeys } from './authentication.ts';
import { addCounters } from './counters.ts';
import { errorPayload, framePayloads } from './encode.ts';
import type { Fault } from './faults.ts';
import { type Account, type HandshakeContext, shakeHands } from './handshake.ts';
import { Link, LinkClosed } from './link.ts';
import { MYSQL_80, type ServerProfile } from './profile.ts';
import type { Answer, ErrorReply, Reply } from './reply.ts';
import { type RecordedStatement, Session, type SessionServer } from './session.ts';
import { systemVariables } from './variables.ts';

/** Connections waiting to be accepted: a load opens all of its own at once. */
const BACKLOG = 4_096;
/** Records of connections that are kept; beyond it the oldest are forgotten. */
const CONNECTIONS_KEPT = 10_000;

export interface TlsOptions {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  /** Asks the client for a certificate signed by this authority. */
  readonly clientCa?: string;
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
}

/** What a client meets instead of a greeting. */
export type FirstWords =
  | { readonly is: 'bytes'; readonly bytes: Uint8Array }
  /** An ERR packet, as of a server with too many connections: without SQLSTATE unless `withSqlState`. Then the end. */
  | { readonly is: 'error'; readonly error: ErrorReply; readonly withSqlState?: boolean }
  | { readonly is: 'close' }
  | { readonly is: 'silence' };

export interface FakeServerOptions {
  /** Where to listen; without it on a free port of 127.0.0.1. */
  readonly socketPath?: string;
  /** Default: like MySQL 8.0. */
  readonly profile?: ServerProfile;
  /** Without accounts everybody is let in. */
  readonly accounts?: readonly Account[];
  /** Without a list every database exists. */
  readonly databases?: readonly string[];
  readonly tls?: TlsOptions;
  readonly rsa?: RsaKeys;
  readonly answer?: Answer;
  /** Statements kept in `statements`, the first ones; default 0, which costs nothing. */
  readonly recordMax?: number;
  /** MariaDB's metadata skipping, where agreed on: leave the columns out of executions. Default true. */
  readonly skipsMetadata?: boolean;
  /** Of the connection of this number, from 1. */
  readonly faults?: (connectionId: number) => readonly Fault[];
  readonly firstWords?: FirstWords;
}

/** What is known of a connection, also after its end. */
export interface ConnectionRecord {
  readonly id: number;
  /** Of authentication: plugins tried, 'switch PLUGIN', 'fast', 'full', 'rsa-key-requested', 'rsa'. */
  readonly steps: readonly string[];
  readonly user: string | undefined;
  readonly database: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  /** Agreed on. */
  readonly capabilities: number;
  readonly cachesMetadata: boolean;
  readonly isTls: boolean;
  /** Common name of the certificate that the client showed. */
  readonly clientCertificate: string | undefined;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly isOpen: boolean;
}

export interface FakeServer extends AsyncDisposable {
  /** 0 on a socket. */
  readonly port: number;
  readonly socketPath: string | undefined;
  readonly statements: readonly RecordedStatement[];
  readonly connections: readonly ConnectionRecord[];
  /** What clients did that the protocol does not allow. */
  readonly violations: readonly string[];
  /** The counters of SHOW GLOBAL STATUS. */
  status(): ReadonlyMap<string, number>;
  /** Says something unasked on an open connection. */
  sendUnasked(connectionId: number, reply: Reply): Promise<void>;
  /** Drops every connection, as a crash does; goes on listening. */
  dropConnections(): void;
  close(): Promise<void>;
}

export async function startFakeServer(options: FakeServerOptions = {}): Promise<FakeServer> {
  const server = new RunningServer(options);
  await server.listen();
  return server;
}

class RunningServer implements FakeServer, SessionServer {
  port = 0;
  readonly socketPath: string | undefined;
  readonly statements: RecordedStatement[] = [];
  readonly connections: RunningConnection[] = [];
  readonly violations: string[] = [];
  readonly version: string;
  readonly profile: ServerProfile;
  readonly answer: Answer | undefined;
  readonly skipsMetadata: boolean;
  readonly record: ((statement: RecordedStatement) => void) | undefined;
  readonly options: FakeServerOptions;
  readonly secureContext: SecureContext | undefined;
  readonly cachedUsers = new Set<string>();
  variables: ReadonlyMap<string, string> = new Map();
  readonly #listener: Server;
  readonly #open = new Set<RunningConnection>();
  readonly #countersOfClosed = new Map<string, number>();
  readonly #startedMs = monotonicMs();
  #connectionCount = 0;
  #openMax = 0;

  constructor(options: FakeServerOptions) {
    const { profile = MYSQL_80, recordMax = 0, tls } = options;
    this.options = options;
    this.socketPath = options.socketPath;
    this.profile = tls === undefined ? profile : withTls(profile);
    this.version = profile.version.replace(/^5\.5\.5-/, '');
    this.answer = options.answer;
    this.skipsMetadata = options.skipsMetadata ?? true;
    this.secureContext = tls === undefined ? undefined : secureContextOf(tls);
    this.record = recordMax === 0 ? undefined : (statement) => this.#record(statement, recordMax);
    this.#listener = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  async listen(): Promise<void> {
    const { socketPath } = this;
    const target = socketPath === undefined ? { host: '127.0.0.1', port: 0 } : { path: socketPath };
    await new Promise<void>((resolve, reject) => {
      this.#listener.once('error', reject);
      this.#listener.listen({ ...target, backlog: BACKLOG }, resolve);
    });
    const address = this.#listener.address();
    if (address !== null && typeof address === 'object') this.port = address.port;
    this.variables = systemVariables(this.version, this.port, socketPath ?? '');
  }

  status(): Map<string, number> {
    const status = new Map(this.#countersOfClosed);
    for (const connection of this.#open) addCounters(status, connection.status());
    return status
      .set('Connections', this.#connectionCount)
      .set('Max_used_connections', this.#openMax)
      .set('Threads_connected', this.#open.size)
      .set('Uptime', Math.floor((monotonicMs() - this.#startedMs) / 1_000));
  }

  globalStatus(): Map<string, number> {
    return this.status();
  }

  async sendUnasked(connectionId: number, reply: Reply): Promise<void> {
    const connection = this.connections.find(({ id }) => id === connectionId);
    assert(connection?.session !== undefined, `connection ${connectionId} is in its command phase`);
    await connection.session.sendUnasked(reply);
  }

  dropConnections(): void {
    for (const connection of this.#open) connection.drop();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    this.dropConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#listener.listening) await this.close();
  }

  #accept(socket: Socket): void {
    const connection = new RunningConnection(++this.#connectionCount, socket, this);
    if (this.connections.length === CONNECTIONS_KEPT) this.connections.shift();
    this.connections.push(connection);
    this.#open.add(connection);
    this.#openMax = Math.max(this.#openMax, this.#open.size);
    socket.once('close', () => {
      this.#open.delete(connection);
      addCounters(this.#countersOfClosed, connection.status());
    });
    connection.start();
  }

  #record(statement: RecordedStatement, max: number): void {
    if (this.statements.length < max) this.statements.push(statement);
  }
}

class RunningConnection implements ConnectionRecord {
  readonly id: number;
  readonly steps: string[] = [];
  user: string | undefined;
  database: string | undefined;
  attributes: Readonly<Record<string, string>> = {};
  capabilities = 0;
  cachesMetadata = false;
  clientCertificate: string | undefined;
  session: Session | undefined;
  readonly #link: Link;
  readonly #server: RunningServer;

  constructor(id: number, socket: Socket, server: RunningServer) {
    this.id = id;
    this.#server = server;
    this.#link = new Link(socket, {
      faults: server.options.faults?.(id) ?? [],
      secureContext: server.secureContext,
      requestsClientCertificate: server.options.tls?.clientCa !== undefined,
      onViolation: (what) => server.violations.push(`connection ${id}: ${what}`),
    });
  }

  get isTls(): boolean {
    return this.#link.tls !== undefined;
  }
  get bytesSent(): number {
    return this.#link.bytesSent;
  }
  get bytesReceived(): number {
    return this.#link.bytesReceived;
  }
  get isOpen(): boolean {
    return !this.#link.isClosed;
  }

  status(): ReadonlyMap<string, number> {
    const bytes: [string, number][] = [
      ['Bytes_received', this.bytesReceived],
      ['Bytes_sent', this.bytesSent],
    ];
    return this.session?.sessionStatus() ?? new Map(bytes);
  }

  drop(): void {
    this.#link.destroy();
  }

  start(): void {
    this.#begin().catch((error: unknown) => {
      if (!(error instanceof LinkClosed)) this.#server.violations.push(`connection ${this.id}: ${String(error)}`);
      this.drop();
    });
  }

  async #begin(): Promise<void> {
    const { firstWords } = this.#server.options;
    if (firstWords !== undefined) {
      this.#say(firstWords);
      return;
    }
    const agreed = await shakeHands(this.#link, this.#handshakeContext());
    if (agreed === undefined) {
      this.#link.end();
      return;
    }
    const { response } = agreed;
    this.user = response.user;
    this.database = response.database;
    this.attributes = response.attributes;
    this.capabilities = agreed.capabilities;
    this.cachesMetadata = agreed.cachesMetadata;
    this.clientCertificate = commonNameOf(agreed.tls);
    const session = new Session(this.id, this.#link, agreed, this.#server);
    this.session = session;
    this.#link.serve((packet) => session.handle(packet));
  }

  #handshakeContext(): HandshakeContext {
    const { options, profile, cachedUsers, socketPath } = this.#server;
    return {
      connectionId: this.id,
      profile,
      cachedUsers,
      accounts: options.accounts,
      databases: options.databases,
      rsa: options.rsa,
      isSocket: socketPath !== undefined,
      note: (step) => this.steps.push(step),
    };
  }

  #say(words: FirstWords): void {
    if (words.is === 'silence') return;
    if (words.is === 'bytes') {
      this.#link.sendEncoded(words.bytes);
      return;
    }
    if (words.is === 'error') {
      const capabilities = words.withSqlState ? this.#server.profile.capabilities : 0;
      this.#link.sendEncoded(framePayloads([errorPayload(words.error, capabilities)], 0));
    }
    this.#link.end();
  }
}

function commonNameOf(tls: TLSSocket | undefined): string | undefined {
  const name: unknown = tls?.getPeerCertificate().subject?.CN;
  return typeof name === 'string' ? name : undefined;
}

function withTls(profile: ServerProfile): ServerProfile {
  return { ...profile, capabilities: profile.capabilities | CAPABILITY.SSL };
}

function secureContextOf({ key, cert, clientCa, minVersion, maxVersion }: TlsOptions): SecureContext {
  return createSecureContext({
    key,
    cert,
    ...(clientCa === undefined ? {} : { ca: clientCa }),
    ...(minVersion === undefined ? {} : { minVersion }),
    ...(maxVersion === undefined ? {} : { maxVersion }),
  });
}
