/** Finds the database server on this machine, and asks it what it is. Nothing installed is ever changed. */
import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ExitCode, UserError } from '../base/errors.ts';
import type { ServerFlavor } from '../wire/types.ts';

const run = promisify(execFile);

export interface ServerBinary {
  readonly path: string;
  readonly flavor: ServerFlavor;
  /** Such as `10.11.6-MariaDB` or `8.4.3`. */
  readonly version: string;
}

const PROGRAM_NAMES = ['mariadbd', 'mysqld'] as const;

/** Servers are often installed where an ordinary user's PATH does not lead: packages, tarballs, Homebrew, MacPorts. */
const FOLDERS_BESIDE_PATH = [
  '/usr/sbin',
  '/usr/libexec',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/local/libexec',
  '/usr/local/mysql/bin',
  '/usr/local/mariadb/bin',
  '/opt/mysql/bin',
  '/opt/mariadb/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/opt/mariadb/bin',
  '/opt/homebrew/opt/mysql/bin',
  '/usr/local/opt/mariadb/bin',
  '/usr/local/opt/mysql/bin',
  '/opt/local/lib/mariadb/bin',
  '/opt/local/lib/mysql8/bin',
] as const;

/** A healthy `--version` takes milliseconds; a Pi reading the binary from a cold SD card takes seconds. */
const VERSION_DEADLINE_MS = 30_000;

/** `explicit`, else SQLDYNO_SERVER_BINARY, else the first one found. Undefined where the machine has none. */
export async function findServerBinary(explicit?: string): Promise<ServerBinary | undefined> {
  const named = explicit ?? process.env['SQLDYNO_SERVER_BINARY'];
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return identify(named);
    throw new UserError(`'${named}' is not a program that can be run.`, {
      hint: 'Give the full path of mariadbd or mysqld, or leave SQLDYNO_SERVER_BINARY unset to search for one.',
    });
  }
  const path = findProgram(PROGRAM_NAMES, FOLDERS_BESIDE_PATH);
  return path === undefined ? undefined : identify(path);
}

/** Like `findServerBinary`, for whoever cannot go on without. */
export async function needServerBinary(explicit?: string): Promise<ServerBinary> {
  const found = await findServerBinary(explicit);
  if (found !== undefined) return found;
  throw new UserError('No MySQL or MariaDB server is installed here, so no private server can be started.', {
    hint: `Install one (${installCommand()}), set SQLDYNO_SERVER_BINARY, or name a running server as the target.`,
    exitCode: ExitCode.targetUnavailable,
  });
}

/** The first of the names found in PATH, then in the further folders. */
export function findProgram(names: readonly string[], furtherFolders: readonly string[]): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...furtherFolders,
  ];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Where the server's own tools lie, nearest first: beside the binary, and in the tree it is linked from. */
export function foldersNear(binaryPath: string): string[] {
  const roots = [...new Set([binaryPath, realpathSync(binaryPath)].map((path) => dirname(dirname(path))))];
  return roots.flatMap((root) => [join(root, 'bin'), join(root, 'scripts'), join(root, 'sbin')]);
}

/** From `mariadbd  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu`, `mysqld  Ver 8.4.3 for Linux on x86_64`. */
export function parseServerVersion(output: string): Omit<ServerBinary, 'path'> | undefined {
  const version = /\bVer (\d+\.\d+\.\d+\S*)/.exec(output)?.[1];
  if (version === undefined) return undefined;
  return { version, flavor: /mariadb/i.test(output) ? 'mariadb' : 'mysql' };
}

const SAID_LENGTH_MAX = 300;

/** In one line, as a sentence. */
function saidIn(output: string): string {
  const said = output.trim().replaceAll(/\s+/g, ' ').slice(0, SAID_LENGTH_MAX);
  return said === '' ? 'it says nothing.' : `it says '${said}'.`;
}

async function identify(path: string): Promise<ServerBinary> {
  const output = await run(path, ['--no-defaults', '--version'], { timeout: VERSION_DEADLINE_MS }).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: Error) => error.message,
  );
  const parsed = parseServerVersion(output);
  if (parsed !== undefined) return { path, ...parsed };
  throw new UserError(`'${path}' does not say which MySQL or MariaDB version it is: ${saidIn(output)}`, {
    hint: 'Name the server program itself (mariadbd or mysqld) in SQLDYNO_SERVER_BINARY.',
    exitCode: ExitCode.targetUnavailable,
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function installCommand(): string {
  if (process.platform === 'darwin') return 'brew install mariadb';
  const release = releaseText();
  if (/\b(fedora|rhel|centos|rocky|almalinux|amzn)\b/.test(release)) return 'sudo dnf install mariadb-server';
  if (/\b(arch|manjaro)\b/.test(release)) return 'sudo pacman -S mariadb';
  if (/\balpine\b/.test(release)) return 'sudo apk add mariadb';
  if (/\bsuse\b/.test(release)) return 'sudo zypper install mariadb';
  return 'sudo apt-get install mariadb-server-core mariadb-client-core';
}

function releaseText(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8').toLowerCase();
  } catch {
    return '';
  }
}
