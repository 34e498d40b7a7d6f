/**
 * Runs on disk, and back. One run is one directory with `run.json`, `intervals.ndjson` and `series.json`: it can be
 * mailed, put in git, or opened on another machine. The index beside them is derived, and checked at every list.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { UserError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import type { RunRecord } from '../model/run.ts';
import { removeAbandoned, replaceDurably, syncDirectory, unfinishedIn } from './durable.ts';
import { storeDirectory } from './location.ts';
import { matchingName } from './reference.ts';
import { headText, RECORD_FILE, readHead, readRun, writeRun } from './run-files.ts';
import { indexedRuns } from './run-index.ts';
import { isWanted, type RunFilter, type RunSummary } from './run-summary.ts';

export interface RunList {
  /** Oldest first. */
  readonly runs: readonly RunSummary[];
  /** What lies in the store and is no run, or a broken one; whatever was asked for. */
  readonly skipped: readonly { readonly path: string; readonly because: string }[];
}

/** Told before so many runs are read that no list has read before. */
export type OnUnread = (count: number) => void;

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface Store {
  readonly directory: string;
  /** Fails with a remedy where nothing could be saved. Ask before a run, not after it. */
  ensureWritable(): Promise<void>;
  /** All or nothing, and on the disk when it resolves; never over another run. Returns the run's directory. */
  save(record: RunRecord): Promise<string>;
  list(filter?: RunFilter, onUnread?: OnUnread): Promise<RunList>;
  /** `latest`, an id, an unambiguous beginning or end of one, or the path of a run's directory anywhere. */
  load(reference: string): Promise<RunRecord>;
  /** The directory that `load` would read. */
  find(reference: string): Promise<string>;
  /** As `load`. Returns the tags as they are then. */
  tag(reference: string, change: TagChange): Promise<{ readonly id: string; readonly tags: readonly string[] }>;
  /** As `load`, but never by path and never `latest`. Returns the id. */
  remove(reference: string): Promise<string>;
}

interface Places {
  readonly runs: string;
  readonly index: string;
}

export function openStore(directory?: string): Store {
  const path = storeDirectory(directory);
  const places = { runs: join(path, 'runs'), index: join(path, 'runs-index.ndjson') };
  const { runs } = places;
  return {
    directory: path,
    ensureWritable: () => ensureWritable(runs),
    save: (record) => save(runs, record),
    list: (filter, onUnread) => list(places, filter, onUnread),
    load: async (reference) => readRun(await locate(places, reference)),
    find: (reference) => locate(places, reference),
    tag: async (reference, change) => tag(await locate(places, reference), change),
    remove: (reference) => remove(runs, reference),
  };
}

async function ensureWritable(runs: string): Promise<void> {
  try {
    const probe = await unfinishedDirectory(runs);
    await rm(probe, { recursive: true });
  } catch (cause) {
    throw new UserError(`Results cannot be saved in ${runs}: ${(cause as Error).message}.`, {
      hint: 'Choose another directory with --store or SQLDYNO_STORE.',
      cause,
    });
  }
}

async function save(runs: string, record: RunRecord): Promise<string> {
  const directory = join(runs, record.id);
  const unfinished = await unfinishedDirectory(runs);
  try {
    await writeRun(unfinished, record);
    await rename(unfinished, directory);
    await syncDirectory(runs);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await removeAbandoned(runs);
  return directory;
}

async function list({ runs: directory, index }: Places, filter: RunFilter = {}, onUnread?: OnUnread): Promise<RunList> {
  const names = await runNames(directory);
  const told = onUnread === undefined ? {} : { onUnread };
  const { runs, skipped } = await indexedRuns({ path: index, runs: directory, names, ...told });
  const byStart = (a: RunSummary, b: RunSummary) => compareText(a.startedAt, b.startedAt) || compareText(a.id, b.id);
  return {
    runs: runs.filter((run) => isWanted(run, filter)).sort(byStart),
    skipped: skipped.sort((a, b) => compareText(a.path, b.path)),
  };
}

/** The directory that is meant. */
async function locate(places: Places, reference: string): Promise<string> {
  const { runs } = places;
  if (reference.includes('/') || reference === '.') {
    const directory = basename(reference) === RECORD_FILE ? resolve(reference, '..') : resolve(reference);
    if (existsSync(join(directory, RECORD_FILE))) return directory;
    throw new UserError(`There is no run in ${directory}.`, { hint: `A run's directory holds a file ${RECORD_FILE}.` });
  }
  if (reference !== 'latest') return join(runs, await nameOf(runs, reference));
  const latest = (await list(places)).runs.at(-1);
  if (latest !== undefined) return latest.directory;
  throw new UserError(`There is no run in ${runs} yet.`, { hint: 'Make one with: sqldyno quickstart' });
}

async function nameOf(runs: string, reference: string): Promise<string> {
  const named = { noun: 'run', directory: runs, see: 'sqldyno runs list' };
  return matchingName(await runNames(runs), reference, named);
}

async function tag(directory: string, { add, remove: removed }: TagChange): Promise<{ id: string; tags: string[] }> {
  const id = basename(directory);
  const head = await readHead(directory).catch((cause) => {
    const hint = 'Its files have been cut off or changed; there may be another copy of the directory.';
    throw new UserError(`The run in ${directory} cannot be read: ${(cause as Error).message}.`, { hint, cause });
  });
  const tags = [...new Set([...head.tags, ...add])].filter((word) => !removed.includes(word));
  // What is as it was is not written: a directory that belongs to somebody else can be asked.
  if (tags.join('\n') !== head.tags.join('\n')) {
    await replaceDurably(join(directory, RECORD_FILE), headText({ ...head, tags }));
    await removeAbandoned(directory);
  }
  return { id, tags };
}

async function remove(runs: string, reference: string): Promise<string> {
  const name = await nameOf(runs, reference);
  const directory = join(runs, name);
  if (!existsSync(join(directory, RECORD_FILE))) {
    throw new UserError(`${directory} is no run, so it is not deleted.`, {
      hint: 'Delete it yourself if it is yours.',
    });
  }
  // Renamed first: it is gone at once, whatever happens while its files are deleted.
  const doomed = unfinishedIn(runs);
  await rename(directory, doomed);
  await rm(doomed, { recursive: true, force: true });
  return name;
}

async function runNames(runs: string): Promise<string[]> {
  try {
    return (await readdir(runs)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function unfinishedDirectory(runs: string): Promise<string> {
  makeFolder(runs);
  const path = unfinishedIn(runs);
  await mkdir(path);
  return path;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
