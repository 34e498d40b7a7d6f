/** The page itself, as the build has made it: read once, since it is small. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../base/errors.ts';

export interface ClientFile {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** By path, such as `/app.js`; the page is `/`. */
export type ClientFiles = ReadonlyMap<string, ClientFile>;

const PAGE = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Beside this file in dist/. */
export function readClientFiles(directory: string = fileURLToPath(new URL('./client/', import.meta.url))): ClientFiles {
  if (!existsSync(join(directory, PAGE))) {
    throw new UserError(`The page has not been built: there is no ${PAGE} in ${directory}.`, { hint: 'npm run build' });
  }
  const names = readdirSync(directory).filter((name) => TYPES[extname(name)] !== undefined);
  return new Map(
    names.map((name) => [
      name === PAGE ? '/' : `/${name}`,
      { type: TYPES[extname(name)] ?? '', content: new Uint8Array(readFileSync(join(directory, name))) },
    ]),
  );
}
