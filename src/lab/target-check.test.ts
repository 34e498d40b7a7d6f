import { expect, test } from 'vitest';
import { UserError } from '../base/errors.ts';
import type { TargetProblem } from '../workload/workload.ts';
import { remediesOf, stopOnProblems } from './target-check.ts';

function problem(is: string, remedy: string, severity: TargetProblem['severity'] = 'stop'): TargetProblem {
  return { id: 'some', severity, is, remedy };
}

function told(problems: readonly TargetProblem[]): Pick<UserError, 'message' | 'hint'> {
  try {
    stopOnProblems(problems);
  } catch (error) {
    if (error instanceof UserError) return { message: error.message, hint: error.hint };
  }
  throw new Error('nothing stopped it');
}

test('warnings stop nothing', () => {
  expect(() => stopOnProblems([problem('Small.', 'Grow.', 'warning')])).not.toThrow();
});

test('one problem is told with its remedy', () => {
  expect(told([problem('No table.', 'Prepare.')])).toEqual({ message: 'No table.', hint: 'Prepare.' });
});

test('a remedy that many share is told once', () => {
  const problems = [problem('No SELECT.', 'GRANT.'), problem('No table.', 'Prepare.'), problem('No UPDATE.', 'GRANT.')];
  expect(told(problems)).toEqual({
    message: 'No SELECT.\nNo UPDATE.\n  GRANT.\nNo table.\n  Prepare.',
    hint: undefined,
  });
  expect(told(problems.slice(0, 1).concat(problems.slice(2)))).toEqual({
    message: 'No SELECT.\nNo UPDATE.',
    hint: 'GRANT.',
  });
  expect(remediesOf(problems)).toEqual(['GRANT.', 'Prepare.']);
});
