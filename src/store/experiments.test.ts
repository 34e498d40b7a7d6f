import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samplePlan } from '../../test/fixtures/sample-plan.ts';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { type Entered, EXPERIMENT_FORMAT, type ExperimentRecord, type JournalEntry } from '../model/experiment.ts';
import { openExperiments } from './experiments.ts';

const scratch = scratchDirectories();
const ID = '20261130-163512-pool-k3f9';
const AT = '2026-11-30T16:40:00.000Z';
const ENTERED: Entered = {
  adjusted: [],
  drift: [],
  data: { how: 'copy', elapsedS: 1, fingerprint: 'x' },
  drainedS: 0,
  notes: [],
};

/** Two variants, two blocks, before the first run. */
function sampleExperiment(id: string, changes: Partial<ExperimentRecord> = {}): ExperimentRecord {
  return {
    format: EXPERIMENT_FORMAT,
    id,
    startedAt: '2026-11-30T16:35:12.000Z',
    sqldyno: { version: '0.1.0' },
    command: ['sqldyno', 'experiment', 'run', 'pool.yaml'],
    plan: samplePlan({ name: 'pool', workload: 'oltp_read_only', blocks: 2 }),
    runs: ['small', 'large', 'large', 'small'].map((variant, at) => ({
      number: at + 1,
      block: 1 + Math.floor(at / 2),
      variant,
      seed: 100 + at,
    })),
    ...changes,
  };
}

const begun = (number: number): JournalEntry => ({ at: AT, is: 'begun', number, attempt: 1 });
const done = (number: number): JournalEntry => ({ at: AT, is: 'done', number, run: `run-${number}`, entered: ENTERED });

async function created(id = ID) {
  const experiments = openExperiments(scratch());
  const directory = await experiments.create(sampleExperiment(id));
  return { experiments, directory, journal: join(directory, 'journal.ndjson') };
}

describe('an experiment', () => {
  test('is one directory, and comes back as it was', async () => {
    const { experiments, directory } = await created();
    expect(readdirSync(directory).sort()).toEqual(['data', 'experiment.json', 'journal.ndjson']);
    expect(readdirSync(experiments.directory)).toEqual([ID]);
    expect(await experiments.load(ID)).toEqual({ record: sampleExperiment(ID), journal: [], directory });
    expect(experiments.dataDirectoryOf(ID)).toBe(join(directory, 'data'));
  });

  test('is not written over by another of its id', async () => {
    const { experiments } = await created();
    await expect(experiments.create(sampleExperiment(ID))).rejects.toThrow();
    expect(readdirSync(experiments.directory)).toEqual([ID]);
  });

  test('takes its result in the place of its record', async () => {
    const { experiments, directory } = await created();
    const ended = sampleExperiment(ID, { endedAt: AT, ending: { kind: 'done' } });
    await experiments.saveRecord(ended);
    expect((await experiments.load(ID)).record).toEqual(ended);
    expect(readdirSync(directory).sort()).toEqual(['data', 'experiment.json', 'journal.ndjson']);
  });
});

describe('its journal', () => {
  test('has a line for each entry, in their order', async () => {
    const { experiments, journal } = await created();
    for (const entry of [begun(1), done(1), begun(2)]) await experiments.append(ID, entry);
    expect((await experiments.load(ID)).journal).toEqual([begun(1), done(1), begun(2)]);
    expect(readFileSync(journal, 'utf8').split('\n')).toHaveLength(4);
  });

  test('cut anywhere within its last line has all before it, and goes on', async () => {
    const { experiments, journal } = await created();
    await experiments.append(ID, begun(1));
    const before = readFileSync(journal);
    await experiments.append(ID, done(1));
    const whole = readFileSync(journal);
    const cuts = fc.integer({ min: before.length, max: whole.length - 1 });
    await fc.assert(
      fc.asyncProperty(cuts, async (cut) => {
        writeFileSync(journal, whole);
        truncateSync(journal, cut);
        expect((await experiments.load(ID)).journal).toEqual([begun(1)]);
        await experiments.append(ID, begun(2));
        expect((await experiments.load(ID)).journal).toEqual([begun(1), begun(2)]);
      }),
      { numRuns: 30 },
    );
  });

  test('that is broken in the middle is no crash, and is refused', async () => {
    const { experiments, journal } = await created();
    await experiments.append(ID, begun(1));
    appendFileSync(journal, '{"at": \n');
    await experiments.append(ID, begun(2));
    await expect(experiments.load(ID)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('line 2 of journal.ndjson is broken'),
    });
  });
});

describe('a list', () => {
  test('is in the order of time, tells how far each came, and what it passes over', async () => {
    const { experiments } = await created();
    const early = sampleExperiment('20261129-100000-disk-aaaa', { startedAt: '2026-11-29T10:00:00.000Z' });
    await experiments.create({ ...early, ending: { kind: 'done' } });
    for (const entry of [begun(1), done(1), done(1), begun(2)]) await experiments.append(ID, entry);
    await mkdir(join(experiments.directory, 'foreign'));
    const { experiments: found, skipped } = await experiments.list();
    expect(found.map(({ id, ending, runsDone, runsPlanned }) => [id, ending, runsDone, runsPlanned])).toEqual([
      [early.id, 'done', 0, 4],
      [ID, undefined, 1, 4],
    ]);
    expect(skipped).toEqual([{ path: join(experiments.directory, 'foreign'), because: 'it has no experiment.json' }]);
  });

  test('is empty where there is none, and says how to make one', async () => {
    const experiments = openExperiments(scratch());
    expect(await experiments.list()).toEqual({ experiments: [], skipped: [] });
    await expect(experiments.load('latest')).rejects.toMatchObject({
      hint: expect.stringContaining('sqldyno experiment'),
    });
  });
});

describe('is found', () => {
  const other = '20261130-170000-disk-aaaa';
  async function two() {
    const { experiments } = await created();
    const { plan } = sampleExperiment(other);
    await experiments.create(
      sampleExperiment(other, { startedAt: '2026-11-30T17:00:00.000Z', plan: { ...plan, name: 'disk' } }),
    );
    return experiments;
  }

  test.each([
    { reference: ID, id: ID, because: 'by its id' },
    { reference: 'k3f9', id: ID, because: 'by its last letters' },
    { reference: '20261130-16', id: ID, because: 'by a beginning' },
    { reference: 'pool', id: ID, because: 'by its name' },
    { reference: 'latest', id: other, because: 'as the latest' },
  ])('$because', async ({ reference, id }) => {
    expect((await (await two()).load(reference)).record.id).toBe(id);
  });

  test('by its directory, wherever that is', async () => {
    const { directory } = await created();
    expect((await openExperiments(scratch()).load(directory)).record.id).toBe(ID);
    expect((await openExperiments(scratch()).load(join(directory, 'experiment.json'))).record.id).toBe(ID);
  });

  test.each([
    { reference: '20261130', is: /could be any of 2 experiments/, hint: /Write more of it/ },
    { reference: '20261130-163512-pool-k3f8', is: /There is no experiment/, hint: /Did you mean .*k3f9\?/ },
    { reference: './nowhere', is: /There is no experiment in/, hint: /experiment\.json/ },
  ])('$reference: $is', async ({ reference, is, hint }) => {
    await expect((await two()).load(reference)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(is),
      hint: expect.stringMatching(hint),
    });
  });
});

describe('a lock', () => {
  const isAlive = ({ pid }: { pid: number }) => pid !== 666;

  test('keeps others out until it is released', async () => {
    const { experiments, directory } = await created();
    const lock = await experiments.lock(ID, { pid: 1 }, isAlive);
    await expect(experiments.lock(ID, { pid: 2 }, isAlive)).rejects.toThrow(/conducted by another process/);
    await expect(experiments.remove(ID, isAlive)).rejects.toThrow(/being conducted/);
    await lock[Symbol.asyncDispose]();
    await using _second = await experiments.lock(ID, { pid: 2 }, isAlive);
    expect(readdirSync(directory).filter((name) => name.startsWith('lock-'))).toHaveLength(1);
  });

  test('of the dead is taken over, and what it left is removed', async () => {
    const { experiments, directory } = await created();
    await experiments.lock(ID, { pid: 666 }, isAlive);
    await using _lock = await experiments.lock(ID, { pid: 2 }, isAlive);
    expect(readdirSync(directory).filter((name) => name.startsWith('lock-'))).toHaveLength(1);
  });

  test('that cannot be read may belong to somebody', async () => {
    const { experiments, directory } = await created();
    writeFileSync(join(directory, 'lock-other.json'), '{');
    await expect(experiments.lock(ID, { pid: 2 }, isAlive)).rejects.toMatchObject({
      hint: expect.stringContaining('lock-other.json'),
    });
  });

  test('is never held by two, however many ask at once', async () => {
    const { experiments } = await created();
    const asked = Array.from({ length: 12 }, (_, pid) => experiments.lock(ID, { pid }, isAlive));
    const held = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    expect(held.length).toBeLessThanOrEqual(1);
  });
});

test('is removed whole, and nothing else is', async () => {
  const { experiments, directory } = await created();
  writeFileSync(join(experiments.dataDirectoryOf(ID), 'ibdata1'), 'x');
  await mkdir(join(experiments.directory, 'foreign'));
  await expect(experiments.remove('foreign', () => false)).rejects.toThrow(/is no experiment/);
  await expect(experiments.remove(directory, () => false)).rejects.toThrow(/There is no experiment/);
  expect(await experiments.remove('k3f9', () => false)).toBe(ID);
  expect(readdirSync(experiments.directory)).toEqual(['foreign']);
});
