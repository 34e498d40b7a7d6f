/** Runs from elsewhere: each is checked against the schema before it is kept, and none takes another's place. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../base/errors.ts';
import type { RunRecord } from '../model/run.ts';
import { runSchema } from '../model/run-schema.ts';
import { LINES_SUFFIX } from './export-runs.ts';
import { RECORD_FILE, readRun } from './run-files.ts';
import type { Store } from './store.ts';

export interface Imported {
  readonly kept: readonly string[];
  /** The very same run is in the store. */
  readonly there: readonly string[];
  readonly refused: readonly Refusal[];
}

interface Refusal {
  /** The directory, or the file and line. */
  readonly from: string;
  readonly because: string;
}

/** A record as it was found; nothing is known of it yet. */
interface Candidate {
  readonly from: string;
  read(): Promise<unknown>;
}

/** An id becomes the name of a directory. */
const PLAIN_ID = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}$/;

/**
 * `path` is a run's directory, a directory of such, a store, a file of `runs export`, or one of `--json`.
 * What is refused does not keep the others out.
 */
export async function importRuns(path: string, store: Store): Promise<Imported> {
  const result = { kept: [] as string[], there: [] as string[], refused: [] as Refusal[] };
  let seen = 0;
  for await (const candidate of candidatesIn(resolve(path))) {
    seen++;
    try {
      const record = checkedRun(await candidate.read());
      const isKept = await keep(record, store);
      (isKept ? result.kept : result.there).push(record.id);
    } catch (error) {
      result.refused.push({ from: candidate.from, because: (error as Error).message });
    }
  }
  if (seen > 0) return result;
  throw new UserError(`There is no run in ${resolve(path)}.`, {
    hint: `Name a run's directory, a directory of such, or a file that sqldyno runs export or --json has written.`,
  });
}

/** False where it is there. */
async function keep(record: RunRecord, store: Store): Promise<boolean> {
  const directory = join(store.directory, 'runs', record.id);
  if (!existsSync(directory)) {
    await store.save(record);
    return true;
  }
  if (isDeepStrictEqual(plain(await readRun(directory)), plain(record))) return false;
  throw new Error(`another run with the id ${record.id} is in the store, and is not written over`);
}

/** Tags are the user's, and differ between two copies of one run. */
function plain({ tags: _, ...record }: RunRecord): unknown {
  return JSON.parse(JSON.stringify(record));
}

/** Throws where it is no record by the schema, or its id no name. */
export function checkedRun(value: unknown): RunRecord {
  const parsed = runSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
    throw new Error(`${where}: ${issue?.message ?? 'it is not what it should be'}`);
  }
  const record = value as RunRecord;
  if (!PLAIN_ID.test(record.id)) throw new Error(`its id, ${JSON.stringify(record.id)}, is no name for a directory`);
  return record;
}

function candidatesIn(path: string): AsyncIterable<Candidate> | Iterable<Candidate> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new UserError(`There is no ${path}.`, { hint: 'Name a directory or a file with runs.' });
  }
  if (stats.isDirectory()) return inDirectory(path);
  return path.endsWith(LINES_SUFFIX) ? inLines(path) : inJson(path);
}

async function* inDirectory(path: string): AsyncIterable<Candidate> {
  if (existsSync(join(path, RECORD_FILE))) {
    yield ofDirectory(path);
    return;
  }
  const runs = existsSync(join(path, 'runs')) ? join(path, 'runs') : path;
  for (const name of (await readdir(runs)).sort()) {
    const directory = join(runs, name);
    if (!name.startsWith('.') && existsSync(join(directory, RECORD_FILE))) yield ofDirectory(directory);
  }
}

function ofDirectory(directory: string): Candidate {
  return { from: directory, read: () => readRun(directory) };
}

async function* inLines(path: string): AsyncIterable<Candidate> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() !== '') yield { from: `${path}, line ${number}`, read: async () => parsed(line) };
  }
}

async function* inJson(path: string): AsyncIterable<Candidate> {
  const content = parsed(await readFile(path, 'utf8'));
  const records: readonly unknown[] = Array.isArray(content) ? content : [content];
  for (const [at, record] of records.entries()) {
    yield { from: records.length === 1 ? path : `${path}, run ${at + 1}`, read: async () => record };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError('It is no JSON: it may have been cut off.', { hint: 'Take it again from where it was made.' });
  }
}
