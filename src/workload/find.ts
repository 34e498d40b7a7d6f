/** From what the user typed to a workload: a name, a script's path as sysbench takes it, or a file of one's own. */
import { basename, resolve } from 'node:path';
import { entryNames, isFile, loadEntry, loadEntryFile } from '../base/catalog.ts';
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';
import type { Workload } from './workload.ts';

const CATALOG = new URL('./catalog/', import.meta.url);

export interface FoundWorkload {
  readonly name: string;
  /** Absolute, of a user's own file. */
  readonly path?: string;
  readonly workload: Workload;
}

export function workloadNames(): string[] {
  return entryNames(CATALOG);
}

/**
 * `oltp_read_write`, `oltp_read_write.lua` and `/usr/share/sysbench/oltp_read_write.lua` are the same; `./mine.mjs` is
 * a file with a workload as its default export.
 */
export async function loadWorkload(nameOrPath: string): Promise<FoundWorkload> {
  if (/\.m?js$/.test(nameOrPath)) return loadOwn(nameOrPath);
  const name = basename(nameOrPath).replace(/\.lua$/, '');
  const entry = await loadEntry(CATALOG, name);
  if (entry === undefined) throw unknownWorkload(nameOrPath, name);
  return { name, workload: entry as Workload };
}

async function loadOwn(file: string): Promise<FoundWorkload> {
  const path = resolve(file);
  if (!isFile(path)) {
    throw new UserError(`There is no file ${file}.`, {
      hint: 'Give the path of a .mjs or .js file with a workload in it.',
    });
  }
  let entry: unknown;
  try {
    entry = await loadEntryFile(path);
  } catch (error) {
    throw new UserError(`${file} cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
  const misses = missingFrom(entry);
  if (misses !== undefined) {
    throw new UserError(`${file} is not a workload: ${misses}`, {
      hint: 'It needs: export default { summary, options, needs(options) {}, async session(context) {} }.',
    });
  }
  return { name: basename(path).replace(/\.m?js$/, ''), path, workload: entry as Workload };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function missingFrom(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return 'its default export is not an object.';
  const parts = entry as Record<string, unknown>;
  if (typeof parts['summary'] !== 'string') return 'it has no summary.';
  if (typeof parts['options'] !== 'object' || parts['options'] === null) return 'it has no options.';
  if (typeof parts['needs'] !== 'function') return 'it has no function needs.';
  if (typeof parts['session'] !== 'function') return 'it has no function session.';
  return undefined;
}

function unknownWorkload(written: string, name: string): UserError {
  const names = workloadNames();
  const near = nearest(name, names);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  const isLua = written.endsWith('.lua') && near === undefined;
  const lua = isLua
    ? ' Lua scripts are not run here: those of the names below stand for the workloads of the same name.'
    : '';
  return new UserError(`'${written}' is not a workload here.${meant}${lua}`, {
    hint: `There are: ${names.join(', ')}; or give the path of a .mjs file of your own.`,
  });
}
