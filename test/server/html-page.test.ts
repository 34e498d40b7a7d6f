/** The report as Chromium shows it: whole without scripts, richer with them, and nothing in the way of anything. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/model/run.ts';
import htmlReport from '../../src/report/catalog/html.ts';
import { experimentHtml } from '../../src/report/html/experiment-page.ts';
import { SAMPLE_EXPERIMENTS } from '../fixtures/sample-experiments.ts';
import { closedRun, emptyRun, openRun, terminalsRun } from '../fixtures/sample-runs.ts';
import { SAMPLE_SWEEPS } from '../fixtures/sample-sweeps.ts';
import { watchedRun } from '../fixtures/sample-watched.ts';
import { CHROMIUM, misplacedTexts, openBrowser, openPage } from '../support/browser.ts';
import { scratchDirectories } from '../support/scratch.ts';

const LONG = 'a-host-with-a-name-that-is-much-longer-than-anything-else-on-the-page'.repeat(3);

function longRun(): RunRecord {
  const run = watchedRun({ seconds: 1_300 });
  const environment = { ...run.environment!, host: { ...run.environment!.host, hostname: LONG, [LONG]: LONG } };
  const target = { ...run.target, version: LONG, address: LONG };
  return { ...run, environment, target, tags: [LONG], command: ['sqldyno', `--tag=${LONG}`, 'run'] };
}

const { whole, several, factorial, failed } = SAMPLE_EXPERIMENTS;
const PAGES: Readonly<Record<string, string>> = {
  'watched run': htmlReport.render({ runs: [watchedRun()] }),
  'run of long names': htmlReport.render({ runs: [longRun()] }),
  'open loop': htmlReport.render({ runs: [openRun()] }),
  terminals: htmlReport.render({ runs: [terminalsRun()] }),
  'empty run': htmlReport.render({ runs: [emptyRun()] }),
  'two runs': htmlReport.render({ runs: [closedRun(), watchedRun()] }),
  experiment: experimentHtml({ record: whole! }),
  'experiment of several': experimentHtml({ record: several! }),
  'factorial experiment': experimentHtml({ record: factorial! }),
  'failed experiment': experimentHtml({ record: failed! }),
  sweep: experimentHtml({ record: whole!, sweep: SAMPLE_SWEEPS.threads }),
  'sweep of settings': experimentHtml({ record: whole!, sweep: SAMPLE_SWEEPS.pool }),
};

/** Each width in both themes, each theme at both widths. */
const LOOKS = [
  { javaScriptEnabled: true, wide: 'light', narrow: 'dark' },
  { javaScriptEnabled: false, wide: 'dark', narrow: 'light' },
] as const;

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  const scratch = scratchDirectories();
  let browser: Browser;
  let urls: Readonly<Record<string, string>>;

  beforeAll(async () => {
    browser = await openBrowser();
    const directory = scratch();
    urls = Object.fromEntries(
      Object.entries(PAGES).map(([name, text]) => {
        const path = join(directory, `${name.replaceAll(' ', '-')}.html`);
        writeFileSync(path, text);
        return [name, pathToFileURL(path).href];
      }),
    );
  });
  afterAll(() => browser?.close());

  const textOf = (page: Page) => page.locator('main').evaluate((main) => main.textContent ?? '');

  test('what lies over something else, or beyond the edge, is found', async () => {
    await using opened = await openPage(
      browser,
      `data:text/html,<div style="position:absolute">one</div>two<pre>${'x'.repeat(999)}`,
    );
    expect((await misplacedTexts(opened.page)).map((each) => each.replace(/x+/, 'x'))).toEqual([
      'the page is wider than the window',
      'cut: x',
      'over each other: one | two',
    ]);
  });

  describe.each(Object.keys(PAGES))('the page of the %s', (name) => {
    test.each(LOOKS)('with scripts $javaScriptEnabled: nothing is cut, covered, refused or fetched', async (look) => {
      const { javaScriptEnabled, wide, narrow } = look;
      const options = { javaScriptEnabled, colorScheme: wide, viewport: { width: 1_280, height: 900 } };
      await using opened = await openPage(browser, urls[name]!, options);
      const { page } = opened;
      await page.locator('details').evaluateAll((all) => {
        for (const each of all) each.setAttribute('open', '');
      });
      expect(await misplacedTexts(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 900 });
      await page.emulateMedia({ colorScheme: narrow });
      expect(await misplacedTexts(page)).toEqual([]);
      expect(opened.complaints).toEqual([]);
      expect(opened.requests).toEqual([]);
    });
  });

  test('without scripts all of it is there', async () => {
    const url = urls['watched run']!;
    await using without = await openPage(browser, url, { javaScriptEnabled: false });
    await using withScripts = await openPage(browser, url);
    expect(await textOf(without.page)).toBe(await textOf(withScripts.page));
    expect(await without.page.locator('figure svg.plot').count()).toBeGreaterThan(10);
    expect(await without.page.locator('button').count()).toBe(0);
    expect(await without.page.locator('.hint').isVisible()).toBe(false);
  });

  test('light and dark differ, and printing is light', async () => {
    const url = urls['watched run']!;
    await using opened = await openPage(browser, url, { colorScheme: 'dark' });
    const { page } = opened;
    const paper = () =>
      page.locator('body').evaluate((body) => body.ownerDocument.defaultView!.getComputedStyle(body).backgroundColor);
    const dark = await paper();
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await paper();
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    expect({ dark, light, printed: await paper() }).toEqual({
      dark: 'rgb(17, 21, 26)',
      light: 'rgb(255, 255, 255)',
      printed: 'rgb(255, 255, 255)',
    });
  });

  test('the policy lets nothing else run', async () => {
    await using opened = await openPage(browser, urls['watched run']!);
    const added = opened.page.addScriptTag({ content: 'document.title = "taken over"' });
    await added.catch(() => {});
    expect(await opened.page.title()).toContain('oltp_read_write');
  });

  describe('with scripts', () => {
    const first = 'figure.chart >> nth=0';

    test('values are read under the pointer, in all charts at the same moment', async () => {
      await using opened = await openPage(browser, urls['watched run']!);
      const { page } = opened;
      const box = (await page.locator(`${first} >> svg.area`).boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + 20);
      const text = await page.locator('.tip').textContent();
      expect(text).toMatch(/^1[23](?:\.\d)? stransactions1,[3-6]\d\d \/s$/);
      const visible = await page.locator('line.cursor[visibility="visible"]').count();
      expect(visible).toBe(await page.locator('figure.chart[data-kind="time"]').count());
    });

    test('keys move from sample to sample', async () => {
      await using opened = await openPage(browser, urls['watched run']!);
      const { page } = opened;
      await page.locator(`${first} >> svg.plot`).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      expect(await page.locator('.tip b').first().textContent()).toBe('-3 s');
    });

    test('a stretch is looked at closely in all charts, and left again', async () => {
      await using opened = await openPage(browser, urls['watched run']!);
      const { page } = opened;
      const labels = (at: number) =>
        page.locator('figure.chart[data-kind="time"]').nth(at).locator('.x-labels text').allTextContents();
      const before = await labels(1);
      const box = (await page.locator(`${first} >> svg.area`).boundingBox())!;
      await page.mouse.move(box.x + box.width * 0.4, box.y + 30);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.5, box.y + 30, { steps: 3 });
      await page.mouse.up();
      expect(await labels(1)).not.toEqual(before);
      expect(await labels(1)).toContain('10 s');
      expect(await misplacedTexts(page).then((all) => all.filter((each) => !/whole run/.test(each)))).toEqual([]);
      await page.getByRole('button', { name: 'Show the whole run' }).click();
      expect(await labels(1)).toEqual(before);
    });

    test('a line is put away and brought back', async () => {
      await using opened = await openPage(browser, urls['watched run']!);
      const { page } = opened;
      const line = page.locator('path[data-name="p99"]').first();
      const button = page.getByRole('button', { name: 'p99' }).first();
      await button.click();
      expect(await line.isVisible()).toBe(false);
      expect(await button.getAttribute('aria-pressed')).toBe('false');
      await button.click();
      expect(await line.isVisible()).toBe(true);
      expect(opened.complaints).toEqual([]);
    });
  });
});
