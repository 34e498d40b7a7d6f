import { describe, expect, test } from 'vitest';

import { add, countsOf, lineOf, skippedOf } from './counts.ts';

function file(status: string, ...tests: readonly string[]) {
  return {
    name: 'a.test.ts',
    status,
    assertionResults: tests.map((each, index) => ({ ancestorTitles: ['', 'group'], title: `${index}`, status: each })),
  };
}

describe('counts of a Vitest report', () => {
  test.each([
    { files: [file('passed', 'passed', 'passed')], exitCode: 0, line: '2 passed, 0 failed', because: 'all is well' },
    { files: [file('failed', 'passed', 'failed')], exitCode: 1, line: '1 passed, 1 failed', because: 'a test failed' },
    { files: [file('failed')], exitCode: 1, line: '0 passed, 1 failed', because: 'a file did not load' },
    {
      files: [file('failed', 'passed')],
      exitCode: 1,
      line: '1 passed, 1 failed',
      because: 'a hook failed after the tests',
    },
    {
      files: [file('passed', 'passed')],
      exitCode: 1,
      line: '1 passed, 1 failed',
      because: 'an error outside of tests',
    },
    { files: [], exitCode: 1, line: '0 passed, 1 failed', because: 'the process died' },
    {
      files: [file('passed', 'passed', 'skipped', 'pending', 'todo')],
      exitCode: 0,
      line: '1 passed, 0 failed, 3 skipped',
      because: 'whatever did not run is skipped',
    },
  ])('$line: $because', ({ files, exitCode, line }) => {
    expect(lineOf(countsOf({ testResults: files }, exitCode))).toBe(line);
  });

  test('add up', () => {
    expect(add({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })).toEqual({
      passed: 11,
      failed: 22,
      skipped: 33,
    });
  });

  test('name what was skipped, a line for each group', () => {
    const few = { testResults: [file('passed', 'skipped', 'passed', 'pending')] };
    const many = { testResults: [file('passed', 'skipped', 'skipped', 'skipped', 'skipped')] };
    expect(skippedOf(few)).toEqual(['group: 0; 2']);
    expect(skippedOf(many)).toEqual(['group: 0; 1; and 2 more']);
  });
});
