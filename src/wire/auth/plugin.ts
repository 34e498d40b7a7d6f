/** The contract of an authentication plugin, client side. One file each; `plugins.ts` lists them. */
import { WireError } from '../errors.ts';

export interface AuthContext {
  /** UTF-8. */
  readonly password: Buffer;
  /** As the server sent it; it may carry a closing zero. */
  readonly nonce: Buffer;
  /** TLS: nobody can listen. */
  readonly isEncrypted: boolean;
  /** TLS or a Unix socket: what is sent stays between the two. */
  readonly isPrivate: boolean;
  readonly serverPublicKey: string | undefined;
  readonly allowPublicKeyRetrieval: boolean;
}

export interface AuthExchange {
  /** The answer to the nonce. */
  readonly first: Uint8Array;
  /** The answer to "auth more data"; undefined: nothing to say, the server goes on. */
  more(data: Buffer): Uint8Array | undefined;
}

/** Throws `WireError('auth')` where the exchange would be unsafe or cannot work. */
export type AuthPlugin = (context: AuthContext) => AuthExchange;

/** For plugins that have said everything in their first answer. */
export function answeringOnce(plugin: string, first: Uint8Array): AuthExchange {
  return { first, more: () => unexpectedData(plugin) };
}

export function unexpectedData(plugin: string): never {
  throw new WireError('protocol', `The server sent data that the authentication plugin ${plugin} does not know.`);
}

/** The first `length` bytes of the nonce; a shorter one would weaken the answer. */
export function nonceOf(context: AuthContext, plugin: string, length: number): Buffer {
  if (context.nonce.length < length) {
    throw new WireError('protocol', `The server's nonce for ${plugin} is too short: ${context.nonce.length} bytes.`);
  }
  return context.nonce.subarray(0, length);
}

export function withNul(password: Buffer): Buffer {
  return Buffer.concat([password, Buffer.of(0)]);
}
