import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HistoryOptions, historyCommand } from '../src/cli/commands/history.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import type { HistorySeries } from '../src/model/history.ts';
import type { RunRecord } from '../src/model/run.ts';
import { openNoiseFloors } from '../src/store/noise-floors.ts';
import { openStore } from '../src/store/store.ts';
import { closedRun } from './fixtures/sample-runs.ts';
import { scratchDirectories } from './support/scratch.ts';

const scratch = scratchDirectories();
const RUN = closedRun();
const DAY_MS = 86_400_000;
/** A few tenths of a per cent, the same each time. */
const NOISE = [0, 3, -2, 1, -3, 2, 0, -1, 2, -2, 1, 3, -1];

/** Of night `at`, counted from the first. */
function nightly(at: number, transactionsPerS: number, changes: Partial<RunRecord> = {}): RunRecord {
  const startedAt = new Date(Date.UTC(2026, 9, 1, 2) + at * DAY_MS).toISOString();
  const rates = { ...RUN.rates, transactionsPerS: transactionsPerS * (1 + (NOISE[at % NOISE.length] ?? 0) / 1_000) };
  return { ...RUN, id: `night-${String(at).padStart(3, '0')}`, startedAt, rates, tags: ['nightly'], ...changes };
}

async function storeWith(runs: readonly RunRecord[]): Promise<string> {
  const directory = scratch();
  const store = openStore(directory);
  await store.ensureWritable();
  for (const run of runs) await store.save(run);
  return directory;
}

interface Shown {
  readonly histories: readonly HistorySeries[];
  readonly text: string;
  readonly code: number;
  readonly warned: readonly string[];
}

async function show(storeDirectory: string, name?: string, options: Partial<HistoryOptions> = {}): Promise<Shown> {
  const said: string[] = [];
  const warned: string[] = [];
  let json = '';
  const shown = {
    wantsJson: false,
    say: (line: string) => said.push(line),
    warn: (line: string) => warned.push(line),
    json: (it: string) => (json = it),
  };
  const terminal = shown as unknown as Terminal;
  const code = await historyCommand(name, { metric: 'transactions/s', ...options }, { terminal, storeDirectory });
  return { histories: JSON.parse(json) as HistorySeries[], text: said.join('\n'), code, warned };
}

const NEWER = { ...RUN.target, version: '11.4.2-MariaDB' };
/** 30 nights, 8 % slower from the 20th on, when the server was replaced. */
const STEP = Array.from({ length: 30 }, (_, at) =>
  at < 20 ? nightly(at, 1_000) : nightly(at, 920, { target: NEWER }),
);

describe('a change is told', () => {
  test('with its night, its size, and what else changed then', async () => {
    const { histories, text, code } = await show(await storeWith(STEP), 'nightly');
    expect(code).toBe(0);
    expect(histories).toHaveLength(1);
    const [{ changes, points, by }] = histories as [HistorySeries];
    expect([points.length, by]).toEqual([30, 'run']);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ at: 20, is: 'worse' });
    expect(changes[0]?.change).toBeCloseTo(-0.08, 2);
    expect(changes[0]?.differs.join('\n')).toMatch(/version: .* -> 11\.4\.2-MariaDB/);
    expect(text).toContain('At the change of 2026-10-21 02:00:');
    expect(text).toMatch(/2026-10-21 02:00 +10 +92\d\.\d +-8\.\d % +worse +0\.000\d +020/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('as better, where less is better', async () => {
    const runs = Array.from({ length: 26 }, (_, at) => {
      const client = { ...RUN.client, cpuUsPerStatement: (at < 13 ? 30 : 25) + (NOISE[at % 13] ?? 0) / 100 };
      return nightly(at, 1_000, { client });
    });
    const { histories } = await show(await storeWith(runs), 'oltp_read_write', { metric: 'cpuUsPerStatement' });
    expect(histories[0]?.changes.map(({ at, is }) => [at, is])).toEqual([[13, 'better']]);
  });

  test('of a metric for which the runs themselves have to be read', async () => {
    const runs = STEP.map((run, at) => ({
      ...run,
      totals: { ...run.totals, retries: at < 15 ? 20 + (at % 3) : 40 + (at % 3) },
    }));
    const { histories } = await show(await storeWith(runs), 'nightly', { metric: 'retries' });
    expect(histories[0]?.changes.map(({ at, is }) => [at, is])).toEqual([[15, 'worse']]);
  });
});

test('a directory that has lost a file is passed over, and all others are told', async () => {
  const runs = STEP.map((run, at) => ({ ...run, totals: { ...run.totals, retries: at < 15 ? 20 + (at % 3) : 40 } }));
  const directory = await storeWith(runs);
  for (const at of [3, 20]) rmSync(join(directory, 'runs', STEP[at]!.id, 'intervals.ndjson'));
  const byIndex = await show(directory, 'nightly');
  expect(byIndex.histories[0]?.changes.map(({ at, differs }) => [at, differs.length])).toEqual([[20, 1]]);
  expect(byIndex.histories[0]?.changes[0]?.differs[0]).toContain('it has no intervals.ndjson');
  const byRuns = await show(directory, 'nightly', { metric: 'retries' });
  expect(byRuns.histories[0]).toMatchObject({ passedOver: 2, changes: [{ at: 14 }] });
  expect(byRuns.warned).toHaveLength(2);
  expect(byRuns.warned[0]).toMatch(/night-003 is passed over: .*intervals\.ndjson/);
});

describe('no change is told', () => {
  test('where there is none', async () => {
    const { histories, text } = await show(await storeWith(STEP.map((_, at) => nightly(at, 1_000))), 'nightly');
    expect(histories[0]).toMatchObject({ isLookedAt: true, changes: [] });
    expect(text).toContain('no noise floor of this machine and workload');
  });

  test('that is smaller than the noise floor kept of the machine and workload', async () => {
    const directory = await storeWith(STEP);
    const [{ machineKey, workloadKey }] = (await openStore(directory).list()).runs as [never];
    const floor = { cvShare: 0.05, smallestShare: 0.1, from: { is: 'pairs', count: 6 }, is: 'By 6 pairs.' } as const;
    await openNoiseFloors(directory).save({
      machineKey,
      workloadKey,
      measuredAt: RUN.startedAt,
      floors: { 'transactions/s': floor },
      runs: [],
    });
    const { histories, text } = await show(directory, 'nightly');
    expect(histories[0]).toMatchObject({ changes: [], smallest: { share: 0.1, from: 'noise floor' } });
    expect(text).toContain('10 % (the noise floor of this machine and workload)');
    const asked = await show(directory, 'nightly', { margin: '3%' });
    expect(asked.histories[0]).toMatchObject({ smallest: { share: 0.03, from: 'option' } });
    expect(asked.histories[0]?.changes).toHaveLength(1);
  });

  test('with fewer than 12 runs, which is said', async () => {
    const { histories, text, code } = await show(await storeWith(STEP.slice(15, 26)), 'nightly');
    expect(code).toBe(0);
    expect(histories[0]).toMatchObject({ isLookedAt: false, changes: [] });
    expect(text).toContain('There are 11 runs: to look for a change, at least 12 are needed.');
  });
});

describe('what makes one history', () => {
  test('other options, load and machines are others', async () => {
    const threads = STEP.map((run) => ({ ...run, id: `${run.id}-t`, load: { ...run.load, threads: 64 } }));
    const machine = STEP.slice(0, 5).map((run) => ({ ...run, id: `${run.id}-m`, host: { ...run.host, cores: 64 } }));
    const { histories, text } = await show(await storeWith([...STEP, ...threads, ...machine]), 'nightly');
    expect(histories.map(({ points }) => points.length).sort()).toEqual([30, 30, 5]);
    expect(text).toContain('Too few to look for a change:\n  oltp_read_write: transactions/s, 4 threads: 5 runs');
  });

  test('runs that failed or prove nothing are passed over', async () => {
    const invalid = { id: 'x', severity: 'invalid', is: 'x', because: 'x', remedy: 'x' } as const;
    const spoilt = STEP.map((run, at) => {
      if (at === 3) return { ...run, findings: [invalid] };
      return at === 4 ? { ...run, ending: { kind: 'failed', cause: 'x' } as const } : run;
    });
    const { histories } = await show(await storeWith(spoilt), 'nightly');
    expect(histories[0]).toMatchObject({ passedOver: 2 });
    expect(histories[0]?.points).toHaveLength(28);
    expect(histories[0]?.changes[0]?.at).toBe(18);
  });

  test('of an experiment done each night a night counts once, by its median', async () => {
    const nights = STEP.slice(8);
    const runs = nights.flatMap((run, night) =>
      ['small', 'large'].flatMap((variant) =>
        [1, 2, 3].map((block): RunRecord => {
          const place = { id: `exp-${night}`, name: 'pool', variant, block, number: block, attempt: 1 };
          const rate = run.rates.transactionsPerS * (block === 3 ? 2 : 1);
          const id = `${run.id}-${variant}-${block}`;
          return { ...run, id, experiment: place, rates: { ...run.rates, transactionsPerS: rate } };
        }),
      ),
    );
    const directory = await storeWith(runs);
    const { histories } = await show(directory, 'pool');
    expect(histories.map(({ name, by, points }) => [name, by, points.length])).toEqual([
      ['pool/large', 'experiment', 22],
      ['pool/small', 'experiment', 22],
    ]);
    expect(histories[0]?.points[0]).toMatchObject({
      experiment: 'exp-0',
      runs: 3,
      value: nights[0]!.rates.transactionsPerS,
    });
    expect(histories[1]?.changes.map(({ at }) => at)).toEqual([12]);
    const one = await show(directory, 'pool/large', { by: 'run' });
    expect(one.histories.map(({ name, points }) => [name, points.length])).toEqual([['pool/large', 66]]);
  });

  test('runs with which a verdict was tried are none', async () => {
    const probes = STEP.slice(0, 4).map((run) => ({ ...run, id: `${run.id}-p`, tags: ['probe'] }));
    const directory = await storeWith([...STEP, ...probes]);
    expect((await show(directory, 'oltp_read_write')).histories[0]?.points).toHaveLength(30);
    expect((await show(directory, 'probe')).histories[0]?.points).toHaveLength(4);
  });
});

describe('what cannot be meant is refused', () => {
  test.each([
    { name: 'nigthly', options: {}, is: /'nigthly'/, hint: /Did you mean nightly\?/ },
    { name: 'nightly', options: { metric: 'tps' }, is: /'tps' is no metric/, hint: /transactions\/s/ },
    { name: 'nightly', options: { margin: 'small' }, is: /is no share/, hint: /--margin=3%/ },
    { name: 'nightly', options: { margin: '300%' }, is: /is no share/, hint: /--margin=3%/ },
    { name: 'nightly', options: { since: 'soon' }, is: /--since=soon is no moment/, hint: /2026-11-30/ },
    { name: 'nightly', options: { last: '-3' }, is: /--last=-3/, hint: /--last=20/ },
  ])('$is', async ({ name, options, is, hint }) => {
    await expect(show(await storeWith(STEP.slice(0, 2)), name, options)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(is),
      hint: expect.stringMatching(hint),
    });
  });

  test('a store without runs is no mistake', async () => {
    const directory = scratch();
    mkdirSync(directory, { recursive: true });
    expect(await show(directory)).toMatchObject({
      code: 0,
      histories: [],
      text: expect.stringContaining('No such run'),
    });
  });
});
