/**
 * Folders that hold the data of an experiment: one in the store, and one on each disk that a variant names. Each says
 * whose it is; nothing is ever written into, or removed from, one that does not.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { openExperiments } from '../../store/experiments.ts';
import { removeTree } from '../server-directory.ts';

const PLACE_FORMAT = 'sqldyno.experiment-data/1';
const MARK = 'sqldyno-experiment.json';

export interface DataPlace {
  readonly directory: string;
}

/** In the store, with the experiment's other files. */
export function ownPlace(id: string, store: string | undefined): DataPlace {
  return claim(openExperiments(store).dataDirectoryOf(id), id);
}

/** In a folder of the user's. The place in the store names it, so that whoever removes the data finds it. */
export function placeUnder(folder: string, id: string, own: DataPlace): DataPlace {
  const parent = resolve(folder);
  refuseServers(parent);
  const place = claim(join(parent, `sqldyno-${id}`), id);
  const known = elsewhereOf(own.directory);
  if (!known.includes(place.directory)) writeMark(own.directory, id, [...known, place.directory]);
  return place;
}

/** All that an experiment has in the store and elsewhere. Nothing where there is none. */
export async function removePlaces(id: string, store: string | undefined): Promise<void> {
  const own = openExperiments(store).dataDirectoryOf(id);
  if (markOf(own)?.id !== id) return;
  for (const directory of elsewhereOf(own)) {
    if (markOf(directory)?.id === id) await removeTree(directory);
  }
  await removeTree(own);
}

interface Mark {
  readonly format: typeof PLACE_FORMAT;
  readonly id: string;
  readonly elsewhere: readonly string[];
}

function claim(directory: string, id: string): DataPlace {
  if (existsSync(directory) && markOf(directory)?.id !== id && readdirSync(directory).length > 0) {
    throw new UserError(`${directory} holds something that this experiment has not made. Nothing was touched.`, {
      hint: 'Look what it is, and remove it if it is yours; or name another folder.',
    });
  }
  if (markOf(directory) !== undefined) return { directory };
  try {
    makeFolder(join(directory, '..'));
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
    writeMark(directory, id, []);
  } catch (cause) {
    throw new UserError(`Data cannot be kept in ${directory}: ${(cause as Error).message}.`, {
      hint: 'Name a folder that this user may write in.',
      cause,
    });
  }
  return { directory };
}

/** Whoever names the folder of a server that runs there means something else than this. */
function refuseServers(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (!names.includes('ibdata1')) return;
  throw new UserError(
    `${folder} is the data directory of a server (${basename(folder)}/ibdata1). Nothing was touched.`,
    {
      hint: 'Name the folder above it, or an empty one on the same disk.',
    },
  );
}

function writeMark(directory: string, id: string, elsewhere: readonly string[]): void {
  const mark: Mark = { format: PLACE_FORMAT, id, elsewhere };
  const unfinished = join(directory, `${MARK}.unfinished`);
  writeFileSync(unfinished, `${JSON.stringify(mark)}\n`, { mode: 0o600 });
  renameSync(unfinished, join(directory, MARK));
}

function markOf(directory: string): Mark | undefined {
  try {
    const mark = JSON.parse(readFileSync(join(directory, MARK), 'utf8')) as Mark;
    return mark.format === PLACE_FORMAT ? mark : undefined;
  } catch {
    return undefined;
  }
}

function elsewhereOf(directory: string): readonly string[] {
  return markOf(directory)?.elsewhere ?? [];
}
