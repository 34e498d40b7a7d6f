/** The runs in a folder to which people send theirs, wherever in it they lie, one after another. */
import { lstatSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { formatBytes } from '../base/units.ts';
import { RECORD_FILE, readRun } from '../store/run-files.ts';

export type Found =
  | { readonly from: string; readonly record: unknown }
  /** It would be a run, and cannot be read. */
  | { readonly from: string; readonly because: string };

/** A record of a day by seconds has less. What is larger was not made to be looked at. */
const FILE_BYTES_MAX = 64 * 2 ** 20;
const DEPTH_MAX = 12;
const LINES = '.ndjson';
/** Of a record's `format`, as it is written; other JSON lies in such folders too. */
const A_RUN = /"format"\s*:\s*"sqldyno\.run\//;

/**
 * `without`: a folder that is not looked into, such as the site itself. Links are not followed: they may lead anywhere.
 */
export async function* runsIn(folder: string, without: string): AsyncGenerator<Found> {
  yield* walk(folder, { folder, without, depth: 0 });
}

interface Walk {
  readonly folder: string;
  readonly without: string;
  readonly depth: number;
}

async function* walk(directory: string, { folder, without, depth }: Walk): AsyncGenerator<Found> {
  const entries = (await readdir(directory, { withFileTypes: true })).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const name = (path: string) => relative(folder, path).split(sep).join('/') || '.';
  if (entries.some((entry) => entry.isFile() && entry.name === RECORD_FILE)) {
    yield* guarded(name(directory), directoryBytes(directory, entries), async () => [await readRun(directory)]);
    return;
  }
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || path === without) continue;
    if (entry.isDirectory() && depth < DEPTH_MAX) yield* walk(path, { folder, without, depth: depth + 1 });
    else if (entry.isFile() && /\.(?:json|ndjson)$/.test(entry.name)) yield* ofFile(path, name(path));
  }
}

function directoryBytes(directory: string, entries: readonly { isFile(): boolean; readonly name: string }[]): number {
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { name }) => sum + lstatSync(join(directory, name)).size, 0);
}

async function* ofFile(path: string, from: string): AsyncGenerator<Found> {
  const bytes = lstatSync(path).size;
  const isLines = path.endsWith(LINES);
  yield* guarded(from, bytes, async () => {
    const text = await readFile(path, 'utf8');
    if (!A_RUN.test(text)) return [];
    if (isLines) {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return lines.map((line) => JSON.parse(line) as unknown);
    }
    const content = JSON.parse(text) as unknown;
    return Array.isArray(content) ? content : [content];
  });
}

/** Several in one file are told apart by their numbers. */
async function* guarded(from: string, bytes: number, read: () => Promise<readonly unknown[]>): AsyncGenerator<Found> {
  if (bytes > FILE_BYTES_MAX) {
    yield { from, because: `It is larger than ${formatBytes(FILE_BYTES_MAX)}.` };
    return;
  }
  try {
    const records = await read();
    for (const [at, record] of records.entries()) {
      yield { from: records.length === 1 ? from : `${from}, run ${at + 1}`, record };
    }
  } catch (error) {
    yield { from, because: `It cannot be read: ${messageOf(error)}` };
  }
}

/** Without the path on this machine, which is nobody's business on the site. */
function messageOf(error: unknown): string {
  const cause = (error as Error).cause ?? error;
  return cause instanceof SyntaxError ? 'it is no JSON, or was cut off.' : `${(cause as Error).message}.`;
}
