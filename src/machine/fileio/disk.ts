/** What a directory stands on: its file system, and the room that is left. */
import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatBytes } from '../../base/units.ts';

/** Linux tells the kind by a number: include/uapi/linux/magic.h, and the file systems' own headers. */
const LINUX_NAMES: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x2fc12fc1, 'zfs'],
  [0xf2f52010, 'f2fs'],
  [0xca451a4e, 'bcachefs'],
  [0x794c7630, 'overlay'],
  [0x6969, 'nfs'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb'],
  [0x65735546, 'fuse'],
  [0x01021997, '9p'],
]);

const IN_MEMORY = ['tmpfs', 'ramfs'];

/** Room that stays free: where a server has its data, a full disk stops it. */
const RESERVE_BYTES = 256 * 2 ** 20;

/** `ext4` also stands for ext2 and ext3, which have the same number. */
export function fileSystemOf(directory: string): string {
  if (process.platform !== 'linux') return 'unknown';
  return LINUX_NAMES.get(Number(statfsSync(directory, { bigint: true }).type)) ?? 'unknown';
}

export function isInMemory(fileSystem: string): boolean {
  return IN_MEMORY.includes(fileSystem);
}

export function ensureDirectory(directory: string, access: 'read' | 'write'): void {
  let isDirectory = false;
  try {
    isDirectory = statSync(directory).isDirectory();
    if (isDirectory) accessSync(directory, access === 'write' ? constants.W_OK | constants.X_OK : constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UserError(`--file-dir: ${directory} cannot be used (${code}).`, {
      hint: code === 'ENOENT' ? 'Name a directory that exists.' : 'Name a directory that you may write.',
      cause,
    });
  }
  if (!isDirectory) throw new UserError(`--file-dir: ${directory} is no directory.`);
}

/** Refuses before anything is written. `what` is the beginning of the sentence: 'The files'. */
export function ensureRoom(directory: string, bytes: number, what: string): void {
  const { bavail, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  if (freeBytes >= bytes + RESERVE_BYTES) return;
  throw new UserError(`${what} need ${formatBytes(bytes)}, and ${directory} has ${formatBytes(freeBytes)} left.`, {
    hint: `Make room, name another --file-dir, or ask for less. ${formatBytes(RESERVE_BYTES)} must stay free.`,
    exitCode: ExitCode.runFailed,
  });
}
