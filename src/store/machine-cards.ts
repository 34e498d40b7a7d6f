/** Cards of machines on disk, and back: one small file each, `machines/ID.json`, which may come from anywhere. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { MACHINE_FORMAT, type MachineCard } from '../model/machine-card.ts';
import { machineCardSchema } from '../model/machine-card-schema.ts';
import { replaceDurably, unfinishedIn, writeDurably } from './durable.ts';
import { storeDirectory } from './location.ts';

export interface CardList {
  /** Oldest first. */
  readonly cards: readonly MachineCard[];
  /** What lies there and is no card, or a broken one. */
  readonly skipped: readonly { readonly path: string; readonly because: string }[];
}

export interface CardStore {
  readonly directory: string;
  /** Fails with a remedy where nothing could be saved. Ask before measuring. */
  ensureWritable(): Promise<void>;
  /** On the disk when it resolves. Returns the file's path. */
  save(card: MachineCard): Promise<string>;
  list(): Promise<CardList>;
  /** `latest`, an id, a beginning or end of one, a machine's name (its latest card), or a file anywhere. */
  load(reference: string): Promise<MachineCard>;
}

const SUFFIX = '.json';

export function openCardStore(directory?: string): CardStore {
  const path = join(storeDirectory(directory), 'machines');
  return {
    directory: path,
    ensureWritable: () => ensureWritable(path),
    save: (card) => save(path, card),
    list: () => list(path),
    load: (reference) => load(path, reference),
  };
}

async function ensureWritable(directory: string): Promise<void> {
  const probe = unfinishedIn(directory);
  try {
    makeFolder(directory);
    await writeDurably(probe, '');
    await rm(probe);
  } catch (cause) {
    throw new UserError(`Cards cannot be saved in ${directory}: ${(cause as Error).message}.`, {
      hint: 'Choose another directory with --store or SQLDYNO_STORE.',
      cause,
    });
  }
}

async function save(directory: string, card: MachineCard): Promise<string> {
  const path = join(directory, card.id + SUFFIX);
  makeFolder(directory);
  await replaceDurably(path, `${JSON.stringify(card, null, 1)}\n`);
  return path;
}

async function list(directory: string): Promise<CardList> {
  const cards: MachineCard[] = [];
  const skipped: { path: string; because: string }[] = [];
  for (const name of await namesIn(directory)) {
    const path = join(directory, name);
    try {
      cards.push(await readCard(path));
    } catch (error) {
      skipped.push({ path, because: (error as Error).message });
    }
  }
  return { cards: cards.sort((a, b) => compareText(a.startedAt, b.startedAt) || compareText(a.id, b.id)), skipped };
}

async function load(directory: string, reference: string): Promise<MachineCard> {
  if (reference.includes('/') || reference.endsWith(SUFFIX)) return loadFile(resolve(reference));
  const { cards } = await list(directory);
  const ofName = cards.filter(({ name }) => name === reference).at(-1);
  const found = reference === 'latest' ? cards.at(-1) : (cards.find(({ id }) => id === reference) ?? ofName);
  if (found !== undefined) return found;
  const matching = cards.filter(({ id }) => id.startsWith(reference) || id.endsWith(`-${reference}`));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (matching.length > 1) {
    throw new UserError(`'${reference}' could be any of ${matching.length} cards.`, {
      hint: `Write more of it: ${matching
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}${matching.length > 5 ? ' …' : ''}`,
    });
  }
  throw unknownCard(directory, reference, cards);
}

function unknownCard(directory: string, reference: string, cards: readonly MachineCard[]): UserError {
  if (cards.length === 0) {
    const hint = 'Make one with: sqldyno machine. A card from another machine is named by its file.';
    return new UserError(`There is no card in ${directory} yet.`, { hint });
  }
  const near = nearest(
    reference,
    cards.flatMap(({ id, name }) => [id, name]),
  );
  return new UserError(`There is no card '${reference}' in ${directory}.`, {
    hint: near === undefined ? 'See: sqldyno machine list' : `Did you mean ${near}?`,
  });
}

async function loadFile(path: string): Promise<MachineCard> {
  try {
    return await readCard(path);
  } catch (cause) {
    throw new UserError(`${path} cannot be read as a card of a machine: ${(cause as Error).message}.`, {
      hint: 'Name a file that sqldyno machine has written.',
      cause,
    });
  }
}

async function readCard(path: string): Promise<MachineCard> {
  const content = JSON.parse(await readText(path)) as { readonly format?: unknown } | null;
  if (content?.format !== MACHINE_FORMAT) {
    throw new Error(`its format is ${JSON.stringify(content?.format)}, and this version reads ${MACHINE_FORMAT}`);
  }
  const checked = machineCardSchema.safeParse(content);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new Error(`${issue?.path.join('.') ?? 'it'}: ${issue?.message ?? 'is not what it should be'}`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`there is no file ${basename(path)}`);
    throw error;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith(SUFFIX) && !name.startsWith('.')).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
