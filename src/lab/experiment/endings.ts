/** How an experiment ended that did not come to its end, in words. */
import { ExitCode, UserError } from '../../base/errors.ts';
import type { ExperimentEnding } from '../../model/experiment.ts';

export function endingOf(error: unknown, signal: AbortSignal): ExperimentEnding {
  if (signal.aborted) return { kind: 'interrupted', cause: (signal.reason as Error).message };
  return { kind: 'failed', cause: wordsOf(error) };
}

/** With the remedy, where there is one. */
export function wordsOf(error: unknown): string {
  const cause = error instanceof Error ? error.message : String(error);
  return error instanceof UserError && error.hint !== undefined ? `${cause} ${error.hint}` : cause;
}

/** What a server that went away under a run had changed cannot be put back either: the first says why. */
export function failedBoth(because: string, left: unknown): UserError {
  const cause = left instanceof Error ? left.message : String(left);
  return new UserError(`${because} ${cause}`, {
    ...(left instanceof UserError && left.hint !== undefined ? { hint: left.hint } : {}),
    exitCode: ExitCode.runFailed,
    cause: left,
  });
}
