/**
 * A data directory that is kept as it was after prepare, and copies of it to run on. Where the file system can share
 * blocks between files, a copy takes no time and no space. What is whole has a manifest with a checksum of each file.
 */
import { createHash } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monotonicMs } from '../../base/clock.ts';
import { replaceDurably, syncDirectory } from '../../store/durable.ts';
import { removeTree } from '../server-directory.ts';

const SNAPSHOT_FORMAT = 'sqldyno.snapshot/1';

export interface Manifest {
  readonly format: typeof SNAPSHOT_FORMAT;
  /** What the data is, in words and figures. */
  readonly description: Readonly<Record<string, unknown>>;
  /** Of the names, sizes and contents of all files. */
  readonly fingerprint: string;
  readonly bytes: number;
  readonly folders: readonly string[];
  readonly files: readonly SnapshotFile[];
}

interface SnapshotFile {
  /** Relative to the data directory. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Snapshot {
  readonly directory: string;
  readonly manifest: Manifest;
}

export interface Advance {
  readonly signal: AbortSignal;
  /** Bytes. */
  readonly onAdvance: (done: number, total: number) => void;
}

export interface Restored {
  readonly how: 'reflink' | 'copy';
  readonly elapsedS: number;
}

/** More at once queue in libuv's four threads. */
const FILES_AT_ONCE = 4;
const READ_BYTES = 4 * 1024 * 1024;

/** Made anew by each start, or of a server that is no more. */
const NOT_KEPT = /^(?:ib_buffer_pool|ibtmp\d*|.*\.pid|.*\.sock|.*\.sock\.lock)$/;

export function dataOfSnapshot(directory: string): string {
  return join(directory, 'data');
}

/** Undefined where there is none that is whole: its manifest is written last. */
export async function findSnapshot(directory: string): Promise<Snapshot | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(directory, 'snapshot.json'), 'utf8')) as Manifest;
    return manifest.format === SNAPSHOT_FORMAT ? { directory, manifest } : undefined;
  } catch {
    return undefined;
  }
}

/** Of the data in `directory`, whose server has ended in good order. On the disk when it resolves. */
export async function takeSnapshot(
  directory: string,
  description: Manifest['description'],
  advance: Advance,
): Promise<Snapshot> {
  const data = dataOfSnapshot(directory);
  const { folders, files: all } = await listTree(data);
  for (const path of all.filter((name) => NOT_KEPT.test(name))) await removeTree(join(data, path));
  const files = await fingerprints(
    data,
    await sizesOf(
      data,
      all.filter((name) => !NOT_KEPT.test(name)),
    ),
    advance,
  );
  for (const folder of ['', ...folders]) await syncDirectory(join(data, folder));
  const manifest: Manifest = {
    format: SNAPSHOT_FORMAT,
    description,
    fingerprint: fingerprintOf(files),
    bytes: totalOf(files),
    folders,
    files,
  };
  await replaceDurably(join(directory, 'snapshot.json'), `${JSON.stringify(manifest, null, 1)}\n`);
  return { directory, manifest };
}

/** The first file that is not as the manifest has it, in words; undefined where all are. Reads all of them. */
export async function findDamage(data: string, { files }: Manifest, advance: Advance): Promise<string | undefined> {
  try {
    const now = await fingerprints(
      data,
      await sizesOf(
        data,
        files.map(({ path }) => path),
      ),
      advance,
    );
    const different = now.find(({ bytes, sha256 }, index) => {
      const then = files[index];
      return then?.bytes !== bytes || then.sha256 !== sha256;
    });
    return different === undefined ? undefined : `${different.path} has changed`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 'a file is missing';
  }
}

/**
 * Makes `to` a copy of the snapshot, whatever was there before. What is copied is on the disk when it resolves, so that
 * writing it back takes nothing from a run. The sizes are compared: the contents are those of files that were checked.
 */
export async function restoreSnapshot(snapshot: Snapshot, to: string, advance: Advance): Promise<Restored> {
  const startMs = monotonicMs();
  const { manifest } = snapshot;
  const from = dataOfSnapshot(snapshot.directory);
  await removeTree(to);
  await mkdir(to, { mode: 0o700 });
  for (const folder of manifest.folders) await mkdir(join(to, folder), { mode: 0o700 });
  let how: Restored['how'] = 'reflink';
  let doneBytes = 0;
  await inTurn(manifest.files, advance.signal, async ({ path, bytes }) => {
    const target = join(to, path);
    if (how === 'reflink' && !(await canClone(join(from, path), target))) how = 'copy';
    if (how === 'copy') await copyDurably(join(from, path), target);
    const written = (await stat(target)).size;
    if (written !== bytes) throw new Error(`${target} has ${written} bytes in place of ${bytes}`);
    doneBytes += bytes;
    advance.onAdvance(doneBytes, manifest.bytes);
  });
  return { how, elapsedS: (monotonicMs() - startMs) / 1000 };
}

/** False where the file system shares no blocks, or the two lie on different ones. */
async function canClone(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EINVAL', 'ENOTTY', 'EBADF'].includes(code ?? '')) return false;
    throw error;
  }
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function fingerprints(
  data: string,
  sizes: readonly Omit<SnapshotFile, 'sha256'>[],
  { signal, onAdvance }: Advance,
): Promise<SnapshotFile[]> {
  const total = totalOf(sizes);
  let done = 0;
  const found = new Map<string, string>();
  await inTurn(sizes, signal, async ({ path }) => {
    const sha256 = await checksumOf(join(data, path), signal, (bytes) => {
      done += bytes;
      onAdvance(done, total);
    });
    found.set(path, sha256);
  });
  return sizes.map((file) => ({ ...file, sha256: found.get(file.path) ?? '' }));
}

/** Of what is on the disk: it is written out first. */
async function checksumOf(path: string, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const file = await open(path, 'r');
  try {
    await file.sync();
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
      onBytes(bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function sizesOf(data: string, paths: readonly string[]): Promise<Omit<SnapshotFile, 'sha256'>[]> {
  return Promise.all(paths.map(async (path) => ({ path, bytes: (await stat(join(data, path))).size })));
}

async function listTree(directory: string): Promise<{ readonly folders: string[]; readonly files: string[] }> {
  const folders: string[] = [];
  const files: string[] = [];
  const walk = async (under: string) => {
    const entries = await readdir(join(directory, under), { withFileTypes: true });
    for (const entry of entries.sort(byName)) {
      const path = join(under, entry.name);
      if (entry.isDirectory()) {
        folders.push(path);
        await walk(path);
      } else if (entry.isFile()) {
        files.push(path);
      } else if (!NOT_KEPT.test(entry.name)) {
        throw new Error(`${join(directory, path)} is neither a file nor a folder, and cannot be kept`);
      }
    }
  };
  await walk('');
  return { folders, files };
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

function fingerprintOf(files: readonly SnapshotFile[]): string {
  const lines = files.map(({ path, bytes, sha256 }) => `${sha256} ${bytes} ${path}\n`);
  return `sha256:${createHash('sha256').update(lines.join('')).digest('hex').slice(0, FINGERPRINT_DIGITS)}`;
}

/** 64 bits tell any two apart that one person will ever make. */
const FINGERPRINT_DIGITS = 16;

function totalOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function inTurn<T>(items: readonly T[], signal: AbortSignal, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      signal.throwIfAborted();
      await work(item);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, next));
  // Others may still write when the first has failed: all must have ended before anything is removed.
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
