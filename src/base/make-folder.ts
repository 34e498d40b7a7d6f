/** Makes a folder with all that are missing above it, one after another. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const EVERYBODY = 0o777;

/**
 * Nothing happens where it is there. Node's own recursive `mkdir` never returned below /proc (seen with Node 20.20).
 */
export function makeFolder(path: string, mode = EVERYBODY): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path);
  for (const folder of missing) makeOne(folder, mode);
}

/** Another process may have made it just now. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
