/** Small things that everything here asks of SQL. */
import type { Connection, ServerInfo, SqlValue } from '../wire/types.ts';

export type Row = readonly SqlValue[];

export async function readRows(connection: Connection, sql: string): Promise<readonly Row[]> {
  return (await connection.read(sql)).rows;
}

/** The first row's first value as a number; NULL and no row are 0. */
export async function readNumber(connection: Connection, sql: string): Promise<number> {
  const rows = await readRows(connection, sql);
  return Number(rows[0]?.[0] ?? 0);
}

/** For names and texts of our own making, and for users' words that may hold anything. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** Text of whatever type the server gave it: information_schema has names as bytes in some versions. */
export function asText(value: SqlValue | undefined): string {
  if (value === null || value === undefined) return '';
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
}

/** Global variables by name, lower case; those the server does not have are absent. */
export async function readVariables(connection: Connection, names: readonly string[]): Promise<Map<string, string>> {
  const list = names.map(quoteText).join(', ');
  const rows = await readRows(connection, `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${list})`);
  return new Map(rows.map(([name, value]) => [asText(name).toLowerCase(), asText(value)]));
}

export async function readStatus(connection: Connection, names: readonly string[]): Promise<Map<string, number>> {
  const list = names.map(quoteText).join(', ');
  const rows = await readRows(connection, `SHOW GLOBAL STATUS WHERE Variable_name IN (${list})`);
  return new Map(rows.map(([name, value]) => [asText(name).toLowerCase(), Number(value)]));
}

export function isMySqlFrom(server: ServerInfo, major: number): boolean {
  return server.flavor === 'mysql' && Number.parseInt(server.version, 10) >= major;
}

export interface Process {
  readonly id: number;
  readonly database: string;
  /** Empty where it is idle. */
  readonly statement: string;
}

/** Those of this user, and with the PROCESS privilege all. */
export async function readProcesses(connection: Connection): Promise<Process[]> {
  // Columns: Id, User, Host, db, Command, Time, State, Info.
  const rows = await readRows(connection, 'SHOW FULL PROCESSLIST');
  return rows.map(([id, , , database, , , , info]) => ({
    id: Number(id),
    database: asText(database),
    statement: asText(info),
  }));
}
