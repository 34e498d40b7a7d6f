/**
 * Shows an address in the browser that the desktop prefers; where there is none, nothing happens. The address may hold
 * a secret, and every user can see what programs are started with: the browser is given a file that leads to it.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', linux: 'xdg-open' };

/** Disposed of, the file is gone. Undefined where there is no desktop. */
export function openInBrowser(url: string): Disposable | undefined {
  const opener = OPENERS[process.platform];
  const hasDesktop = process.platform !== 'linux' || 'DISPLAY' in process.env || 'WAYLAND_DISPLAY' in process.env;
  if (opener === undefined || !hasDesktop) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sqldyno-page-'));
  const file = join(folder, 'open.html');
  writeFileSync(file, leadingTo(url), { mode: 0o600 });
  const child = spawn(opener, [file], { stdio: 'ignore', detached: true });
  // The address stands on the terminal all the same.
  child.on('error', () => {});
  child.unref();
  return { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function leadingTo(url: string): string {
  return `<!doctype html><meta charset="utf-8"><title>sqldyno</title><meta http-equiv="refresh" content="0;url=${url}">\n`;
}
