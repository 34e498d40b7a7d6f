/** Where results and private servers live when nobody says otherwise. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * `--store`, else SQLDYNO_STORE, else `sqldyno` in XDG_DATA_HOME, which the XDG base directory specification defaults
 * to ~/.local/share. A relative XDG_DATA_HOME is to be ignored, says the same specification.
 */
export function storeDirectory(explicit?: string): string {
  const named = explicit ?? process.env['SQLDYNO_STORE'];
  if (named !== undefined && named !== '') return resolve(named);
  return join(xdgDirectory('XDG_DATA_HOME', '.local/share'), 'sqldyno');
}

/** What may be deleted at any time and is made again: initialised data directories to copy from. */
export function cacheDirectory(): string {
  return join(xdgDirectory('XDG_CACHE_HOME', '.cache'), 'sqldyno');
}

function xdgDirectory(variable: string, underHome: string): string {
  const named = process.env[variable];
  return named?.startsWith('/') ? named : join(homedir(), underHome);
}
