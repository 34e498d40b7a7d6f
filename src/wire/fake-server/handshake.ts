/** The connection phase: greeting, perhaps TLS, authentication, OK or ERR. */
import type { TLSSocket } from 'node:tls';
import { CAPABILITY, MARIADB_CAPABILITY, NONCE_LENGTH, SERVER_STATUS } from '../constants.ts';
import { AUTHENTICATION_PLUGINS, newNonce, type RsaKeys } from './authentication.ts';
import { type HandshakeResponse, readHandshakeResponse } from './decode.ts';
import { authSwitchPayload, errorPayload, greetingPayload, okPayload } from './encode.ts';
import type { Link } from './link.ts';
import type { ServerProfile } from './profile.ts';
import { type ErrorReply, error } from './reply.ts';

/** One way to prove who one is. A plugin that is unknown here is asked for all the same, and never believed. */
export interface AuthenticationMethod {
  readonly plugin: string;
  readonly password: string;
}

export interface Account {
  readonly user: string;
  /** Tried in turn until one succeeds: MariaDB's `IDENTIFIED VIA … OR …`; elsewhere there is one. */
  readonly methods: readonly AuthenticationMethod[];
}

export interface HandshakeContext {
  readonly connectionId: number;
  readonly profile: ServerProfile;
  readonly accounts: readonly Account[] | undefined;
  readonly databases: readonly string[] | undefined;
  readonly rsa: RsaKeys | undefined;
  readonly isSocket: boolean;
  /** Users whose hash caching_sha2_password has cached. */
  readonly cachedUsers: Set<string>;
  note(step: string): void;
}

export interface Agreed {
  readonly response: HandshakeResponse;
  /** What both sides can do. */
  readonly capabilities: number;
  readonly cachesMetadata: boolean;
  readonly tls: TLSSocket | undefined;
}

/** Undefined where the client was refused: the error is sent. */
export async function shakeHands(link: Link, context: HandshakeContext): Promise<Agreed | undefined> {
  const { profile, connectionId } = context;
  const plugin = AUTHENTICATION_PLUGINS.get(profile.defaultPlugin);
  const nonce = newNonce(Math.max(plugin?.nonceLength ?? 0, NONCE_LENGTH));
  link.send(greetingPayload({ profile, connectionId, nonce }));
  const response = readHandshakeResponse(await link.receive());
  const refusal = await refusalOf(link, { response, nonce, context });
  if (refusal !== undefined) {
    link.send(errorPayload(refusal, response.capabilities));
    return undefined;
  }
  const capabilities = response.capabilities & profile.capabilities;
  link.send(okPayload({ is: 'ok' }, { ...PLAIN_FORM, capabilities }));
  const isMariadb = (profile.capabilities & CAPABILITY.LONG_PASSWORD) === 0;
  const mariadbCapabilities = isMariadb ? response.mariadbCapabilities & profile.mariadbCapabilities : 0;
  const cachesMetadata = (mariadbCapabilities & MARIADB_CAPABILITY.CACHE_METADATA) !== 0;
  return { response, capabilities, cachesMetadata, tls: link.tls };
}

const PLAIN_FORM = {
  capabilities: 0,
  isBinary: false,
  cachesMetadata: false,
  sendsColumns: true,
  status: SERVER_STATUS.AUTOCOMMIT,
};

interface Attempt {
  readonly response: HandshakeResponse;
  /** Of the greeting. */
  readonly nonce: Buffer;
  readonly context: HandshakeContext;
}

async function refusalOf(link: Link, attempt: Attempt): Promise<ErrorReply | undefined> {
  const { response, context } = attempt;
  const { database, user } = response;
  if (context.accounts !== undefined) {
    const account = context.accounts.find((candidate) => candidate.user === user);
    if (account === undefined || !(await isAuthentic(link, account, attempt))) {
      const withPassword = response.authentication.length > 0 ? 'YES' : 'NO';
      return error(1045, '28000', `Access denied for user '${user}'@'localhost' (using password: ${withPassword})`);
    }
  }
  const isKnown = database === '' || context.databases === undefined || context.databases.includes(database);
  return isKnown ? undefined : error(1049, '42000', `Unknown database '${database}'`);
}

async function isAuthentic(link: Link, account: Account, attempt: Attempt): Promise<boolean> {
  const { response, context } = attempt;
  const namedByClient = response.plugin === '' ? 'mysql_native_password' : response.plugin;
  for (const [index, method] of account.methods.entries()) {
    const plugin = AUTHENTICATION_PLUGINS.get(method.plugin);
    let nonce = attempt.nonce.subarray(0, plugin?.nonceLength);
    let answer: Uint8Array = response.authentication;
    if (index > 0 || method.plugin !== namedByClient) {
      if (!(response.capabilities & CAPABILITY.PLUGIN_AUTH)) return false;
      context.note(`switch ${method.plugin}`);
      nonce = newNonce(plugin?.nonceLength ?? NONCE_LENGTH);
      const end = Buffer.alloc((plugin?.isNonceTerminated ?? true) ? 1 : 0);
      link.send(authSwitchPayload(method.plugin, Buffer.concat([nonce, end])));
      answer = await link.receive();
    }
    context.note(method.plugin);
    const isRight = await plugin?.verify(answer, {
      nonce,
      password: method.password,
      isTls: link.tls !== undefined,
      isSocket: context.isSocket,
      rsa: context.rsa,
      isCached: context.cachedUsers.has(account.user),
      send: (payload) => link.send(payload),
      receive: () => link.receive(),
      note: (step) => context.note(step),
    });
    if (!isRight) continue;
    if (method.plugin === 'caching_sha2_password') context.cachedUsers.add(account.user);
    return true;
  }
  return false;
}
