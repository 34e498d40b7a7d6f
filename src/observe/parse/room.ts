/** How much a file system still takes, whatever it was asked through. */
import type { Room } from '../host-sample.ts';

/** `files` and `freeFiles` are 0 where a file system has no fixed number of inodes. */
export function roomOf(freeBytes: number, files: number, freeFiles: number): Room {
  return { freeBytes, ...(files > 0 ? { freeFiles } : {}) };
}

/** What `stat -f -c '%a %S %c %d'` prints: free blocks, their size, inodes, free inodes. */
export function parseRoom(text: string): Room | undefined {
  const match = /^(\d+) (\d+) (\d+) (\d+)\s*$/.exec(text);
  if (match === null) return undefined;
  const [blocks = 0, blockBytes = 0, files = 0, freeFiles = 0] = match.slice(1).map(Number);
  return roomOf(blocks * blockBytes, files, freeFiles);
}
