/** What came of experiments that tried verdicts, on disk beside the runs: one small file each, `probes/ID.json`. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { PROBE_FORMAT, type ProbeResult } from '../model/probe-result.ts';
import { replaceDurably } from './durable.ts';
import { storeDirectory } from './location.ts';

const SUFFIX = '.json';

/** On the disk when it resolves. */
export async function saveProbeResult(store: string | undefined, result: ProbeResult): Promise<void> {
  const directory = probesIn(store);
  makeFolder(directory);
  await replaceDurably(join(directory, result.id + SUFFIX), `${JSON.stringify(result, null, 1)}\n`);
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
