/**
 * The files of this machine, read directly. /proc and /sys answer from memory: waiting for them costs less than handing
 * the work to a thread and back.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { HostFiles } from '../host-files.ts';
import { roomOf } from '../parse/room.ts';

const IS_PATTERN = /[*[]/;

export const localFiles: HostFiles = {
  read: async (paths) => {
    const texts = new Map<string, string>();
    for (const path of paths) {
      const found = IS_PATTERN.test(path) ? matchesOf(path).map(textOf) : [textOf(path)];
      const readable = found.filter((text) => text !== undefined);
      if (readable.length > 0) texts.set(path, readable.join(''));
    }
    return texts;
  },
  match: async (patterns) =>
    patterns.flatMap((pattern) => (IS_PATTERN.test(pattern) ? matchesOf(pattern) : existing(pattern))),
  resolve: async (path) => {
    try {
      return realpathSync(path);
    } catch {
      return undefined;
    }
  },
  // Not at once, unlike the rest: a network's file system may let one wait.
  room: async (path) => {
    const found = await statfs(path).catch(() => undefined);
    return found && roomOf(found.bavail * found.bsize, found.files, found.ffree);
  },
};

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It is not there, may not be read, or its process has ended: all the same to the reader.
    return undefined;
  }
}

function existing(path: string): string[] {
  return existsSync(path) ? [path] : [];
}

function matchesOf(pattern: string): string[] {
  const [, ...parts] = pattern.split('/');
  let found = [''];
  for (const part of parts) {
    found = IS_PATTERN.test(part)
      ? found.flatMap((folder) => namesIn(folder, regExpOf(part)).map((name) => `${folder}/${name}`))
      : found.map((folder) => `${folder}/${part}`);
  }
  return found.filter((path) => existsSync(path));
}

function namesIn(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name));
  } catch {
    return [];
  }
}

/** Of a shell's pattern: `*` and sets in brackets. A leading dot is matched by a dot only. */
function regExpOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/[.+?^${}()|\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(pattern.startsWith('.') ? `^${source}$` : `^(?!\\.)${source}$`);
}
