/** Runs to take elsewhere: copies of their directories, or one file with a whole record a line. */
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { syncDirectory, unfinishedIn } from './durable.ts';
import { readRun, writeRun } from './run-files.ts';

export const LINES_SUFFIX = '.ndjson';

export interface Exported {
  readonly written: readonly string[];
  /** Were there before, and are as they were. */
  readonly there: readonly string[];
}

/** `to` is a file where it ends with `.ndjson`, else a directory. Nothing that is there is written over. */
export async function exportRuns(directories: readonly string[], to: string): Promise<Exported> {
  const path = resolve(to);
  return to.endsWith(LINES_SUFFIX) ? exportLines(directories, path) : exportDirectories(directories, path);
}

async function exportDirectories(directories: readonly string[], to: string): Promise<Exported> {
  const written: string[] = [];
  const there: string[] = [];
  writable(to, () => makeFolder(to));
  for (const directory of directories) {
    const id = basename(directory);
    if (existsSync(join(to, id))) {
      there.push(id);
      continue;
    }
    await copyRun(directory, to);
    written.push(id);
  }
  await syncDirectory(to);
  return { written, there };
}

async function copyRun(directory: string, to: string): Promise<void> {
  const record = await readRun(directory);
  const unfinished = unfinishedIn(to);
  try {
    await mkdir(unfinished);
    await writeRun(unfinished, record);
    await rename(unfinished, join(to, basename(directory)));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function exportLines(directories: readonly string[], path: string): Promise<Exported> {
  if (existsSync(path)) {
    throw new UserError(`${path} is there already, and is not written over.`, { hint: 'Name another file.' });
  }
  const parent = dirname(path);
  writable(parent, () => makeFolder(parent));
  const unfinished = unfinishedIn(parent);
  try {
    const file = await open(unfinished, 'wx');
    try {
      for (const directory of directories) await file.write(`${JSON.stringify(await readRun(directory))}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return { written: directories.map((directory) => basename(directory)), there: [] };
}

function writable(path: string, make: () => void): void {
  try {
    make();
  } catch (cause) {
    throw new UserError(`${path} cannot be made: ${(cause as Error).message}.`, {
      hint: 'Name a directory that you may write.',
      cause,
    });
  }
}
