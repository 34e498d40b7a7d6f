/**
 * Looks at the server before a run or a prepare, and tells what would stop it or spoil its figures, each with the
 * remedy. Changes nothing.
 */
import { ServerError } from '../wire/errors.ts';
import type { Connection } from '../wire/types.ts';
import { limitProblems } from './preflight-limits.ts';
import { readOnlyProblems } from './preflight-read-only.ts';
import { tableProblems } from './preflight-tables.ts';
import { asText, quoteName, quoteText, readRows } from './sql.ts';
import type { Needs, TargetProblem, Workload } from './workload.ts';

export interface PreflightSettings {
  /** Connections of the load, or of the prepare. */
  readonly threads: number;
  /** True before `prepare`: tables need not be there yet. */
  readonly isPrepareRun: boolean;
  /** False with `--db-ps-mode=disable`. Default true. */
  readonly preparedStatements?: boolean;
  /** Connections beside the load: for observation and control. Default 2. */
  readonly connectionsExtra?: number;
  /** Where given, and the connection has no default database: is it there? */
  readonly database?: string;
}

/** What `preflight` needs of a workload. */
type Checked = Pick<Workload, 'needs' | 'inspect'>;

const CONNECTIONS_EXTRA = 2;

/** In order of importance; empty where all is well. `connection` is to the database of the run. */
export async function preflight(
  connection: Connection,
  workload: Checked,
  options: Readonly<Record<string, unknown>>,
  settings: PreflightSettings,
): Promise<TargetProblem[]> {
  const { threads, isPrepareRun } = settings;
  const needs = workload.needs(options as never, threads);
  const missing = await databaseProblem(connection, settings.database);
  if (missing !== undefined) return [missing];
  const problems = [
    ...(await limitProblems(connection, needs, {
      connections: threads + (settings.connectionsExtra ?? CONNECTIONS_EXTRA),
      preparedStatements:
        isPrepareRun || settings.preparedStatements === false ? 0 : threads * needs.statementsPerSession,
    })),
    ...(needs.writes || isPrepareRun ? await readOnlyProblems(connection) : []),
  ];
  if (isPrepareRun) return problems;
  const ofTables = await tableProblems(connection, needs.tables);
  problems.push(...ofTables);
  // A table that is missing would only be reported a second time.
  if (ofTables.some((problem) => problem.severity === 'stop')) return problems;
  problems.push(...(await probeProblems(connection, needs)));
  problems.push(...((await workload.inspect?.(connection, options as never)) ?? []));
  return problems;
}

export function databaseMissing(database: string): TargetProblem {
  return {
    id: 'database-missing',
    severity: 'stop',
    is: `There is no database '${database}', or this user may not see it.`,
    remedy: `Create it: CREATE DATABASE ${quoteName(database)};`,
  };
}

async function databaseProblem(
  connection: Connection,
  database: string | undefined,
): Promise<TargetProblem | undefined> {
  const [current] = await readRows(connection, 'SELECT DATABASE()');
  if (asText(current?.[0]) !== '') return undefined;
  if (database === undefined || database === '') {
    return {
      id: 'no-database',
      severity: 'stop',
      is: 'No database is chosen.',
      remedy: 'Give --mysql-db=NAME.',
    };
  }
  const found = await readRows(
    connection,
    `SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ${quoteText(database)}`,
  );
  return found.length > 0 ? undefined : databaseMissing(database);
}

/** ER_UNSUPPORTED_PS: this server prepares no such statement, which the load then sends as text. */
const UNSUPPORTED_PS = 1295;
/** Access denied: to the database, to the table, to a column, or for want of a privilege. */
const DENIED_CODES: readonly number[] = [1044, 1142, 1143, 1227];
/** max_prepared_stmt_count is reached: told apart, by its own check. */
const TOO_MANY_STATEMENTS = 1461;

/** Preparing a statement checks names and privileges, and changes nothing. */
async function probeProblems(connection: Connection, needs: Needs): Promise<TargetProblem[]> {
  const problems: TargetProblem[] = [];
  for (const sql of needs.probes ?? []) {
    try {
      const statement = await connection.prepare(sql);
      statement.close();
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (error.code === UNSUPPORTED_PS || error.code === TOO_MANY_STATEMENTS) continue;
      problems.push(refusedProblem(sql, error));
    }
  }
  return problems;
}

function refusedProblem(sql: string, error: ServerError): TargetProblem {
  const isDenied = DENIED_CODES.includes(error.code);
  const verb = /^\w+/.exec(sql)?.[0].toUpperCase() ?? '';
  return {
    id: isDenied ? 'privilege-missing' : 'statement-refused',
    severity: 'stop',
    is: `The server would refuse a statement of this workload: ${error.message} (${error.symbol}): ${sql}`,
    remedy: isDenied
      ? `Let an administrator say: GRANT ${verb} ON database.* TO user;`
      : 'Are these the tables of this workload? Otherwise: cleanup, then prepare.',
  };
}
