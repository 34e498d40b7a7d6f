/** What came of searches, on disk beside the runs: one small file each, `searches/ID.json`. */
import { join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import type { SearchResult } from '../model/search.ts';
import { replaceDurably } from './durable.ts';
import { storeDirectory } from './location.ts';

/** On the disk when it resolves. Returns the file. */
export async function saveSearchResult(store: string | undefined, result: SearchResult): Promise<string> {
  const directory = join(storeDirectory(store), 'searches');
  const path = join(directory, `${result.id}.json`);
  makeFolder(directory);
  await replaceDurably(path, `${JSON.stringify(result, null, 1)}\n`);
  return path;
}
