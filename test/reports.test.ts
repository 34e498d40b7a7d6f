/** Every report in the catalog, on every kind of run. */
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { entryNames, loadEntry } from '../src/base/catalog.ts';
import type { RunRecord } from '../src/model/run.ts';
import type { BinaryReport, Report } from '../src/report/report.ts';
import { closedRun, emptyRun, failedRun, openRun, terminalsRun } from './fixtures/sample-runs.ts';
import { golden } from './support/golden.ts';

const CATALOG = new URL('../src/report/catalog/', import.meta.url);
const names = entryNames(CATALOG);
/** Compressed bytes differ between versions of zlib; that they can be read back is tested beside the encoder. */
const withoutHistograms = (text: string): string => text.replace(/("histogram": ")[^"]+/g, '$1…');

async function render(name: string, runs: readonly RunRecord[]): Promise<string> {
  const report = (await loadEntry(CATALOG, name)) as Report | BinaryReport;
  if ('render' in report) return report.render({ runs });
  const bytes = await report.renderBytes({ runs });
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  return `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
}

async function described(name: string): Promise<Pick<Report, 'summary' | 'extension'>> {
  return (await loadEntry(CATALOG, name)) as Report | BinaryReport;
}

test('the catalog', () => {
  const TEXTS = ['csv', 'github', 'html', 'json', 'junit', 'markdown', 'openmetrics', 'sysbench', 'text'];
  expect(names).toEqual([...TEXTS, 'parquet'].sort());
});

/** What is none of the forms' own goldens has them elsewhere. */
const WITH_GOLDEN = names.filter((name) => name !== 'html');

describe.each(WITH_GOLDEN)('%s', (name) => {
  test.each([
    { kind: 'closed', run: closedRun() },
    { kind: 'open', run: openRun() },
    { kind: 'terminals', run: terminalsRun() },
    { kind: 'failed', run: failedRun() },
    { kind: 'empty', run: emptyRun() },
  ])('of the $kind run equals its golden file', async ({ kind, run }) => {
    const { extension } = await described(name);
    const text = withoutHistograms(await render(name, [run]));
    await expect(text).toMatchFileSnapshot(golden(`${name}-${kind}.${extension === 'parquet' ? 'ndjson' : extension}`));
  });

  test('prints no value that is none', async () => {
    const text = await render(name, [closedRun(), openRun(), terminalsRun(), failedRun(), emptyRun()]);
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  test('is the same for the same runs, whatever the order of their fields', async () => {
    expect(await render(name, [closedRun()])).toBe(await render(name, [structuredClone(closedRun())]));
  });

  test('says what it is', async () => {
    const { summary, extension } = await described(name);
    expect(summary).toMatch(/^\S.*\.$/);
    expect(extension).toMatch(/^[a-z]+$/);
  });
});
