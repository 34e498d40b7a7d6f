/** Exit codes of the command line, documented in README. Never 0 on failure. */
export const ExitCode = {
  done: 0,
  usage: 1,
  targetUnavailable: 2,
  runFailed: 3,
  checkFailed: 4,
  gateNotMet: 99,
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export interface UserErrorOptions {
  /** What to do about it: a sentence, shown on its own line. */
  readonly hint?: string;
  /** Default: `ExitCode.usage`. */
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
}

/** An error meant for the person at the terminal: a sentence and, where there is one, a remedy. */
export class UserError extends Error {
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string, options: UserErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UserError';
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? ExitCode.usage;
  }
}
