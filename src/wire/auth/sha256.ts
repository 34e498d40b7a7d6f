/** sha256_password: the password in clear over TLS, else under the server's RSA key. */
import { type AuthPlugin, answeringOnce, unexpectedData, withNul } from './plugin.ts';
import { encryptPassword, mayAskForKey } from './rsa.ts';

const PLUGIN = 'sha256_password';
const REQUEST_PUBLIC_KEY = 1;

export const sha256Password: AuthPlugin = (context) => {
  // An empty password is no secret: it goes as its closing zero alone.
  if (context.isEncrypted || context.password.length === 0) return answeringOnce(PLUGIN, withNul(context.password));
  if (context.serverPublicKey !== undefined) {
    return answeringOnce(PLUGIN, encryptPassword(context, PLUGIN, context.serverPublicKey));
  }
  mayAskForKey(context, PLUGIN);
  let keyIsDue = true;
  return {
    first: Buffer.of(REQUEST_PUBLIC_KEY),
    more(data) {
      if (!keyIsDue) return unexpectedData(PLUGIN);
      keyIsDue = false;
      return encryptPassword(context, PLUGIN, data.toString('latin1'));
    },
  };
};
