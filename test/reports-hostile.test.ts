/** What comes from servers, hosts and people stays text in every form: no markup, no formula, no line of its own. */
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { entryNames, loadEntry } from '../src/base/catalog.ts';
import type { RunRecord } from '../src/model/run.ts';
import type { BinaryReport, Report } from '../src/report/report.ts';
import { terminalsRun } from './fixtures/sample-runs.ts';

const CATALOG = new URL('../src/report/catalog/', import.meta.url);
const NASTY = '=1+1|<script>alert("x")</script>`${y}`</details>\n# EOF\n## heading & ]]> \\ ﻿\u0007';

/** It stands wherever a text from outside can. */
function hostileRun(): RunRecord {
  const run = terminalsRun();
  const named = <Value>(record: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name === 'all' ? name : NASTY + name, value]));
  return {
    ...run,
    id: NASTY,
    tags: [NASTY],
    ending: { kind: 'failed', cause: NASTY },
    command: ['sqldyno', NASTY, 'run'],
    sqldyno: { version: NASTY },
    workload: { name: NASTY, options: { [NASTY]: NASTY } },
    target: { ...run.target, flavor: NASTY, version: NASTY, address: NASTY, user: NASTY, database: NASTY, tls: NASTY },
    totals: {
      ...run.totals,
      transactions: { ...run.totals.transactions, byName: named(run.totals.transactions.byName) },
      statements: { ...run.totals.statements, byName: named(run.totals.statements.byName) },
      errors: run.totals.errors.map((error) => ({ ...error, symbol: NASTY, sqlState: NASTY, example: NASTY })),
    },
    latency: { transactions: named(run.latency.transactions), statements: named(run.latency.statements) },
    findings: run.findings.map((finding) => ({ ...finding, is: NASTY, because: NASTY, remedy: NASTY })),
    series: {
      [NASTY]: { atS: [1], values: { [NASTY]: { unit: NASTY, points: [1] } }, measured: { [NASTY]: 1 } },
    },
    environment: { server: { [NASTY]: NASTY }, host: { hostname: NASTY, [NASTY]: NASTY }, client: { [NASTY]: NASTY } },
    events: [{ atS: 1, id: NASTY, is: NASTY }],
    diagnosis: {
      is: NASTY,
      isDetermined: true,
      ceilings: [{ of: NASTY, perS: 1, how: NASTY }],
      verdicts: [{ id: NASTY, role: 'bottleneck', is: NASTY, evidence: [NASTY], confirmBy: NASTY, advice: NASTY }],
    },
    grade: { is: 'C', because: [NASTY] },
    durability: { is: 'D0', because: NASTY },
    conformance: [{ is: NASTY, measured: NASTY, wanted: NASTY, conforms: 'no', note: NASTY }],
    ownTerms: [NASTY],
    crossCheck: { is: 'impossible', because: NASTY },
  };
}

async function render(name: string): Promise<string> {
  const report = (await loadEntry(CATALOG, name)) as Report;
  return report.render({ runs: [hostileRun(), hostileRun()] });
}

/** Fences and code spans out: within them there is only text. */
function outsideCode(markdown: string): string {
  return markdown.replaceAll(/^(`{3,})\n[\s\S]*?\n\1$/gm, '');
}

describe.each(['markdown', 'github'])('%s', (name) => {
  test('holds no markup but its own', async () => {
    const text = outsideCode(await render(name));
    expect(text).not.toMatch(/<script/);
    // In the line of a title, which is HTML, a tick means nothing.
    expect(text.replaceAll(/^<details>.*$/gm, '')).not.toMatch(/(?<!\\)`/);
    expect(text.match(/<[^>]*>/g)?.every((tag) => /^<\/?(?:details|summary)>$/.test(tag))).toBe(true);
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
    expect(text).not.toMatch(/^#+ heading/m);
  });

  test('gives a table no more cells than its heading has', async () => {
    const tables = outsideCode(await render(name))
      .split('\n\n')
      .filter((block) => block.startsWith('|'));
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) {
      const cells = table.split('\n').map((line) => line.match(/(?<!\\)\|/g)?.length);
      expect(new Set(cells).size, table).toBe(1);
    }
  });
});

test('CSV cells begin no formula, and numbers stay numbers', async () => {
  const text = await render('csv');
  // A cell between quotes may hold line breaks; after the first of them no cell begins.
  const cells = [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\n]*))/gm)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  expect(cells.filter((cell) => /^[=+@\t\r]/.test(cell))).toEqual([]);
  expect(cells.filter((cell) => cell.startsWith('-') && Number.isNaN(Number(cell)))).toEqual([]);
  expect(cells).toContain(`'${NASTY.replaceAll('"', '""')}`);
});

test('every line of OpenMetrics is one, and the last says that it is', async () => {
  const lines = (await render('openmetrics')).trimEnd().split('\n');
  const SAMPLE = /^sqldyno_\w+(?:\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*\})? -?[\d.e+-]+$/;
  const wrong = lines
    .slice(0, -1)
    .filter((line) => !SAMPLE.test(line) && !/^# (?:TYPE|UNIT|HELP) sqldyno_\w+ /.test(line));
  expect(wrong).toEqual([]);
  expect(lines.at(-1)).toBe('# EOF');
  expect(lines.filter((line) => line === '# EOF')).toHaveLength(1);
});

test('JUnit is well-formed, and holds what XML can', async () => {
  const text = await render('junit');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for
  expect(text).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/);
  expect(text).not.toMatch(/<script|&(?!amp;|lt;|gt;|quot;)/);
  const open: string[] = [];
  for (const [, closing, tag, alone] of text.matchAll(/<(\/?)([\w-]+)(?:\s+[\w-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (closing === '/') expect(open.pop()).toBe(tag);
    else if (alone === '') open.push(tag ?? '');
  }
  expect(open).toEqual([]);
});

test('Parquet and JSON give back what was put in', async () => {
  const json = JSON.parse(await render('json')) as RunRecord[];
  expect(json[0]?.target.version).toBe(NASTY);
  const { renderBytes } = (await loadEntry(CATALOG, 'parquet')) as BinaryReport;
  const bytes = await renderBytes({ runs: [hostileRun()] });
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  expect(rows.at(-1)).toMatchObject({
    run: NASTY,
    workload: NASTY,
    source: NASTY,
    figure: NASTY,
    unit: NASTY,
    value: 1,
  });
});

test('no form throws', async () => {
  for (const name of entryNames(CATALOG)) {
    const report = (await loadEntry(CATALOG, name)) as Report | BinaryReport;
    const content = 'render' in report ? await render(name) : await report.renderBytes({ runs: [hostileRun()] });
    expect(content.length, name).toBeGreaterThan(0);
  }
});
