/** What a server is and how it was set up, as flat facts: what two runs must agree in, or differ in knowingly. */
import { ServerError } from '../wire/errors.ts';
import type { Connection } from '../wire/types.ts';
import { readReplica } from './replica.ts';

export type Facts = Readonly<Record<string, string | number | boolean>>;

/** Values set by somebody, with where they were set. MariaDB and MySQL each have a table of their own for it. */
const SET_BY_SOMEBODY = {
  mariadb:
    "SELECT LOWER(VARIABLE_NAME), GLOBAL_VALUE, GLOBAL_VALUE_ORIGIN FROM information_schema.SYSTEM_VARIABLES WHERE GLOBAL_VALUE IS NOT NULL AND GLOBAL_VALUE_ORIGIN NOT IN ('COMPILE-TIME', 'AUTO')",
  mysql:
    "SELECT LOWER(i.VARIABLE_NAME), g.VARIABLE_VALUE, i.VARIABLE_SOURCE FROM performance_schema.variables_info i JOIN performance_schema.global_variables g USING (VARIABLE_NAME) WHERE i.VARIABLE_SOURCE <> 'COMPILED'",
};
/** May hold a password or a key, or the way to one. */
const SECRET = /passw|secret|auth|_key$|keyring|kmip|token/;
const LENGTH_MAX = 200;

/** `set.NAME` for every variable that somebody has set, `set-at-runtime.NAME` where no file says so. */
export async function serverEnvironment(connection: Connection): Promise<Facts> {
  const { flavor, version } = connection.server;
  return {
    flavor,
    version,
    ...(await unlessRefused(() => whatIsSet(connection))),
    ...(await unlessRefused(() => replicaFacts(connection))),
    ...(await unlessRefused(() => galeraFacts(connection))),
  };
}

/** Not told to this user, or not kept by this version: the variables that matter are in the record all the same. */
async function unlessRefused(read: () => Promise<Facts>): Promise<Facts> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return {};
  }
}

async function whatIsSet(connection: Connection): Promise<Facts> {
  const facts: Record<string, string> = {};
  const { rows } = await connection.read(SET_BY_SOMEBODY[connection.server.flavor]);
  for (const [name, value, origin] of rows.map((row) => row.map(textOf))) {
    if (name === undefined || value === undefined || SECRET.test(name)) continue;
    const isRuntime = origin === 'SQL' || origin === 'DYNAMIC';
    facts[`${isRuntime ? 'set-at-runtime' : 'set'}.${name}`] = value.slice(0, LENGTH_MAX);
  }
  return facts;
}

async function replicaFacts(connection: Connection): Promise<Facts> {
  const state = await readReplica((sql) => connection.read(sql), connection.server.flavor);
  if (state === undefined) return {};
  const { sources, isReceiving, isApplying } = state;
  return { 'replica.sources': sources, 'replica.isReceiving': isReceiving, 'replica.isApplying': isApplying };
}

const GALERA_FACTS: Readonly<Record<string, string>> = {
  wsrep_cluster_size: 'galera.clusterSize',
  wsrep_cluster_status: 'galera.clusterStatus',
  wsrep_local_state_comment: 'galera.state',
  wsrep_provider_version: 'galera.version',
};

/** None where the server is in no cluster: some servers have the counters all the same. */
async function galeraFacts(connection: Connection): Promise<Facts> {
  const names = Object.keys(GALERA_FACTS).map((name) => `'${name}'`);
  const { rows } = await connection.read(`SHOW GLOBAL STATUS WHERE Variable_name IN (${names.join(', ')})`);
  const facts = Object.fromEntries(rows.map(([name, value]) => [GALERA_FACTS[textOf(name)] ?? '', textOf(value)]));
  return Number(facts['galera.clusterSize'] ?? 0) > 0 ? facts : {};
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value ?? '');
}

/** Of the whole way, client and server included: an idle statement that does nothing. Microseconds. */
export async function roundTrips(
  connection: Connection,
  atMost: { readonly count: number; readonly timeMs: number },
  nowMs: () => number,
): Promise<{ readonly p50: number; readonly p99: number; readonly mean: number }> {
  const times: number[] = [];
  // The first one finds caches cold, and is left out.
  await connection.execute('DO 0');
  const endMs = nowMs() + atMost.timeMs;
  do {
    const startMs = nowMs();
    await connection.execute('DO 0');
    times.push(nowMs() - startMs);
  } while (times.length < atMost.count && nowMs() < endMs);
  times.sort((one, other) => one - other);
  const us = (ms: number) => Math.round(ms * 1000);
  const at = (share: number) => us(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);
  return { p50: at(0.5), p99: at(0.99), mean: us(times.reduce((sum, ms) => sum + ms, 0) / times.length) };
}
