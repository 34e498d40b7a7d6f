/** `SET GLOBAL` and `SET PERSIST` of a variant: applied, read back, and on servers that stay put back. */
import { ExitCode, UserError } from '../../base/errors.ts';
import type { Entered, Variant } from '../../model/experiment.ts';
import type { Connection, ConnectOptions } from '../../wire/types.ts';
import { asText, isMySqlFrom, quoteText, readRows } from '../../workload/sql.ts';
import {
  type ChangedServer,
  type JournalChange,
  literal,
  openJournal,
  refuseSecond,
  restoringSql,
  restoringSqlOf,
  SETTING_NAME,
  type SettingValue,
  setGlobal,
} from '../knob-journal.ts';
import { explained, readSetting, untilResized, withServer } from '../knob-settings.ts';
import { isSameValue, numberOf } from './effective.ts';
import { plainName } from './option-file.ts';

export interface RunTimeChange {
  readonly name: string;
  readonly value: string;
  readonly persists: boolean;
}

export interface SetAtRunTime {
  readonly adjusted: Entered['adjusted'];
  readonly notes: readonly string[];
}

/** Throws where a name is none. */
export function runTimeChanges({ name: variant, global = {}, persist = {} }: Variant): RunTimeChange[] {
  const changes = [
    ...Object.entries(global).map(([name, value]) => ({ name: plainName(name), value, persists: false })),
    ...Object.entries(persist).map(([name, value]) => ({ name: plainName(name), value, persists: true })),
  ];
  const wrong = changes.find(({ name }) => !SETTING_NAME.test(name));
  if (wrong === undefined) return changes;
  throw new UserError(`Variant '${variant}': '${wrong.name}' is no name of a server variable.`, {
    hint: 'Write it as SHOW GLOBAL VARIABLES does: innodb_io_capacity',
  });
}

/** On a server that ends with the run: nothing need be remembered. */
export async function setAtRunTime(connection: Connection, changes: readonly RunTimeChange[]): Promise<SetAtRunTime> {
  const known: JournalChange[] = [];
  for (const change of changes) known.push(await planned(connection, change));
  return seen(connection, await setAll(connection, known));
}

export interface AppliedSettings extends SetAtRunTime {
  /** All is as it was, and nothing remembers it. Where that fails, the error says how, and the journal stays. */
  putBack(): Promise<void>;
}

/** On a server that stays: noted in a journal before anything is changed. */
export async function applySettings(
  target: ConnectOptions,
  server: ChangedServer,
  { changes, storeDirectory }: { readonly changes: readonly RunTimeChange[]; readonly storeDirectory?: string },
): Promise<AppliedSettings> {
  if (changes.length === 0) return { adjusted: [], notes: [], putBack: async () => {} };
  await refuseSecond(server, storeDirectory);
  const journal = openJournal(storeDirectory);
  return await withServer(target, async (connection) => {
    const known: JournalChange[] = [];
    for (const change of changes) known.push(await planned(connection, change));
    await journal.write({ server, changes: known });
    const putBack = async () => {
      await restore(target, known).catch((cause) => {
        throw notPutBack(cause, known, journal.path);
      });
      await journal.remove();
    };
    try {
      const effective = await setAll(connection, known);
      await journal.write({ server, changes: effective });
      return { ...seen(connection, effective), putBack };
    } catch (error) {
      await putBack();
      throw error;
    }
  });
}

/** Reads what is there, and says whether it may be set, by setting what is set. */
async function planned(connection: Connection, { name, value, persists }: RunTimeChange): Promise<JournalChange> {
  if (persists && !isMySqlFrom(connection.server, 8)) {
    throw new UserError(`This server (${connection.server.flavor} ${connection.server.version}) has no SET PERSIST.`, {
      hint: 'Take global in place of persist: it is put back in either case.',
      exitCode: ExitCode.targetUnavailable,
    });
  }
  try {
    const before = await readSetting(connection, name);
    await connection.execute(setGlobal(name, before));
    const asked = typeof before === 'number' || NUMERIC.test(before) ? (numberOf(value) ?? value) : value;
    if (!persists) return { name, before, asked };
    return { name, before, asked, persisted: { before: await persistedOf(connection, name) } };
  } catch (error) {
    throw await explained(error, name, connection);
  }
}

const NUMERIC = /^\d+$/;

async function persistedOf(connection: Connection, name: string): Promise<SettingValue | null> {
  const rows = await readRows(
    connection,
    `SELECT VARIABLE_VALUE FROM performance_schema.persisted_variables WHERE VARIABLE_NAME = ${quoteText(name)}`,
  );
  if (rows.length === 0) return null;
  const text = asText(rows[0]?.[0]);
  return numberOf(text) ?? text;
}

async function setAll(connection: Connection, changes: readonly JournalChange[]): Promise<JournalChange[]> {
  const done: JournalChange[] = [];
  for (const change of changes) {
    const { name, asked, persisted } = change;
    const sql = persisted === undefined ? setGlobal(name, asked) : `SET PERSIST ${name} = ${literal(asked)}`;
    try {
      await connection.execute(sql);
    } catch (error) {
      throw await explained(error, name, connection);
    }
    await untilResized(connection, name);
    done.push({ ...change, effective: await readSetting(connection, name) });
  }
  return done;
}

function seen({ server }: Connection, changes: readonly JournalChange[]): SetAtRunTime {
  const adjusted = changes
    .map(({ name, asked, effective }) => ({ name, asked: String(asked), effective: String(effective) }))
    .filter(({ asked, effective }) => !isSameValue(asked, effective));
  const isFlush = changes.some(({ name }) => name === 'innodb_flush_log_at_trx_commit');
  return { adjusted, notes: isFlush && server.flavor === 'mariadb' ? [FLUSH_AT_RUN_TIME] : [] };
}

const FLUSH_AT_RUN_TIME =
  'innodb_flush_log_at_trx_commit was set while the server runs. MariaDB opens its redo log by the value at its ' +
  'start, through the page cache or past it (O_DIRECT), and leaves it so: speed, and what a crash of the system ' +
  'loses, are not those of the same value in the option file.';

async function restore(target: ConnectOptions, changes: readonly JournalChange[]): Promise<void> {
  await withServer(target, async (connection) => {
    for (const change of [...changes].reverse()) {
      for (const sql of restoringSqlOf(change)) await connection.execute(sql);
      await untilResized(connection, change.name);
    }
    for (const { name, before } of changes) {
      const value = await readSetting(connection, name);
      if (value !== before) throw new Error(`${name} is ${value}, and was ${before}`);
    }
  });
}

function notPutBack(cause: Error, changes: readonly JournalChange[], path: string): UserError {
  return new UserError(`What the experiment changed on the server could not be put back: ${cause.message}.`, {
    hint: `Run there: ${restoringSql({ changes }).join('; ')}. ${path} remembers it, and the next experiment or diagnose with this target does it.`,
    exitCode: ExitCode.runFailed,
    cause,
  });
}
