/** The connections that look at the target while others load it: one for each server of it. */
import { connect } from '../wire/connection.ts';
import { ServerError } from '../wire/errors.ts';
import type { Connection, ConnectOptions } from '../wire/types.ts';

export interface Observers extends AsyncDisposable {
  /** The first one; the target's description is its server's. */
  readonly first: Connection;
  readonly connections: readonly Connection[];
}

/** A server that answers so late during a run is noted, and does not hold the run up. */
const READ_TIMEOUT_MS = 30_000;

/** Two addresses may lead to one server, whose counters must not be added twice. */
export async function openObservers(targets: readonly ConnectOptions[]): Promise<Observers> {
  const connections: Connection[] = [];
  const servers = new Set<string>();
  try {
    for (const target of targets) {
      const connection = await connect({ ...target, readTimeoutMs: target.readTimeoutMs || READ_TIMEOUT_MS });
      connections.push(connection);
      await outliveTheRun(connection);
      const server = targets.length === 1 ? '' : await identityOfServer(connection);
      if (servers.has(server)) await connections.pop()?.close();
      servers.add(server);
    }
  } catch (error) {
    for (const connection of connections) connection.destroy();
    throw error;
  }
  const [first] = connections;
  if (first === undefined) throw new Error('a plan has at least one target');
  return {
    first,
    connections,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(connections.map((connection) => connection.close().catch(() => connection.destroy())));
    },
  };
}

/** It is idle while the load runs, and the server may be set to end idle sessions soon. */
async function outliveTheRun(connection: Connection): Promise<void> {
  try {
    await connection.execute(`SET SESSION wait_timeout = ${WAIT_TIMEOUT_S}`);
  } catch (error) {
    // A proxy may refuse it; then its own limits hold.
    if (!(error instanceof ServerError)) throw error;
  }
}

/** The most that MySQL and MariaDB take on every platform. */
const WAIT_TIMEOUT_S = 2_147_483;

/** Differs between any two servers: same host and port can only be one, and containers differ in host name. */
async function identityOfServer(connection: Connection): Promise<string> {
  const { rows } = await connection.read('SELECT @@hostname, @@port, @@datadir, @@socket');
  return JSON.stringify(rows[0]);
}
