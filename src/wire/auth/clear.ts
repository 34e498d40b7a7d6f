/** mysql_clear_password, as PAM and LDAP need it: only where TLS keeps the password from others. */
import { WireError } from '../errors.ts';
import { type AuthPlugin, answeringOnce, withNul } from './plugin.ts';

export const clearPassword: AuthPlugin = (context) => {
  if (!context.isEncrypted) {
    throw new WireError(
      'auth',
      'The server asks for the password in clear (mysql_clear_password), and the connection is not encrypted. ' +
        'Use ssl-mode REQUIRED or stricter.',
    );
  }
  return answeringOnce('mysql_clear_password', withNul(context.password));
};
