/** The plugins that we speak, by the names that servers use. */
import { WireError } from '../errors.ts';
import { cachingSha2Password } from './caching-sha2.ts';
import { clearPassword } from './clear.ts';
import { ed25519Password } from './ed25519.ts';
import { nativePassword } from './native.ts';
import type { AuthPlugin } from './plugin.ts';
import { sha256Password } from './sha256.ts';

const PLUGINS = new Map<string, AuthPlugin>([
  ['mysql_native_password', nativePassword],
  ['caching_sha2_password', cachingSha2Password],
  ['sha256_password', sha256Password],
  ['mysql_clear_password', clearPassword],
  ['client_ed25519', ed25519Password],
]);

/** Plugins whose first answer is a scramble of the greeting's nonce. The others wait to be asked by name. */
const GREETED = new Set(['mysql_native_password', 'caching_sha2_password']);

/** What to answer a greeting with: its plugin, or the oldest, from which the server switches to what the user has. */
export function greetedPlugin(name: string): string {
  return GREETED.has(name) ? name : 'mysql_native_password';
}

export function authPlugin(name: string): AuthPlugin {
  const plugin = PLUGINS.get(name);
  if (plugin !== undefined) return plugin;
  if (name === 'mysql_old_password') {
    throw new WireError(
      'auth',
      'The server asks for the password hash of MySQL 4.0 (mysql_old_password), which is not safe to send. ' +
        'Set the password of this user anew on the server, with mysql_native_password or better.',
    );
  }
  throw new WireError(
    'auth',
    `The server asks for the authentication plugin ${printable(name)}, which is not supported. ` +
      `Give this user one of: ${[...PLUGINS.keys()].join(', ')}.`,
  );
}

/** The name is the server's text: no control characters, no page-long names. */
function printable(name: string): string {
  return `'${name.slice(0, 64).replace(/[^\x20-\x7e]/g, '?')}'`;
}
