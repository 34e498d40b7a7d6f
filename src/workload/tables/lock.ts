/** Keeps two prepares out of each other's way, and waits for what one that was killed has left on the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../base/errors.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, type Process, readNumber, readProcesses, readRows } from '../sql.ts';

/** A server takes a moment to notice that a client was killed. */
const LOCK_WAIT_S = 5;
/** Statements that only end by themselves, such as an index being built, are not waited for longer. */
const LEFTOVER_WAITS = 50;
const LEFTOVER_WAIT_MS = 100;

/** Held until `connection` closes. */
export async function lockPrepare(connection: Connection): Promise<void> {
  let isLocked = true;
  try {
    isLocked =
      (await readNumber(connection, `SELECT GET_LOCK(CONCAT('sqldyno.', MD5(DATABASE())), ${LOCK_WAIT_S})`)) === 1;
  } catch (error) {
    // Some clusters and proxies have no named locks: there, two prepares at once are the user's own affair.
    if (!(error instanceof ServerError)) throw error;
  }
  if (isLocked) return;
  throw new UserError('Another prepare is at work in this database.', {
    hint: 'Wait for it to end; SHOW PROCESSLIST shows what it does.',
  });
}

/** A load whose client was killed may still commit a chunk or build an index: to count rows before would be wrong. */
export async function awaitLeftovers(connection: Connection, tables: readonly string[]): Promise<void> {
  for (let wait = 0; wait < LEFTOVER_WAITS; wait++) {
    if ((await leftover(connection, tables)) === undefined) return;
    await sleep(LEFTOVER_WAIT_MS);
  }
  const left = await leftover(connection, tables);
  if (left === undefined) return;
  throw new UserError(`Connection ${left.id} is still at work on these tables: ${left.statement}`, {
    hint: `Wait for it, or end it with KILL ${left.id}; then give the same command again.`,
  });
}

const LOADING_STATEMENT = /^(?:INSERT INTO|ALTER TABLE|LOAD DATA LOCAL INFILE '\w+' INTO TABLE) `?(\w+)`? /;
const SHOWN_CHARACTERS = 60;

async function leftover(connection: Connection, tables: readonly string[]): Promise<Process | undefined> {
  const database = asText((await readRows(connection, 'SELECT DATABASE()'))[0]?.[0]);
  const processes = await readProcesses(connection);
  const found = processes.find(
    (process) =>
      process.database === database &&
      process.id !== connection.server.connectionId &&
      tables.includes(LOADING_STATEMENT.exec(process.statement)?.[1] ?? ''),
  );
  return found === undefined ? undefined : { ...found, statement: found.statement.slice(0, SHOWN_CHARACTERS) };
}
