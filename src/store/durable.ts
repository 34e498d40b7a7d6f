/** Files that are there whole or not at all, and still after a power cut. */
import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nowMs } from '../base/clock.ts';

/** Names of what is being written or deleted. What a crash leaves of them goes with a later write. */
const UNFINISHED = '.unfinished-';
const ABANDONED_AFTER_MS = 3_600_000;

export function unfinishedIn(directory: string): string {
  return join(directory, UNFINISHED + randomBytes(6).toString('hex'));
}

export async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const path = join(directory, name);
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

/** Whoever reads it meanwhile sees the old content or the new. Its folder must exist. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  const unfinished = unfinishedIn(directory);
  try {
    await writeDurably(unfinished, text);
    await rename(unfinished, path);
    await syncDirectory(directory);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
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
