/**
 * A database that is made for one run and dropped after it. What somebody else has made is left alone: a table in the
 * database says that it was made here, and which tables it held then, so that no table is dropped that came later.
 */
import { ExitCode, UserError } from '../base/errors.ts';
import { connect } from '../wire/connection.ts';
import type { Connection, ConnectOptions } from '../wire/types.ts';
import { asText, quoteName, quoteText, readRows } from '../workload/sql.ts';

export interface OwnDatabasePlan {
  readonly name: string;
  /** Also a database of somebody else's is dropped. */
  readonly dropsOthers: boolean;
}

const MARK = 'sqldyno_made_this';
/** Says it to whoever finds the table. */
const MARK_COMMENT = 'sqldyno made this database, and drops it: see --no-drop';
const NAMES_SHOWN_MAX = 3;

/** `target` without a database. Throws a `UserError` where there is one of this name that is not ours. */
export async function makeOwnDatabase(target: ConnectOptions, plan: OwnDatabasePlan): Promise<void> {
  await using connection = await connect(withoutDatabase(target));
  await drop(connection, plan);
  const name = quoteName(plan.name);
  await connection.execute(`CREATE DATABASE ${name}`);
  await connection.execute(`CREATE TABLE ${name}.${MARK} (name VARCHAR(64)) COMMENT = ${quoteText(MARK_COMMENT)}`);
}

/** Once all its tables are made: what comes later is not dropped by a later run. */
export async function noteTables(target: ConnectOptions, { name }: OwnDatabasePlan): Promise<void> {
  await using connection = await connect(withoutDatabase(target));
  const tables = (await tablesOf(connection, name)).filter((table) => table !== MARK);
  if (tables.length === 0) return;
  const rows = tables.map((table) => `(${quoteText(table)})`).join(', ');
  await connection.execute(`INSERT INTO ${quoteName(name)}.${MARK} VALUES ${rows}`);
}

/** False where there was none. Throws a `UserError` where it is not ours. */
export async function dropOwnDatabase(target: ConnectOptions, plan: OwnDatabasePlan): Promise<boolean> {
  await using connection = await connect(withoutDatabase(target));
  return await drop(connection, plan);
}

/** After a run in which it was made: nobody else can have had it meanwhile. */
export async function dropMadeDatabase(target: ConnectOptions, { name }: OwnDatabasePlan): Promise<void> {
  await using connection = await connect(withoutDatabase(target));
  await connection.execute(`DROP DATABASE IF EXISTS ${quoteName(name)}`);
}

async function drop(connection: Connection, { name, dropsOthers }: OwnDatabasePlan): Promise<boolean> {
  const found = await readRows(
    connection,
    `SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ${quoteText(name)}`,
  );
  if (found.length === 0) return false;
  if (!dropsOthers) await requireOurs(connection, name);
  await connection.execute(`DROP DATABASE ${quoteName(name)}`);
  return true;
}

async function requireOurs(connection: Connection, name: string): Promise<void> {
  const hint = 'Name another database, or add --drop-existing: then all that is in it is lost.';
  const tables = await tablesOf(connection, name);
  const made = tables.includes(MARK) ? await readRows(connection, `SELECT name FROM ${quoteName(name)}.${MARK}`) : [];
  if (!tables.includes(MARK) || !(await hasComment(connection, name))) {
    throw new UserError(`There is a database '${name}' that sqldyno has not made. Nothing was dropped.`, {
      hint,
      exitCode: ExitCode.targetUnavailable,
    });
  }
  // None is noted where the run was cut off while it made them.
  const known = [MARK, ...made.map(([table]) => asText(table))];
  const others = made.length === 0 ? [] : tables.filter((table) => !known.includes(table));
  if (others.length === 0) return;
  const shown = others.slice(0, NAMES_SHOWN_MAX).join(', ');
  throw new UserError(`The database '${name}' holds tables that came later (${shown}). Nothing was dropped.`, {
    hint,
    exitCode: ExitCode.targetUnavailable,
  });
}

async function tablesOf(connection: Connection, database: string): Promise<string[]> {
  const rows = await readRows(
    connection,
    `SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${quoteText(database)}`,
  );
  return rows.map(([table]) => asText(table));
}

async function hasComment(connection: Connection, database: string): Promise<boolean> {
  const rows = await readRows(
    connection,
    `SELECT TABLE_COMMENT FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = ${quoteText(database)} AND TABLE_NAME = '${MARK}'`,
  );
  return asText(rows[0]?.[0]) === MARK_COMMENT;
}

function withoutDatabase({ database: _, ...server }: ConnectOptions): ConnectOptions {
  return server;
}
