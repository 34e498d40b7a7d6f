/**
 * The server's half of authentication, one entry a plugin. Each works from the password itself, by another way than the
 * client where there is one (Ed25519 is checked by OpenSSL), so that an error in one half does not hide in the other.
 */
import { constants, createHash, createPublicKey, privateDecrypt, randomBytes, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { ED25519_NONCE_LENGTH, NONCE_LENGTH } from '../constants.ts';
import { authMoreDataPayload } from './encode.ts';

export interface RsaKeys {
  /** PEM. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** What a plugin sees of the connection. */
export interface Exchange {
  readonly nonce: Uint8Array;
  readonly password: string;
  readonly isTls: boolean;
  readonly isSocket: boolean;
  readonly rsa: RsaKeys | undefined;
  /** caching_sha2_password: the server still knows the password's hash from an earlier connection. */
  readonly isCached: boolean;
  send(payload: Uint8Array): void;
  receive(): Promise<Uint8Array>;
  /** What happened, for tests: 'rsa-key-requested'. */
  note(step: string): void;
}

export interface AuthenticationPlugin {
  readonly nonceLength: number;
  /** The nonce is followed by a zero byte in an AuthSwitchRequest. */
  readonly isNonceTerminated: boolean;
  /** Whether the client knows the password. */
  verify(response: Uint8Array, exchange: Exchange): boolean | Promise<boolean>;
}

const SHA2_REQUEST_PUBLIC_KEY = 0x02;
const SHA2_FAST_OK = 0x03;
const SHA2_FULL_NEEDED = 0x04;
const SHA256_REQUEST_PUBLIC_KEY = 0x01;

/** ASN.1 that turns the 32 bytes of an Ed25519 public key into one that OpenSSL reads (RFC 8410). */
const ED25519_KEY_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

const nativePassword: AuthenticationPlugin = {
  nonceLength: NONCE_LENGTH,
  isNonceTerminated: true,
  verify(response, { nonce, password }) {
    if (password === '') return response.length === 0;
    const once = hash('sha1', Buffer.from(password));
    return sameBytes(response, xor(once, hash('sha1', nonce, hash('sha1', once))));
  },
};

const cachingSha2: AuthenticationPlugin = {
  nonceLength: NONCE_LENGTH,
  isNonceTerminated: true,
  async verify(response, exchange) {
    const { nonce, password, isCached } = exchange;
    if (isEmptyPassword(response)) return password === '';
    const once = hash('sha256', Buffer.from(password));
    const isRight = sameBytes(response, xor(once, hash('sha256', hash('sha256', once), nonce)));
    if (isCached && isRight) {
      exchange.note('fast');
      exchange.send(authMoreDataPayload(Uint8Array.of(SHA2_FAST_OK)));
      return true;
    }
    exchange.note('full');
    exchange.send(authMoreDataPayload(Uint8Array.of(SHA2_FULL_NEEDED)));
    const packet = await exchange.receive();
    if (exchange.isTls || exchange.isSocket) return isClearPassword(packet, password);
    return verifyRsa(packet, SHA2_REQUEST_PUBLIC_KEY, exchange);
  },
};

/** Only TLS counts as secure here: a socket does not, unlike with caching_sha2_password. */
const sha256Password: AuthenticationPlugin = {
  nonceLength: NONCE_LENGTH,
  isNonceTerminated: true,
  verify(response, exchange) {
    if (isEmptyPassword(response)) return exchange.password === '';
    if (exchange.isTls) return isClearPassword(response, exchange.password);
    return verifyRsa(response, SHA256_REQUEST_PUBLIC_KEY, exchange);
  },
};

const clearPassword: AuthenticationPlugin = {
  nonceLength: 0,
  isNonceTerminated: false,
  verify: (response, { password }) => isClearPassword(response, password),
};

const clientEd25519: AuthenticationPlugin = {
  nonceLength: ED25519_NONCE_LENGTH,
  isNonceTerminated: false,
  verify(response, { nonce, password }) {
    const key = createPublicKey({
      key: Buffer.concat([ED25519_KEY_HEADER, ed25519PublicKey(password)]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, nonce, key, response);
  },
};

export const AUTHENTICATION_PLUGINS: ReadonlyMap<string, AuthenticationPlugin> = new Map([
  ['mysql_native_password', nativePassword],
  ['caching_sha2_password', cachingSha2],
  ['sha256_password', sha256Password],
  ['mysql_clear_password', clearPassword],
  ['client_ed25519', clientEd25519],
]);

/** Random bytes without zero, which would end the nonce early. */
export function newNonce(length: number): Buffer {
  return randomBytes(length).map((byte) => (byte % 127) + 1) as Buffer;
}

/** What MariaDB keeps of the password: the public key of the secret that is its SHA-512. */
function ed25519PublicKey(password: string): Uint8Array {
  const secret = hash('sha512', Buffer.from(password)).subarray(0, 32).reverse();
  secret[31] = (secret[31] ?? 0) & 0xf8;
  secret[0] = ((secret[0] ?? 0) & 0x3f) | 0x40;
  const scalar = BigInt(`0x${secret.toString('hex')}`) % ed25519.Point.Fn.ORDER;
  return ed25519.Point.BASE.multiply(scalar).toBytes();
}

async function verifyRsa(packet: Uint8Array, keyRequest: number, exchange: Exchange): Promise<boolean> {
  const { rsa, nonce, password } = exchange;
  if (rsa === undefined) return false;
  let encrypted = packet;
  if (packet.length === 1 && packet[0] === keyRequest) {
    exchange.note('rsa-key-requested');
    exchange.send(authMoreDataPayload(Buffer.from(rsa.publicKey)));
    encrypted = await exchange.receive();
  }
  exchange.note('rsa');
  try {
    const key = { key: rsa.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' };
    return isClearPassword(xor(privateDecrypt(key, encrypted), nonce), password);
  } catch {
    exchange.note('not-rsa');
    return false;
  }
}

function isEmptyPassword(response: Uint8Array): boolean {
  return response.length === 0 || (response.length === 1 && response[0] === 0);
}

function isClearPassword(packet: Uint8Array, password: string): boolean {
  return sameBytes(packet, Buffer.from(`${password}\0`));
}

function hash(name: string, ...parts: readonly Uint8Array[]): Buffer {
  const digest = createHash(name);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** The shorter is repeated. */
function xor(bytes: Uint8Array, pattern: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ (pattern[index % pattern.length] ?? 0)));
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
