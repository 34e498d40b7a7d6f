/** Errors on their way from a worker to the main thread: classes do not survive structured cloning. */
import { type ExitCode, UserError } from '../base/errors.ts';
import { ServerError, WireError, type WireErrorKind } from '../wire/errors.ts';
import { ValidationError } from '../workload/workload.ts';

export type Failure =
  | {
      readonly is: 'server';
      readonly code: number;
      readonly sqlState: string;
      readonly symbol: string;
      readonly message: string;
    }
  | { readonly is: 'wire'; readonly kind: WireErrorKind; readonly message: string }
  | { readonly is: 'user'; readonly message: string; readonly hint: string | undefined; readonly exitCode: ExitCode }
  | { readonly is: 'validation'; readonly message: string }
  | { readonly is: 'other'; readonly message: string };

export function toFailure(error: unknown): Failure {
  if (error instanceof ServerError) {
    const { code, sqlState, symbol, message } = error;
    return { is: 'server', code, sqlState, symbol, message };
  }
  if (error instanceof WireError) return { is: 'wire', kind: error.kind, message: error.message };
  if (error instanceof UserError) {
    return { is: 'user', message: error.message, hint: error.hint, exitCode: error.exitCode };
  }
  if (error instanceof ValidationError) return { is: 'validation', message: error.message };
  // An error of the workload's or our own code: the place says more than the sentence.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { is: 'other', message: text };
}

export function toError(failure: Failure): Error {
  switch (failure.is) {
    case 'server':
      return new ServerError(failure);
    case 'wire':
      return new WireError(failure.kind, failure.message);
    case 'user':
      return new UserError(failure.message, {
        exitCode: failure.exitCode,
        ...(failure.hint === undefined ? {} : { hint: failure.hint }),
      });
    case 'validation':
      return new ValidationError(failure.message);
    default:
      return new Error(failure.message);
  }
}

/** One sentence, with the remedy where one is known. */
export function describeFailure(failure: Failure): string {
  switch (failure.is) {
    case 'server': {
      const remedy = SERVER_REMEDIES.get(failure.code);
      const said = `server error ${failure.code} (${failure.symbol}): ${sentence(failure.message)}`;
      return remedy === undefined ? `${said}.` : `${said}. ${remedy}`;
    }
    case 'wire':
      return `connection lost: ${sentence(failure.message)}. ${WIRE_REMEDIES.get(failure.kind) ?? ''}`.trimEnd();
    case 'user':
      return failure.hint === undefined ? failure.message : `${failure.message} ${failure.hint}`;
    case 'validation':
      return failure.message;
    default:
      return failure.message;
  }
}

const GONE = "See the server's error log; with --reconnect a run goes on when the server is back.";
const WIRE_REMEDIES: ReadonlyMap<string, string> = new Map([
  ['closed', GONE],
  ['refused', GONE],
  ['timeout', 'Is the server stopped, or the network broken? --read-timeout sets how long a reply may take.'],
]);

/** What helps with the errors that a load meets most. */
const SERVER_REMEDIES: ReadonlyMap<number, string> = new Map([
  [1040, 'Raise max_connections on the server, or take fewer --threads.'],
  [1062, 'Another session inserted the same key: prepare the data again, or add 1062 to --mysql-ignore-errors.'],
  [1146, 'The tables are missing: run the prepare command first.'],
  [1203, 'Raise max_user_connections for this user, or take fewer --threads.'],
  [1205, 'Add 1205 to --mysql-ignore-errors to roll back and try again.'],
  [1213, 'Add 1213 to --mysql-ignore-errors to roll back and try again.'],
  [1290, 'The server is read-only: load the primary, or take a workload that only reads.'],
  [1461, 'Raise max_prepared_stmt_count on the server, take fewer --threads or tables, or add --db-ps-mode=disable.'],
]);

/** Messages end with a dot here and there: our sentence has its own. */
function sentence(message: string): string {
  return message.replace(/\.\s*$/, '');
}
