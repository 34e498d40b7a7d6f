/**
 * caching_sha2_password. A scramble first; where the server has it cached it says "fast", else it wants the password:
 * in clear over TLS or a Unix socket, else under its RSA key.
 */
import { createHash } from 'node:crypto';
import { NONCE_LENGTH } from '../constants.ts';
import { type AuthContext, type AuthPlugin, nonceOf, unexpectedData, withNul } from './plugin.ts';
import { encryptPassword, mayAskForKey } from './rsa.ts';
import { xor } from './xor.ts';

const PLUGIN = 'caching_sha2_password';

/** The one-byte messages of this plugin ("Caching_sha2_password information"). */
const REQUEST_PUBLIC_KEY = 2;
const FAST_AUTH_SUCCESS = 3;
const PERFORM_FULL_AUTHENTICATION = 4;

export const cachingSha2Password: AuthPlugin = (context) => {
  // What the server may say next. After the password has been sent only OK or ERR can follow.
  let awaits: 'verdict' | 'key' | 'nothing' = 'verdict';
  return {
    first: scramble(context),
    more(data) {
      if (awaits === 'key') {
        awaits = 'nothing';
        return encryptPassword(context, PLUGIN, data.toString('latin1'));
      }
      const verdict = data.length === 1 && awaits === 'verdict' ? data[0] : undefined;
      awaits = 'nothing';
      if (verdict === FAST_AUTH_SUCCESS) return undefined;
      if (verdict !== PERFORM_FULL_AUTHENTICATION) return unexpectedData(PLUGIN);
      if (context.isPrivate) return withNul(context.password);
      if (context.serverPublicKey !== undefined) return encryptPassword(context, PLUGIN, context.serverPublicKey);
      mayAskForKey(context, PLUGIN);
      awaits = 'key';
      return Buffer.of(REQUEST_PUBLIC_KEY);
    },
  };
};

/** SHA256(password) XOR SHA256(SHA256(SHA256(password)) + nonce). */
function scramble(context: AuthContext): Buffer {
  if (context.password.length === 0) return Buffer.alloc(0);
  const nonce = nonceOf(context, PLUGIN, NONCE_LENGTH);
  const once = sha256(context.password);
  return xor(once, sha256(Buffer.concat([sha256(sha256(context.password)), nonce])));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
