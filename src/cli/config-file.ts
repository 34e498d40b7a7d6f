/** `--config-file=FILE`: one option a line, `key=value` or a bare flag; `#` begins a comment. */
import { UserError } from '../base/errors.ts';
import type { GivenOption } from '../base/options-parse.ts';
import { splitOption } from '../base/options-parse.ts';

export function readConfigFile(path: string, readText: (path: string) => string): GivenOption[] {
  let content: string;
  try {
    content = readText(path);
  } catch (error) {
    throw new UserError(`--config-file: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? error}).`, {
      hint: 'Give the path of a file with one key=value a line.',
      cause: error,
    });
  }
  return content.split(/\r?\n/).flatMap((line, index) => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return [];
    // Spaces around the sign are usual in such files.
    return [splitOption(text.replace(/^([^=\s]+)\s*=\s*/, '$1='), `line ${index + 1} of ${path}`)];
  });
}
