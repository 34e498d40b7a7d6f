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
  const manager = packageManagerOf(readOr('/etc/os-release'), process.platform, hasCommand);
  const hasSudo = hasCommand('sudo');
  return {
    manager,
    hasSudo,
    privilege: privilege(hasSudo),
    startsServices: startsServices(readOr('/proc/1/comm')),
    knownPackages: manager === 'apt' ? aptPackages() : [],
  };
}

const INIT_SYSTEMS = ['systemd', 'init', 'runit', 'openrc-init', 's6-svscan'];

/**
 * @param {string} firstProcess the name of process 1; empty where the system does not tell
 * @returns {boolean}
 */
export function startsServices(firstProcess) {
  const name = firstProcess.trim();
  return name === '' || INIT_SYSTEMS.includes(name);
}

/**
 * @param {string} path
 * @returns {string} empty where it cannot be read
 */
function readOr(path) {
  try {
    return readFileSync(path, 'utf8');
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
