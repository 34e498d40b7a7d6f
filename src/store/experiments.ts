/**
 * Experiments on disk, and back. One is one directory: the plan and what came of it (`experiment.json`), what has been
 * done (`journal.ndjson`), and `data/`, where the lab keeps what its runs begin with. The runs themselves are in the
 * store like all others, and name the experiment.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { ExitCode, UserError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import type { ExperimentEnding, ExperimentRecord, JournalEntry } from '../model/experiment.ts';
import { removeAbandoned, replaceDurably, syncDirectory, unfinishedIn, writeDurably } from './durable.ts';
import {
  appendLine,
  EXPERIMENT_FILE,
  experimentText,
  JOURNAL_FILE,
  readExperiment,
  readJournal,
} from './experiment-files.ts';
import { livingLock, lockExperiment } from './experiment-lock.ts';
import { storeDirectory } from './location.ts';
import { matchingName } from './reference.ts';

export interface ExperimentSummary {
  /** The directory's name. */
  readonly id: string;
  readonly directory: string;
  readonly name: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Absent: it is being conducted, or was killed. */
  readonly ending?: ExperimentEnding['kind'];
  readonly workload: string;
  readonly variants: readonly string[];
  readonly runsPlanned: number;
  /** By the journal. */
  readonly runsDone: number;
  /** The answer. */
  readonly is?: string;
}

export interface ExperimentList {
  /** Oldest first. */
  readonly experiments: readonly ExperimentSummary[];
  readonly skipped: readonly { readonly path: string; readonly because: string }[];
}

export interface LoadedExperiment {
  readonly record: ExperimentRecord;
  readonly journal: readonly JournalEntry[];
  readonly directory: string;
}

export interface Experiments {
  readonly directory: string;
  /** With an empty journal. On the disk when it resolves, and there whole or not at all. Returns its directory. */
  create(record: ExperimentRecord): Promise<string>;
  /** On the disk when it resolves. Only by whoever holds the lock. */
  append(id: string, entry: JournalEntry): Promise<void>;
  /** In the place of the one with its id. */
  saveRecord(record: ExperimentRecord): Promise<void>;
  /** `latest`, an id, an unambiguous beginning or end of one, a name (its newest), or a directory anywhere. */
  load(reference: string): Promise<LoadedExperiment>;
  list(): Promise<ExperimentList>;
  directoryOf(id: string): string;
  /** Where the lab keeps the data that runs begin with. */
  dataDirectoryOf(id: string): string;
  /** Refuses while another owner that is alive holds it. To be taken before `load`, where anything is to be done. */
  lock<Owner>(id: string, owner: Owner, isAlive: (owner: Owner) => boolean): Promise<AsyncDisposable>;
  /** Not its runs. Never by path and never `latest`, and not while it is being conducted. Returns the id. */
  remove<Owner>(reference: string, isAlive: (owner: Owner) => boolean): Promise<string>;
}

const DATA_FOLDER = 'data';

export function openExperiments(store?: string): Experiments {
  const directory = join(storeDirectory(store), 'experiments');
  const directoryOf = (id: string) => join(directory, id);
  return {
    directory,
    create: (record) => create(directory, record),
    append: (id, entry) => appendLine(join(directoryOf(id), JOURNAL_FILE), entry),
    saveRecord: (record) => replaceDurably(join(directoryOf(record.id), EXPERIMENT_FILE), experimentText(record)),
    load: (reference) => load(directory, reference),
    list: () => list(directory),
    directoryOf,
    dataDirectoryOf: (id) => join(directoryOf(id), DATA_FOLDER),
    lock: (id, owner, isAlive) => lockExperiment(directoryOf(id), owner, isAlive),
    remove: (reference, isAlive) => remove(directory, reference, isAlive),
  };
}

async function create(experiments: string, record: ExperimentRecord): Promise<string> {
  const directory = join(experiments, record.id);
  const unfinished = unfinishedIn(experiments);
  makeFolder(experiments);
  try {
    await mkdir(join(unfinished, DATA_FOLDER), { recursive: true });
    await writeDurably(join(unfinished, EXPERIMENT_FILE), experimentText(record));
    await writeDurably(join(unfinished, JOURNAL_FILE), '');
    await syncDirectory(unfinished);
    // Fails where there is one of this id.
    await rename(unfinished, directory);
    await syncDirectory(experiments);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await removeAbandoned(experiments);
  return directory;
}

async function load(experiments: string, reference: string): Promise<LoadedExperiment> {
  const directory = await locate(experiments, reference);
  try {
    return { record: await readExperiment(directory), journal: await readJournal(directory), directory };
  } catch (cause) {
    throw new UserError(`The experiment in ${directory} cannot be read: ${(cause as Error).message}.`, {
      hint: 'Its files have been cut off or changed. Its runs are in the store all the same: sqldyno runs list',
      cause,
    });
  }
}

async function locate(experiments: string, reference: string): Promise<string> {
  if (reference.includes('/') || reference === '.') {
    const directory = basename(reference) === EXPERIMENT_FILE ? resolve(reference, '..') : resolve(reference);
    if (existsSync(join(directory, EXPERIMENT_FILE))) return directory;
    const hint = `An experiment's directory holds a file ${EXPERIMENT_FILE}.`;
    throw new UserError(`There is no experiment in ${directory}.`, { hint });
  }
  const names = await namesIn(experiments);
  if (names.includes(reference)) return join(experiments, reference);
  const all = (await list(experiments)).experiments;
  const newest = all.findLast(({ name }) => reference === 'latest' || name === reference);
  if (newest !== undefined) return newest.directory;
  if (names.length > 0) return join(experiments, nameOf(experiments, names, reference));
  throw new UserError(`There is no experiment in ${experiments} yet.`, {
    hint: 'Make one with: sqldyno experiment run FILE',
  });
}

function nameOf(experiments: string, names: readonly string[], reference: string): string {
  const named = { noun: 'experiment', directory: experiments, see: 'sqldyno experiment list' };
  return matchingName(names, reference, named);
}

async function list(experiments: string): Promise<ExperimentList> {
  const found: ExperimentSummary[] = [];
  const skipped: { path: string; because: string }[] = [];
  for (const name of await namesIn(experiments)) {
    const directory = join(experiments, name);
    try {
      found.push(summaryOf(directory, await readExperiment(directory), await readJournal(directory)));
    } catch (error) {
      skipped.push({ path: directory, because: (error as Error).message });
    }
  }
  const byStart = (a: ExperimentSummary, b: ExperimentSummary) =>
    compareText(a.startedAt, b.startedAt) || compareText(a.id, b.id);
  return { experiments: found.sort(byStart), skipped };
}

function summaryOf(directory: string, record: ExperimentRecord, journal: readonly JournalEntry[]): ExperimentSummary {
  const { plan, startedAt, endedAt, ending, result } = record;
  return {
    id: basename(directory),
    directory,
    name: plan.name,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(ending === undefined ? {} : { ending: ending.kind }),
    workload: plan.workload,
    variants: plan.variants.map(({ name }) => name),
    runsPlanned: record.runs.length,
    runsDone: new Set(journal.flatMap((entry) => (entry.is === 'done' ? [entry.number] : []))).size,
    ...(result === undefined ? {} : { is: result.is }),
  };
}

async function remove<Owner>(
  experiments: string,
  reference: string,
  isAlive: (owner: Owner) => boolean,
): Promise<string> {
  const name = nameOf(experiments, await namesIn(experiments), reference);
  const directory = join(experiments, name);
  if (!existsSync(join(directory, EXPERIMENT_FILE))) {
    const hint = 'Delete it yourself if it is yours.';
    throw new UserError(`${directory} is no experiment, so it is not deleted.`, { hint });
  }
  if ((await livingLock(directory, isAlive)) !== undefined) {
    throw new UserError(`The experiment ${name} is being conducted, so it is not deleted.`, {
      hint: 'Wait for it, or interrupt it with Ctrl-C where it runs.',
      exitCode: ExitCode.runFailed,
    });
  }
  // Renamed first: it is gone at once, whatever happens while its files are deleted.
  const doomed = unfinishedIn(experiments);
  await rename(directory, doomed);
  await rm(doomed, { recursive: true, force: true });
  return name;
}

async function namesIn(experiments: string): Promise<string[]> {
  try {
    return (await readdir(experiments)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
