/**
 * client_ed25519 of MariaDB: an Ed25519 signature of the server's nonce. The secret key is the password itself, of any
 * length, where RFC 8032 has 32 random bytes; from SHA-512 of it on, everything is as in the RFC.
 */
import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { ED25519_NONCE_LENGTH } from '../constants.ts';
import { type AuthPlugin, answeringOnce, nonceOf } from './plugin.ts';

const PLUGIN = 'client_ed25519';
const HALF = 32;

export const ed25519Password: AuthPlugin = (context) => {
  // An account without a password has no key to check a signature with; the server expects an empty answer.
  if (context.password.length === 0) return answeringOnce(PLUGIN, Buffer.alloc(0));
  return answeringOnce(PLUGIN, signWithPassword(context.password, nonceOf(context, PLUGIN, ED25519_NONCE_LENGTH)));
};

/** RFC 8032, 5.1.6, with SHA-512 of the password as the expanded key. */
export function signWithPassword(password: Uint8Array, message: Uint8Array): Buffer {
  const { Point } = ed25519;
  const { Fn } = Point;
  const expanded = sha512(password);
  const secret = toScalar(clamp(expanded.subarray(0, HALF)));
  const publicKey = Point.BASE.multiply(secret).toBytes();
  const r = toScalar(sha512(expanded.subarray(HALF), message));
  const bigR = Point.BASE.multiply(r).toBytes();
  const k = toScalar(sha512(bigR, publicKey, message));
  const s = Fn.create(r + k * secret);
  return Buffer.concat([bigR, Fn.toBytes(s)]);

  /** A number of 32 or 64 bytes, little-endian, modulo the group's order. */
  function toScalar(bytes: Uint8Array): bigint {
    return Fn.create(BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`));
  }
}

/** RFC 8032, 5.1.5, step 2. */
function clamp(bytes: Uint8Array): Uint8Array {
  const clamped = Uint8Array.from(bytes);
  clamped[0]! &= 0b1111_1000;
  clamped[HALF - 1]! &= 0b0111_1111;
  clamped[HALF - 1]! |= 0b0100_0000;
  return clamped;
}

function sha512(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
