/** From the server's greeting to its OK: TLS where agreed, then authentication. Not hot: once per connection. */

import type { AuthContext, AuthExchange } from '../auth/plugin.ts';
import { authPlugin, greetedPlugin } from '../auth/plugins.ts';
import { framePayload, sequenceAfter } from '../bytes/frame.ts';
import { PacketReader } from '../bytes/reader.ts';
import { type Channel, outOfOrder, type Receiver } from '../channel.ts';
import { CAPABILITY, REPLY } from '../constants.ts';
import { WireError } from '../errors.ts';
import { errorText, readError } from '../packets.ts';
import type { ConnectOptions, ServerInfo } from '../types.ts';
import {
  type Agreement,
  agree,
  type Greeting,
  handshakeResponse,
  readAuthSwitch,
  readGreeting,
  sslRequest,
} from './greeting.ts';
import { tlsFailure, tlsOptions } from './tls.ts';

/** Real exchanges take four packets at most; a server that goes on and on must not keep us. */
const AUTH_PACKETS_MAX = 16;

/** Hands packets to code that awaits them one by one. */
export class PacketQueue implements Receiver {
  readonly #packets: Buffer[] = [];
  #waiting: { resolve(packet: Buffer): void; reject(because: Error): void } | undefined;
  #failure: Error | undefined;

  get isEmpty(): boolean {
    return this.#packets.length === 0;
  }

  next(): Promise<Buffer> {
    const packet = this.#packets.shift();
    if (packet !== undefined) return Promise.resolve(packet);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  onPacket(buffer: Buffer, start: number, end: number): void {
    if (this.#packets.length === AUTH_PACKETS_MAX)
      throw new WireError('protocol', 'The server sends too many packets.');
    const packet = Buffer.from(buffer.subarray(start, end));
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#packets.push(packet);
    else waiting.resolve(packet);
  }

  onChunkEnd(): void {}

  onUnasked(payload: Buffer, sequence: number): void {
    if (sequence !== 0) throw outOfOrder(-1, sequence);
    const error = readError(new PacketReader(payload), 'mysql');
    throw new WireError('closed', `The server closed the connection: ${errorText(error)}.`, { cause: error });
  }

  onEnd(because: Error | undefined): void {
    this.#failure = because ?? new WireError('closed', 'The connection was closed during the handshake.');
    this.#waiting?.reject(this.#failure);
    this.#waiting = undefined;
  }
}

export interface Session {
  readonly server: ServerInfo;
  readonly agreement: Agreement;
}

/** Rejects with `ServerError` where the server refuses, `WireError` otherwise. */
export async function shakeHands(channel: Channel, queue: PacketQueue, options: ConnectOptions): Promise<Session> {
  const greeting = readGreeting(await queue.next());
  const useTls = wantsTls(greeting, options);
  const agreement = agree(greeting, options, useTls);
  const tls = useTls ? await startTls(channel, queue, agreement, options) : undefined;
  await authenticate({ channel, queue, options, greeting, agreement, isEncrypted: useTls });
  const { flavor, version, connectionId } = greeting;
  return { server: { flavor, version, connectionId, capabilities: agreement.capabilities, tls }, agreement };
}

/** A Unix socket needs no encryption: PREFERRED leaves it plain, as the manual says of ssl-mode. */
function wantsTls(greeting: Greeting, options: ConnectOptions): boolean {
  if (options.sslMode === 'DISABLED') return false;
  const isOffered = (greeting.capabilities & CAPABILITY.SSL) !== 0;
  if (options.sslMode === 'PREFERRED') return isOffered && options.socketPath === undefined;
  if (isOffered) return true;
  throw new WireError('tls', `The server offers no TLS, and ssl-mode is ${options.sslMode}. Set it up on the server.`);
}

async function startTls(channel: Channel, queue: PacketQueue, agreement: Agreement, options: ConnectOptions) {
  // Whatever came in clear after the greeting was slipped in by somebody: it must not be taken for the server's word.
  if (!queue.isEmpty || !channel.isBetweenPackets) {
    throw new WireError('protocol', 'The server sent data before TLS had begun.');
  }
  const settings = tlsOptions(options);
  sendPacket(channel, sslRequest(agreement));
  try {
    return await channel.upgrade(settings);
  } catch (error) {
    throw tlsFailure(error);
  }
}

interface Authentication {
  readonly channel: Channel;
  readonly queue: PacketQueue;
  readonly options: ConnectOptions;
  readonly greeting: Greeting;
  readonly agreement: Agreement;
  readonly isEncrypted: boolean;
}

async function authenticate(part: Authentication): Promise<void> {
  const { channel, queue, options, greeting, agreement } = part;
  const plugin = greetedPlugin(greeting.plugin);
  let exchange = begin(plugin, greeting.nonce, part);
  sendPacket(
    channel,
    handshakeResponse(agreement, {
      user: options.user,
      answer: exchange.first,
      plugin,
      database: options.database,
      attributes: options.attributes ?? {},
    }),
  );
  for (let packets = 0; packets < AUTH_PACKETS_MAX; packets++) {
    const packet = await queue.next();
    switch (packet[0]) {
      case REPLY.OK:
        if (queue.isEmpty && channel.isBetweenPackets) return;
        throw new WireError('protocol', 'The server sent more than its OK after authentication.');
      case REPLY.ERR:
        throw readError(new PacketReader(packet), greeting.flavor);
      case REPLY.EOF: {
        const asked = readAuthSwitch(packet);
        exchange = begin(asked.plugin, asked.nonce, part);
        reply(part, exchange.first);
        break;
      }
      case REPLY.AUTH_MORE_DATA:
        reply(part, exchange.more(packet.subarray(1)));
        break;
      default:
        throw new WireError('protocol', 'The server sent a packet that has no place in authentication.');
    }
  }
  throw new WireError('protocol', 'The server does not come to an end with authentication.');
}

function begin(plugin: string, nonce: Buffer, part: Authentication): AuthExchange {
  const { options, isEncrypted } = part;
  const context: AuthContext = {
    password: Buffer.from(options.password, 'utf8'),
    nonce,
    isEncrypted,
    isPrivate: isEncrypted || options.socketPath !== undefined,
    serverPublicKey: options.serverPublicKey,
    allowPublicKeyRetrieval: options.allowPublicKeyRetrieval ?? false,
  };
  return authPlugin(plugin)(context);
}

function reply(part: Authentication, answer: Uint8Array | undefined): void {
  if (answer === undefined) return;
  if (!part.queue.isEmpty) throw new WireError('protocol', 'The server did not wait for our answer.');
  sendPacket(part.channel, answer);
}

/** In this phase both sides count on in one sequence. */
function sendPacket(channel: Channel, payload: Uint8Array): void {
  const packet = framePayload(payload, channel.expectedSequence);
  channel.expectedSequence = sequenceAfter(channel.expectedSequence);
  channel.send(packet);
}
