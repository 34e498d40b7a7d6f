/** Errors as people and programs get to see them, and the exit code of each. */
import { ExitCode, UserError } from '../base/errors.ts';
import type { Problem } from '../base/options-parse.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import { Interrupted } from './interrupts.ts';
import { wrapped } from './options-help.ts';
import { ProblemsError } from './problems.ts';
import { jsonText, type Terminal } from './terminal.ts';
import { programVersion } from './version.ts';

interface Told {
  readonly problems: readonly Problem[];
  readonly exitCode: ExitCode;
  /** For mistakes in this program. */
  readonly stack?: string;
}

type ErrorTerminal = Pick<Terminal, 'warn' | 'json'> & Partial<Pick<Terminal, 'columnsOfWarnings'>>;

export function tellError(error: unknown, terminal: ErrorTerminal): ExitCode {
  const { problems, exitCode, stack } = asTold(error);
  for (const { is, remedy } of problems) {
    for (const text of lines('sqldyno: ', is, terminal)) terminal.warn(text);
    if (remedy !== undefined) for (const text of lines('  ', remedy, terminal)) terminal.warn(text);
  }
  if (stack !== undefined) terminal.warn(stack);
  terminal.json(jsonText({ error: { exitCode, problems } }));
  return exitCode;
}

/** A command in backquotes is copied: it stays on one line. */
function lines(start: string, text: string, { columnsOfWarnings: columns }: ErrorTerminal): string[] {
  if (columns === undefined) return [start + text];
  const words = text.replaceAll(/`[^`]*`/g, (command) => command.replaceAll(' ', UNBROKEN));
  const [first = '', ...others] = words.split('\n').flatMap((line) => wrapped(line, columns - start.length));
  return [start + first, ...others.map((line) => INDENT + line)].map((line) => line.replaceAll(UNBROKEN, ' '));
}

/** Stands for a space at which no line ends, until it has been broken. */
const UNBROKEN = '\0';
const INDENT = '  ';

/** What people are to be told; undefined for a mistake in this program. */
export function problemsOf(error: unknown): readonly Problem[] | undefined {
  const { problems, stack } = asTold(error);
  return stack === undefined ? problems : undefined;
}

function asTold(error: unknown): Told {
  if (error instanceof ProblemsError) return { problems: error.problems, exitCode: ExitCode.usage };
  if (error instanceof UserError) {
    const problem = { is: error.message, ...(error.hint === undefined ? {} : { remedy: error.hint }) };
    return { problems: [problem], exitCode: error.exitCode };
  }
  if (error instanceof Interrupted) return { problems: [{ is: error.message }], exitCode: ExitCode.interrupted };
  if (error instanceof ServerError) {
    const { code, symbol, message } = error;
    return { problems: [{ is: `The server refused: ${message} (${code} ${symbol})` }], exitCode: ExitCode.runFailed };
  }
  if (error instanceof WireError) {
    return { problems: [{ is: `The connection broke: ${error.message}` }], exitCode: ExitCode.runFailed };
  }
  return {
    problems: [
      {
        is: `This is a mistake in sqldyno ${programVersion()} itself, not yours.`,
        remedy: 'Please report it, with the command and the lines below.',
      },
    ],
    exitCode: ExitCode.runFailed,
    stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
