/**
 * Summaries of the runs in one file, so that a list need not open them all. It is derived: every entry carries the
 * stamp that its `run.json` had, each list compares all stamps with the files as they are now, and reads anew what
 * differs. So it cannot be out of date; where it is missing, broken, or was written over by another process at the
 * same moment, the next list makes good what is lost.
 */
import { type BigIntStats, statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nowMs } from '../base/clock.ts';
import { removeAbandoned, unfinishedIn } from './durable.ts';
import { RECORD_FILE, readHead } from './run-files.ts';
import { type RunSummary, summaryOf } from './run-summary.ts';

/** Another number with every change of what a summary holds: entries of another format are made anew. */
const INDEX_FORMAT = 'sqldyno.runs-index/2';

/**
 * A file that is changed twice within one tick of the file system's clock has one stamp for both, so a younger one is
 * read again. FAT counts in steps of two seconds, others in milliseconds.
 */
const SETTLED_AFTER_MS = 2_000;

/** Reading more at once only queues in libuv's four threads. */
const READS_AT_ONCE = 8;

interface Entry {
  /** Of its `run.json`. */
  readonly stamp: string;
  /** Without its directory: the store may be moved as a whole. */
  readonly run: Omit<RunSummary, 'directory'>;
}

export interface Indexed {
  readonly runs: RunSummary[];
  readonly skipped: { readonly path: string; readonly because: string }[];
}

interface IndexRequest {
  /** Of the index. */
  readonly path: string;
  readonly runs: string;
  /** Of the directories below `runs`. */
  readonly names: readonly string[];
  /** Wall clock, which tests turn. */
  readonly now?: () => number;
  /** Told before so many runs are read that are not in the index. */
  onUnread?(count: number): void;
}

/** Summaries in no order. */
export async function indexedRuns({ path, runs, names, now = nowMs, onUnread }: IndexRequest): Promise<Indexed> {
  const known = await readIndex(path);
  const fresh = new Map<string, Entry>();
  const unread: Unread[] = [];
  const found: Indexed = { runs: [], skipped: [] };
  for (const name of names) {
    const directory = join(runs, name);
    const stamped = stampOf(join(directory, RECORD_FILE), now);
    const entry = known.get(name);
    if (entry === undefined || entry.stamp !== stamped?.stamp) {
      unread.push({ name, directory, isSettled: stamped?.isSettled === true });
      continue;
    }
    fresh.set(name, entry);
    found.runs.push({ ...entry.run, directory });
  }
  if (unread.length > 0) onUnread?.(unread.length);
  await readAll(unread, { found, fresh, now });
  if (isChanged(known, fresh)) await writeIndex(path, fresh);
  return found;
}

interface Stamped {
  readonly stamp: string;
  /** No later change can have this stamp. */
  readonly isSettled: boolean;
}

interface Unread {
  readonly name: string;
  readonly directory: string;
  readonly isSettled: boolean;
}

interface Reading {
  readonly found: Indexed;
  readonly fresh: Map<string, Entry>;
  readonly now: () => number;
}

async function readAll(unread: readonly Unread[], { found, fresh, now }: Reading): Promise<void> {
  // Where there are many, what was just written has settled by the time it is read, if it is read last.
  const left = [...unread.filter(({ isSettled }) => isSettled), ...unread.filter((one) => !one.isSettled)].values();
  const readSome = async () => {
    // They share the iterator, so each takes the next that nobody has.
    for (const { name, directory } of left) {
      try {
        const stamped = stampOf(join(directory, RECORD_FILE), now);
        const summary = summaryOf(directory, await readHead(directory));
        found.runs.push(summary);
        const { directory: _, ...run } = summary;
        if (stamped?.isSettled === true) fresh.set(name, { stamp: stamped.stamp, run });
      } catch (error) {
        found.skipped.push({ path: directory, because: (error as Error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readSome));
}

/** Asked before the file is read: what is changed in between has another stamp, and is read again the next time. */
function stampOf(path: string, now: () => number): Stamped | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  const { size, ino, mtimeNs, ctimeNs, ctimeMs } = stats;
  // Whatever touches a file sets the time of its last change; that of its content can be set to anything.
  return { stamp: `${size} ${ino} ${mtimeNs} ${ctimeNs}`, isSettled: now() - Number(ctimeMs) > SETTLED_AFTER_MS };
}

/** Ten thousand of these take a tenth of a second; handed to other threads they would take several times as long. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // No directory, or one that may not be looked into: reading it says what is wrong.
    return undefined;
  }
}

async function readIndex(path: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  const text = await readFile(path, 'utf8').catch(() => '');
  const [first, ...lines] = text.split('\n');
  if (first !== JSON.stringify({ format: INDEX_FORMAT })) return entries;
  for (const line of lines) {
    const entry = entryIn(line);
    if (entry !== undefined) entries.set(entry.run.id, entry);
  }
  return entries;
}

/** Undefined for a line that was cut off or overwritten, which costs one reading. */
function entryIn(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<Entry> | null;
    return typeof entry?.stamp === 'string' && typeof entry.run?.id === 'string' ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function isChanged(known: ReadonlyMap<string, Entry>, fresh: ReadonlyMap<string, Entry>): boolean {
  return known.size !== fresh.size || [...fresh].some(([name, { stamp }]) => known.get(name)?.stamp !== stamp);
}

/** Not synchronised: what a power cut spoils is made anew. A store that cannot be written is listed all the same. */
async function writeIndex(path: string, entries: ReadonlyMap<string, Entry>): Promise<void> {
  const directory = dirname(path);
  const unfinished = unfinishedIn(directory);
  const lines = [{ format: INDEX_FORMAT }, ...entries.values()].map((line) => `${JSON.stringify(line)}\n`);
  try {
    await writeFile(unfinished, lines.join(''), { flag: 'wx' });
    await rename(unfinished, path);
    await removeAbandoned(directory);
  } catch {
    await rm(unfinished, { force: true }).catch(() => {});
  }
}
