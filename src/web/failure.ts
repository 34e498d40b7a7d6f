/** What is wrong, as the page is told it. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ExitCode, UserError } from '../base/errors.ts';
import type { ApiFailure, ApiProblem } from './api.ts';
import type { UiWorld } from './ui-world.ts';

export function failure(context: Context, status: ContentfulStatusCode, is: string, remedy?: string): Response {
  return failures(context, status, [{ is, ...(remedy === undefined ? {} : { remedy }) }]);
}

function failures(context: Context, status: ContentfulStatusCode, problems: readonly ApiProblem[]): Response {
  const body: ApiFailure = { problems };
  return context.json(body, status);
}

/** It can be done, but not now: something else is under way. */
export class Busy extends UserError {}

/** A body that is not what was asked for. */
export class BadRequest extends UserError {}

/** Whatever a handler throws. A mistake in this program is told as one, without its inner workings. */
export function failureOf(error: unknown, context: Context, world: Pick<UiWorld, 'problemsOf'>): Response {
  const problems = world.problemsOf(error);
  if (problems === undefined) {
    return failure(context, 500, 'This is a mistake in sqldyno itself, not yours.', 'The terminal shows it.');
  }
  return failures(context, statusOf(error), problems);
}

function statusOf(error: unknown): ContentfulStatusCode {
  if (error instanceof Busy) return 409;
  if (error instanceof UserError && error.exitCode === ExitCode.runFailed) return 409;
  if (error instanceof UserError && error.exitCode === ExitCode.targetUnavailable) return 422;
  return 400;
}
