/**
 * The files of `fileio`: named as sysbench names them, so that those prepared by either program serve the other. What
 * exists is never written over; what is unfinished has another name until it is whole.
 */
import { closeSync, constants, openSync, readdirSync, statSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, UserError } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import { formatBytes, formatCount } from '../../base/units.ts';
import { ensureDirectory, ensureRoom } from './disk.ts';
import type { ExtraFlag, FileSet } from './options.ts';

const WRITTEN_BYTES = 2 ** 20;
const PART = '.part';
const OURS = /^test_file\.\d+(?:\.part)?$/;
/** Left behind by a commit probe that was killed. */
const PROBE_LEFT = /^sqldyno-commit-probe-\d+-\w+\.tmp$/;

export function filePath({ directory, prefix }: Pick<FileSet, 'directory' | 'prefix'>, file: number): string {
  return join(directory, `${prefix}.${file}`);
}

export interface PrepareHooks {
  /** Bytes written so far, of those that were missing. */
  onProgress(writtenBytes: number, totalBytes: number): void;
  readonly signal: AbortSignal;
}

export interface Prepared {
  readonly files: number;
  /** Of them, already there and whole. */
  readonly kept: number;
  readonly writtenBytes: number;
  readonly isInterrupted: boolean;
}

/** Makes the files that are missing. Interrupted, it leaves the whole ones, for the next time. */
export async function prepareFiles(set: FileSet, { onProgress, signal }: PrepareHooks): Promise<Prepared> {
  ensureDirectory(set.directory, 'write');
  const missing = Array.from({ length: set.files }, (_, file) => file).filter((file) => !isWhole(set, file));
  const totalBytes = missing.length * set.fileBytes;
  for (const file of missing) await rm(filePath(set, file) + PART, { force: true });
  if (totalBytes > 0) ensureRoom(set.directory, totalBytes, 'The files');
  const content = randomBytes(Math.min(WRITTEN_BYTES, set.fileBytes));
  const kept = set.files - missing.length;
  let writtenBytes = 0;
  for (const file of missing) {
    const path = filePath(set, file);
    const isWritten = await writeFile(path + PART, set.fileBytes, {
      content,
      signal,
      onWritten: (bytes) => onProgress(writtenBytes + bytes, totalBytes),
    });
    if (!isWritten) return { files: set.files, kept, writtenBytes, isInterrupted: true };
    await rename(path + PART, path);
    writtenBytes += set.fileBytes;
  }
  return { files: set.files, kept, writtenBytes, isInterrupted: false };
}

interface FileToWrite {
  readonly content: Uint8Array;
  readonly signal: AbortSignal;
  onWritten(bytes: number): void;
}

/** False where it was interrupted, or could not be finished; nothing is left of the file then. */
async function writeFile(path: string, bytes: number, { content, signal, onWritten }: FileToWrite): Promise<boolean> {
  let isDone = false;
  // 'wx': what exists is not ours.
  const file = await open(path, 'wx');
  try {
    let position = 0;
    while (position < bytes && !signal.aborted) {
      const length = Math.min(content.length, bytes - position);
      position += (await file.write(content, 0, length, position)).bytesWritten;
      onWritten(position);
    }
    isDone = position >= bytes && !signal.aborted;
    if (isDone) await file.sync();
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    await file.close();
    if (!isDone) await rm(path, { force: true });
  }
  return isDone;
}

function unwritable(path: string, cause: unknown): UserError {
  return new UserError(`${path} cannot be written: ${cause instanceof Error ? cause.message : cause}`, {
    hint: 'Look at the room that is left, and at the limits of the user.',
    exitCode: ExitCode.runFailed,
    cause,
  });
}

/** Not zeros, and nothing that repeats within a block: disks and file systems leave out or compress such things. */
function randomBytes(length: number): Uint8Array {
  const random = createRandom(1);
  return Uint8Array.from({ length }, () => random.integer(0, 255));
}

function isWhole(set: FileSet, file: number): boolean {
  const path = filePath(set, file);
  const bytes = sizeOfFile(path);
  if (bytes === undefined) return false;
  if (bytes === set.fileBytes) return true;
  throw new UserError(`${path} exists, with ${formatCount(bytes)} bytes instead of ${formatCount(set.fileBytes)}.`, {
    hint: 'Prepare with the same --file-num and --file-total-size as before, or remove the files first: cleanup',
  });
}

/** Undefined where there is none. */
function sizeOfFile(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isFile()) return found.size;
  throw new UserError(`${path} is no ordinary file.`, { hint: 'Name another --file-dir.' });
}

/** Before a run: all files are there, and as large as they must be. */
export function ensurePrepared(set: FileSet): void {
  ensureDirectory(set.directory, 'read');
  for (let file = 0; file < set.files; file++) {
    const path = filePath(set, file);
    const bytes = sizeOfFile(path);
    if (bytes !== undefined && bytes >= set.fileBytes) continue;
    const is =
      bytes === undefined
        ? `${path} does not exist.`
        : `${path} has ${formatCount(bytes)} bytes, and ${formatCount(set.fileBytes)} are asked for.`;
    throw new UserError(is, {
      hint: 'Run prepare first, with the same --file-dir, --file-num and --file-total-size.',
      exitCode: ExitCode.runFailed,
    });
  }
}

export interface OpenFiles extends Disposable {
  readonly descriptors: readonly number[];
}

const FLAGS: Readonly<Record<ExtraFlag, number | undefined>> = {
  sync: constants.O_SYNC,
  dsync: constants.O_DSYNC,
  direct: constants.O_DIRECT,
};

/** For all threads: a descriptor belongs to the process. */
export function openFiles(
  set: FileSet,
  { flags, isWritten }: { readonly flags: readonly ExtraFlag[]; readonly isWritten: boolean },
): OpenFiles {
  let mode: number = isWritten ? constants.O_RDWR : constants.O_RDONLY;
  for (const flag of flags) {
    const bit = FLAGS[flag];
    if (bit === undefined) throw new UserError(`This system knows no --file-extra-flags=${flag}.`);
    mode |= bit;
  }
  const descriptors: number[] = [];
  const closeAll = () => {
    for (const descriptor of descriptors) closeSync(descriptor);
  };
  try {
    for (let file = 0; file < set.files; file++) descriptors.push(openSync(filePath(set, file), mode));
  } catch (cause) {
    closeAll();
    const { code, message } = cause as NodeJS.ErrnoException;
    const hint =
      code === 'EMFILE'
        ? 'Raise the limit of open files (ulimit -n), or ask for fewer with --file-num.'
        : code === 'EINVAL'
          ? 'This file system has no direct access: leave --file-extra-flags=direct out.'
          : 'Look at who owns the files.';
    throw new UserError(`A file cannot be opened: ${message}`, { hint, exitCode: ExitCode.runFailed, cause });
  }
  return { descriptors, [Symbol.dispose]: closeAll };
}

export interface Removed {
  readonly files: number;
  readonly bytes: number;
}

/** All files of such a name, whatever number of them was prepared; the names are sysbench's, and so is its cleanup. */
export async function removeFiles(directory: string): Promise<Removed> {
  ensureDirectory(directory, 'write');
  let files = 0;
  let bytes = 0;
  for (const name of readdirSync(directory).filter((each) => OURS.test(each) || PROBE_LEFT.test(each))) {
    const path = join(directory, name);
    const found = await stat(path);
    if (!found.isFile()) continue;
    await rm(path).catch((error) => {
      throw unremovable(path, error);
    });
    files++;
    bytes += found.size;
  }
  return { files, bytes };
}

function unremovable(path: string, cause: unknown): UserError {
  return new UserError(`${path} cannot be removed: ${cause instanceof Error ? cause.message : cause}`, {
    hint: 'Look at who owns the directory, and remove the files by hand.',
    exitCode: ExitCode.runFailed,
    cause,
  });
}

export function removedText({ files, bytes }: Removed, directory: string): string {
  if (files === 0) return `There was nothing to remove in ${directory}.`;
  return `Removed ${formatCount(files)} ${files === 1 ? 'file' : 'files'} with ${formatBytes(bytes)} from ${directory}.`;
}
