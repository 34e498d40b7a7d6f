/**
 * The files of another host through a shell there. One `cat` reads all files of a sample: between every two stands a
 * file whose text is known, so that the output can be taken apart again. Everything else is built into the shell.
 */
import type { HostFiles } from '../host-files.ts';
import { parseRoom } from '../parse/room.ts';

/** Runs commands there, and gives what they wrote. */
export type Ask = (commands: string) => Promise<string>;

/** One line that every Linux has, and that never changes while it runs. */
const BOUNDARY_PATH = '/proc/version';

/** Rejects where there is no such file: then it is no Linux. */
export async function remoteFiles(ask: Ask): Promise<HostFiles> {
  const boundary = await ask(`cat ${BOUNDARY_PATH} 2>/dev/null`);
  if (!/^Linux\b.*\n$/.test(boundary)) throw new Error('it has no /proc/version, so it is no Linux');
  return {
    read: async (paths) => {
      if (paths.length === 0) return new Map();
      const output = await ask(`cat ${paths.map((path) => `${BOUNDARY_PATH} ${quoted(path)}`).join(' ')} 2>/dev/null`);
      const [, ...texts] = output.split(boundary);
      // A file that is not there, or empty, leaves nothing between its boundaries.
      const pairs = paths.map((path, index): [string, string] => [path, texts[index] ?? '']);
      return new Map(pairs.filter(([, text]) => text !== ''));
    },
    match: async (patterns) => {
      if (patterns.length === 0) return [];
      const list = patterns.map(quoted).join(' ');
      const output = await ask(`for p in ${list}; do [ -e "$p" ] && echo "$p"; done`);
      return linesOf(output);
    },
    resolve: async (path) => {
      const word = quoted(path);
      // A directory can be entered and asked for its name; one that may not be entered, and a file, cannot.
      const output = await ask(`[ -e ${word} ] && { (cd -P ${word} && pwd -P) || readlink -f ${word}; } 2>/dev/null`);
      return linesOf(output)[0];
    },
    room: async (path) => parseRoom(await ask(`stat -f -c '%a %S %c %d' ${quoted(path)} 2>/dev/null`)),
  };
}

/** As one word of a shell, in which only patterns keep their meaning. */
export function quoted(path: string): string {
  if (/[\n\0]/.test(path)) throw new Error(`a path with a line break cannot be asked for: ${JSON.stringify(path)}`);
  return path.replaceAll(/[^\w/.:*[\]-]/g, '\\$&');
}

function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line !== '');
}
