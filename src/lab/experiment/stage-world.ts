/** What of this machine a stage asks and does beside servers; tests hand in others. */
import { statfs, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../base/clock.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatBytes } from '../../base/units.ts';

export interface StageWorld {
  /** Of the file system on which the folder lies, for this user. */
  readonly freeBytes: (folder: string) => Promise<number>;
  /** False where it is not allowed or there is none to be emptied. */
  readonly dropPageCache: () => Promise<boolean>;
}

export const THIS_STAGE_WORLD: StageWorld = {
  freeBytes: async (folder) => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  dropPageCache,
};

/** proc(5): 1 frees the page cache, of which what is not written yet stays. */
async function dropPageCache(): Promise<boolean> {
  try {
    await writeFile('/proc/sys/vm/drop_caches', '1');
    return true;
  } catch {
    return false;
  }
}

/** A server that has been killed may hold its files a moment longer: what was removed is not free at once. */
const RELEASE_DEADLINE_MS = 5_000;
const POLL_MS = 100;

/** What is free once it is enough, or frees no more. */
async function enoughFree({ freeBytes }: StageWorld, folder: string, bytes: number): Promise<number> {
  const startMs = monotonicMs();
  let free = await freeBytes(folder);
  for (let before = -1; free < bytes && free !== before && monotonicMs() - startMs < RELEASE_DEADLINE_MS; ) {
    before = free;
    await sleep(POLL_MS);
    free = await freeBytes(folder);
  }
  return free;
}

/** `what`: what the room is for. */
export async function demandSpace(
  world: StageWorld,
  folder: string,
  { bytes, what }: { readonly bytes: number; readonly what: string },
): Promise<void> {
  const freeBytes = await enoughFree(world, folder, bytes);
  if (freeBytes >= bytes) return;
  throw new UserError(
    `There is not enough space in ${folder}: ${what} takes about ${formatBytes(bytes)}, and ${formatBytes(freeBytes)} are free.`,
    {
      hint: 'Free some, take fewer rows, or choose another disk with --store, or dataDirectory in the variant.',
      exitCode: ExitCode.targetUnavailable,
    },
  );
}
