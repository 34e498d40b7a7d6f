/** What preflight found, on its way to the person or into the record. */
import { ExitCode, UserError } from '../base/errors.ts';
import type { Finding } from '../model/run.ts';
import type { TargetProblem, Workload } from '../workload/workload.ts';

/** Throws where the workload's options contradict each other. */
export function checkOptions(workload: Workload, options: Readonly<Record<string, unknown>>): void {
  const problems = workload.validate?.(options as never) ?? [];
  if (problems.length > 0) throw new UserError(problems.join('\n'));
}

/** Throws where one of the problems stops the work; all of them are told at once, and each remedy once. */
export function stopOnProblems(problems: readonly TargetProblem[]): void {
  const stops = problems.filter(({ severity }) => severity === 'stop');
  const remedies = remediesOf(stops);
  const [only] = remedies;
  if (only === undefined) return;
  const withRemedy = (wanted: string) => stops.filter(({ remedy }) => remedy === wanted).map(({ is }) => is);
  const message =
    remedies.length === 1
      ? withRemedy(only).join('\n')
      : remedies.map((remedy) => [...withRemedy(remedy), `  ${remedy}`].join('\n')).join('\n');
  throw new UserError(message, {
    ...(remedies.length === 1 ? { hint: only } : {}),
    exitCode: ExitCode.targetUnavailable,
  });
}

/** In order, each once: a right that is missing is missing for many statements. */
export function remediesOf(problems: readonly TargetProblem[]): string[] {
  return [...new Set(problems.map(({ remedy }) => remedy))];
}

/** The others go into the record: whoever reads the figures must know of them. */
export function findingsOf(problems: readonly TargetProblem[]): Finding[] {
  return problems
    .filter(({ severity }) => severity === 'warning')
    .map(({ id, is, remedy }) => ({
      id,
      severity: 'warning',
      is,
      because: 'Found on the server before the run.',
      remedy,
    }));
}
