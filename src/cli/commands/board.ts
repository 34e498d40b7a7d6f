/** `sqldyno board DIR`: a folder of runs as a static site, which can be hosted anywhere. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ExitCode, UserError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { formatCount } from '../../base/units.ts';
import { BOARD_FILE, Board, type BoardFile } from '../../board/board.ts';
import { runsIn } from '../board-folder.ts';
import { jsonText, type Terminal } from '../terminal.ts';

export interface BoardOptions {
  readonly output: string;
  readonly title: string;
}

/** Of a board that was there before: all that it has made, so that what was taken out is gone. */
const MADE = ['runs', 'by', 'index.html', BOARD_FILE];
/** More refusals are on the page. */
const REFUSALS_TOLD = 10;

export async function boardCommand(
  source: string,
  { output, title }: BoardOptions,
  terminal: Pick<Terminal, 'say' | 'warn' | 'json' | 'wantsJson'>,
): Promise<ExitCode> {
  const folder = resolve(source);
  const site = resolve(output);
  ensureFolder(folder, source);
  ensureOwn(site, folder);
  const board = new Board({ title });
  await Promise.all(MADE.map((name) => rm(join(site, name), { recursive: true, force: true })));
  for await (const found of runsIn(folder, site)) {
    if ('because' in found) board.refuse(found.from, found.because);
    else await write(site, await board.take(found));
  }
  await write(site, board.finish());
  const { shown, refused } = board;
  terminal.json(jsonText({ site, shown, refused }));
  terminal.say(`${formatCount(shown)} ${shown === 1 ? 'run' : 'runs'} in ${site}`);
  for (const { from, because } of refused.slice(0, REFUSALS_TOLD)) terminal.warn(`Not shown: ${from}: ${because}`);
  if (refused.length > REFUSALS_TOLD) terminal.warn(`${refused.length - REFUSALS_TOLD} more are named on the page.`);
  terminal.say(`Open ${join(site, 'index.html')}, or put the folder on any web server.`);
  return refused.length === 0 ? ExitCode.done : ExitCode.checkFailed;
}

function ensureFolder(folder: string, source: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new UserError(`There is no directory ${source}.`, {
    hint: 'Name one with runs in it: of sqldyno runs export, a store, or a git repository of such.',
  });
}

/** What is there is removed, so it must be known to be a board. */
function ensureOwn(site: string, folder: string): void {
  const stats = statSync(site, { throwIfNoEntry: false });
  const isFree = stats === undefined || (stats.isDirectory() && readdirSync(site).length === 0);
  if (site !== folder && (isFree || existsSync(join(site, BOARD_FILE)))) return;
  throw new UserError(`${site} is no board, and is not written over.`, {
    hint: 'Name an empty or a new folder, as in: --output=site',
  });
}

async function write(site: string, files: readonly BoardFile[]): Promise<void> {
  for (const { path, text } of files) {
    const file = join(site, path);
    makeFolder(dirname(file));
    await writeFile(file, text);
  }
}
