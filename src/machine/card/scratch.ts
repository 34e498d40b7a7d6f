/**
 * The files of one card: gone when it is disposed of, and also when the program ends before that. No directory is made
 * for them, since a server takes one in its data directory for a database.
 */
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { ensureDirectory } from '../fileio/disk.ts';

const PREFIX = 'sqldyno-machine';
/** Ours and those of the commit probe, with the number of the process. */
const OURS = /^sqldyno-(?:machine-(\d+)\.\d+|commit-probe-(\d+)-\w+\.tmp)$/;
/** No card takes as long: what is older was left by a program that was killed, or by a power cut. */
const ABANDONED_AFTER_MS = 3_600_000;

export interface Scratch extends Disposable {
  readonly directory: string;
  /** Of the files: `PREFIX.0` is there, and empty. */
  readonly prefix: string;
}

/** In `directory`, which must exist. Throws a `UserError` where nothing can be written there. */
export function makeScratch(directory: string): Scratch {
  ensureDirectory(directory, 'write');
  remove(directory, (pid, ageMs) => pid === process.pid || ageMs > ABANDONED_AFTER_MS);
  const prefix = `${PREFIX}-${process.pid}`;
  try {
    closeSync(openSync(join(directory, `${prefix}.0`), 'wx', 0o600));
  } catch (cause) {
    throw new UserError(
      `--file-dir: nothing can be written to ${directory} (${(cause as NodeJS.ErrnoException).code}).`,
      {
        hint: 'Name a directory that you may write, on the disk that is to be measured.',
        cause,
      },
    );
  }
  const removeOurs = () => remove(directory, (pid) => pid === process.pid);
  // A third Ctrl-C ends the program at once.
  process.once('exit', removeOurs);
  return {
    directory,
    prefix,
    [Symbol.dispose]: () => {
      removeOurs();
      process.off('exit', removeOurs);
    },
  };
}

function remove(directory: string, isMeant: (pid: number, ageMs: number) => boolean): void {
  for (const name of readdirSync(directory)) {
    const found = OURS.exec(name);
    if (found === null) continue;
    const path = join(directory, name);
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (isMeant(Number(found[1] ?? found[2]), nowMs() - changedMs)) rmSync(path, { force: true });
  }
}
