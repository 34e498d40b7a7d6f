/** The page: what stands on it, that it is one file on its own, and that nobody's text becomes a part of it. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { analyse } from '../src/lab/experiment/analyse.ts';
import type { ExperimentRecord } from '../src/model/experiment.ts';
import type { RunRecord } from '../src/model/run.ts';
import htmlReport from '../src/report/catalog/html.ts';
import { experimentHtml } from '../src/report/html/experiment-page.ts';
import { SAMPLE_EXPERIMENTS } from './fixtures/sample-experiments.ts';
import { importedRuns, importedWithHost } from './fixtures/sample-imported.ts';
import { closedRun, emptyRun, failedRun, openRun, terminalsRun } from './fixtures/sample-runs.ts';
import { onCurve, SAMPLE_SWEEPS, sampleSweep } from './fixtures/sample-sweeps.ts';
import { PEAK_US, watchedRun } from './fixtures/sample-watched.ts';
import { golden } from './support/golden.ts';

const { whole, several } = SAMPLE_EXPERIMENTS as { whole: ExperimentRecord; several: ExperimentRecord };

const render = (...runs: RunRecord[]): string => htmlReport.render({ runs });

const SWEPT = sweptRecord();

function sweptRecord(): ExperimentRecord {
  const { record, runs } = sampleSweep({ ratesPerS: [1, 2, 4, 8, 16, 32].map(onCurve), scatter: 0.01 });
  return { ...record, result: analyse(record.plan, runs) };
}

const PAGES: Readonly<Record<string, string>> = {
  watched: render(watchedRun()),
  closed: render(closedRun()),
  open: render(openRun()),
  terminals: render(terminalsRun()),
  failed: render(failedRun()),
  empty: render(emptyRun()),
  imported: render(importedWithHost()),
  'imported-several': render(...importedRuns('go-tpc.txt')),
  'two-runs': render(closedRun(), watchedRun()),
  ...Object.fromEntries(
    Object.entries(SAMPLE_EXPERIMENTS).map(([name, record]) => [`experiment-${name}`, experimentHtml({ record })]),
  ),
  ...Object.fromEntries(
    Object.entries(SAMPLE_SWEEPS).map(([name, sweep]) => [`sweep-${name}`, experimentHtml({ record: SWEPT, sweep })]),
  ),
};

/** A run, one that failed, one whose server was not watched, and experiments: the others are of the same parts. */
const WITH_GOLDEN = ['watched', 'failed', 'closed', 'experiment-whole', 'experiment-several', 'sweep-threads'];

/** One tag a line; style and script stand in their own files, and the policy holds their hashes. */
function readable(page: string): string {
  return page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1>…</$1>')
    .replaceAll(/sha256-[^']+/g, 'sha256-…')
    .replaceAll('><', '>\n<');
}

const insideOf = (page: string, tag: string): string =>
  new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';

test.each(WITH_GOLDEN)('%s equals its golden file', async (name) => {
  await expect(readable(PAGES[name]!)).toMatchFileSnapshot(golden(`html-${name}.html`));
});

describe.each(Object.entries(PAGES))('%s', (_name, page) => {
  test('prints no value that is none', () => {
    expect(readable(page)).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  test('loads nothing, and its policy lets its own style and script pass, and no others', () => {
    const text = readable(page);
    expect(text).not.toMatch(/\b(?:src|href)="(?!#|data:,)/);
    expect(text).not.toMatch(/\sstyle=|\son\w+=|@import|url\(/);
    expect([...page.matchAll(/<(script|style)\b/g)].map(([, tag]) => tag)).toEqual(['style', 'script']);
    const hash = (tag: string) => createHash('sha256').update(insideOf(page, tag)).digest('base64');
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy.replaceAll('&#39;', "'")).toBe(
      `default-src 'none'; img-src data:; style-src 'sha256-${hash('style')}'; script-src 'sha256-${hash('script')}'; ` +
        "base-uri 'none'; form-action 'none'",
    );
  });

  test('has every link lead somewhere on it', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });
});

const TAG = /<\/?[a-z][a-z0-9]*(?:\s+[\w:-]+(?:="[^"]*")?)*\s*\/?>/g;

const HOSTILE = `</title></script><script>alert(1)</script>"'<img src=x onerror=alert(2)>\n\u202eabc\u0000 שלום&lt;`;

const OURS = [
  'histogram',
  'kind',
  'severity',
  'policy',
  'role',
  'format',
  'unit',
  'mode',
  'of',
  'startedAt',
  'endedAt',
];

/** Every text of it, and every name, but for words that the program itself chose among. */
function poisoned<Value>(value: Value, path = ''): Value {
  const isOurs = OURS.includes(path.split('.').at(-1) ?? '');
  if (typeof value === 'string') return (isOurs || path === '.ending.is' ? value : HOSTILE) as Value;
  if (Array.isArray(value)) return value.map((each) => poisoned(each, path)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, poisoned(each, `${path}.${name}`)]),
  ) as Value;
}

describe('what people and servers wrote stays text', () => {
  const evil = poisoned(watchedRun());
  const named = {
    ...evil,
    grade: { ...evil.grade!, is: 'B' as const },
    crossCheck: { is: 'done', ok: true, rows: [{ counter: HOSTILE, client: 1, server: 2 }], note: HOSTILE } as const,
    phases: watchedRun().phases!,
    latency: {
      transactions: { [HOSTILE]: evil.latency.transactions['all']! },
      statements: { [HOSTILE]: evil.latency.statements['begin']! },
    },
    series: { cpu: { ...evil.series!['cpu']!, values: { [HOSTILE]: evil.series!['cpu']!.values['user']! } } },
    environment: { ...evil.environment!, server: { [HOSTILE]: HOSTILE, [`set.${HOSTILE}`]: HOSTILE } },
    serverAccount: poisoned(terminalsRun().serverAccount!),
    ownTerms: [HOSTILE],
    steadiness: { ...watchedRun().steadiness!, signs: [HOSTILE] },
  };
  const serverAccount = {
    ...named.serverAccount,
    statements: terminalsRun().serverAccount!.statements.map((each) => ({ ...each, text: HOSTILE })),
  };
  const plan = { ...whole.plan, question: HOSTILE, notes: [HOSTILE], name: HOSTILE };
  const rename = <Item extends { readonly variant: string }>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, variant: HOSTILE }));
  const result = { ...whole.result!, is: HOSTILE, notes: [HOSTILE] };
  const pages = {
    run: render({ ...named, serverAccount }),
    runs: render({ ...named, serverAccount }, closedRun()),
    experiment: experimentHtml({
      record: {
        ...whole,
        id: HOSTILE,
        command: [HOSTILE],
        ending: { kind: 'failed', cause: HOSTILE },
        plan: { ...plan, variants: plan.variants.map((variant) => ({ ...variant, is: HOSTILE })) },
        result: { ...result, variants: rename(result.variants), comparisons: rename(result.comparisons) },
      },
    }),
  };

  test.each(Object.entries(pages))('on the page of the %s', (_name, page) => {
    const text = readable(page);
    expect(text).toContain('&lt;script>alert(1)');
    // In attributes a quote is the only way out, and in text the angle bracket: without whole tags none is left.
    const outside = text.replace('<!doctype html>', '').replaceAll(TAG, '');
    expect(outside).not.toContain('<');
    expect([...page.matchAll(/<script\b/g)]).toHaveLength(1);
    expect([...page.matchAll(/<img\b/g)]).toHaveLength(0);
    expect(text).not.toContain('\u0000');
  });

  test('and text that runs from right to left is set apart', () => {
    expect(pages.run).toMatch(/<bdi>[^<]*\u202eabc/);
  });
});

describe('an hour by seconds, with fifty series', () => {
  const page = render(watchedRun({ seconds: 3_600, moreSeries: 30 }));

  test('is smaller than two megabytes', () => {
    expect(page.length).toBeLessThan(2_000_000);
    expect(page.match(/<path class="line/g)?.length).toBeGreaterThan(50);
  });

  test('keeps its peak, and says how it was drawn', () => {
    const [, values = ''] = /data-name="longest"[^>]*data-y="([^"]*)"/.exec(page) ?? [];
    expect(values.split(',').map(Number)).toContain(PEAK_US / 1_000);
    expect(page).toContain('3,605 intervals are drawn in steps of 13.0 s, each with its lowest and its highest value');
  });
});

test('a run says its answer before anything else', () => {
  expect(PAGES['watched']).toMatch(/<p class="lead">1,491 transactions a second over 30.0 s: half of them took/);
  expect(PAGES['failed']!.indexOf('FAILED: The server closed')).toBeLessThan(PAGES['failed']!.indexOf('class="lead"'));
});

test('of another tool only what it told is shown', () => {
  expect(PAGES['imported']).toMatch(/measured by sysbench 1\.0/);
  expect(PAGES['imported']).toContain('<h2>Host of the server</h2>');
  expect(PAGES['imported']).not.toContain('Diagnosis');
});

test('prices are shown with what 1,000 transactions a second cost', () => {
  expect(experimentHtml({ record: several })).toMatch(/cost of 1,000 transactions\/s per month/);
});

test('the command can be pasted', () => {
  const page = render({ ...closedRun(), command: ['sqldyno', 'my file.ts', '--x=1', 'run'] });
  const [, block = ''] = /<pre dir="ltr">([\s\S]*?)<\/pre>/.exec(page) ?? [];
  expect(block.replaceAll(/<[^>]+>/g, '')).toBe("sqldyno 'my file.ts' --x=1 run");
});
