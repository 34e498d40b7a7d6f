import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRuns, removeRuns, tagRuns } from '../src/cli/commands/runs.ts';
import { importCommand } from '../src/cli/commands/runs-import.ts';
import { exportCommand } from '../src/cli/commands/runs-transfer.ts';
import { runProgram } from '../src/cli/program.ts';
import type { RunChoice } from '../src/cli/run-choice.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import type { RunRecord } from '../src/model/run.ts';
import type { RunSummary } from '../src/store/run-summary.ts';
import { openStore } from '../src/store/store.ts';
import { closedRun } from './fixtures/sample-runs.ts';
import { scratchDirectories } from './support/scratch.ts';

const scratch = scratchDirectories();
const RUN = closedRun();
const PLACE = { id: '20261130-090000-pool-aaaa', name: 'pool', variant: 'large', block: 2, number: 4, attempt: 1 };

function numbered(number: number, changes: Partial<RunRecord> = {}): RunRecord {
  const minute = String(number).padStart(2, '0');
  return {
    ...RUN,
    id: `20261130-10${minute}00-oltp_read_write-k${minute}x`,
    startedAt: `2026-11-30T10:${minute}:00.000Z`,
    ...changes,
  };
}

const FEW = [
  numbered(1, { tags: ['before'], target: { ...RUN.target, flavor: 'mysql', version: '8.0.40' } }),
  numbered(2, { tags: ['before', 'nightly'], ending: { kind: 'failed', cause: 'x' } }),
  numbered(3, { tags: ['pool', 'large'], experiment: PLACE }),
  numbered(4, { tags: [], workload: { ...RUN.workload, name: 'tpcc' } }),
];
const [FIRST, SECOND, THIRD, FOURTH] = FEW.map(({ id }) => id) as [string, string, string, string];

interface World {
  readonly terminal: Terminal;
  readonly storeDirectory: string;
  readonly said: string[];
  readonly warned: string[];
  json(): unknown;
}

async function worldWith(runs: readonly RunRecord[], columns?: number): Promise<World> {
  const storeDirectory = scratch();
  for (const run of runs) await openStore(storeDirectory).save(run);
  const said: string[] = [];
  const warned: string[] = [];
  let json = '';
  const terminal = {
    wantsJson: false,
    columns: columns ?? 100,
    stream: { isTTY: columns !== undefined },
    say: (text: string) => said.push(...text.split('\n')),
    warn: (text: string) => warned.push(text),
    json: (text: string) => (json = text),
  };
  return { terminal: terminal as unknown as Terminal, storeDirectory, said, warned, json: () => JSON.parse(json) };
}

function idsIn({ said }: Pick<World, 'said'>): string[] {
  return said.flatMap((line) => /^(20261130-\S+)/.exec(line)?.[1] ?? []);
}

describe('a list', () => {
  test.each<{ choice: RunChoice; ids: string[]; because: string }>([
    { choice: {}, ids: [FIRST, SECOND, THIRD, FOURTH], because: 'nothing is asked for' },
    { choice: { tag: ['before'] }, ids: [FIRST, SECOND], because: 'they have the tag' },
    { choice: { tag: ['before', 'nightly'] }, ids: [SECOND], because: 'it has both' },
    { choice: { workload: 'tpcc' }, ids: [FOURTH], because: 'it is of the workload' },
    { choice: { experiment: 'pool' }, ids: [THIRD], because: 'it is of the experiment of that name' },
    { choice: { experiment: 'aaaa' }, ids: [THIRD], because: 'the last letters of an id will do' },
    { choice: { experiment: 'pool', variant: 'small' }, ids: [], because: 'it is another variant' },
    { choice: { since: '2026-11-30T10:03' }, ids: [THIRD, FOURTH], because: 'they began then or later' },
    { choice: { until: '2026-11-30T10:02' }, ids: [FIRST], because: 'it began before' },
    { choice: { target: 'mysql 8' }, ids: [FIRST], because: 'it is of that server' },
    { choice: { last: '2' }, ids: [THIRD, FOURTH], because: 'they are the newest' },
    { choice: { tag: ['before'], last: '1' }, ids: [SECOND], because: 'it is the newest of those chosen' },
  ])('$choice: $because', async ({ choice, ids }) => {
    const world = await worldWith(FEW);
    expect(await listRuns(choice, world)).toBe(0);
    expect(idsIn(world)).toEqual(ids);
    expect((world.json() as RunSummary[]).map(({ id }) => id)).toEqual(ids);
  });

  test('says what is unusual of a run', async () => {
    const world = await worldWith(FEW);
    await listRuns({}, world);
    const [, , second, third] = world.said;
    expect(second).toMatch(/failed, before, nightly$/);
    // The tags that an experiment gives its runs say nothing new.
    expect(third).toMatch(/ {2}pool\/large 2$/);
  });

  test('says which of nothing and nothing so it is', async () => {
    const none = await worldWith([]);
    await listRuns({}, none);
    expect(none.said.join()).toMatch(/No runs in .* quickstart/);
    const other = await worldWith(FEW);
    await listRuns({ tag: ['after'] }, other);
    expect(other.said.join()).toMatch(/None of the 4 runs/);
  });

  test('names what it passes over', async () => {
    const world = await worldWith(FEW);
    mkdirSync(join(world.storeDirectory, 'runs', 'foreign'));
    await listRuns({ workload: 'tpcc' }, world);
    expect(world.warned).toEqual([expect.stringMatching(/foreign is passed over: it has no run.json/)]);
  });
});

describe('on a terminal', () => {
  const MANY = Array.from({ length: 57 }, (_, at) => numbered(at));

  test('the newest 50 stand above the prompt, and how many are left out above them', async () => {
    const world = await worldWith(MANY, 80);
    await listRuns({}, world);
    expect(world.said[0]).toMatch(/^7 older runs are not shown: --last=57 shows them all/);
    expect(idsIn(world)).toEqual(MANY.slice(7).map(({ id }) => id));
    const asked = await worldWith(MANY, 80);
    await listRuns({ last: '57' }, asked);
    expect(idsIn(asked)).toHaveLength(57);
  });

  test('a pipe gets them all', async () => {
    const world = await worldWith(MANY);
    await listRuns({}, world);
    expect(idsIn(world)).toHaveLength(57);
  });

  test.each([60, 80, 120])('every line fits %i columns, and only a wide one has the server', async (columns) => {
    const world = await worldWith(
      [...FEW, numbered(5, { tags: ['a-tag-that-goes-on', 'and-another-one', 'x'.repeat(60)] })],
      columns,
    );
    await listRuns({}, world);
    const rows = world.said.filter((line) => /^(run|20261130)/.test(line));
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
    expect(rows[0]?.includes('target')).toBe(columns === 120);
  });
});

describe('tags', () => {
  test('are added and taken away', async () => {
    const world = await worldWith(FEW);
    await tagRuns(['k01x', '+good', THIRD, '+v2'], { ...world, remove: ['before'] });
    expect((await openStore(world.storeDirectory).load(FIRST)).tags).toEqual(['good', 'v2']);
    expect((await openStore(world.storeDirectory).load(THIRD)).tags).toEqual(['pool', 'large', 'good', 'v2']);
  });

  test.each([
    { words: ['latest'], remove: [], is: /No tag is named/ },
    { words: ['+good'], remove: [], is: /No run is named/ },
    { words: ['latest', '+a,b'], remove: [], is: /is no tag/ },
    { words: ['latest', '+'], remove: [], is: /is no tag/ },
    { words: ['k01x', 'k99x', '+good'], remove: [], is: /no run 'k99x'/ },
  ])('$words is refused, and nothing changed', async ({ words, remove, is }) => {
    const world = await worldWith(FEW);
    await expect(tagRuns(words, { ...world, remove })).rejects.toThrow(is);
    expect((await openStore(world.storeDirectory).load(FIRST)).tags).toEqual(['before']);
  });
});

describe('removing', () => {
  test('minds what the result of an experiment rests on', async () => {
    const world = await worldWith(FEW);
    mkdirSync(join(world.storeDirectory, 'experiments', PLACE.id), { recursive: true });
    await expect(removeRuns(['k01x', 'k03x'], { ...world, anyway: false })).rejects.toMatchObject({
      message: expect.stringMatching(/belongs to the experiment .*Nothing was removed/),
      hint: expect.stringContaining('--anyway'),
    });
    expect(readdirSync(join(world.storeDirectory, 'runs'))).toHaveLength(4);
    await removeRuns(['k01x', 'k03x'], { ...world, anyway: true });
    expect(readdirSync(join(world.storeDirectory, 'runs')).sort()).toEqual([SECOND, FOURTH]);
  });

  test('needs no consent where the experiment is gone', async () => {
    const world = await worldWith(FEW);
    expect(await removeRuns(['k03x'], { ...world, anyway: false })).toBe(0);
    expect(world.json()).toEqual({ removed: [THIRD] });
  });
});

describe('export and import', () => {
  test('of those that are chosen, to another store', async () => {
    const world = await worldWith(FEW);
    const to = join(scratch(), 'two.ndjson');
    await exportCommand([], { tag: ['before'], to }, world);
    const other = await worldWith([]);
    expect(await importCommand([to], {}, other)).toBe(0);
    expect(other.json()).toEqual({ kept: [FIRST, SECOND], there: [], refused: [] });
    expect(await importCommand([to], {}, other)).toBe(0);
    expect(other.said.at(-1)).toBe('2 runs there already.');
  });

  test('ends with 4 where something is refused', async () => {
    const world = await worldWith([]);
    const file = join(scratch(), 'broken.ndjson');
    writeFileSync(file, `${JSON.stringify(FEW[0])}\n{}\n`);
    expect(await importCommand([file], {}, world)).toBe(4);
    expect(world.warned).toEqual([expect.stringMatching(/^Refused: .*broken\.ndjson, line 2: /)]);
    expect(existsSync(join(world.storeDirectory, 'runs', FIRST))).toBe(true);
  });

  test.each([
    { references: [], choice: {}, is: /No run is named or chosen/ },
    { references: ['k01x'], choice: { tag: ['before'] }, is: /named and chosen at once/ },
    { references: [], choice: { tag: ['after'] }, is: /No run is so/ },
  ])('$is', async ({ references, choice, is }) => {
    const to = join(scratch(), 'x.ndjson');
    await expect(exportCommand(references, { ...choice, to }, await worldWith(FEW))).rejects.toThrow(is);
  });
});

describe('the command line', () => {
  const line = { workloadNames: [], loadWorkload: () => Promise.reject(new Error('none')), readText: () => '' };

  async function typed(world: World, ...args: readonly string[]): Promise<number> {
    const session = { terminal: world.terminal, interrupts: undefined as never, command: [] };
    return runProgram([`--store=${world.storeDirectory}`, ...args], session, line);
  }

  test('says to each command what was written', async () => {
    const world = await worldWith(FEW);
    await typed(world, 'runs', 'tag', 'k01x', '+good', '+v2', '--remove=before', '--remove=x');
    expect((await openStore(world.storeDirectory).load(FIRST)).tags).toEqual(['good', 'v2']);
    await typed(world, 'runs', 'list', '--tag=before', '--tag', 'nightly', '--since=2026-11-30');
    expect((world.json() as RunSummary[]).map(({ id }) => id)).toEqual([SECOND]);
    const to = join(scratch(), 'taken');
    expect(await typed(world, 'runs', 'export', '--valid', '--last=2', '--to', to)).toBe(0);
    expect(readdirSync(to).sort()).toEqual([THIRD, FOURTH]);
    expect(await typed(world, 'runs', 'import', to)).toBe(0);
    expect(await typed(world, 'history', 'pool/large', '--metric=p95', '--by=run', '--margin=3%')).toBe(0);
    expect(world.json()).toMatchObject([{ name: 'pool/large', metric: 'p95(transaction)', by: 'run' }]);
    expect(await typed(world, 'runs', 'rm', 'k03x', 'k04x', '--anyway')).toBe(0);
    expect(readdirSync(join(world.storeDirectory, 'runs')).sort()).toEqual([FIRST, SECOND]);
  });
});
