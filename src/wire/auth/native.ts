/** mysql_native_password: SHA1(password) XOR SHA1(nonce + SHA1(SHA1(password))). */
import { createHash } from 'node:crypto';
import { NONCE_LENGTH } from '../constants.ts';
import { type AuthPlugin, answeringOnce, nonceOf } from './plugin.ts';
import { xor } from './xor.ts';

export const nativePassword: AuthPlugin = (context) => {
  const plugin = 'mysql_native_password';
  if (context.password.length === 0) return answeringOnce(plugin, Buffer.alloc(0));
  const nonce = nonceOf(context, plugin, NONCE_LENGTH);
  const once = sha1(context.password);
  return answeringOnce(plugin, xor(once, sha1(Buffer.concat([nonce, sha1(once)]))));
};

function sha1(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest();
}
