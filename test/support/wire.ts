/** What the tests of the wire client share: certificates, addresses, and a way to let the event loop turn. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

function pem(name: string): string {
  return readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');
}

export const AUTHORITY = pem('authority.crt');
/** An authority that has signed nothing. */
export const STRANGER = pem('stranger.crt');
export const SERVER_TLS = { key: pem('server.key'), cert: pem('server.crt') };
/** A certificate for another host than 127.0.0.1. */
export const ELSEWHERE_TLS = { key: pem('elsewhere.key'), cert: pem('elsewhere.crt') };
export const CLIENT_TLS = { sslKey: pem('client.key'), sslCert: pem('client.crt') };
export const RSA = { publicKey: pem('rsa.pub'), privateKey: pem('rsa.key') };
export const OTHER_RSA_PUBLIC_KEY = pem('rsa-other.pub');

export interface SocketPath extends Disposable {
  readonly path: string;
}

/** A path for a Unix socket in a folder of its own. */
export function temporarySocket(): SocketPath {
  const folder = mkdtempSync(join(tmpdir(), 'sqldyno-wire-'));
  return {
    path: join(folder, 'server.sock'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Lets what was sent be read: one turn to leave the callback that sends, one for the other side to read. */
export async function letOthersRead(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
