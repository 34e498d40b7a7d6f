/** Files of a folder that the user has named. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type FolderFile =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'unreadable'; readonly why: string };

/** `why` is what the system says: `ENOENT`, for one. */
export function readFolderFile(folder: string, name: string): FolderFile {
  try {
    return { is: 'text', text: readFileSync(join(folder, name), 'utf8') };
  } catch (error) {
    return { is: 'unreadable', why: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}
