/** Why a server cannot be used, in one sentence with a remedy. All of these end with exit code 2. */
import { ExitCode, UserError } from '../base/errors.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import type { ConnectOptions } from '../wire/types.ts';
import { addressOf } from './target.ts';

interface Explanation {
  readonly is: string;
  readonly remedy: string;
}

/** Errors that are no failure of a connection are given back as they came. */
export function explainConnectError(error: unknown, target: ConnectOptions): unknown {
  const explanation =
    error instanceof ServerError
      ? explainServerError(error, target)
      : error instanceof WireError
        ? explainWireError(error, target)
        : undefined;
  if (explanation === undefined) return error;
  return new UserError(explanation.is, {
    hint: explanation.remedy,
    exitCode: ExitCode.targetUnavailable,
    cause: error,
  });
}

function explainServerError(error: ServerError, target: ConnectOptions): Explanation | undefined {
  const address = addressOf(target);
  const said = `(${error.code} ${error.symbol}: ${sentence(error.message)})`;
  switch (error.code) {
    case 1045: // ER_ACCESS_DENIED_ERROR
    case 1698: // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
      return {
        is: `${address} refuses user '${target.user}' with ${target.password === '' ? 'no password' : 'this password'} ${said}.`,
        remedy: `Check --mysql-user and the password (--ask-password, MYSQL_PWD or --mysql-password-file), or create the user: ${createUser(target)}`,
      };
    case 1049: // ER_BAD_DB_ERROR
      return {
        is: `The database '${target.database}' does not exist on ${address}.`,
        // Of the workload nothing is known here, and not each has something to prepare.
        remedy: `Run on the server: CREATE DATABASE ${quoted(target.database ?? '')}; Where the workload has a prepare, --create-database there makes it.`,
      };
    case 1044: // ER_DBACCESS_DENIED_ERROR
      return {
        is: `User '${target.user}' may not use the database '${target.database}' on ${address} ${said}.`,
        remedy: `Run as an administrator: GRANT ALL ON ${quoted(target.database ?? '')}.* TO ${accountIn(error.message) ?? `'${target.user}'`};`,
      };
    case 1040: // ER_CON_COUNT_ERROR
    case 1203: // ER_TOO_MANY_USER_CONNECTIONS
      return {
        is: `${address} has no connection left ${said}.`,
        remedy: 'Raise max_connections on the server, or end what holds its connections.',
      };
    case 1129: // ER_HOST_IS_BLOCKED
    case 1130: // ER_HOST_NOT_PRIVILEGED
      return {
        is: `${address} lets nobody in from this machine ${said}.`,
        remedy: `Create a user for it: ${createUser(target)}`,
      };
    case 1862: // ER_MUST_CHANGE_PASSWORD_LOGIN
    case 3118: // ER_ACCOUNT_HAS_BEEN_LOCKED
      return { is: `${address} refuses user '${target.user}' ${said}.`, remedy: 'Renew or unlock the account first.' };
    default:
      return undefined;
  }
}

function explainWireError(error: WireError, target: ConnectOptions): Explanation {
  const address = addressOf(target);
  const said = sentence(error.message);
  switch (error.kind) {
    case 'refused':
      return {
        is: `No server answers at ${address}: ${said}.`,
        remedy:
          'Check host, port and socket, that the server runs, and that it listens there (bind_address, firewall).',
      };
    case 'timeout':
      return {
        is: `${address} does not answer in time: ${said}.`,
        remedy: 'Check the address and the firewall, or raise --connect-timeout.',
      };
    case 'tls':
      return {
        is: `No encrypted connection to ${address}: ${said}.`,
        remedy:
          target.sslMode === 'DISABLED'
            ? 'The server demands encryption: add --mysql-ssl=on.'
            : 'Check --mysql-ssl, --mysql-ssl-ca and the certificate, or connect without encryption: --mysql-ssl=off.',
      };
    case 'auth':
      return {
        is: `${address} and sqldyno agree on no way to authenticate '${target.user}': ${said}.`,
        remedy: 'Try --mysql-ssl=on: some methods send the password only over an encrypted connection.',
      };
    case 'closed':
      return {
        is: `${address} closed the connection: ${said}.`,
        remedy: "See the server's error log; a proxy or max_connect_errors can be the reason too.",
      };
    case 'protocol':
      return {
        is: `What answers at ${address} does not speak the MySQL protocol: ${said}.`,
        remedy: 'Check the port: 3306 is usual, 33060 is the X protocol, which is another.',
      };
  }
}

function createUser(target: ConnectOptions): string {
  const from = target.socketPath === undefined ? '%' : 'localhost';
  const user = `'${target.user}'@'${from}'`;
  const create = `CREATE USER ${user} IDENTIFIED BY '…';`;
  return target.database === undefined ? create : `${create} GRANT ALL ON ${quoted(target.database)}.* TO ${user};`;
}

export function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** Messages end with a dot here and there: our sentence has its own. */
function sentence(message: string): string {
  return message.replace(/\.\s*$/, '');
}

/** The server names the account that it took the user for: "… for user 'ben'@'127.0.0.1' to database …". */
function accountIn(message: string): string | undefined {
  return /'[^']*'@'[^']*'/.exec(message)?.[0];
}
