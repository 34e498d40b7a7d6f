/**
 * Runs on disk, and back. One run is one directory with `run.json`, `intervals.ndjson` and `series.json`: it can be
 * mailed, put in git, or opened on another machine. There is no index: a listing reads the records themselves, which
 * takes about a millisecond each, so nothing can be out of date.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { nowMs } from '../base/clock.ts';
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { type Ending, type Interval, RUN_FORMAT, type RunRecord } from '../model/run.ts';
import { storeDirectory } from './location.ts';

export interface RunSummary {
  /** The directory's name, by which `load` and `remove` know it. */
  readonly id: string;
  readonly directory: string;
  readonly startedAt: string;
  readonly workload: string;
  readonly threads: number;
  readonly ending: Ending['kind'];
  /** False where a finding says that the run proves nothing. */
  readonly isValid: boolean;
  readonly tags: readonly string[];
  readonly target: string;
  readonly transactionsPerS: number;
}

export interface RunList {
  /** Oldest first. */
  readonly runs: readonly RunSummary[];
  /** What lies in the store and is no run, or a broken one. */
  readonly skipped: readonly { readonly path: string; readonly because: string }[];
}

export interface Store {
  readonly directory: string;
  /** Fails with a remedy where nothing could be saved. Ask before a run, not after it. */
  ensureWritable(): Promise<void>;
  /** All or nothing, and on the disk when it resolves. Returns the run's directory. */
  save(record: RunRecord): Promise<string>;
  list(): Promise<RunList>;
  /** `latest`, an id, an unambiguous beginning or end of one, or the path of a run's directory anywhere. */
  load(reference: string): Promise<RunRecord>;
  /** As `load`, but never by path and never `latest`. Returns the id. */
  remove(reference: string): Promise<string>;
}

const RECORD_FILE = 'run.json';
const INTERVALS_FILE = 'intervals.ndjson';
/** Of runs that were watched: what probes saw, which a listing need not read. */
const SERIES_FILE = 'series.json';

/** Names of directories being written or deleted. What is left of them after a crash goes with the next save. */
const UNFINISHED = '.unfinished-';
const ABANDONED_AFTER_MS = 3_600_000;

/** Reading more at once only queues in libuv's four threads. */
const READS_AT_ONCE = 8;

export function openStore(directory?: string): Store {
  const path = storeDirectory(directory);
  const runs = join(path, 'runs');
  return {
    directory: path,
    ensureWritable: () => ensureWritable(runs),
    save: (record) => save(runs, record),
    list: () => list(runs),
    load: async (reference) => readRun(await locate(runs, reference)),
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
    const { intervals, series, ...rest } = record;
    await writeDurably(join(unfinished, RECORD_FILE), `${JSON.stringify(rest, null, 1)}\n`);
    await writeDurably(join(unfinished, INTERVALS_FILE), intervals.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (series !== undefined) await writeDurably(join(unfinished, SERIES_FILE), `${JSON.stringify(series)}\n`);
    await syncDirectory(unfinished);
    await rename(unfinished, directory);
    await syncDirectory(runs);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await removeAbandoned(runs);
  return directory;
}

async function list(runs: string): Promise<RunList> {
  const found: RunSummary[] = [];
  const skipped: { path: string; because: string }[] = [];
  const names = await runNames(runs);
  const readNext = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const directory = join(runs, name);
      try {
        found.push(summaryOf(directory, await readRecord(directory)));
      } catch (error) {
        skipped.push({ path: directory, because: (error as Error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readNext));
  const byStart = (a: RunSummary, b: RunSummary) => compareText(a.startedAt, b.startedAt) || compareText(a.id, b.id);
  return { runs: found.sort(byStart), skipped: skipped.sort((a, b) => compareText(a.path, b.path)) };
}

/** The directory that is meant. */
async function locate(runs: string, reference: string): Promise<string> {
  if (reference.includes('/') || reference === '.') {
    const directory = basename(reference) === RECORD_FILE ? resolve(reference, '..') : resolve(reference);
    if (existsSync(join(directory, RECORD_FILE))) return directory;
    throw new UserError(`There is no run in ${directory}.`, { hint: `A run's directory holds a file ${RECORD_FILE}.` });
  }
  if (reference !== 'latest') return join(runs, await matchingName(runs, reference));
  const latest = (await list(runs)).runs.at(-1);
  if (latest !== undefined) return latest.directory;
  throw new UserError(`There is no run in ${runs} yet.`, { hint: 'Make one with: sqldyno quickstart' });
}

async function matchingName(runs: string, reference: string): Promise<string> {
  const names = await runNames(runs);
  if (names.includes(reference)) return reference;
  const matching = names.filter((name) => name.startsWith(reference) || name.endsWith(`-${reference}`));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (matching.length > 1) {
    throw new UserError(`'${reference}' could be any of ${matching.length} runs.`, {
      hint: `Write more of it: ${matching.slice(0, 5).join(', ')}${matching.length > 5 ? ' …' : ''}`,
    });
  }
  const near = nearest(reference, names);
  throw new UserError(`There is no run '${reference}' in ${runs}.`, {
    hint: near === undefined ? 'See: sqldyno runs list' : `Did you mean ${near}?`,
  });
}

async function remove(runs: string, reference: string): Promise<string> {
  const name = await matchingName(runs, reference);
  const directory = join(runs, name);
  if (!existsSync(join(directory, RECORD_FILE))) {
    throw new UserError(`${directory} is no run, so it is not deleted.`, {
      hint: 'Delete it yourself if it is yours.',
    });
  }
  // Renamed first: it is gone at once, whatever happens while its files are deleted.
  const doomed = join(runs, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  await rename(directory, doomed);
  await rm(doomed, { recursive: true, force: true });
  return name;
}

async function readRun(directory: string): Promise<RunRecord> {
  try {
    const record = await readRecord(directory);
    const intervals = await readIntervals(join(directory, INTERVALS_FILE));
    const series = await readSeries(join(directory, SERIES_FILE));
    return { ...record, intervals, ...(series === undefined ? {} : { series }) };
  } catch (error) {
    throw new UserError(`The run in ${directory} cannot be read: ${(error as Error).message}.`, {
      hint: 'Its files have been cut off or changed; there may be another copy of the directory.',
      cause: error,
    });
  }
}

async function readRecord(directory: string): Promise<Omit<RunRecord, 'intervals'>> {
  const record = JSON.parse(await readText(join(directory, RECORD_FILE))) as RunRecord | null;
  if (record?.format === RUN_FORMAT) return record;
  throw new Error(`its format is ${JSON.stringify(record?.format)}, and this version reads ${RUN_FORMAT}`);
}

async function readIntervals(path: string): Promise<Interval[]> {
  const lines = (await readText(path)).split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Interval;
    } catch {
      throw new Error(`line ${index + 1} of ${INTERVALS_FILE} is broken`);
    }
  });
}

/** Undefined where the run was not watched. */
async function readSeries(path: string): Promise<RunRecord['series']> {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(await readText(path)) as RunRecord['series'];
  } catch {
    throw new Error(`${SERIES_FILE} is broken`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`it has no ${basename(path)}`);
    throw error;
  }
}

function summaryOf(directory: string, record: Omit<RunRecord, 'intervals'>): RunSummary {
  return {
    id: basename(directory),
    directory,
    startedAt: record.startedAt,
    workload: record.workload.name,
    threads: record.load.threads,
    ending: record.ending.kind,
    isValid: !record.findings.some(({ severity }) => severity === 'invalid'),
    tags: record.tags,
    target: `${record.target.flavor} ${record.target.version}`,
    transactionsPerS: record.rates.transactionsPerS,
  };
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
  const path = join(runs, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  makeFolder(runs);
  await mkdir(path);
  return path;
}

async function removeAbandoned(runs: string): Promise<void> {
  for (const name of await readdir(runs)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const path = join(runs, name);
    const changedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (nowMs() - changedMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Fails where the file exists. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** So that the names in it survive a power cut. Some file systems cannot, and need not. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
