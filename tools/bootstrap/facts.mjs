/** What is true of this machine: asked once, changed nowhere. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { packageManagerOf } from './plan.mjs';

/**
 * @param {string} path
 * @returns {boolean}
 */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} command
 * @returns {boolean}
 */
export function hasCommand(command) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => isExecutable(join(folder, command)));
}

/** @returns {import('./plan.mjs').Machine} */
export function machine() {
  const manager = packageManagerOf(osRelease(), process.platform, hasCommand);
  const hasSudo = hasCommand('sudo');
  return { manager, hasSudo, privilege: privilege(hasSudo), knownPackages: manager === 'apt' ? aptPackages() : [] };
}

/** @returns {string} */
function osRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param {boolean} hasSudo
 * @returns {import('./plan.mjs').Privilege}
 */
function privilege(hasSudo) {
  if (process.getuid?.() === 0) return 'root';
  // -n: never ask. Where sudo wants a password, its owner decides.
  return hasSudo && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? 'sudo' : 'none';
}

/** @returns {string[]} the names under which apt offers the server's programs */
function aptPackages() {
  const search = spawnSync('apt-cache', ['search', '--names-only', '^mariadb-server-core'], { encoding: 'utf8' });
  if (search.status !== 0) return [];
  return search.stdout
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name !== '');
}
