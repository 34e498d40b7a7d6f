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

/** Enough titles of a group to see what it is about. */
const TITLES_SHOWN_MAX = 2;

/** What was skipped, a line for each group: its title says what its tests would have needed. */
export function skippedOf(report: VitestReport): string[] {
  const titlesByGroup = new Map<string, string[]>();
  for (const { ancestorTitles, title, status } of report.testResults.flatMap((file) => file.assertionResults)) {
    if (status === 'passed' || status === 'failed') continue;
    const group = ancestorTitles.filter((ancestor) => ancestor !== '').join(' > ');
    titlesByGroup.set(group, [...(titlesByGroup.get(group) ?? []), title]);
  }
  return [...titlesByGroup].map(([group, titles]) => {
    const more = titles.length - TITLES_SHOWN_MAX;
    const shown = titles.slice(0, TITLES_SHOWN_MAX).join('; ') + (more > 0 ? `; and ${more} more` : '');
    return group === '' ? shown : `${group}: ${shown}`;
  });
}

export function lineOf({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
