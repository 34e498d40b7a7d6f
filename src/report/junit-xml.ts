/** JUnit's XML, in the shape that GitHub, GitLab, Jenkins and others read: suites of cases that passed or did not. */

export interface JunitCase {
  /** The same from run to run: trends are drawn by it. */
  readonly name: string;
  readonly group: string;
  readonly timeS?: number;
  readonly outcome:
    | { readonly is: 'passed' }
    | { readonly is: 'failed'; readonly type: string; readonly because: string }
    | { readonly is: 'skipped'; readonly because: string };
  /** What else was seen. */
  readonly output?: string;
}

export interface JunitSuite {
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly startedAt?: string;
  readonly properties?: Readonly<Record<string, string>>;
  readonly cases: readonly JunitCase[];
}

export function junitXml(suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'sqldyno', ...countsOf(all) })}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name, startedAt, properties = {}, cases }: JunitSuite): string[] {
  const timestamp = startedAt === undefined ? {} : { timestamp: startedAt.replace(/\.\d+Z$/, '') };
  const each = Object.entries(properties);
  return [
    `  <testsuite${attributes({ name, ...countsOf(cases), ...timestamp })}>`,
    ...(each.length === 0
      ? []
      : [
          '    <properties>',
          ...each.map(([property, value]) => `      <property${attributes({ name: property, value })}/>`),
          '    </properties>',
        ]),
    ...cases.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function caseLines({ name, group, timeS = 0, outcome, output }: JunitCase): string[] {
  const opening = `    <testcase${attributes({ name, classname: group, time: timeS.toFixed(3) })}`;
  const inner = [
    ...(outcome.is === 'failed'
      ? [
          `      <failure${attributes({ message: outcome.because, type: outcome.type })}>${text(outcome.because)}</failure>`,
        ]
      : []),
    ...(outcome.is === 'skipped' ? [`      <skipped${attributes({ message: outcome.because })}/>`] : []),
    ...(output === undefined || output === '' ? [] : [`      <system-out>${text(output)}</system-out>`]),
  ];
  return inner.length === 0 ? [`${opening}/>`] : [`${opening}>`, ...inner, '    </testcase>'];
}

function countsOf(cases: readonly JunitCase[]): Readonly<Record<string, string>> {
  const count = (is: JunitCase['outcome']['is']) => cases.filter(({ outcome }) => outcome.is === is).length;
  return {
    tests: String(cases.length),
    failures: String(count('failed')),
    errors: '0',
    skipped: String(count('skipped')),
    time: cases.reduce((sum, { timeS = 0 }) => sum + timeS, 0).toFixed(3),
  };
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${text(value).replaceAll('"', '&quot;').replaceAll(/\s/g, ' ')}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** What XML 1.0 cannot hold, not even escaped, is shown as the sign for that. */
function text(value: string): string {
  return value
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .replaceAll(NOT_IN_XML, '\uFFFD')
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
