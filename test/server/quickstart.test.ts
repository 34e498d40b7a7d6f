/** `sqldyno quickstart`, as somebody runs it who has nothing but a server program. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExperiments } from '../../src/store/experiments.ts';
import { openStore } from '../../src/store/store.ts';
import { runCli, startCli } from '../support/cli.ts';

let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-quickstart-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function remaining(directory: string): string[] {
  const servers = join(directory, 'servers');
  return existsSync(servers) ? readdirSync(servers) : [];
}

test('ends with a verdict, keeps the runs, leaves no server, and what it proposes works when pasted', async () => {
  const own = join(scratch, 'store');
  const result = await runCli(['quickstart'], { store: own });
  expect(result, result.stderr).toMatchObject({ code: 0 });
  const { record, directory } = await openExperiments(own).load('latest');
  expect(record.ending).toEqual({ kind: 'done' });
  expect(record.result?.comparisons[0]).toMatchObject({
    variant: 'tuned',
    baseline: 'as-it-comes',
    pairs: { length: 6 },
  });
  const { runs } = await openStore(own).list({ tags: ['quickstart'] });
  expect(runs).toHaveLength(12);
  const run = await openStore(own).load(runs[0]!.id);
  expect(run).toMatchObject({ crossCheck: { is: 'done', ok: true } });
  expect(remaining(own)).toEqual([]);
  expect(existsSync(join(directory, 'data'))).toBe(false);

  const proposed = [...result.stdout.matchAll(/^ {2}(.*main\.js .*?) +# /gm)].map(([, command]) => command as string);
  expect(proposed).toHaveLength(4);
  for (const command of proposed) {
    const pasted = startCli([], { store: own, shell: command });
    pasted.child.stdin.end();
    const done = await pasted.ended;
    expect(done, `${command}: ${done.stderr}`).toMatchObject({ code: 0 });
  }
  expect(await runCli(['server', 'stop', '--rm'], { store: own })).toMatchObject({ code: 0 });
}, 600_000);

test.each([
  { when: 'while rows are loaded', pattern: /loading .* rows/ },
  { when: 'between runs', pattern: /1\/12 block 1/ },
])('Ctrl-C $when leaves no server behind', async ({ pattern }) => {
  const own = mkdtempSync(join(scratch, 'cut-'));
  const { child, ended, shows } = startCli(['quickstart'], { store: own });
  await shows(pattern);
  child.kill('SIGINT');
  const result = await ended;
  expect(result, JSON.stringify(result)).toMatchObject({ code: 130 });
  expect(result.stderr).not.toMatch(/\n\s+at /);
  expect(remaining(own)).toEqual([]);
});
