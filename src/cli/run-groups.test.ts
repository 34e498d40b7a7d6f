import { beforeAll, describe, expect, test } from 'vitest';
import { sampleBlocks, samplePlan, sampleRecord, sampleRun } from '../../test/fixtures/sample-experiments.ts';
import { scratchDirectories } from '../../test/support/scratch.ts';
import type { Entered } from '../model/experiment.ts';
import { openExperiments } from '../store/experiments.ts';
import { openStore } from '../store/store.ts';
import { openGroups } from './run-groups.ts';

const scratch = scratchDirectories();
const VARIANTS = [
  { name: 'large', settings: { innodb_buffer_pool_size: '1G' }, pricePerMonth: 9 },
  { name: 'small', settings: { innodb_buffer_pool_size: '128M' } },
];
const PLAN = samplePlan(VARIANTS, { name: 'pool', baseline: 'small', blocks: 3, metric: 'p99(transaction)' });
const ENTERED: Entered = {
  adjusted: [],
  drift: [],
  data: { how: 'copy', elapsedS: 1, fingerprint: 'f' },
  drainedS: 0,
  notes: [],
};

let store: string;
let experiment: string;
/** Without a place in the experiment. */
const TAGGED = ['20261129-100000-quiz-t1t1', '20261129-110000-quiz-t2t2'];

beforeAll(async () => {
  store = scratch();
  const runs = openStore(store);
  const experiments = openExperiments(store);
  const sides = VARIANTS.map(({ name }) => ({ name, gain: 1 }));
  const record = sampleRecord(PLAN, []);
  experiment = record.id;
  await experiments.create(record);
  for (const [at, { block, variant, record: run }] of sampleBlocks(sides, 3).entries()) {
    const place = { id: experiment, name: 'pool', variant, block, number: at + 1, attempt: 1 };
    await runs.save({ ...run, tags: ['pool', variant], experiment: place });
    const [when, number] = ['2026-11-30T10:00:00.000Z', at + 1];
    await experiments.append(
      experiment,
      at === 5
        ? { at: when, is: 'invalid', number, run: run.id, because: 'Stolen time.' }
        : { at: when, is: 'done', number, run: run.id, entered: ENTERED },
    );
  }
  for (const id of TAGGED) await runs.save(sampleRun({ id, transactionsPerS: 1, more: { tags: ['night', 'large'] } }));
});

async function shapeOf(...references: readonly string[]) {
  const { groups } = await openGroups(references, store);
  return groups.map(({ name, runs }) => [name, runs.length]);
}

describe('an experiment', () => {
  test('is its variants, the baseline first, with what was turned, its price and its data', async () => {
    const { groups, of } = await openGroups(['pool'], store);
    expect(groups).toMatchObject([
      { name: 'small', change: { settings: { innodb_buffer_pool_size: '128M' } }, fingerprints: ['f', 'f'] },
      { name: 'large', pricePerMonth: 9, fingerprints: ['f', 'f', 'f'] },
    ]);
    expect(of).toMatchObject({ baseline: 'small', metric: 'p99(transaction)', marginShare: 0.02 });
  });

  test.each([
    { what: 'its name', reference: () => 'pool' },
    { what: 'its id', reference: () => experiment },
    { what: 'its last letters', reference: () => 'k3f9' },
  ])('is found by $what, and what did not count is not there', async ({ reference }) => {
    expect(await shapeOf(reference())).toEqual([
      ['small', 2],
      ['large', 3],
    ]);
  });

  test('may be named for one of its variants, or beside others: then it decides nothing', async () => {
    expect(await shapeOf('pool:large', 'night')).toEqual([
      ['large', 3],
      ['night', 2],
    ]);
    expect(await openGroups(['pool', 'night'], store)).not.toHaveProperty('of');
    await expect(shapeOf('pool:huge')).rejects.toMatchObject({ hint: 'It has: large, small.' });
  });
});

test.each([
  { references: ['night'], shape: [['night', 2]], because: 'a tag is all that have it' },
  {
    references: ['t1t1', 't2t2'],
    shape: [
      ['t1t1', 1],
      ['t2t2', 1],
    ],
    because: 'a run by its last letters',
  },
  { references: [TAGGED[0]!], shape: [[TAGGED[0], 1]], because: 'a run by its id' },
  { references: ['t1t1,t2t2'], shape: [['t1t1,t2t2', 2]], because: 'several by comma are one' },
  {
    references: ['latest'],
    shape: [[expect.stringMatching(/^20261130/), 1]],
    because: 'the newest is called by its id',
  },
])('$references: $because', async ({ references, shape }) => {
  expect(await shapeOf(...references)).toEqual(shape);
});

test('a run that is named twice is read once', async () => {
  const { groups } = await openGroups(['t1t1', 'night'], store);
  expect(groups[1]?.runs).toContain(groups[0]?.runs[0]);
});

test('what is nothing of these is told as a run that is not there', async () => {
  await expect(shapeOf('nobody')).rejects.toMatchObject({ message: expect.stringMatching(/There is no run 'nobody'/) });
});
