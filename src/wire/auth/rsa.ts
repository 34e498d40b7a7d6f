/** The password under the server's RSA key, for connections that others may listen to: both SHA-256 plugins need it. */
import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto';
import { NONCE_LENGTH } from '../constants.ts';
import { WireError } from '../errors.ts';
import { type AuthContext, nonceOf, withNul } from './plugin.ts';
import { xor } from './xor.ts';

/** The nonce is mixed in so that a recorded answer is of no use later. */
export function encryptPassword(context: AuthContext, plugin: string, pem: string): Buffer {
  const masked = xor(withNul(context.password), nonceOf(context, plugin, NONCE_LENGTH));
  try {
    return publicEncrypt({ key: publicKey(pem), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }, masked);
  } catch (cause) {
    throw new WireError(
      'auth',
      'The password cannot be encrypted with the RSA public key of the server: is it the right key?',
      {
        cause,
      },
    );
  }
}

/** Throws unless the caller has said that a key from the server itself may be trusted. */
export function mayAskForKey(context: AuthContext, plugin: string): void {
  if (context.allowPublicKeyRetrieval) return;
  throw new WireError(
    'auth',
    `${plugin} needs the server's RSA public key on an unencrypted connection. ` +
      'Use TLS, give the key, or allow its retrieval from the server.',
  );
}

function publicKey(pem: string): KeyObject {
  return createPublicKey(pem);
}
