import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, cp, readdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import { scratchDirectories } from '../../test/support/scratch.ts';
import type { RunRecord } from '../model/run.ts';
import { type Indexed, indexedRuns } from './run-index.ts';
import { openStore } from './store.ts';

const scratch = scratchDirectories();
const RUN = closedRun();
const IDS = ['20261130-100000-a-2222', '20261130-110000-b-3333', '20261130-120000-c-4444'];
/** Files that were just written count as settled. */
const LATER = () => Date.now() + 60_000;

interface Bench {
  readonly path: string;
  readonly runs: string;
  list(): Promise<Indexed>;
  save(id: string, changes?: Partial<RunRecord>): Promise<string>;
}

async function filled(): Promise<Bench> {
  const store = scratch();
  const [path, runs] = [join(store, 'runs-index.ndjson'), join(store, 'runs')];
  const bench = {
    path,
    runs,
    list: async () => indexedRuns({ path, runs, names: (await readdir(runs)).sort(), now: LATER }),
    save: (id: string, changes: Partial<RunRecord> = {}) => openStore(store).save({ ...RUN, id, ...changes }),
  };
  for (const id of IDS) await bench.save(id);
  return bench;
}

async function threadsOf({ list }: Bench): Promise<Record<string, number>> {
  const { runs } = await list();
  return Object.fromEntries(runs.map(({ id, threads }) => [id, threads]).sort());
}

function byId({ runs }: Indexed): Indexed['runs'] {
  return runs.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** So that it can be told whether the index or the run was read. */
function falsify({ path }: Bench, threads: number): void {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"threads":4', `"threads":${threads}`));
}

const TRUE = Object.fromEntries(IDS.map((id) => [id, 4]));
const FALSIFIED = Object.fromEntries(IDS.map((id) => [id, 99]));

describe('an index', () => {
  test('spares the reading of what has not changed', async () => {
    const bench = await filled();
    const [read, known] = [await bench.list(), await bench.list()];
    expect(byId(known)).toEqual(byId(read));
    falsify(bench, 99);
    expect(await threadsOf(bench)).toEqual(FALSIFIED);
  });

  test('does not trust what was written a moment ago', async () => {
    const bench = await filled();
    await indexedRuns({ path: bench.path, runs: bench.runs, names: IDS, now: Date.now });
    expect(await readdir(join(bench.runs, '..'))).toEqual(['runs']);
  });

  test('keeps what has settled by the time it is read, and says before how much that is', async () => {
    const { path, runs } = await filled();
    let asked = 0;
    const told: number[] = [];
    // A moment ago when the reading began, and long ago at its end.
    const now = () => (asked++ < IDS.length ? Date.now() : LATER());
    await indexedRuns({ path, runs, names: IDS, now, onUnread: (count) => told.push(count) });
    await indexedRuns({ path, runs, names: IDS, now: LATER, onUnread: (count) => told.push(count) });
    expect(told).toEqual([IDS.length]);
  });

  test('leaves nothing beside itself', async () => {
    const bench = await filled();
    await bench.list();
    expect((await readdir(join(bench.runs, '..'))).sort()).toEqual(['runs', 'runs-index.ndjson']);
  });
});

describe('it is never out of date', () => {
  const [first = '', second = ''] = IDS;
  const record = (bench: Bench, id: string) => join(bench.runs, id, 'run.json');

  test.each<{ what: string; change: (bench: Bench) => Promise<unknown>; is: Record<string, number> }>([
    {
      what: 'a run is added',
      change: (bench) => bench.save('20261130-130000-d-5555'),
      is: { ...FALSIFIED, '20261130-130000-d-5555': 4 },
    },
    {
      what: 'one is removed',
      change: async (bench) => rmSync(join(bench.runs, first), { recursive: true }),
      is: Object.fromEntries(IDS.slice(1).map((id) => [id, 99])),
    },
    {
      what: 'one is edited where it lies, to the same length',
      change: async (bench) => {
        const text = readFileSync(record(bench, first), 'utf8');
        writeFileSync(record(bench, first), text.replace('"threads": 4', '"threads": 5'));
      },
      is: { ...FALSIFIED, [first]: 5 },
    },
    {
      what: 'one is replaced by another with the time of the old',
      change: async (bench) => {
        const text = readFileSync(record(bench, first), 'utf8');
        writeFileSync(record(bench, first), text.replace('"threads": 4', '"threads": 5'));
        await utimes(record(bench, first), 0, 0);
      },
      is: { ...FALSIFIED, [first]: 5 },
    },
    {
      what: 'two have changed places',
      change: async (bench) => {
        await rename(join(bench.runs, first), join(bench.runs, 'third'));
        await rename(join(bench.runs, second), join(bench.runs, first));
        await rename(join(bench.runs, 'third'), join(bench.runs, second));
      },
      is: { ...FALSIFIED, [first]: 4, [second]: 4 },
    },
    {
      what: 'one is broken',
      change: async (bench) => writeFileSync(record(bench, first), '{'),
      is: Object.fromEntries(IDS.slice(1).map((id) => [id, 99])),
    },
  ])('when $what', async ({ change, is }) => {
    const bench = await filled();
    await bench.list();
    falsify(bench, 99);
    await change(bench);
    expect(await threadsOf(bench)).toEqual(is);
    expect(await threadsOf(bench)).toEqual(is);
  });
});

describe('it is made anew', () => {
  test.each<{ what: string; spoil: (path: string) => void }>([
    { what: 'missing', spoil: (path) => rmSync(path) },
    { what: 'empty', spoil: (path) => writeFileSync(path, '') },
    { what: 'of another version', spoil: (path) => edit(path, (text) => text.replace('runs-index/2', 'runs-index/9')) },
    { what: 'zeros', spoil: (path) => edit(path, (text) => '\0'.repeat(text.length)) },
    { what: 'a directory', spoil: (path) => [rmSync(path), mkdirSync(path)] },
  ])('where it is $what', async ({ spoil }) => {
    const bench = await filled();
    await bench.list();
    falsify(bench, 99);
    spoil(bench.path);
    expect(await threadsOf(bench)).toEqual(TRUE);
  });

  test.each<{ what: string; spoil: (path: string) => void }>([
    { what: 'cut', spoil: (path) => edit(path, (text) => text.slice(0, -50)) },
    { what: 'not ended', spoil: (path) => appendFileSync(path, '{"stamp": "1", "ru') },
    { what: 'no object', spoil: (path) => edit(path, (text) => text.replace(/\n.*\n$/, '\nnull\n')) },
  ])('line by line where one is $what', async ({ spoil }) => {
    const bench = await filled();
    await bench.list();
    spoil(bench.path);
    expect(await threadsOf(bench)).toEqual(TRUE);
  });
});

test('lists that write at once leave an index that is whole', async () => {
  const bench = await filled();
  const expected = await bench.list();
  rmSync(bench.path);
  const lists = Array.from({ length: 8 }, async (_, at) => {
    if (at % 2 === 0) await bench.save(`20261201-00000${at}-new-aaaa`);
    return bench.list();
  });
  await Promise.all(lists);
  const { runs } = await bench.list();
  expect(runs).toHaveLength(expected.runs.length + 4);
  expect((await readdir(join(bench.runs, '..'))).sort()).toEqual(['runs', 'runs-index.ndjson']);
  falsify(bench, 99);
  expect(new Set(Object.values(await threadsOf(bench)))).toEqual(new Set([99]));
});

test('a store that was copied lists what was copied, by its new place', async () => {
  const bench = await filled();
  await bench.list();
  const elsewhere = join(scratch(), 'copied');
  await cp(join(bench.runs, '..'), elsewhere, { recursive: true, preserveTimestamps: true });
  const { runs } = await openStore(elsewhere).list();
  expect(runs.map(({ directory }) => directory)).toEqual(IDS.map((id) => join(elsewhere, 'runs', id)));
});

test('a store that cannot be written is listed all the same', async () => {
  const bench = await filled();
  const store = join(bench.runs, '..');
  // Root may write everywhere, so a directory stands where the index would be, too.
  mkdirSync(bench.path);
  await chmod(store, 0o500);
  try {
    expect(await threadsOf(bench)).toEqual(TRUE);
  } finally {
    await chmod(store, 0o700);
  }
});

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
