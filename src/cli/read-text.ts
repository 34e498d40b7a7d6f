/** Texts that people paste, pipe or name: outputs and documents, of which nobody knows how long they are. */
import { createReadStream } from 'node:fs';
import { UserError } from '../base/errors.ts';
import { formatBytes } from '../base/units.ts';
import type { Terminal } from './terminal.ts';

export const STDIN = '-';
/** The output of a week of runs is shorter. What is longer is a dump: the part with the results can be cut out. */
const TEXT_BYTES_MAX = 32 * 2 ** 20;

export function textName(source: string): string {
  return source === STDIN ? 'The text' : source;
}

/** Little by little: a pipe has no size, and one without an end must not fill the memory. */
export async function readText(source: string, terminal: Pick<Terminal, 'warn'>): Promise<string> {
  if (source === STDIN && process.stdin.isTTY) {
    terminal.warn('Paste the text, and end it with Ctrl-D on a line of its own.');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source === STDIN ? process.stdin : createReadStream(source)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > TEXT_BYTES_MAX) break;
    }
  } catch (error) {
    throw new UserError(`${textName(source)} cannot be read: ${(error as Error).message}`, {
      hint: 'Name a file of text, or - to read what is piped or pasted.',
      cause: error,
    });
  }
  if (bytes > TEXT_BYTES_MAX) {
    throw new UserError(`${textName(source)} is longer than ${formatBytes(TEXT_BYTES_MAX)}.`, {
      hint: 'Cut out the part with the results.',
    });
  }
  return Buffer.concat(chunks).toString('utf8');
}
