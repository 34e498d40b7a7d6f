/** `sqldyno board`: what is found in a folder, and what is written. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boardCommand } from '../src/cli/commands/board.ts';
import type { RunRecord } from '../src/model/run.ts';
import { openStore } from '../src/store/store.ts';
import { closedRun } from './fixtures/sample-runs.ts';
import { scratchDirectories } from './support/scratch.ts';

const scratch = scratchDirectories();
const RUN: RunRecord = { ...closedRun(), load: { ...closedRun().load, threads: 8 } };
const named = (id: string): RunRecord => ({ ...RUN, id });

function world() {
  const warned: string[] = [];
  let json = '';
  const terminal = {
    wantsJson: false,
    say: () => {},
    warn: (text: string) => warned.push(text),
    json: (text: string) => (json = text),
  };
  return { terminal, warned, result: () => JSON.parse(json) as { shown: number; refused: { from: string }[] } };
}

async function made(folder: string, site: string) {
  const { terminal, warned, result } = world();
  const code = await boardCommand(folder, { output: site, title: 'Runs' }, terminal);
  return { code, warned, ...result() };
}

function file(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

describe('a folder', () => {
  test('gives what it holds at any depth: stores, exported directories, lines and JSON', async () => {
    const [folder, site] = [scratch(), join(scratch(), 'site')];
    await openStore(join(folder, 'anna')).save(named('one'));
    file(join(folder, 'ben', 'two.json'), JSON.stringify(named('two'), null, 2));
    file(
      join(folder, 'ben', 'more', 'lines.ndjson'),
      `${JSON.stringify(named('three'))}\n${JSON.stringify(named('four'))}\n`,
    );
    file(join(folder, 'array.json'), JSON.stringify([named('five'), named('six')]));
    file(join(folder, 'package.json'), '{"name":"results"}');
    file(join(folder, '.git', 'hidden.json'), JSON.stringify(named('hidden')));
    file(join(folder, 'README.md'), '"format": "sqldyno.run/1"');
    const { code, shown, refused } = await made(folder, site);
    expect({ code, shown, refused }).toEqual({ code: 0, shown: 6, refused: [] });
    expect(existsSync(join(site, 'runs', 'three.html'))).toBe(true);
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('6 runs');
  });

  test('names what it refuses, by its place in the folder', async () => {
    const [folder, site] = [scratch(), join(scratch(), 'site')];
    file(join(folder, 'good.json'), JSON.stringify(named('good')));
    file(join(folder, 'a', 'cut.json'), JSON.stringify(named('cut')).slice(0, 500));
    file(join(folder, 'a', 'run', 'run.json'), '{"format": "sqldyno.run/1"}');
    file(join(folder, 'b.json'), JSON.stringify({ ...RUN, rates: { ...RUN.rates, transactionsPerS: 1e9 } }));
    const { code, shown, refused, warned } = await made(folder, site);
    expect({ code, shown }).toEqual({ code: 4, shown: 1 });
    expect(refused.map(({ from }) => from)).toEqual(['a/cut.json', 'a/run', 'b.json']);
    expect(JSON.stringify(refused)).not.toContain(folder);
    expect(warned[2]).toMatch(/^Not shown: b\.json: .* are .*\/s, not 1,000,000,000\/s\.$/);
  });

  test('leads nowhere else by a link', async () => {
    const [folder, elsewhere, site] = [scratch(), scratch(), join(scratch(), 'site')];
    file(join(elsewhere, 'secret.json'), JSON.stringify(named('secret')));
    symlinkSync(elsewhere, join(folder, 'link'));
    symlinkSync(join(elsewhere, 'secret.json'), join(folder, 'link.json'));
    expect((await made(folder, site)).shown).toBe(0);
  });

  test('that is not there is an error', async () => {
    await expect(made(join(scratch(), 'x'), join(scratch(), 'site'))).rejects.toThrow(/There is no directory/);
  });
});

describe('the site', () => {
  test('is made anew: what was taken out is gone, and what is not of it stays', async () => {
    const folder = scratch();
    const site = join(folder, 'site');
    file(join(folder, 'one.json'), JSON.stringify(named('one')));
    file(join(folder, 'two.json'), JSON.stringify(named('two')));
    await made(folder, site);
    file(join(site, 'CNAME'), 'results.example');
    writeFileSync(join(folder, 'two.json'), '{}');
    // It lies in the folder, and is not read itself.
    expect((await made(folder, site)).shown).toBe(1);
    expect([existsSync(join(site, 'runs', 'two.html')), existsSync(join(site, 'CNAME'))]).toEqual([false, true]);
  });

  test('goes over nothing but a board', async () => {
    const [folder, other] = [scratch(), scratch()];
    file(join(other, 'precious.txt'), 'x');
    await expect(made(folder, other)).rejects.toThrow(/is no board, and is not written over/);
    await expect(made(folder, folder)).rejects.toThrow(/is no board/);
    expect(existsSync(join(other, 'precious.txt'))).toBe(true);
  });
});
