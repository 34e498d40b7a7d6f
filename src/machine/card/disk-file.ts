/** The file for random requests: as large as room and patience allow, and past the page cache where that can be. */
import { closeSync, constants, openSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { monotonicMs } from '../../base/clock.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import { formatBytes } from '../../base/units.ts';
import { fileSystemOf, isInMemory } from '../fileio/disk.ts';
import { filePath } from '../fileio/files.ts';
import { alignedBuffer } from '../fileio/own-io.ts';

export interface DiskFile {
  readonly directory: string;
  /** Its name is `PREFIX.0`. */
  readonly prefix: string;
  readonly fileSystem: string;
  readonly bytes: number;
  readonly isDirect: boolean;
  readonly fitsMemory: boolean;
}

export interface DiskFileLimits {
  readonly bytesMax: number;
  /** Then the file is as long as was written until then. */
  readonly timeS: number;
  readonly signal: AbortSignal;
}

const MIB = 2 ** 20;
const WRITTEN_BYTES = MIB;
/** The disk's own pace is seen every so often, and not that of memory. */
const SYNCHRONIZED_BYTES = 16 * MIB;
/** A smaller one lies in the cache of the disk itself. */
const BYTES_MIN = 16 * MIB;
/** Of the room that is left. */
const ROOM_SHARE_MAX = 0.1;
/** What reads and writes are made of, InnoDB's page. */
export const DISK_BLOCK_BYTES = 16_384;

/** Writes over a file of that name. Undefined where it was interrupted. Throws a `UserError` without room for it. */
export async function makeDiskFile(
  place: Pick<DiskFile, 'directory' | 'prefix'>,
  limits: DiskFileLimits,
): Promise<DiskFile | undefined> {
  const path = filePath(place, 0);
  const fileSystem = fileSystemOf(place.directory);
  const bytes = await write(path, roomFor(place.directory, limits.bytesMax), limits);
  if (limits.signal.aborted) return undefined;
  return {
    ...place,
    fileSystem,
    bytes,
    // Such a one takes the flag, and there is nothing to go past.
    isDirect: !isInMemory(fileSystem) && canBeDirect(path),
    fitsMemory: bytes <= totalmem(),
  };
}

function roomFor(directory: string, bytesMax: number): number {
  const { bavail, bsize } = statfsSync(directory);
  const bytes = Math.min(bytesMax, Math.floor((bavail * bsize * ROOM_SHARE_MAX) / MIB) * MIB);
  if (bytes >= BYTES_MIN) return bytes;
  throw new UserError(`${directory} has ${formatBytes(bavail * bsize)} left, and a tenth of it is too little.`, {
    hint: `A file of ${formatBytes(BYTES_MIN)} is needed: make room, or name another --file-dir.`,
    exitCode: ExitCode.runFailed,
  });
}

async function write(path: string, bytes: number, { timeS, signal }: DiskFileLimits): Promise<number> {
  const random = createRandom(1);
  const block = Uint8Array.from({ length: WRITTEN_BYTES }, () => random.integer(0, 255));
  const endMs = monotonicMs() + timeS * 1_000;
  let position = 0;
  try {
    await using file = await open(path, 'w', 0o600);
    while (position < bytes && !signal.aborted && (position < BYTES_MIN || monotonicMs() < endMs)) {
      // Storage that keeps equal blocks once, or compressed, must not have it easy.
      for (let at = position / WRITTEN_BYTES; at < block.length; at += 64) block[at] = random.integer(0, 255);
      position += (await file.write(block, 0, block.length, position)).bytesWritten;
      if (position % SYNCHRONIZED_BYTES === 0) await file.datasync();
    }
    await file.sync();
  } catch (cause) {
    throw new UserError(`${path} cannot be written: ${cause instanceof Error ? cause.message : cause}`, {
      hint: 'Look at the room that is left, and at the limits of the user.',
      exitCode: ExitCode.runFailed,
      cause,
    });
  }
  return position;
}

/** Some file systems over a network, or in user space, know no direct requests. */
function canBeDirect(path: string): boolean {
  // Not everywhere is there such a flag.
  const direct: number | undefined = constants.O_DIRECT;
  if (direct === undefined) return false;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | direct);
    alignedBuffer(DISK_BLOCK_BYTES, descriptor);
    return true;
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
