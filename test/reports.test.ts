/** Every report in the catalog, on every kind of run. */
import { describe, expect, test } from 'vitest';
import { entryNames, loadEntry } from '../src/base/catalog.ts';
import type { Report } from '../src/report/report.ts';
import { closedRun, emptyRun, failedRun, openRun, terminalsRun } from './fixtures/sample-runs.ts';
import { golden } from './support/golden.ts';

const CATALOG = new URL('../src/report/catalog/', import.meta.url);
const names = entryNames(CATALOG);
/** Compressed bytes differ between versions of zlib; that they can be read back is tested beside the encoder. */
const withoutHistograms = (text: string): string => text.replace(/("histogram": ")[^"]+/g, '$1…');

async function report(name: string): Promise<Report> {
  return (await loadEntry(CATALOG, name)) as Report;
}

test('the catalog', () => {
  expect(names).toEqual(['csv', 'json', 'text']);
});

describe.each(names)('%s', (name) => {
  test.each([
    { kind: 'closed', run: closedRun() },
    { kind: 'open', run: openRun() },
    { kind: 'terminals', run: terminalsRun() },
    { kind: 'failed', run: failedRun() },
    { kind: 'empty', run: emptyRun() },
  ])('of the $kind run equals its golden file', async ({ kind, run }) => {
    const { render, extension } = await report(name);
    const text = withoutHistograms(render({ runs: [run] }));
    await expect(text).toMatchFileSnapshot(golden(`${name}-${kind}.${extension}`));
  });

  test('prints no value that is none', async () => {
    const { render } = await report(name);
    const text = render({ runs: [closedRun(), openRun(), terminalsRun(), failedRun(), emptyRun()] });
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  test('is the same for the same runs, whatever the order of their fields', async () => {
    const { render } = await report(name);
    expect(render({ runs: [closedRun()] })).toBe(render({ runs: [structuredClone(closedRun())] }));
  });

  test('says what it is', async () => {
    const { summary, extension } = await report(name);
    expect(summary).toMatch(/^\S.*\.$/);
    expect(extension).toMatch(/^[a-z]+$/);
  });
});
