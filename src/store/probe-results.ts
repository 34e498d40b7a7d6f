/** What came of experiments that tried verdicts, on disk beside the runs: one small file each, `probes/ID.json`. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { PROBE_FORMAT, type ProbeResult } from '../model/probe-result.ts';
import { storeDirectory } from './location.ts';
import { syncDirectory, writeDurably } from './store.ts';

const SUFFIX = '.json';

/** On the disk when it resolves. */
export async function saveProbeResult(store: string | undefined, result: ProbeResult): Promise<void> {
  const directory = probesIn(store);
  const unfinished = join(directory, `.unfinished-${randomBytes(6).toString('hex')}`);
  makeFolder(directory);
  try {
    await writeDurably(unfinished, `${JSON.stringify(result, null, 1)}\n`);
    await rename(unfinished, join(directory, result.id + SUFFIX));
    await syncDirectory(directory);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Of one run, oldest first. What cannot be read is passed over: the runs themselves are still there. */
export async function probeResultsOf(store: string | undefined, run: string): Promise<readonly ProbeResult[]> {
  const directory = probesIn(store);
  const names = await readdir(directory).catch(() => []);
  const read = names.filter((name) => name.endsWith(SUFFIX)).map((name) => readResult(join(directory, name)));
  const found = (await Promise.all(read)).filter((result) => result !== undefined);
  return found.filter((result) => result.run === run).sort((one, other) => (one.id < other.id ? -1 : 1));
}

function probesIn(store: string | undefined): string {
  return join(storeDirectory(store), 'probes');
}

async function readResult(path: string): Promise<ProbeResult | undefined> {
  try {
    const result = JSON.parse(await readFile(path, 'utf8')) as ProbeResult | null;
    return result?.format === PROBE_FORMAT ? result : undefined;
  } catch {
    return undefined;
  }
}
