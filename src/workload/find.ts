/** From what the user typed to a workload: a name, a script's path as sysbench takes it, or a file of one's own. */
import { basename, resolve } from 'node:path';
import { entryNames, isFile, loadEntry } from '../base/catalog.ts';
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';
import { loadOwnModule } from '../base/own-module.ts';
import { DEFAULTS_OF_TPCC_LUA } from './tpcc/options.ts';
import type { Workload } from './workload.ts';

const CATALOG = new URL('./catalog/', import.meta.url);

/** Scripts of sysbench's whose name alone does not say how they differ from ours. */
const PRESETS: Readonly<Record<string, FoundWorkload['preset']>> = { 'tpcc.lua': DEFAULTS_OF_TPCC_LUA };

/** The workload that runs SQL files. */
const SCRIPT = 'script';

export interface FoundWorkload {
  readonly name: string;
  /** Absolute, of a user's own file: by it, workers find the workload again. */
  readonly path?: string;
  readonly workload: Workload;
  /** Options that come with the word: of a SQL file, the file. Others that are written win. */
  readonly preset?: Readonly<Record<string, string>>;
}

export function workloadNames(): string[] {
  return entryNames(CATALOG);
}

/**
 * `oltp_read_write`, `oltp_read_write.lua` and `/usr/share/sysbench/oltp_read_write.lua` are the same; `./mine.ts` is a
 * file with a workload as its default export; `./transfer.sql` is what the workload `script` does with that file.
 */
export async function loadWorkload(nameOrPath: string): Promise<FoundWorkload> {
  if (/\.m?[jt]s$/.test(nameOrPath)) return loadOwn(nameOrPath);
  if (/\.sql$/.test(nameOrPath)) return loadScript(nameOrPath);
  const name = basename(nameOrPath).replace(/\.lua$/, '');
  const entry = await loadEntry(CATALOG, name);
  if (entry === undefined) throw unknownWorkload(nameOrPath, name);
  const preset = PRESETS[basename(nameOrPath)];
  return { name, workload: entry as Workload, ...(preset === undefined ? {} : { preset }) };
}

/** Whether the file is there will show when it is read, which is once: workers are handed its text. */
async function loadScript(file: string): Promise<FoundWorkload> {
  const { workload } = await loadWorkload(SCRIPT);
  return { name: basename(file, '.sql'), path: resolve(file), workload, preset: { file } };
}

async function loadOwn(file: string): Promise<FoundWorkload> {
  const path = resolve(file);
  if (!isFile(path)) {
    throw new UserError(`There is no file ${file}.`, {
      hint: 'Give the path of a .ts, .mjs or .js file with a workload in it. To begin one: sqldyno new workload NAME',
    });
  }
  const entry = await loadOwnModule(path);
  const misses = missingFrom(entry);
  if (misses !== undefined) {
    throw new UserError(`${file} is not a workload: ${misses}`, {
      hint: 'It needs: export default defineWorkload({ summary, options, needs(options) {}, async session(context) {} }).',
    });
  }
  return { name: basename(path).replace(/\.m?[jt]s$/, ''), path, workload: entry as Workload };
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
    hint: `There are: ${names.join(', ')}; or give the path of a .ts, .mjs or .sql file of your own.`,
  });
}
