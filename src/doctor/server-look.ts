/**
 * Asks a server what the checks need to know, one thing after another over one connection. What it refuses is noted
 * with its own words, and the rest is asked all the same: names differ between vendors and versions, and so do rights.
 */
import { monotonicMs, nowMs } from '../base/clock.ts';
import { readReplica } from '../observe/replica.ts';
import { serverEnvironment } from '../observe/server-environment.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import type { Connection } from '../wire/types.ts';
import { preflight } from '../workload/preflight.ts';
import { asText, quoteText, readRows } from '../workload/sql.ts';
import type { TargetProblem, Workload } from '../workload/workload.ts';
import {
  type ClockLook,
  type ReplicationLook,
  type RoundTripLook,
  type Seen,
  type ServerLook,
  type Status,
  seen,
  type TableLook,
  unseenBecause,
} from './collected.ts';
import { readTableLooks } from './table-looks.ts';

/** The load that is meant to run on it. */
export interface ServerQuestions {
  readonly workload: Workload;
  readonly options: Readonly<Record<string, unknown>>;
  readonly threads: number;
  readonly preparedStatements: boolean;
  /** Where they were looked for already. */
  readonly problems?: readonly TargetProblem[];
}

/** Grows while the server is asked: whoever runs out of time takes what there is. */
export interface ServerAnswers {
  variables?: ReadonlyMap<string, string>;
  earlier?: { readonly status: Status; readonly atMs: number };
  setAtRuntime: ServerLook['setAtRuntime'];
  defaults: ServerLook['defaults'];
  tables: Seen<readonly TableLook[]>;
  roundTripUs: ServerLook['roundTripUs'];
  clock: Seen<ClockLook>;
  replication: Seen<ReplicationLook>;
  problems: Seen<readonly TargetProblem[]>;
  /** From now on nothing more is sent. */
  isDone: boolean;
}

const NO_TIME = unseenBecause('There was no time left to ask the server for it.');
const NO_PLAN = unseenBecause('No load was named.');

export function noAnswers(questions: ServerQuestions | undefined): ServerAnswers {
  const found = questions?.problems;
  return {
    setAtRuntime: NO_TIME,
    defaults: new Map(),
    tables: NO_TIME,
    roundTripUs: NO_TIME,
    clock: NO_TIME,
    replication: NO_TIME,
    problems: found !== undefined ? seen(found) : questions === undefined ? NO_PLAN : NO_TIME,
    isDone: false,
  };
}

/** Rejects where the connection breaks, or the server does not even show its variables and its status. */
export async function askServer(
  connection: Connection,
  { questions, database }: { readonly questions: ServerQuestions | undefined; readonly database: string | undefined },
  answers: ServerAnswers,
): Promise<void> {
  answers.variables = await readAll(connection, 'SHOW GLOBAL VARIABLES');
  answers.earlier = { status: await readStatus(connection), atMs: monotonicMs() };
  answers.roundTripUs = await attempt(() => timeRoundTrips(connection));
  answers.clock = await attempt(() => compareClocks(connection));
  answers.setAtRuntime = await settingsAtRuntime(connection);
  const { setAtRuntime } = answers;
  answers.defaults =
    setAtRuntime.is === 'seen' ? await defaultsOf(connection, [...setAtRuntime.value.keys()]) : new Map();
  answers.replication = await attempt(() => readReplication(connection, answers.earlier?.status ?? new Map()));
  const names = questions?.workload.needs(questions.options as never, questions.threads).tables.map(({ name }) => name);
  answers.tables = await attempt(() => readTableLooks(connection, names));
  if (questions !== undefined && questions.problems === undefined) {
    answers.problems = await findProblems(connection, questions, database);
  }
  // Once more, so that nothing that was asked here lies between this and the last look.
  answers.earlier = { status: await readStatus(connection), atMs: monotonicMs() };
  answers.isDone = true;
}

export function readStatus(connection: Connection): Promise<Status> {
  return readAll(connection, 'SHOW GLOBAL STATUS');
}

async function readAll(connection: Connection, sql: string): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows(connection, sql);
  return new Map(rows.map(([name, value]) => [asText(name).toLowerCase(), asText(value)]));
}

async function attempt<T>(ask: () => Promise<T>): Promise<Seen<T>> {
  try {
    return seen(await ask());
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return unseenBecause(refusalText(error));
  }
}

/** As a sentence, whatever the server's own words end with. */
export function refusalText(error: Error): string {
  if (error instanceof WireError) return `The connection to the server broke: ${error.message.replace(/\.$/, '')}.`;
  return `The server does not tell: ${error.message.replace(/\.$/, '')}.`;
}

/** So many that one late one does not matter, as long as they take no longer than this together. */
const ROUND_TRIPS_MAX = 200;
const ROUND_TRIPS_MS = 100;

/** Of an idle statement that does nothing, microseconds. */
async function timeRoundTrips(connection: Connection): Promise<RoundTripLook> {
  // The first one finds caches cold, and is left out.
  await connection.execute('DO 0');
  const timesUs: number[] = [];
  const endMs = monotonicMs() + ROUND_TRIPS_MS;
  do {
    const sentMs = monotonicMs();
    await connection.execute('DO 0');
    timesUs.push((monotonicMs() - sentMs) * 1000);
  } while (timesUs.length < ROUND_TRIPS_MAX && monotonicMs() < endMs);
  timesUs.sort((one, other) => one - other);
  const at = (share: number) => timesUs[Math.min(timesUs.length - 1, Math.floor(share * timesUs.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), count: timesUs.length };
}

async function compareClocks(connection: Connection): Promise<ClockLook> {
  const sentMs = nowMs();
  const [row] = await readRows(connection, 'SELECT UNIX_TIMESTAMP(NOW(6))');
  const answeredMs = nowMs();
  const serverMs = Number(asText(row?.[0])) * 1000;
  return { aheadMs: serverMs - (sentMs + answeredMs) / 2, uncertaintyMs: (answeredMs - sentMs) / 2 };
}

const AT_RUNTIME = 'set-at-runtime.';

async function settingsAtRuntime(connection: Connection): Promise<ServerLook['setAtRuntime']> {
  const facts = Object.entries(await serverEnvironment(connection));
  // A server that tells at all has at least its directories from somewhere.
  if (!facts.some(([name]) => name.startsWith('set'))) {
    return unseenBecause('The server does not tell, or not this user, where its settings come from.');
  }
  const set = facts.filter(([name]) => name.startsWith(AT_RUNTIME));
  return seen(new Map(set.map(([name, value]) => [name.slice(AT_RUNTIME.length), String(value)])));
}

/** MySQL has no table of them: those that have been the same in each of its versions that are in use. */
const MYSQL_DEFAULTS = [
  ['innodb_flush_log_at_trx_commit', '1'],
  ['innodb_flush_log_at_timeout', '1'],
  ['innodb_doublewrite', 'ON'],
  ['sync_binlog', '1'],
] as const;

/** Of these variables, as far as they are told. */
async function defaultsOf(connection: Connection, names: readonly string[]): Promise<ServerLook['defaults']> {
  if (connection.server.flavor === 'mysql') return new Map(MYSQL_DEFAULTS);
  if (names.length === 0) return new Map();
  const list = names.map((name) => quoteText(name.toUpperCase())).join(', ');
  const sql = `SELECT LOWER(VARIABLE_NAME), DEFAULT_VALUE FROM information_schema.SYSTEM_VARIABLES WHERE DEFAULT_VALUE IS NOT NULL AND VARIABLE_NAME IN (${list})`;
  const rows = await attempt(() => readRows(connection, sql));
  if (rows.is === 'unseen') return new Map();
  return new Map(rows.value.map(([name, value]) => [asText(name), asText(value)]));
}

async function readReplication(connection: Connection, status: Status): Promise<ReplicationLook> {
  const replica = await readReplica((sql) => connection.read(sql), connection.server.flavor);
  const look = { ...(replica === undefined ? {} : { replica }), ...clusterOf(status) };
  const connected = status.get('slaves_connected');
  if (connected !== undefined) return { ...look, replicas: Number(connected) };
  // Columns: Id, User, Host, db, Command …
  const processes = await readRows(connection, 'SHOW PROCESSLIST');
  const replicas = processes.filter(([, , , , command]) => asText(command).startsWith('Binlog Dump')).length;
  return { ...look, replicas };
}

/** Some servers have the counters without being in a cluster. */
function clusterOf(status: Status): Pick<ReplicationLook, 'cluster'> {
  const size = Number(status.get('wsrep_cluster_size') ?? 0);
  if (size === 0) return {};
  const said = (name: string) => status.get(name) ?? 'not told';
  return { cluster: { size, status: said('wsrep_cluster_status'), state: said('wsrep_local_state_comment') } };
}

function findProblems(
  connection: Connection,
  { workload, options, threads, preparedStatements }: ServerQuestions,
  database: string | undefined,
): Promise<ServerAnswers['problems']> {
  const settings = {
    threads,
    isPrepareRun: false,
    preparedStatements,
    ...(database === undefined ? {} : { database }),
  };
  return attempt(() => preflight(connection, workload, options, settings));
}
