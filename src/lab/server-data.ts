/**
 * Makes the data directory of a private server. Initialising takes seconds on a small machine, so a directory made
 * with the usual options is kept in the cache as a template, and copied from then on.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { constants, existsSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { nowMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { cacheDirectory } from '../store/location.ts';
import { DISK_IS_FULL, remedyFor } from './launch.ts';
import { findProgram, foldersNear, type ServerBinary } from './server-binary.ts';
import { removeTree } from './server-directory.ts';
import { initialArguments } from './server-settings.ts';

/** Tens of seconds on an SD card; longer than this it hangs. */
const INITIALISE_DEADLINE_MS = 300_000;

/** A template that was begun this long ago is never finished any more. */
const ABANDONED_AFTER_MS = 2 * INITIALISE_DEADLINE_MS;

const UNFINISHED = '.new-';

// In both initialisers the redo log is made small: it is resized at the first start anyway, and templates stay small.

/** `dataDirectory` must not exist yet; its parent must. */
export async function createDataDirectory(
  binary: ServerBinary,
  dataDirectory: string,
  extraArguments: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const initial = initialArguments(extraArguments);
  const template = initial.length > 0 ? undefined : await templateFor(binary, signal);
  if (template === undefined) return initialise(binary, dataDirectory, initial, signal);
  // A file system that can share blocks between files does so; others copy.
  try {
    await cp(template, dataDirectory, { recursive: true, mode: constants.COPYFILE_FICLONE });
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new UserError(`There is no room for a data directory in ${dirname(dataDirectory)}.`, {
      hint: DISK_IS_FULL,
      exitCode: ExitCode.targetUnavailable,
      cause: error,
    });
  }
}

/** Undefined where the cache cannot be used: then every server initialises its own. */
async function templateFor(binary: ServerBinary, signal: AbortSignal | undefined): Promise<string | undefined> {
  const folder = join(cacheDirectory(), 'templates');
  const template = join(folder, templateName(binary));
  const unfinished = join(folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  try {
    makeFolder(folder, 0o700);
    await removeAbandoned(folder);
  } catch {
    return undefined;
  }
  if (isOurs(template)) return template;
  try {
    await initialise(binary, unfinished, [], signal);
    await rename(unfinished, template);
  } catch (error) {
    // Two may make the same template at once; the second finds the first one's.
    if (!existsSync(template)) throw error;
  } finally {
    await removeTree(unfinished);
  }
  return isOurs(template) ? template : undefined;
}

/** Same version at the same place, same size and date: a new build of the same version counts as another. */
function templateName({ path, flavor, version }: ServerBinary): string {
  const { size, mtimeMs } = statSync(path);
  const build = createHash('sha256').update(`${path} ${size} ${mtimeMs}`).digest('hex').slice(0, 12);
  return `${flavor}-${version}-${build}`;
}

/** Somebody else's template could hold accounts that we never made. */
function isOurs(template: string): boolean {
  const found = statSync(template, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.geteuid?.();
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const path = join(folder, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (nowMs() - changed > ABANDONED_AFTER_MS) await removeTree(path);
  }
}

async function initialise(
  binary: ServerBinary,
  dataDirectory: string,
  initial: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await mkdir(dataDirectory, { mode: 0o700 });
  const { program, programArguments, environment } =
    binary.flavor === 'mariadb' ? mariadbInitialiser(binary) : mysqlInitialiser(binary);
  // Relative, with the parent as working directory: the install script of MariaDB breaks on a path with a space.
  const all = [...programArguments, `--datadir=./${basename(dataDirectory)}`, ...rootArguments(), ...initial];
  await runInitialiser(program, all, { cwd: dirname(dataDirectory), env: { ...process.env, ...environment }, signal });
}

interface Initialiser {
  readonly program: string;
  readonly programArguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

function mysqlInitialiser({ path }: ServerBinary): Initialiser {
  const programArguments = [
    '--no-defaults',
    '--initialize-insecure',
    '--loose-mysqlx=OFF',
    '--secure-file-priv=NULL',
    '--loose-innodb-redo-log-capacity=8M',
  ];
  return { program: path, programArguments, environment: {} };
}

/**
 * `--rpm` keeps the script from giving the PAM tool of the installed server another owner, which it does with --user;
 * `--cross-bootstrap` from making an account for this host's name.
 */
function mariadbInitialiser({ path }: ServerBinary): Initialiser {
  const folders = foldersNear(path);
  const beside = folders.flatMap((folder) => INSTALL_SCRIPTS.map((name) => join(folder, name))).find(existsSync);
  const program = beside ?? findProgram(INSTALL_SCRIPTS, ['/usr/bin', '/usr/local/bin']);
  if (program === undefined) {
    throw new UserError(`'${path}' is here, but mariadb-install-db, which makes its data directory, is not.`, {
      hint: 'Install the whole server package, or set SQLDYNO_SERVER_BINARY to the server of a complete installation.',
      exitCode: ExitCode.targetUnavailable,
    });
  }
  // A tarball's script must be told where its tree is; a distribution's knows, and its tree is not laid out like that.
  const tree = basename(dirname(program)) === 'scripts' ? [`--basedir=${dirname(dirname(program))}`] : [];
  const programArguments = [
    '--no-defaults',
    ...tree,
    '--rpm',
    '--cross-bootstrap',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--innodb-log-file-size=8M',
  ];
  return { program, programArguments, environment: { MYSQLD_BOOTSTRAP: path } };
}

const INSTALL_SCRIPTS = ['mariadb-install-db', 'mysql_install_db'] as const;

/** A server refuses to run as root unless told to. The directory is ours alone either way. */
export function rootArguments(): string[] {
  return process.geteuid?.() === 0 ? ['--user=root'] : [];
}

async function runInitialiser(program: string, programArguments: readonly string[], place: Place): Promise<void> {
  const { cwd, env, signal } = place;
  signal?.throwIfAborted();
  const child = spawn(program, programArguments, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  // The script is a shell with a server as its child: both are in a group of their own, and end together.
  const killGroup = () => child.pid !== undefined && killQuietly(-child.pid);
  const timer = setTimeout(killGroup, INITIALISE_DEADLINE_MS);
  signal?.addEventListener('abort', killGroup, { once: true });
  try {
    const { code, output } = await endOf(child);
    signal?.throwIfAborted();
    if (code === 0) return;
    throw new UserError(`The data directory could not be made by ${basename(program)}:\n  ${output}`, {
      hint: remedyFor(output) ?? 'Check the permissions of the directory, or choose another one with --store.',
      exitCode: ExitCode.targetUnavailable,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', killGroup);
  }
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
}

const OUTPUT_LINES_SHOWN = 15;

/** The exit code (null after a signal) and the last lines printed. */
async function endOf(
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<{ code: number | null; output: string }> {
  let lines: string[] = [];
  const keep = (text: string) => {
    lines = [...lines, ...text.split('\n').filter((line) => line.trim() !== '')].slice(-OUTPUT_LINES_SHOWN);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: lines.join('\n  ') }));
  });
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
