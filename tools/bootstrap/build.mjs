/** dist/ as it follows from the sources: built when they have changed, and holding nothing else. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runQuietly } from './run.mjs';

/** Of the tests, what a bench takes from them. */
const COMPILED_FOLDERS = ['src', 'tools', 'bench', 'test/support'];
const COMPILED_ENDING = /\.(?:js|js\.map|d\.ts)$/;
/** Made by Vite, which removes what it made before. */
const CLIENT = 'dist/src/web/client/';
/** By content, since a clone, a copy or a checkout changes file times. */
const STAMP = 'dist/.built-from';

/**
 * @param {string} root
 * @returns {string[]} paths relative to `root`
 */
function sourcesOf(root) {
  return [
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    ...COMPILED_FOLDERS.flatMap((folder) => filesUnder(root, folder)),
  ];
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]} sorted
 */
function filesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

/**
 * @param {string} root
 * @returns {string}
 */
export function hashOfSources(root) {
  const hash = createHash('sha256');
  for (const path of sourcesOf(root))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @returns {boolean}
 */
export function isBuilt(root) {
  const stamp = join(root, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources(root);
}

/**
 * @param {string} root
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function build(root) {
  const hash = hashOfSources(root);
  mkdirSync(join(root, 'dist'), { recursive: true });
  rmSync(join(root, STAMP), { force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const client = fileURLToPath(new URL('client.mjs', import.meta.url));
  const results = await Promise.all([
    runQuietly(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root }),
    runQuietly(process.execPath, [client, root], { cwd: root }),
  ]);
  removeOrphans(root);
  const ok = results.every(({ code }) => code === 0);
  if (ok) writeFileSync(join(root, STAMP), hash);
  return { ok, output: results.map(({ output }) => output).join('\n') };
}

/**
 * A source that was deleted or renamed must not live on in dist/, where catalogues list their folder.
 *
 * @param {string} root
 */
export function removeOrphans(root) {
  for (const path of COMPILED_FOLDERS.flatMap((folder) => filesUnder(root, join('dist', folder)))) {
    if (!COMPILED_ENDING.test(path) || path.startsWith(CLIENT)) continue;
    const source = path.slice('dist/'.length).replace(COMPILED_ENDING, '.ts');
    if (!existsSync(join(root, source))) rmSync(join(root, path));
  }
}
