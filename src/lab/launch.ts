/** Starts a database server as a child process and waits until it takes connections, or says why it does not. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import { identityOf, type ProcessIdentity } from './process-identity.ts';
import { endProcess } from './server-directory.ts';

export interface Launch {
  readonly binary: string;
  readonly arguments: readonly string[];
  readonly errorLog: string;
  /** Called at once, before anything is awaited: from then on the server is on record. */
  readonly onSpawn: (server: ProcessIdentity) => void;
  readonly signal: AbortSignal | undefined;
}

/** Somebody else listens on the port; another one may be free. */
export class PortTaken extends Error {}

/** `log`: all that the server wrote. */
export class StartFailure extends UserError {
  readonly log: string;

  constructor(message: string, log: string, hint: string) {
    super(message, { hint, exitCode: ExitCode.targetUnavailable });
    this.log = log;
  }
}

/** Half a second on a PC; recovery or a new redo log on an SD card takes minutes. */
const START_DEADLINE_MS = 180_000;
const POLL_MS = 20;
const TERM_DEADLINE_MS = 5_000;
const LOG_LINES_SHOWN = 12;

/** Resolves when the server takes connections; when it rejects, the server has ended. */
export async function launch(request: Launch): Promise<void> {
  request.signal?.throwIfAborted();
  const child = spawnServer(request);
  const server = child.pid === undefined ? undefined : identityOf(child.pid);
  if (server !== undefined) request.onSpawn(server);
  try {
    await untilReady(child, request);
  } catch (error) {
    if (server !== undefined) await endProcess(server, TERM_DEADLINE_MS);
    throw error;
  }
}

/** In a session of its own, so that Ctrl-C on the terminal reaches it through us, in good order. */
function spawnServer({ binary, arguments: serverArguments, errorLog }: Launch): ChildProcess {
  const log = openSync(errorLog, 'w', 0o600);
  try {
    const { MYSQL_PWD: _, ...env } = process.env;
    const child = spawn(binary, serverArguments, { detached: true, stdio: ['ignore', log, log], env });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/**
 * The line in the error log comes after the init file has been run and before the first connection is taken; the
 * server writes it in English, since no option file can set another language.
 */
async function untilReady(child: ChildProcess, { binary, errorLog, signal }: Launch): Promise<void> {
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = `cannot be run: ${error.message}`;
  });
  child.once('exit', (code, killedBy) => {
    failure =
      killedBy === null ? `stopped while starting (exit code ${code})` : `was ended by ${killedBy} while starting`;
  });
  const startMs = monotonicMs();
  while (!/: ready for connections\./.test(logText(errorLog))) {
    await sleep(POLL_MS);
    signal?.throwIfAborted();
    if (failure === undefined && monotonicMs() - startMs > START_DEADLINE_MS) {
      failure = `was not ready after ${START_DEADLINE_MS / 1000} s`;
    }
    if (failure !== undefined) throw startFailure(`${basename(binary)} ${failure}.`, logText(errorLog));
  }
}

function startFailure(message: string, log: string): Error {
  if (/Bind on TCP\/IP port|Do you already have another (?:mysqld )?server/.test(log)) return new PortTaken(message);
  const tail = log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n  ');
  const shown = tail === '' ? 'Its error log is empty.' : `The end of its error log:\n  ${tail}`;
  return new StartFailure(
    `The private server did not start: ${message} ${shown}`,
    log,
    remedyFor(log) ?? 'The error log says what it lacks.',
  );
}

/** What to do about what a server wrote before it gave up; undefined where that is not known here. */
export function remedyFor(log: string): string | undefined {
  return REMEDIES.find(({ sign }) => sign.test(log))?.remedy;
}

export const DISK_IS_FULL =
  'The disk is full: free some space, or choose another one with --store. A smaller redo log takes less: --innodb-log-file-size=64M (MySQL: --innodb-redo-log-capacity=64M).';

const REMEDIES: readonly { readonly sign: RegExp; readonly remedy: string }[] = [
  {
    sign: /unknown (?:variable|option)|ambiguous option|requires an argument|cannot take an argument|Unknown suffix/i,
    remedy: 'Correct or leave out the server option that the log names; options differ between versions.',
  },
  {
    sign: /No space left|(?:error|error number|errno:|Errcode:) 28\b|disk is full/i,
    remedy: DISK_IS_FULL,
  },
  {
    sign: /Cannot allocate memory|out of memory|(?:errno|error|errno:|Errcode:) 12\b/i,
    remedy: 'Give it less memory, such as --innodb-buffer-pool-size=64M.',
  },
  {
    sign: /Permission denied|OS error(?: number)? 13|errno: 13|Errcode: 13/i,
    remedy: existsSync('/sys/kernel/security/apparmor')
      ? 'AppArmor may confine the server: copy the program elsewhere, and name the copy in SQLDYNO_SERVER_BINARY.'
      : 'See whether the directory and the program may be used by this user, or choose another directory with --store.',
  },
  { sign: /Unable to lock|another .* process is using/i, remedy: 'Another server uses this data: stop it first.' },
];

function logText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
