/** How this program is called from where the user is: what is printed as the next command must work when pasted. */
import { realpathSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellQuoted } from '../base/shell-words.ts';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

/** `sqldyno` where that is this very program, else `node` and the way to it. */
export function selfCommand(environment: NodeJS.ProcessEnv = process.env, main: string = MAIN): string {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const isOnPath = folders.some((folder) => isSame(join(folder, 'sqldyno'), main));
  // npm adds folders to PATH for the scripts that it runs; the user's shell does not have them.
  const isInsideNpm = environment['npm_lifecycle_event'] !== undefined;
  if (isOnPath && !isInsideNpm) return 'sqldyno';
  // npm changes to the package's directory; the user is still where npm was started.
  const path = relative(environment['INIT_CWD'] ?? process.cwd(), main);
  return `node ${shellQuoted(path)}`;
}

/** Behind a command that is to look where this one did; nothing where that is the default. */
export function storeOption(directory: string | undefined): string {
  return directory === undefined ? '' : ` --store=${shellQuoted(directory)}`;
}

function isSame(candidate: string, main: string): boolean {
  try {
    return realpathSync(candidate) === realpathSync(main);
  } catch {
    return false;
  }
}
