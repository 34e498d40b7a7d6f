/**
 * What an experiment changes on a server, on disk before it is changed and until it is put back. Whatever ends the
 * program, even kill -9, leaves a file that says what the next one has to restore. No secret is in it.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nowMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { syncDirectory, writeDurably } from '../store/durable.ts';
import { storeDirectory } from '../store/location.ts';
import { quoteName, quoteText } from '../workload/sql.ts';
import { type ProcessIdentity, type ProcessState, stateOf } from './process-identity.ts';
import { ownIdentity } from './server-directory.ts';

export const JOURNAL_FORMAT = 'sqldyno.changed-settings/1';

export interface ChangedServer {
  /** Tells any two servers apart; compared only. */
  readonly identity: string;
  readonly address: string;
  readonly user: string;
  /** Of a private server: its process, with which its settings are gone. */
  readonly private?: { readonly name: string; readonly process: ProcessIdentity };
}

/** As the server gives it; a number beyond 2^53 as its digits. */
export type SettingValue = number | string;

export interface JournalChange {
  readonly name: string;
  readonly before: SettingValue;
  readonly asked: SettingValue;
  /** What the server made of what was asked, once it is known. */
  readonly effective?: SettingValue;
  /** Where it was set by SET PERSIST: what was there of it, null for nothing. */
  readonly persisted?: { readonly before: SettingValue | null };
}

export interface Journal {
  readonly format: typeof JOURNAL_FORMAT;
  readonly owner: ProcessIdentity;
  /** ISO 8601, UTC. */
  readonly writtenAt: string;
  readonly server: ChangedServer;
  readonly changes: readonly JournalChange[];
  /** Made for the experiment, to be dropped. */
  readonly database?: string;
  /** What puts it all back, for people. */
  readonly sql: readonly string[];
}

export type JournalContent = Pick<Journal, 'server' | 'changes' | 'database'>;

/** One that is being kept by this program. */
export interface OpenJournal {
  readonly path: string;
  write(content: JournalContent): Promise<void>;
  /** All is as it was. */
  remove(): Promise<void>;
}

export interface FoundJournal {
  readonly path: string;
  readonly journal: Journal;
  /** running: an experiment is under way. unknown: of another host or container that shares the store. */
  readonly owner: ProcessState;
}

const SUFFIX = '.json';
/** Behind the name of a file that is being written; only its owner does. */
const UNFINISHED = '.unfinished';

export function journalsDirectory(store: string | undefined): string {
  return join(storeDirectory(store), 'changed-settings');
}

/** Nothing is on disk until the first `write`. */
export function openJournal(store: string | undefined): OpenJournal {
  const directory = journalsDirectory(store);
  const path = join(directory, `${process.pid}-${randomBytes(4).toString('hex')}${SUFFIX}`);
  const owner = ownIdentity();
  const writtenAt = new Date(nowMs()).toISOString();
  return {
    path,
    write: async (content) => {
      const journal: Journal = { format: JOURNAL_FORMAT, owner, writtenAt, ...content, sql: restoringSql(content) };
      await replaceDurably(directory, path, `${JSON.stringify(journal, null, 1)}\n`);
    },
    remove: () => removeJournal(path),
  };
}

async function replaceDurably(directory: string, path: string, text: string): Promise<void> {
  const unfinished = path + UNFINISHED;
  try {
    makeFolder(directory, 0o700);
    await writeDurably(unfinished, text);
    await rename(unfinished, path);
    await syncDirectory(directory);
  } catch (cause) {
    // A directory that cannot be written may not even be looked into.
    await rm(unfinished, { force: true }).catch(() => {});
    throw new UserError(`What is about to be changed cannot be noted in ${directory}: ${(cause as Error).message}.`, {
      hint: 'Nothing was changed. Choose another directory with --store or SQLDYNO_STORE.',
      cause,
    });
  }
}

export async function removeJournal(path: string): Promise<void> {
  await rm(path, { force: true });
  // Where the program was killed while it wrote it again.
  await rm(path + UNFINISHED, { force: true });
}

/** In the reverse order: what was changed last is put back first. */
export function restoringSql({ changes, database }: Pick<JournalContent, 'changes' | 'database'>): string[] {
  return [
    ...[...changes].reverse().flatMap(restoringSqlOf),
    ...(database === undefined ? [] : [`DROP DATABASE ${quoteName(database)}`]),
  ];
}

/** What is left of a SET PERSIST is put back first: it would set the value of before, too. */
export function restoringSqlOf({ name, before, persisted }: JournalChange): string[] {
  return [...(persisted === undefined ? [] : [persistedAgain(name, persisted.before)]), setGlobal(name, before)];
}

export function persistedAgain(name: string, before: SettingValue | null): string {
  return before === null ? `RESET PERSIST IF EXISTS ${name}` : `SET PERSIST ${name} = ${literal(before)}`;
}

export function setGlobal(name: string, value: SettingValue): string {
  return `SET GLOBAL ${name} = ${literal(value)}`;
}

/** Numbers are refused in quotes; `BIGINT UNSIGNED` has more digits than a number here can keep. */
export function literal(value: SettingValue): string {
  return typeof value === 'number' || LARGE_NUMBER.test(value) ? String(value) : quoteText(value);
}

const LARGE_NUMBER = /^\d{16,20}$/;

/** The settings before would be taken from what the other experiment has made of them. */
export async function refuseSecond(server: ChangedServer, storeDirectory: string | undefined): Promise<void> {
  const others = await foundJournals(storeDirectory);
  const other = others.find(({ owner, journal }) => owner === 'running' && journal.server.identity === server.identity);
  if (other === undefined) return;
  throw new UserError(`Process ${other.journal.owner.pid} is trying something on this server at this moment.`, {
    hint: 'Wait for it to end.',
    exitCode: ExitCode.targetUnavailable,
  });
}

/** Undefined and left alone where a file cannot be read: it is none of ours. */
export async function foundJournals(store: string | undefined): Promise<FoundJournal[]> {
  const directory = journalsDirectory(store);
  const names = await readdir(directory).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith(SUFFIX))
      .sort()
      .map(async (name) => readJournal(join(directory, name))),
  );
  return found.filter((each) => each !== undefined);
}

async function readJournal(path: string): Promise<FoundJournal | undefined> {
  try {
    const journal = JSON.parse(await readFile(path, 'utf8')) as Partial<Journal>;
    if (journal.format !== JOURNAL_FORMAT || !isSound(journal)) return undefined;
    return { path, journal: journal as Journal, owner: stateOf((journal as Journal).owner) };
  } catch {
    return undefined;
  }
}

/** Its content goes into SQL on a server: anybody may have written into the file. */
function isSound({ owner, server, changes }: Partial<Journal>): boolean {
  if (typeof owner?.pid !== 'number' || typeof server?.identity !== 'string') return false;
  return (
    Array.isArray(changes) &&
    changes.every(
      ({ name, before, persisted }: JournalChange) =>
        SETTING_NAME.test(name) && isValue(before) && (persisted === undefined || isPersisted(persisted.before)),
    )
  );
}

export const SETTING_NAME = /^[a-z][a-z0-9_]*$/;

/** Texts are quoted. */
function isValue(value: unknown): boolean {
  return typeof value === 'string' || Number.isFinite(value);
}

function isPersisted(value: unknown): boolean {
  return value === null || isValue(value);
}
