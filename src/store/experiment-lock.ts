/**
 * So that two processes never conduct the same experiment. Each puts down a file of its own and then looks at those of
 * the others: whoever comes second sees the first, and of two at once at least one gives way. Nothing that may belong
 * to the living is ever deleted.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, UserError } from '../base/errors.ts';
import { replaceDurably } from './durable.ts';

const PREFIX = 'lock-';

/** `isAlive` is asked of owners that were written down; it says yes where it cannot know. */
export async function lockExperiment<Owner>(
  directory: string,
  owner: Owner,
  isAlive: (owner: Owner) => boolean,
): Promise<AsyncDisposable> {
  const own = join(directory, `${PREFIX}${randomBytes(6).toString('hex')}.json`);
  await replaceDurably(own, `${JSON.stringify(owner)}\n`);
  const release = () => rm(own, { force: true });
  try {
    const other = await livingLock(directory, isAlive, own);
    if (other !== undefined) throw isBusy(directory, other);
  } catch (error) {
    await release();
    throw error;
  }
  return { [Symbol.asyncDispose]: release };
}

/** The file of somebody who conducts it now. What the dead have left is removed. */
export async function livingLock<Owner>(
  directory: string,
  isAlive: (owner: Owner) => boolean,
  except?: string,
): Promise<string | undefined> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(PREFIX));
  for (const path of names.map((name) => join(directory, name))) {
    if (path === except) continue;
    const owner = await ownerIn<Owner>(path);
    if (owner === 'released') continue;
    if (owner === 'unreadable' || isAlive(owner.is)) return path;
    await rm(path, { force: true });
  }
  return undefined;
}

async function ownerIn<Owner>(path: string): Promise<{ readonly is: Owner } | 'released' | 'unreadable'> {
  try {
    return { is: JSON.parse(await readFile(path, 'utf8')) as Owner };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'released' : 'unreadable';
  }
}

function isBusy(directory: string, lock: string): UserError {
  return new UserError(`The experiment in ${directory} is being conducted by another process.`, {
    hint: `Wait for it. Where it runs no more, on another host or in another container, delete ${lock}`,
    exitCode: ExitCode.runFailed,
  });
}
