/** The rows of the 28 tables: from the original files, or made by us. */
import { UserError } from '../../base/errors.ts';
import { readFolderFile } from '../../base/folder.ts';
import { type AtisRow, dataFileName, parseDataFile, WHOLE_FILES } from './data-file.ts';
import { generateData } from './generate/generate.ts';
import { ATIS_TABLES, type AtisTable } from './tables.ts';

/** By the table's name. */
export type AtisData = Readonly<Record<string, readonly AtisRow[]>>;

/** `folder` empty: generated, with names by the seed. */
export function atisData(folder: string, seed: number): AtisData {
  if (folder === '') return generateData(seed);
  return Object.fromEntries(ATIS_TABLES.map((table) => [table.name, readTable(folder, table)]));
}

function readTable(folder: string, table: AtisTable): AtisRow[] {
  const name = dataFileName(table);
  const file = readFolderFile(folder, name);
  if (file.is === 'text') return parseDataFile(file.text, table);
  const is = file.why === 'ENOENT' ? 'is not there' : `cannot be read (${file.why})`;
  throw new UserError(`--data-dir=${folder}: ${name} ${is}.`, { hint: WHOLE_FILES });
}

export function rowsOf(data: AtisData, table: AtisTable): readonly AtisRow[] {
  return data[table.name] ?? [];
}
