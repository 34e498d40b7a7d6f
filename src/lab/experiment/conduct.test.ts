import { expect, test } from 'vitest';
import { samplePlan } from '../../../test/fixtures/sample-plan.ts';
import { closedRun } from '../../../test/fixtures/sample-runs.ts';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import type { ExperimentPlan } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import { openExperiments } from '../../store/experiments.ts';
import { newRunId } from '../../store/run-id.ts';
import { openStore } from '../../store/store.ts';
import { loadWorkload } from '../../workload/find.ts';
import type { runOnce } from '../run.ts';
import { conductExperiment, type ExperimentRequest, type ExperimentView, type ExperimentWorld } from './conduct.ts';
import type { Stage } from './stage.ts';

const scratch = scratchDirectories();

async function requestFor(plan: ExperimentPlan, storeDirectory: string): Promise<ExperimentRequest> {
  const { workload } = await loadWorkload('oltp_read_write');
  return {
    plan,
    variants: plan.variants.map((variant) => ({ variant, workload, workloadOptions: {}, plan: {} as never })),
    command: ['sqldyno', 'experiment', 'run', 'x.yaml'],
    version: '0.0.0',
    storeDirectory,
    openTarget: async () => ({ connections: [], isPrivate: true }),
    allows: { settings: false, commands: false },
  };
}

interface Seen {
  readonly world: ExperimentWorld;
  /** What was done, in order: `enter small`, `run small`, `leave`. */
  readonly deeds: string[];
  readonly view: ExperimentView;
}

type Measure = (variant: string, block: number, runs: number) => Partial<RunRecord>;

/** A server that does nothing, and runs that come out as `measure` says; they are saved as real ones are. */
function worldOf(storeDirectory: string, measure: Measure = rates): Seen {
  const deeds: string[] = [];
  let runs = 0;
  const stage: Stage = {
    check: async () => {},
    prepare: async () => void deeds.push('prepare'),
    enter: async (variant) => {
      deeds.push(`enter ${variant}`);
      const data = { how: 'copy', elapsedS: 1, fingerprint: 'f' } as const;
      return { targets: [], isPrivate: true, entered: { adjusted: [], drift: [], data, drainedS: 0, notes: [] } };
    },
    leave: async () => void deeds.push('leave'),
    close: async ({ keepsData }) => void deeds.push(keepsData ? 'close, data kept' : 'close'),
  };
  const run: typeof runOnce = async (request) => {
    const { experiment } = request;
    if (experiment === undefined) throw new Error('a run of an experiment has a place');
    runs++;
    deeds.push(`run ${experiment.variant}`);
    const measured = measure(experiment.variant, experiment.block, runs);
    const id = newRunId(0, experiment.variant);
    const record = { ...closedRun(), id, experiment, tags: request.tags, findings: [], ...measured };
    const saved = { ...record, totals: { ...record.totals, errors: [] } };
    await openStore(storeDirectory).save(saved);
    return saved;
  };
  return { world: { openStage: async () => stage, runOnce: run }, deeds, view: silent(deeds) };
}

function silent(deeds: string[]): ExperimentView {
  return {
    onStep: () => {},
    onAdvance: () => {},
    onNote: () => {},
    onBegin: () => {},
    openRun: () => ({ [Symbol.dispose]: () => {} }),
    onRun: () => {},
    onInvalid: (_, because) => void deeds.push(`invalid: ${because}`),
    onLook: (blocks, _, ends) => void deeds.push(`look after ${blocks}${ends ? ', ends' : ''}`),
  };
}

/** `large` is a tenth faster, with one per cent of noise. */
function rates(variant: string, block: number): Partial<RunRecord> {
  const noise = 1 + 0.01 * Math.sin(block * 12.9898 + (variant === 'large' ? 1 : 0));
  return { rates: { transactionsPerS: (variant === 'large' ? 1100 : 1000) * noise, statementsPerS: 20_000 } };
}

const never = new AbortController().signal;

test('each variant runs once in each block, from its own start, and the answer is kept', async () => {
  const directory = scratch();
  const { world, deeds, view } = worldOf(directory);
  const record = await conductExperiment(await requestFor(samplePlan(), directory), view, never, world);
  expect(record.ending).toEqual({ kind: 'done' });
  expect(deeds.filter((deed) => deed.startsWith('run'))).toHaveLength(12);
  expect(deeds.filter((deed) => deed === 'run large')).toHaveLength(6);
  expect(deeds.filter((deed) => deed === 'leave')).toHaveLength(12);
  expect(deeds.filter((deed) => deed === 'prepare')).toHaveLength(1);
  expect(deeds.at(-1)).toBe('close');
  expect(record.result?.comparisons[0]).toMatchObject({ variant: 'large', baseline: 'small', verdict: 'FASTER' });
  expect((await openExperiments(directory).load(record.id)).record).toEqual(record);
});

test('an interrupted experiment is taken up where it was: no run is lost, and none is done twice', async () => {
  const directory = scratch();
  const abort = new AbortController();
  const first = worldOf(directory, (variant, block, runs) => {
    if (runs === 5) abort.abort(new Error('Interrupted.'));
    return {
      ...rates(variant, block),
      ...(runs === 5 ? { ending: { kind: 'interrupted', cause: 'Interrupted.' } as const } : {}),
    };
  });
  const request = await requestFor(samplePlan(), directory);
  const cut = await conductExperiment(request, first.view, abort.signal, first.world);
  expect(cut.ending).toEqual({ kind: 'interrupted', cause: 'Interrupted.' });
  expect(first.deeds.at(-1)).toBe('close, data kept');

  const second = worldOf(directory);
  const done = await conductExperiment({ ...request, resume: cut.id }, second.view, never, second.world);
  expect(done.ending).toEqual({ kind: 'done' });
  expect(done.runs).toEqual(cut.runs);
  expect(second.deeds.filter((deed) => deed.startsWith('run'))).toHaveLength(8);
  const { journal } = await openExperiments(directory).load(cut.id);
  const counted = journal.flatMap((entry) => (entry.is === 'done' ? [entry.number] : []));
  expect(counted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('a run that was saved before the program was killed, and is not in the journal, counts once', async () => {
  const directory = scratch();
  const killed = worldOf(directory);
  const request = await requestFor(samplePlan(), directory);
  const dies: ExperimentWorld = {
    ...killed.world,
    runOnce: async (...given) => {
      await killed.world.runOnce(...given);
      // As far as the disk can tell, the program is gone: nothing more is written.
      throw new Error('killed');
    },
  };
  const cut = await conductExperiment(request, killed.view, never, dies);
  const again = worldOf(directory);
  const done = await conductExperiment({ ...request, resume: cut.id }, again.view, never, again.world);
  expect(again.deeds.filter((deed) => deed.startsWith('run'))).toHaveLength(11);
  expect(done.result?.variants.map(({ runs }) => runs.length)).toEqual([6, 6]);
});

test('a run that does not count is done again; after as many attempts as allowed the experiment gives up', async () => {
  const directory = scratch();
  const bad = { ending: { kind: 'failed', cause: 'The server went away.' } as const };
  const once = worldOf(directory, (variant, block, runs) => ({ ...rates(variant, block), ...(runs === 2 ? bad : {}) }));
  const fine = await conductExperiment(await requestFor(samplePlan(), directory), once.view, never, once.world);
  expect(fine.ending).toEqual({ kind: 'done' });
  expect(once.deeds.filter((deed) => deed.startsWith('run'))).toHaveLength(13);
  expect(once.deeds).toContain('invalid: The server went away.');

  const always = worldOf(directory, (_, __, runs) => (runs > 2 ? bad : {}));
  const given = await conductExperiment(await requestFor(samplePlan(), directory), always.view, never, always.world);
  expect(given.ending).toMatchObject({ kind: 'failed', cause: expect.stringContaining('did not count') });
  expect(always.deeds.filter((deed) => deed.startsWith('run'))).toHaveLength(4);
});

test('a sequential design ends at a look that is clear, and looks at no other time', async () => {
  const directory = scratch();
  const { world, deeds, view } = worldOf(directory);
  const plan = samplePlan({ blocks: 16, stop: { is: 'sequential' } });
  const record = await conductExperiment(await requestFor(plan, directory), view, never, world);
  expect(record.ending).toEqual({ kind: 'early', blocks: 6 });
  expect(deeds.filter((deed) => deed.startsWith('look'))).toEqual(['look after 6, ends']);
  expect(record.result?.blocks).toBe(6);
});

test('one that is done is not taken up, and says where it is', async () => {
  const directory = scratch();
  const { world, view } = worldOf(directory);
  const request = await requestFor(samplePlan(), directory);
  const done = await conductExperiment(request, view, never, world);
  await expect(conductExperiment({ ...request, resume: done.id }, view, never, world)).rejects.toThrow('is done');
});

test('a thing compared with itself gives the noise floor, below which the next experiment claims nothing', async () => {
  const directory = scratch();
  const twins = samplePlan({ variants: [{ name: 'small' }, { name: 'large' }] });
  const noisy = (variant: string, block: number) => ({
    rates: { transactionsPerS: 1000 + (variant === 'large' ? 150 : 0) + 20 * (block % 3), statementsPerS: 1 },
  });
  const same = worldOf(directory, noisy);
  const itself = await conductExperiment(await requestFor(twins, directory), same.view, never, same.world);
  expect(itself.result?.noiseFloor).toBeUndefined();

  const other = worldOf(directory);
  const real = await conductExperiment(await requestFor(samplePlan(), directory), other.view, never, other.world);
  expect(real.result?.noiseFloor).toBeGreaterThan(0.14);
  expect(real.result?.comparisons[0]).toMatchObject({ verdict: 'UNDECIDED' });
});
