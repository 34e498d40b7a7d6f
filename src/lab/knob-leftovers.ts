/** What experiments left changed on servers because their program was killed: found by the journals, and put back. */
import type { ConnectOptions } from '../wire/types.ts';
import {
  type FoundJournal,
  foundJournals,
  type Journal,
  type JournalChange,
  persistedAgain,
  removeJournal,
  type SettingValue,
} from './knob-journal.ts';
import { identityOfServer, readSetting, setSettings, withServer } from './knob-settings.ts';
import { dropOwnDatabase } from './own-database.ts';
import { type FoundServer, foundServers, serversDirectory } from './server-directory.ts';

export interface Leftover {
  /** The file that remembers it; gone where `is` says restored or gone. */
  readonly path: string;
  readonly address: string;
  readonly since: string;
  /** What puts it back, for people. */
  readonly sql: readonly string[];
  /**
   * gone: with the server's process, as settings are. unreachable: the target is not known here, or its server does not
   * answer. elsewhere: of another host or container that shares the store, where the experiment may still go on.
   */
  readonly is: 'restored' | 'gone' | 'unreachable' | 'elsewhere';
  /** What was found to be otherwise than either the experiment or the time before had it, and why it was not done. */
  readonly notes: readonly string[];
}

/** A server that is named on the command line: only so its password is known. */
export interface Reachable {
  readonly target: ConnectOptions;
  readonly identity: string;
}

/** Those of experiments that are under way are left alone. Never rejects for a server that does not answer. */
export async function restoreLeftovers(store: string | undefined, reachable?: Reachable): Promise<readonly Leftover[]> {
  const left = (await foundJournals(store)).filter(({ owner }) => owner !== 'running');
  const restored: Leftover[] = [];
  for (const found of left) restored.push(await restoreOne(found, foundServers(serversDirectory(store)), reachable));
  return restored;
}

async function restoreOne(
  { path, journal, owner }: FoundJournal,
  servers: readonly FoundServer[],
  reachable: Reachable | undefined,
): Promise<Leftover> {
  const { server, writtenAt: since, sql } = journal;
  const leftover = { path, address: server.address, since, sql, notes: [] };
  if (owner === 'unknown') return { ...leftover, is: 'elsewhere' };
  const own = server.private === undefined ? undefined : servers.find(({ file }) => file.name === server.private?.name);
  if (server.private !== undefined && isGone(journal, own)) {
    await removeJournal(path);
    return { ...leftover, is: 'gone' };
  }
  const target =
    own?.state === 'running' ? rootOf(own) : reachable?.identity === server.identity ? reachable.target : undefined;
  if (target === undefined) return { ...leftover, is: 'unreachable' };
  try {
    const notes = await restore(target, journal);
    await removeJournal(path);
    return { ...leftover, is: 'restored', notes };
  } catch (error) {
    return { ...leftover, is: 'unreachable', notes: [(error as Error).message] };
  }
}

/** Settings go with the process that had them; a database stays with the data. */
function isGone({ server, database }: Journal, own: FoundServer | undefined): boolean {
  if (own === undefined) return true;
  if (database !== undefined || own.state === 'elsewhere') return false;
  const now = own.state === 'running' ? own.file.server : null;
  return now?.pid !== server.private?.process.pid || now?.startedAt !== server.private?.process.startedAt;
}

/** Its socket lets in its owner alone, who needs no password. */
function rootOf({ file }: FoundServer): ConnectOptions {
  return { socketPath: file.socketPath, user: 'root', password: '', sslMode: 'DISABLED' };
}

async function restore(target: ConnectOptions, { server, changes, database }: Journal): Promise<string[]> {
  const notes = await withServer(target, async (connection) => {
    // A private server is known by its directory; its port may be another one each time.
    const isSame = server.private !== undefined || (await identityOfServer(connection)) === server.identity;
    if (!isSame) throw new Error('another server answers at this address now');
    const found: string[] = [];
    for (const change of [...changes].reverse()) {
      const { name, before, persisted } = change;
      const value = await readSetting(connection, name);
      const isTheirs = value !== before && !isOurs(change, value);
      // It is in a file of the server's, whatever the value is now.
      if (persisted !== undefined && !isTheirs) await connection.execute(persistedAgain(name, persisted.before));
      if (value === before) continue;
      if (!isTheirs) await setSettings(connection, [{ name, value: before }]);
      else found.push(`${name} is ${value} now, which somebody else has set: it is left so. It was ${before}.`);
    }
    return found;
  });
  if (database !== undefined) await dropOwnDatabase(target, { name: database, dropsOthers: false });
  return notes;
}

/** Where the program was killed before it knew what the server made of it, whatever is there is of its making. */
function isOurs({ asked, effective }: JournalChange, value: SettingValue): boolean {
  return effective === undefined || value === effective || value === asked;
}
