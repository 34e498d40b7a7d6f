import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedRun, emptyRun, failedRun, openRun, terminalsRun } from '../../test/fixtures/sample-runs.ts';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { exportRuns } from './export-runs.ts';
import { importRuns } from './import-runs.ts';
import { openStore, type Store } from './store.ts';

const scratch = scratchDirectories();
const RUNS = [closedRun(), openRun(), terminalsRun(), failedRun(), emptyRun()].map((run, at) => ({
  ...run,
  id: `20261130-10000${at}-run-${'abcde'[at]}222`,
}));
const IDS = RUNS.map(({ id }) => id);

async function filled(): Promise<{ store: Store; directories: string[] }> {
  const store = openStore(scratch());
  const directories: string[] = [];
  for (const run of RUNS) directories.push(await store.save(run));
  return { store, directories };
}

describe('runs of every kind come back as they were', () => {
  test.each([{ name: 'taken' }, { name: 'taken.ndjson' }])('by way of $name', async ({ name }) => {
    const { store, directories } = await filled();
    const to = join(scratch(), name);
    expect(await exportRuns(directories, to)).toEqual({ written: IDS, there: [] });
    const other = openStore(scratch());
    expect(await importRuns(to, other)).toEqual({ kept: IDS, there: [], refused: [] });
    for (const id of IDS) expect(await other.load(id)).toEqual(await store.load(id));
  });

  test('from another store, one run alone, and what --json has written', async () => {
    const { store, directories } = await filled();
    expect((await importRuns(store.directory, openStore(scratch()))).kept).toEqual(IDS);
    expect((await importRuns(directories[1]!, openStore(scratch()))).kept).toEqual([IDS[1]]);
    const file = join(scratch(), 'result.json');
    writeFileSync(file, JSON.stringify(RUNS, null, 2));
    expect((await importRuns(file, openStore(scratch()))).kept).toEqual(IDS);
    writeFileSync(file, JSON.stringify(RUNS[0]));
    expect((await importRuns(file, openStore(scratch()))).kept).toEqual([IDS[0]]);
  });
});

describe('nothing is written over', () => {
  test('by exporting', async () => {
    const { directories } = await filled();
    const to = scratch();
    mkdirSync(join(to, IDS[0]!));
    expect(await exportRuns(directories, to)).toEqual({ written: IDS.slice(1), there: [IDS[0]] });
    expect(readdirSync(join(to, IDS[0]!))).toEqual([]);
    const file = join(to, 'all.ndjson');
    writeFileSync(file, 'mine');
    await expect(exportRuns(directories, file)).rejects.toThrow(/not written over/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('by importing: the same run is there, another of its id is refused', async () => {
    const { store, directories } = await filled();
    await store.tag(IDS[0]!, { add: ['mine'], remove: [] });
    const file = join(scratch(), 'all.ndjson');
    await exportRuns(directories, file);
    expect(await importRuns(file, store)).toEqual({ kept: [], there: IDS, refused: [] });
    writeFileSync(file, JSON.stringify({ ...RUNS[0], seed: 1 }));
    const { refused } = await importRuns(file, store);
    expect(refused[0]?.because).toMatch(/another run with the id/);
    expect(await store.load(IDS[0]!)).toEqual({ ...RUNS[0], tags: [...RUNS[0]!.tags, 'mine'] });
  });
});

describe('what is broken is refused with a sentence, and the rest is kept', () => {
  test.each([
    { line: '{"format": "sqldyno.run/1"', because: /no JSON/ },
    { line: '{}', because: /format: / },
    { line: JSON.stringify({ ...RUNS[1], seed: 'x' }), because: /^seed: / },
    { line: JSON.stringify({ ...RUNS[1], surplus: 1 }), because: /surplus/ },
    { line: JSON.stringify({ ...RUNS[1], id: '../../elsewhere' }), because: /no name for a directory/ },
    { line: JSON.stringify({ ...RUNS[1], id: '.hidden' }), because: /no name for a directory/ },
  ])('$because', async ({ line, because }) => {
    const store = openStore(scratch());
    const file = join(scratch(), 'some.ndjson');
    writeFileSync(file, `${JSON.stringify(RUNS[0])}\n${line}\n\n${JSON.stringify(RUNS[2])}\n`);
    const { kept, refused } = await importRuns(file, store);
    expect(kept).toEqual([IDS[0], IDS[2]]);
    expect(refused).toEqual([{ from: `${file}, line 2`, because: expect.stringMatching(because) }]);
    expect(readdirSync(join(store.directory, 'runs')).sort()).toEqual([IDS[0], IDS[2]]);
  });

  test('a directory whose record was cut off', async () => {
    const { directories } = await filled();
    truncateSync(join(directories[2]!, 'run.json'), 50);
    const { kept, refused } = await importRuns(join(directories[2]!, '..'), openStore(scratch()));
    expect(kept).toHaveLength(4);
    expect(refused).toEqual([{ from: directories[2], because: expect.stringMatching(/cannot be read/) }]);
  });

  test.each([
    { make: () => join(scratch(), 'nothing'), is: /There is no / },
    { make: () => scratch(), is: /There is no run in/ },
  ])('$is', async ({ make, is }) => {
    await expect(importRuns(make(), openStore(scratch()))).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(is),
    });
  });
});
