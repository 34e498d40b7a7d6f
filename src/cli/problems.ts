/** Several mistakes of one command line, told together. Exit code 1. */
import type { Problem } from '../base/options-parse.ts';

export class ProblemsError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ is }) => is).join('\n'));
    this.name = 'ProblemsError';
    this.problems = problems;
  }
}
