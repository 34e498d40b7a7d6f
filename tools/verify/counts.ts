/** What Vitest's JSON report says, as three numbers. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface VitestReport {
  readonly testResults: readonly {
    /** The file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** `exitCode` because a run can fail with no failed test in it: an error outside of tests, or a process that died. */
export function countsOf(report: VitestReport, exitCode: number): Counts {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter((test) => test.status === 'passed').length;
  const failedTests = tests.filter((test) => test.status === 'failed').length;
  // A file that could not be loaded has no tests that could fail.
  const failedFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = failedTests + failedFiles;
  return {
    passed,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: tests.length - passed - failedTests,
  };
}

/** The names of what was skipped, each group once: a group's title says what it would have needed. */
export function skippedOf(report: VitestReport): string[] {
  const skipped = report.testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status !== 'passed' && test.status !== 'failed')
    .map((test) => test.ancestorTitles.find((title) => title !== '') ?? test.title);
  return [...new Set(skipped)];
}

export function lineOf({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
