/** The page as people use it: `sqldyno ui` as a process of its own, Chromium, and requests that no page would send. */
import { request } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPrivateServers } from '../../src/lab/server.ts';
import { openExperiments } from '../../src/store/experiments.ts';
import { openStore } from '../../src/store/store.ts';
import type { RunRow } from '../../src/web/api.ts';
import { SAMPLE_EXPERIMENTS } from '../fixtures/sample-experiments.ts';
import { closedRun, emptyRun, failedRun } from '../fixtures/sample-runs.ts';
import { watchedRun } from '../fixtures/sample-watched.ts';
import { CHROMIUM, openBrowser, openPage } from '../support/browser.ts';
import { type CliProcess, startCli } from '../support/cli.ts';
import { scratchDirectories } from '../support/scratch.ts';

const scratch = scratchDirectories();
/** A server is started, tables are made, and on a busy machine that takes its time. */
const PATIENCE = { timeout: 90_000 };
const MANY = 10_000;

interface Ui {
  readonly cli: CliProcess;
  /** With the token. */
  readonly url: string;
  readonly base: string;
  readonly token: string;
}

async function startUi(store: string): Promise<Ui> {
  const cli = startCli(['ui', '--no-open'], { store });
  let printed = '';
  cli.child.stdout.on('data', (text: string) => {
    printed += text;
  });
  await cli.shows(/Ctrl-C/);
  const [url = '', base = '', token = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]+)/.exec(printed) ?? [];
  return { cli, url, base, token };
}

async function endUi({ cli }: Ui): Promise<number | null> {
  cli.child.kill('SIGINT');
  return (await cli.ended).code;
}

interface Told {
  readonly status: number;
  readonly text: string;
}

/** As a program sends it: browsers would not let a page choose these headers. */
function ask(base: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown): Promise<Told> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const RUN_FORM = {
  workload: 'oltp_read_only',
  options: {},
  target: { is: 'private', name: 'default' },
  tags: [],
  prepares: false,
};

/** By one Tab after another, as far as it takes; fails where it cannot be reached. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      "document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? ''",
    );
    if (String(focused).trim() === name) return;
  }
  throw new Error(`'${name}' cannot be reached by Tab`);
}

describe('without a browser', () => {
  test('who has no token, comes from elsewhere, or asks another name gets nothing; the program ends at Ctrl-C', async () => {
    const ui = await startUi(scratch());
    const { host } = new URL(ui.base);
    const known = { host, authorization: `Bearer ${ui.token}` };
    const ours = { ...known, origin: ui.base, 'content-type': 'application/json' };
    expect(await ask(ui.base, '/api/session', known)).toMatchObject({ status: 200 });
    for (const { path, headers, body, status } of [
      { path: '/api/session', headers: { host }, status: 401 },
      { path: '/api/session', headers: { ...known, authorization: 'Bearer wrong' }, status: 401 },
      { path: '/api/session', headers: { ...known, host: 'rebound.example' }, status: 403 },
      { path: '/', headers: { host: 'rebound.example' }, status: 403 },
      { path: '/api/runs', headers: { ...known, origin: 'http://elsewhere.example' }, status: 403 },
      { path: '/api/runs', headers: { ...ours, authorization: '' }, body: RUN_FORM, status: 401 },
      { path: '/api/runs', headers: { ...ours, origin: 'http://elsewhere.example' }, body: RUN_FORM, status: 403 },
      { path: '/api/runs', headers: { ...ours, host: 'rebound.example' }, body: RUN_FORM, status: 403 },
      { path: '/api/runs', headers: { ...ours, 'content-type': 'text/plain' }, body: RUN_FORM, status: 415 },
      { path: '/api/runs', headers: ours, body: { ...RUN_FORM, options: { treads: '1' } }, status: 400 },
      { path: '/api/runs', headers: ours, body: { ...RUN_FORM, workload: '/tmp/mine.ts' }, status: 400 },
    ]) {
      const told = await ask(ui.base, path, headers, body);
      expect({ path, headers, status: told.status }).toEqual({ path, headers, status });
      expect(JSON.parse(told.text)).toMatchObject({ problems: [{ is: expect.stringMatching(/\.$/) }] });
    }
    expect(JSON.parse((await ask(ui.base, '/api/activity', known)).text)).toEqual({ is: 'idle' });
    expect(await endUi(ui)).toBe(0);
  });

  test('a port that is taken is told in a sentence', async () => {
    const ui = await startUi(scratch());
    const second = startCli(['ui', '--no-open', `--port=${new URL(ui.base).port}`], { store: scratch() });
    const { code, stderr } = await second.ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/Port \d+ is taken\.\n {2}Without --port/),
    });
    await endUi(ui);
  });
});

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  let browser: Browser;
  let store: string;
  let ui: Ui;

  beforeAll(async () => {
    browser = await openBrowser();
    store = scratch();
    const runs = [closedRun(), failedRun(), emptyRun(), watchedRun({ seconds: 120 })];
    for (const [at, run] of runs.entries()) {
      const hostile = at === 0 ? ['<script>alert(1)</script>'] : [];
      await openStore(store).save({ ...run, id: `sample-${at}`, tags: [...run.tags, ...hostile] });
    }
    await openExperiments(store).create(SAMPLE_EXPERIMENTS['whole']!);
    ui = await startUi(store);
  });

  afterAll(async () => {
    await endUi(ui);
    await browser.close();
  });

  const own = (requests: readonly string[]) => requests.filter((url) => !url.startsWith(`${ui.base}/`));

  test.each([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)('each page opens without complaint at $width pixels', async ({ width, colorScheme }) => {
    await using watched = await openPage(browser, ui.url, { viewport: { width, height: 800 }, colorScheme });
    const { page, complaints, requests } = watched;
    const experiment = SAMPLE_EXPERIMENTS['whole']!.id;
    const pages = [
      { path: '/', heading: 'Runs' },
      ...[0, 1, 2, 3].map((at) => ({ path: `/runs/sample-${at}`, heading: /./ })),
      { path: '/experiments', heading: 'Experiments' },
      { path: `/experiments/${experiment}`, heading: SAMPLE_EXPERIMENTS['whole']!.plan.name },
      { path: '/compare', heading: 'Compare' },
      { path: '/start', heading: 'Start a run' },
      { path: '/start/experiment', heading: 'Start an experiment' },
      { path: '/live', heading: 'Nothing is under way' },
      { path: '/servers', heading: 'Private servers' },
      { path: '/doctor', heading: 'Doctor' },
    ];
    for (const { path, heading } of pages) {
      await page.goto(ui.base + path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page
        .getByText(/^Reading/)
        .first()
        .waitFor({ state: 'hidden' });
      for (const summary of await page.locator('main summary').all()) await summary.click();
      expect({ path, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({ path, width });
    }
    expect(complaints).toEqual([]);
    expect(own(requests)).toEqual([]);
  });

  test('strings from elsewhere stay text', async () => {
    await using watched = await openPage(browser, ui.url);
    await watched.page.goto(`${ui.base}/runs/sample-0`);
    await watched.page.getByText('<script>alert(1)</script>').first().waitFor();
    expect(await watched.page.locator('main script').count()).toBe(0);
  });

  test('without the token there is a field for it, and nothing else', async () => {
    await using watched = await openPage(browser, `${ui.base}/`);
    await watched.page.getByText('The token is missing or wrong.').waitFor();
    expect(await watched.page.content()).not.toContain(store);
    await watched.page.getByLabel('Or paste the address').fill(ui.url);
    await watched.page.getByRole('button', { name: 'Open' }).click();
    await watched.page.getByRole('heading', { name: 'Runs' }).waitFor();
  });

  test('of ten thousand runs only those on the screen are drawn, and all can be found', async () => {
    await using watched = await openPage(browser, ui.url);
    const { page } = watched;
    const runs = Array.from({ length: MANY }, (_, at): RunRow => {
      const figures = { threads: 4, transactionsPerS: MANY - at, p95Ms: 1.5, errors: 0, target: 'mariadb 11.4.2' };
      const tags = at % 1_000 === 0 ? ['thousandth'] : [];
      const startedAt = new Date(Date.UTC(2026, 0, 1) - at * 60_000).toISOString();
      return {
        id: `run-${at}`,
        startedAt,
        workload: `w${at % 7}`,
        address: '',
        tags,
        ending: 'time',
        isValid: true,
        ...figures,
      };
    });
    await page.route('**/api/runs', (route) => route.fulfill({ json: { runs, skipped: [] } }));
    await page.goto(`${ui.base}/`);
    await page.getByText('10,000 runs').waitFor();
    const rows = page.locator('.window [role=row]');
    expect(await rows.count()).toBeLessThan(100);
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await page
      .getByRole('row', { name: 'Compare w3, run-9999' })
      .or(page.locator('[aria-rowindex="10001"]'))
      .first()
      .waitFor();
    expect(await rows.count()).toBeLessThan(100);
    await page.getByLabel('Search').fill('thousandth w0');
    await page.getByText('2 of 10,000 runs').waitFor();
    expect(await page.getByRole('link', { name: /^w/ }).allTextContents()).toEqual(['w0', 'w0']);
  });

  test('a run is started by keyboard, watched to its end, and a second is refused meanwhile', async () => {
    await using watched = await openPage(browser, ui.url, { viewport: { width: 1280, height: 800 } });
    const { page, complaints, requests } = watched;
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await tabTo(page, 'Start');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Start a run' }).waitFor();
    await tabTo(page, 'Its options');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Table size');
    await page.keyboard.type('500');
    await tabTo(page, 'Threads');
    await page.keyboard.type('2');
    await tabTo(page, 'Time');
    await page.keyboard.type('6');
    await tabTo(page, 'Tags');
    await page.keyboard.type('by-keyboard');
    await tabTo(page, 'Start');
    await page.keyboard.press('Enter');
    await page.getByRole('progressbar', { name: 'measuring' }).waitFor(PATIENCE);
    const headers = { host: new URL(ui.base).host, authorization: `Bearer ${ui.token}`, origin: ui.base };
    const second = await ask(ui.base, '/api/runs', { ...headers, 'content-type': 'application/json' }, RUN_FORM);
    expect(second).toMatchObject({ status: 409, text: expect.stringMatching(/is under way/) });
    await page.getByRole('img', { name: /^Transactions over/ }).waitFor(PATIENCE);
    await page.getByText('It is over.').waitFor(PATIENCE);
    await page.getByRole('link', { name: 'See the run' }).click();
    await page.getByText('The server counted what was sent').waitFor(PATIENCE);
    await page.getByRole('button', { name: 'Remove the tag by-keyboard' }).waitFor();
    expect(complaints).toEqual([]);
    expect(own(requests)).toEqual([]);
    const { runs } = await openStore(store).list({ tags: ['by-keyboard'] });
    expect(runs).toMatchObject([{ workload: 'oltp_read_write', threads: 2, ending: 'time' }]);
  });

  test('a run is stopped from the page, and what was measured is kept', async () => {
    await using watched = await openPage(browser, ui.url);
    const { page } = watched;
    await page.goto(`${ui.base}/start`);
    await page.getByLabel('Time', { exact: true }).fill('600');
    await page.getByLabel('Tags').fill('stopped');
    await page.getByText('Its options').click();
    await page.getByLabel('Table size').fill('500');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('img', { name: /^Transactions over/ }).waitFor(PATIENCE);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('It is over: Stopped from the page.').waitFor(PATIENCE);
    const { runs } = await openStore(store).list({ tags: ['stopped'] });
    expect(runs).toMatchObject([{ ending: 'interrupted' }]);
  });

  test('an experiment of a recipe shows its plan, its progress, and its result', async () => {
    await using watched = await openPage(browser, ui.url);
    const { page, complaints } = watched;
    await page.goto(`${ui.base}/start/experiment`);
    const tiny = 'pairs=2\nload=--threads=1 --time=1\nworkload=oltp_read_write --tables=1 --table-size=200';
    await page.getByLabel('Other values').fill(tiny);
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('region', { name: 'The plan' }).getByText('as-it-comes').first().waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText(/[0-3] of 4 runs/).waitFor(PATIENCE);
    await page.getByRole('region', { name: 'Runs so far' }).waitFor(PATIENCE);
    await page.getByText('4 of 4 runs').waitFor(PATIENCE);
    await page.getByRole('link', { name: 'See the experiment' }).click(PATIENCE);
    await page.getByRole('region', { name: 'Variants side by side' }).waitFor(PATIENCE);
    expect(complaints).toEqual([]);
  });

  test('the doctor examines, and a private server is stopped', async () => {
    await using watched = await openPage(browser, ui.url);
    const { page } = watched;
    await page.goto(`${ui.base}/doctor`);
    await page.getByRole('button', { name: 'Examine' }).click();
    await page
      .getByRole('region', { name: 'What was found' })
      .getByText(/\d+ fine/)
      .waitFor(PATIENCE);
    await page.goto(`${ui.base}/servers`);
    await page.getByText(/process \d+, ends with this program/).waitFor();
    await page.getByRole('button', { name: 'Stop default' }).click();
    await page.getByRole('button', { name: 'Start default' }).waitFor(PATIENCE);
  });

  test('what is under way and what was started end with the program', async () => {
    const otherStore = scratch();
    const other = await startUi(otherStore);
    const headers = { host: new URL(other.base).host, authorization: `Bearer ${other.token}`, origin: other.base };
    const form = { ...RUN_FORM, options: { time: '600', table_size: '500' }, prepares: true };
    await ask(other.base, '/api/runs', { ...headers, 'content-type': 'application/json' }, form);
    await using watched = await openPage(browser, other.url);
    await watched.page.goto(`${other.base}/live`);
    await watched.page.getByRole('img', { name: /^Transactions over/ }).waitFor(PATIENCE);
    const states = async () => (await listPrivateServers(otherStore)).map(({ file, state }) => [file.name, state]);
    expect(await states()).toEqual([['default', 'running']]);
    expect(await endUi(other)).toBe(0);
    expect(await states()).toEqual([['default', 'stopped']]);
    const { runs } = await openStore(otherStore).list();
    expect(runs).toMatchObject([{ workload: 'oltp_read_only', ending: 'interrupted' }]);
    await watched.page.getByText('The program does not answer just now').waitFor();
  });
});
