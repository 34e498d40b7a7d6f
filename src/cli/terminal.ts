/**
 * Where output goes. Lines for people go to stdout, or to stderr where stdout is for JSON; what is wrong always goes to
 * stderr. A reader that goes away (`| head`) is no error: nothing more is written, and whoever works is told to stop.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { ExitCode, UserError } from '../base/errors.ts';
import { TO_STDOUT } from './output-options.ts';

const COLUMNS_WITHOUT_TERMINAL = 100;
/** Narrower than this, wrapping does more harm than good. */
const COLUMNS_MIN = 60;
const COLUMNS_MAX = 120;

export interface TerminalOptions {
  /** '' for none, '-' for stdout, else a file. */
  readonly json: string;
  /** False with --no-live. */
  readonly live: boolean;
}

export class Terminal {
  #json: string;
  readonly #people: NodeJS.WriteStream;
  readonly isLive: boolean;
  /** Called once when nobody reads stdout any more, or it cannot be written. */
  onReaderGone: (because: string) => void = () => {};
  #isReaderGone = false;
  #hasLostOutput = false;

  constructor({ json, live }: TerminalOptions) {
    this.#json = json;
    this.#people = json === TO_STDOUT ? process.stderr : process.stdout;
    // A live view among JSON would spoil it, and on a pipe nobody sees it.
    this.isLive = live && json !== TO_STDOUT && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb';
    process.stdout.on('error', (error: NodeJS.ErrnoException) => this.#onStdoutError(error));
    // Without stderr there is nowhere left to complain.
    process.stderr.on('error', () => {});
  }

  /** The stream that the live view draws on. */
  get stream(): NodeJS.WriteStream {
    return this.#people;
  }

  get columns(): number {
    const columns = this.#people.columns ?? COLUMNS_WITHOUT_TERMINAL;
    return Math.min(COLUMNS_MAX, Math.max(COLUMNS_MIN, columns));
  }

  /** Of what warnings go to; undefined in a pipe or a file, where a line may have any length. */
  get columnsOfWarnings(): number | undefined {
    const { columns } = process.stderr;
    return columns === undefined ? undefined : Math.min(COLUMNS_MAX, Math.max(COLUMNS_MIN, columns));
  }

  /** Something could not be written, and not because the reader had enough. */
  get hasLostOutput(): boolean {
    return this.#hasLostOutput;
  }

  get wantsJson(): boolean {
    return this.#json !== '';
  }

  say(text: string): void {
    if (!this.#isReaderGone) this.#people.write(`${text}\n`);
  }

  warn(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** A whole report, which may be none for people. */
  report(content: string | Uint8Array): void {
    if (typeof content === 'string') {
      this.say(content.trimEnd());
      return;
    }
    if (this.#people.isTTY) {
      throw new UserError('A report in bytes would only garble this terminal.', {
        hint: 'Write it to a file with --to=FILE, or to a pipe.',
      });
    }
    if (!this.#isReaderGone) this.#people.write(content);
  }

  /** The command's result for programs, where they asked for it. */
  json(text: string): void {
    if (this.#json === '') return;
    if (this.#json === TO_STDOUT) {
      if (!this.#isReaderGone) process.stdout.write(text);
      return;
    }
    this.#withFile(() => writeFileSync(this.#json, text));
  }

  /** Asked before the work: a result that cannot be written is found out too late after an hour. */
  ensureJsonWritable(): void {
    if (this.#json !== '' && this.#json !== TO_STDOUT) this.#withFile(() => closeSync(openSync(this.#json, 'a')));
  }

  #withFile(write: () => void): void {
    try {
      write();
    } catch (error) {
      const file = this.#json;
      this.#json = '';
      throw new UserError(`--json: ${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`, {
        hint: 'Name a file in a directory that you may write, or write --json alone for stdout.',
        cause: error,
      });
    }
  }

  #onStdoutError(error: NodeJS.ErrnoException): void {
    if (this.#isReaderGone) return;
    this.#isReaderGone = true;
    if (error.code === 'EPIPE') {
      this.onReaderGone('Nobody reads the output any more.');
      return;
    }
    const because = `stdout cannot be written: ${error.message}.`;
    this.warn(`sqldyno: ${because}`);
    this.#hasLostOutput = true;
    // Told only after the work, as a full disk does, it must still not end with 0.
    process.exitCode ||= ExitCode.runFailed;
    this.onReaderGone(because);
  }
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function writeReport(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new UserError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`, {
      hint: 'Name a file in a directory that you may write.',
      cause: error,
    });
  }
}
