/** What the look at the target before a run has found, divided among the checks that it answers. */
import type { TargetProblem } from '../workload/workload.ts';
import { block, type Opinion, warning } from './check.ts';
import type { Seen } from './collected.ts';

const OF_TABLES = ['tables-missing', 'table-half-loaded', 'table-misfit', 'too-few-rows', 'gaps', 'more-rows'];

export function problemsOf(
  problems: Seen<readonly TargetProblem[]>,
  of: 'tables' | 'limits',
): Seen<readonly TargetProblem[]> {
  if (problems.is === 'unseen') return problems;
  const value = problems.value.filter(({ id }) => OF_TABLES.includes(id) === (of === 'tables'));
  return { is: 'seen', value };
}

/** All of them in one; there must be at least one. */
export function problemOpinion(problems: readonly TargetProblem[], because: string): Opinion {
  const isStop = problems.some(({ severity }) => severity === 'stop');
  const is = problems.map((problem) => problem.is).join(' ');
  const remedies = problems.map(({ remedy }) => statementIn(remedy));
  const remedy = {
    is: problems.map((problem) => problem.remedy).join(' '),
    sql: remedies.filter((sql) => sql !== undefined),
  };
  return isStop ? block(is, { because, remedy }) : warning(is, { because, remedy });
}

/** A remedy may begin with a statement, and go on with what may be done instead. */
function statementIn(remedy: string): string | undefined {
  return /(?:^|: )((?:SET GLOBAL|ALTER USER|CREATE DATABASE|GRANT) [^;]+);/.exec(remedy)?.[1];
}
