/** Chromium for tests of pages: the distribution's, driven from here. Where it is missing, its tests say so. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined: tests are to be skipped, with a title that names it. */
export const CHROMIUM: string | undefined = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable);

/** What is not of the page itself, and what a container does not have. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM ?? 'chromium', args: ARGUMENTS });
}

/** A page, what it complained of, and what it asked for beside itself. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) requests.push(request.url());
  });
  await page.goto(url);
  return { page, complaints, requests, [Symbol.asyncDispose]: () => context.close() };
}

/**
 * Texts that lie over one another, or beyond the edges of the page. Each counts by the boxes of its lines, as it is
 * drawn.
 */
export async function misplacedTexts(page: Page): Promise<string[]> {
  return (await page.evaluate(FIND_MISPLACED)) as string[];
}

/** For the browser, where this project's types do not reach. */
const FIND_MISPLACED = `(() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) found.push('the page is wider than the window');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const boxes = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const parent = node.parentElement;
    const isApart = parent.closest('script, style, title, thead') !== null;
    if (text === '' || isApart || !parent.checkVisibility({ contentVisibilityAuto: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right - left < 1) continue;
      if (left < -0.5 || right > width + 0.5) found.push('cut: ' + text.slice(0, 60));
      boxes.push({ text, node, left, right, top, bottom });
    }
  }
  boxes.sort((a, b) => a.top - b.top);
  // The lines of a text may touch by their leading: what counts is the middle of each.
  const middle = ({ top, bottom }) => (bottom - top) * 0.3;
  boxes.forEach((one, at) => {
    for (let next = at + 1; next < boxes.length && boxes[next].top < one.bottom; next++) {
      const other = boxes[next];
      const isOver =
        other.node !== one.node &&
        other.top + middle(other) < one.bottom - middle(one) &&
        one.top + middle(one) < other.bottom - middle(other) &&
        other.left < one.right - 1 &&
        one.left < other.right - 1;
      if (isOver) found.push('over each other: ' + one.text.slice(0, 40) + ' | ' + other.text.slice(0, 40));
    }
  });
  return found;
})()`;
