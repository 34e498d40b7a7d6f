/**
 * One entry = one file in a `catalog/` folder with a default export; its name is the file's name.
 * Nothing is registered: the folder is the list.
 */
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ENTRY = /^([a-z][a-z0-9_-]*)\.(?:ts|js)$/;

/** Names of the entries beside `catalogUrl` (a folder's URL), sorted. Tests and declarations are no entries. */
export function entryNames(catalogUrl: URL): string[] {
  const names = readdirSync(fileURLToPath(catalogUrl)).map((file) => ENTRY.exec(file)?.[1]);
  return names.filter((name) => name !== undefined).sort();
}

/** The default export of one entry, or undefined where no such entry exists. */
export async function loadEntry(catalogUrl: URL, name: string): Promise<unknown> {
  const file = readdirSync(fileURLToPath(catalogUrl)).find((candidate) => ENTRY.exec(candidate)?.[1] === name);
  if (file === undefined) return undefined;
  const module = (await import(new URL(file, catalogUrl).href)) as { default?: unknown };
  return module.default;
}

/** True where `path` names a file, so that "no such file" and "does not load" can be told apart. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
