/** Global variables of a server: who may set them, setting them, and what the server makes of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import { connect } from '../wire/connection.ts';
import { ServerError } from '../wire/errors.ts';
import type { Connection, ConnectOptions, ServerInfo } from '../wire/types.ts';
import { asText, isMySqlFrom, quoteText } from '../workload/sql.ts';
import type { SettingChange } from './knob.ts';
import { type SettingValue, setGlobal } from './knob-journal.ts';

/** A server that has stopped answering must not keep the others from being put back. */
const CONNECT_TIMEOUT_MS = 10_000;
/** MariaDB answers when it has resized, which takes as long as writing dirty pages back. */
const RESIZE_DEADLINE_MS = 120_000;
const POLL_MS = 100;

const ER_ACCESS_DENIED = [1044, 1142, 1227];
const ER_UNKNOWN_VARIABLE = 1193;
const ER_READ_ONLY_VARIABLE = 1238;

/** One statement or two on a connection of their own, with a limit: the load's are busy, and may be gone. */
export async function withServer<T>(target: ConnectOptions, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { database: _, ...server } = target;
  await using connection = await connect({
    ...server,
    connectTimeoutMs: target.connectTimeoutMs || CONNECT_TIMEOUT_MS,
    readTimeoutMs: RESIZE_DEADLINE_MS,
  });
  return await work(connection);
}

export async function readGlobals(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const { rows } = await connection.read('SHOW GLOBAL VARIABLES');
  return new Map(rows.map(([name, value]) => [String(name), String(value ?? '')]));
}

/** Differs between any two servers, and is the same after a restart. */
export async function identityOfServer(connection: Connection): Promise<string> {
  const variables = await readGlobals(connection);
  const names = ['hostname', 'port', 'datadir', 'server_uuid', 'server_uid'];
  return JSON.stringify(names.map((name) => variables.get(name) ?? ''));
}

/** Sets what is set already: says whether it may be changed, and changes nothing. */
export async function ensureSettable(connection: Connection, changes: readonly SettingChange[]): Promise<void> {
  for (const { name, before } of changes) {
    try {
      await connection.execute(setGlobal(name, before));
    } catch (error) {
      throw await explained(error, name, connection);
    }
  }
}

/** With the remedy, where the server has refused to set it. */
export async function explained(error: unknown, name: string, connection: Connection): Promise<unknown> {
  if (!(error instanceof ServerError)) return error;
  const said = `(${error.code} ${error.symbol}: ${error.message})`;
  if (ER_ACCESS_DENIED.includes(error.code)) {
    const account = await accountOf(connection);
    return new UserError(`The server does not let ${account} set ${name} ${said}.`, {
      hint: `Run as an administrator: ${grantFor(connection.server, account)}`,
      exitCode: ExitCode.targetUnavailable,
      cause: error,
    });
  }
  if (error.code !== ER_READ_ONLY_VARIABLE && error.code !== ER_UNKNOWN_VARIABLE) return error;
  return new UserError(`This server does not change ${name} while it runs ${said}.`, {
    hint: `Set it in its configuration, start the server again, and run again: in turn with and without it.`,
    exitCode: ExitCode.targetUnavailable,
    cause: error,
  });
}

/** MySQL has a privilege for it since 8.0; MariaDB since 10.5 one more for what belongs to the binary log. */
export function grantFor(server: Pick<ServerInfo, 'flavor' | 'version'>, account: string): string {
  if (isMySqlFrom(server as ServerInfo, 8)) return `GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO ${account};`;
  return server.flavor === 'mysql'
    ? `GRANT SUPER ON *.* TO ${account};`
    : `GRANT SUPER, BINLOG ADMIN ON *.* TO ${account};`;
}

/** As the server knows the user, quoted. */
async function accountOf(connection: Connection): Promise<string> {
  const { rows } = await connection.read('SELECT CURRENT_USER()');
  const account = String(rows[0]?.[0] ?? '');
  const at = account.lastIndexOf('@');
  return `${quoteText(account.slice(0, at))}@${quoteText(account.slice(at + 1))}`;
}

export interface Wanted {
  readonly name: string;
  readonly value: SettingValue;
}

/** Resolves when the server has done it, with what it has made of the value. */
export async function setSettings(
  connection: Connection,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, SettingValue>> {
  const effective = new Map<string, SettingValue>();
  for (const { name, value } of wanted) {
    await connection.execute(setGlobal(name, value));
    await untilResized(connection, name);
    effective.set(name, await readSetting(connection, name));
  }
  return effective;
}

export async function readSetting(connection: Connection, name: string): Promise<SettingValue> {
  const { rows } = await connection.read(`SELECT @@GLOBAL.${name}`);
  const value = rows[0]?.[0];
  return typeof value === 'number' ? value : asText(value);
}

/** MySQL resizes after it has answered, and tells by a status variable that it is done. */
const RESIZING: Readonly<Record<string, { readonly status: string; readonly isDone: RegExp }>> = {
  innodb_buffer_pool_size: { status: 'Innodb_buffer_pool_resize_status', isDone: /^$|complete|not change|nothing/i },
  innodb_redo_log_capacity: { status: 'Innodb_redo_log_resize_status', isDone: /^$|^OK$/i },
};

export async function untilResized(connection: Connection, name: string): Promise<void> {
  const resizing = RESIZING[name];
  if (resizing === undefined) return;
  const startMs = monotonicMs();
  for (;;) {
    const { rows } = await connection.read(`SHOW GLOBAL STATUS LIKE '${resizing.status}'`);
    const told = String(rows[0]?.[1] ?? '');
    if (resizing.isDone.test(told)) return;
    if (monotonicMs() - startMs > RESIZE_DEADLINE_MS) {
      throw new UserError(`The server has not changed ${name} within ${RESIZE_DEADLINE_MS / 1000} s: ${told}`, {
        hint: 'It is put back now. Set it in the configuration instead, and start the server again.',
        exitCode: ExitCode.runFailed,
      });
    }
    await sleep(POLL_MS);
  }
}
