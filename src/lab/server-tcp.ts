/** Access to a private server over TCP: loopback only, with a password, because a port cannot be hidden from others. */
import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerPaths } from './server-directory.ts';

export interface TcpAccess {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly user: 'root';
  readonly password: string;
}

/** Below the ports that Linux and macOS give to outgoing connections, above the usual services. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const PORT_ATTEMPTS_MAX = 8;

/**
 * Which ports to offer to the server, one after the other. The server itself finds out whether a port is free: any
 * look beforehand could be wrong by the time it binds.
 */
export function portsToTry(wanted: boolean | number, before: number | null): readonly (number | null)[] {
  if (wanted === false) return [null];
  if (wanted !== true) return [wanted];
  const random = Array.from({ length: PORT_ATTEMPTS_MAX }, () => randomInt(PORT_MIN, PORT_MAX));
  return before === null ? random : [before, ...random];
}

/**
 * Has the server make the account before it takes the first connection. MariaDB's install script leaves accounts
 * without a password for 127.0.0.1 and ::1; they go. A kept server keeps its password.
 */
export function writeTcpAccess(paths: ServerPaths, port: number): TcpAccess {
  const password = passwordIn(paths.clientFile) ?? randomBytes(18).toString('base64url');
  const statements = [
    "DROP USER IF EXISTS 'root'@'127.0.0.1', 'root'@'::1';",
    `CREATE USER 'root'@'127.0.0.1' IDENTIFIED BY '${password}';`,
    "GRANT ALL PRIVILEGES ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;",
  ];
  const client = ['[client]', 'protocol=tcp', 'host=127.0.0.1', `port=${port}`, 'user=root', `password=${password}`];
  writeFileSync(paths.initFile, `${statements.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(paths.clientFile, `${client.join('\n')}\n`, { mode: 0o600 });
  return { host: '127.0.0.1', port, user: 'root', password };
}

export function tcpArguments(paths: ServerPaths, port: number | null): string[] {
  if (port === null) return ['--skip-networking'];
  return ['--bind-address=127.0.0.1', `--port=${port}`, `--init-file=${paths.initFile}`];
}

function passwordIn(clientFile: string): string | undefined {
  try {
    return /^password=(.+)$/m.exec(readFileSync(clientFile, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
