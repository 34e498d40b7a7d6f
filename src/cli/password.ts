/** Asks for a password without showing it. */
import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';

import { ExitCode, UserError } from '../base/errors.ts';

const ENTER = ['\r', '\n', '\u0004'];
const INTERRUPT = '\u0003';
const ERASE = ['\u007f', '\b'];
const ERASE_ALL = '\u0015';

/** On the controlling terminal, so that stdin and stdout may be pipes. */
export async function askPassword(prompt: string): Promise<string> {
  const terminal = openTerminal();
  process.stderr.write(prompt);
  terminal.setRawMode(true);
  try {
    return await readLine(terminal);
  } finally {
    terminal.setRawMode(false);
    terminal.destroy();
    process.stderr.write('\n');
  }
}

function openTerminal(): ReadStream {
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch (error) {
    throw new UserError('The password cannot be asked for: there is no terminal.', {
      hint: 'Set MYSQL_PWD, or name a file with --mysql-password-file=FILE',
      cause: error,
    });
  }
}

function readLine(terminal: ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    terminal.setEncoding('utf8');
    terminal.on('error', reject);
    terminal.on('data', (chunk: string) => {
      for (const letter of chunk) {
        if (ENTER.includes(letter)) return resolve(typed);
        if (letter === INTERRUPT) return reject(new UserError('Interrupted.', { exitCode: ExitCode.interrupted }));
        if (letter === ERASE_ALL) typed = '';
        else if (ERASE.includes(letter)) typed = [...typed].slice(0, -1).join('');
        else typed += letter;
      }
    });
  });
}
