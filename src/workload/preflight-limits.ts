/** Limits of the server that a plan would break: connections, prepared statements, packet length. */
import { formatCount } from '../base/units.ts';
import type { Connection } from '../wire/types.ts';
import { readStatus, readVariables } from './sql.ts';
import type { Needs, TargetProblem } from './workload.ts';

export interface LimitsPlan {
  /** To be opened besides the one that looks. */
  readonly connections: number;
  /** To be held at once, over all of them. */
  readonly preparedStatements: number;
}

/** Proposed limits leave this much room for others. */
const SPARE_SHARE = 0.1;

export async function limitProblems(connection: Connection, needs: Needs, plan: LimitsPlan): Promise<TargetProblem[]> {
  const variables = await readVariables(connection, [
    'max_connections',
    'max_prepared_stmt_count',
    'max_allowed_packet',
  ]);
  const status = await readStatus(connection, ['Threads_connected', 'Prepared_stmt_count']);
  const limit = (name: string) => (variables.has(name) ? Number(variables.get(name)) : Number.POSITIVE_INFINITY);
  const used = (name: string) => status.get(name) ?? 0;
  return [
    connectionsProblem(plan.connections, used('threads_connected'), limit('max_connections')),
    userConnectionsProblem(plan.connections, await userConnectionsMax(connection)),
    statementsProblem(plan.preparedStatements, used('prepared_stmt_count'), limit('max_prepared_stmt_count')),
    packetProblem(needs.statementBytesMax ?? 0, limit('max_allowed_packet')),
  ].filter((problem) => problem !== undefined);
}

function connectionsProblem(wanted: number, used: number, limit: number): TargetProblem | undefined {
  if (used + wanted <= limit) return undefined;
  return {
    id: 'max-connections',
    severity: 'stop',
    is:
      `${formatCount(wanted)} more connections are needed; ${formatCount(used)} of max_connections = ` +
      `${formatCount(limit)} are taken.`,
    remedy: `SET GLOBAL max_connections = ${withSpare(used + wanted)}; or fewer --threads.`,
  };
}

/** The session's value is the user's own limit; 0 is none. Servers without it have none either. */
async function userConnectionsMax(connection: Connection): Promise<number> {
  const { rows } = await connection.read("SHOW SESSION VARIABLES WHERE Variable_name = 'max_user_connections'");
  const limit = Number(rows[0]?.[1] ?? 0);
  return limit > 0 ? limit : Number.POSITIVE_INFINITY;
}

function userConnectionsProblem(wanted: number, limit: number): TargetProblem | undefined {
  if (wanted + 1 <= limit) return undefined;
  return {
    id: 'max-user-connections',
    severity: 'stop',
    is: `${formatCount(wanted + 1)} connections of this user are needed; it may have ${formatCount(limit)} (max_user_connections).`,
    remedy: `ALTER USER CURRENT_USER() WITH MAX_USER_CONNECTIONS ${withSpare(wanted + 1)}; or fewer --threads.`,
  };
}

function statementsProblem(wanted: number, used: number, limit: number): TargetProblem | undefined {
  if (wanted === 0 || used + wanted <= limit) return undefined;
  return {
    id: 'max-prepared-stmt-count',
    severity: 'stop',
    is:
      `${formatCount(wanted)} prepared statements are needed; ${formatCount(used)} of max_prepared_stmt_count = ` +
      `${formatCount(limit)} are taken.`,
    remedy:
      `SET GLOBAL max_prepared_stmt_count = ${withSpare(used + wanted)}; or --db-ps-mode=disable, or fewer ` +
      '--threads or --tables.',
  };
}

function packetProblem(wantedBytes: number, limitBytes: number): TargetProblem | undefined {
  if (wantedBytes <= limitBytes) return undefined;
  return {
    id: 'max-allowed-packet',
    severity: 'stop',
    is: `Statements of up to ${formatCount(wantedBytes)} bytes are sent; max_allowed_packet is ${formatCount(limitBytes)}.`,
    remedy: `SET GLOBAL max_allowed_packet = ${roundUpKiB(wantedBytes)};`,
  };
}

/** max_allowed_packet counts in whole KiB. */
function roundUpKiB(bytes: number): number {
  return Math.ceil(bytes / 1024) * 1024;
}

function withSpare(count: number): number {
  return Math.ceil(count * (1 + SPARE_SHARE));
}
