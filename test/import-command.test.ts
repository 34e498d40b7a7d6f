/** `sqldyno runs import` of what other tools printed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listRuns } from '../src/cli/commands/runs.ts';
import { importCommand } from '../src/cli/commands/runs-import.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import { openStore } from '../src/store/store.ts';
import { foreignOutput } from './support/foreign-output.ts';
import { scratchDirectories } from './support/scratch.ts';

const scratch = scratchDirectories();
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/foreign-output/${name}`, import.meta.url));

function emptyWorld() {
  const said: string[] = [];
  const warned: string[] = [];
  let json = '';
  const terminal = {
    wantsJson: false,
    columns: 120,
    stream: { isTTY: false },
    say: (text: string) => said.push(...text.split('\n')),
    warn: (text: string) => warned.push(text),
    json: (text: string) => (json = text),
  };
  const storeDirectory = scratch();
  const result = () => JSON.parse(json) as { kept: string[]; there: string[]; refused: { because: string }[] };
  const store = openStore(storeDirectory);
  return { terminal: terminal as unknown as Terminal, storeDirectory, store, said, warned, result };
}

function written(name: string, text: string): string {
  const path = join(scratch(), name);
  writeFileSync(path, text);
  return path;
}

describe('an output', () => {
  test('is kept, with what it says and the words to find it by', async () => {
    const world = emptyWorld();
    expect(await importCommand([fixture('sysbench-1.0-histogram.txt')], { tag: ['old'] }, world)).toBe(0);
    const [id = ''] = world.result().kept;
    const run = await world.store.load(id);
    expect(run).toMatchObject({ tags: ['old'], rates: { transactionsPerS: 1330.58 }, imported: { tool: 'sysbench' } });
    expect(run.imported?.source).toBe('sysbench-1.0-histogram.txt');
    expect(world.said.join('\n')).toMatch(/sysbench 1\.0\.20, .*lines 1 to 167: 1,331\/s transactions/);
  });

  test('is kept once, wherever it is found again', async () => {
    const world = emptyWorld();
    const text = foreignOutput('sysbench-1.0-histogram.txt');
    await importCommand([fixture('sysbench-1.0-histogram.txt')], {}, world);
    const first = world.result().kept;
    await importCommand([fixture('sysbench-1.0-histogram.txt'), written('copy.txt', `Result:\r\n${text}`)], {}, world);
    expect(world.result()).toMatchObject({ kept: [], there: [...first, ...first] });
    expect(world.said).toContain('2 runs there already.');
    expect((await world.store.list()).runs).toHaveLength(1);
  });

  test('with several results gives several runs, in their order, two that are alike too', async () => {
    const world = emptyWorld();
    const slap = foreignOutput('mysqlslap.csv');
    await importCommand([written('slap.csv', slap.slice(0, slap.indexOf('\n') + 1).repeat(3))], {}, world);
    expect(world.result().kept).toHaveLength(3);
    expect((await world.store.list()).runs.map(({ id }) => id)).toEqual(world.result().kept);
  });

  test('that was cut gives what it holds, and says so', async () => {
    const world = emptyWorld();
    const text = foreignOutput('sysbench-1.0-histogram.txt');
    expect(await importCommand([written('cut.txt', text.slice(0, text.indexOf('[ 3s ]')))], {}, world)).toBe(0);
    expect(world.said.join('\n')).toMatch(/not whole, missing: the whole report/);
    const { runs } = await world.store.list();
    expect(runs[0]).toMatchObject({ ending: 'interrupted', threads: 4 });
    expect(runs[0]).not.toHaveProperty('transactionsPerS');
    expect((await world.store.load('latest')).intervals).toHaveLength(2);
  });

  test.each([
    { text: 'Dear diary, today I measured nothing.', is: /holds no result that is known/ },
    { text: '', is: /holds no result that is known/ },
    { text: 'a\u0000b', is: /zero bytes/ },
  ])('without a result is refused', async ({ text, is }) => {
    await expect(importCommand([written('x.txt', text)], {}, emptyWorld())).rejects.toThrow(is);
  });

  test('keeps no other from being read', async () => {
    const world = emptyWorld();
    const paths = [written('x.txt', 'nothing'), fixture('hammerdb.txt'), join(scratch(), 'missing.txt')];
    expect(await importCommand(paths, {}, world)).toBe(4);
    expect(world.result().kept).toHaveLength(1);
    expect(world.result().refused.map(({ because }) => because)).toEqual([
      expect.stringMatching(/no result/),
      expect.stringMatching(/There is no/),
    ]);
  });

  test('of BenchBase is JSON, and none of our records', async () => {
    const world = emptyWorld();
    await importCommand([fixture('benchbase.json')], {}, world);
    expect(world.result().kept).toHaveLength(1);
  });
});

describe('what is told beside it', () => {
  test('logs of the host, and when it began', async () => {
    const world = emptyWorld();
    const options = {
      beside: [fixture('iostat.txt'), fixture('vmstat.txt')],
      started: '2026-11-30T18:00',
      dataDisk: 'vda',
    };
    await importCommand([fixture('sysbench-1.0-histogram.txt')], options, world);
    const run = await world.store.load('latest');
    expect(run.startedAt).toBe('2026-11-30T18:00:00.000Z');
    expect(run.imported?.unknown).not.toContain('startedAt');
    expect(Object.keys(run.series ?? {}).sort()).toEqual(['cpu', 'disk', 'memory_swap', 'progress']);
    expect(run.series?.['disk']?.measured).toHaveProperty(['data_disk.writes_per_s'], 0);
  });

  test('is of one result', async () => {
    const options = { beside: [fixture('iostat.txt')] };
    await expect(importCommand([fixture('mysqlslap.txt')], options, emptyWorld())).rejects.toThrow(/holds 2/);
    const started = { started: '2026-11-30' };
    await expect(importCommand([fixture('mysqlslap.txt')], started, emptyWorld())).rejects.toThrow(
      /--started is of one/,
    );
  });

  test('is a log', async () => {
    const options = { beside: [fixture('mysqlslap.txt')] };
    const world = emptyWorld();
    await expect(importCommand([fixture('hammerdb.txt')], options, world)).rejects.toThrow(
      /no log of iostat or vmstat/,
    );
    expect((await world.store.list()).runs).toEqual([]);
  });
});

test('a list shows what is not known as unknown, and who measured', async () => {
  const world = emptyWorld();
  await importCommand([fixture('hammerdb.txt')], {}, world);
  world.said.length = 0;
  await listRuns({}, world);
  expect(world.said[1]).toMatch(/HammerDB-\w{4} +16 +unknown +unknown +unknown +imported: HammerDB$/);
});
