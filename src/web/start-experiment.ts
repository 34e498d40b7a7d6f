/** Begins an experiment or takes one up, and tells the page of each of its runs. */

import { formatCount } from '../base/units.ts';
import type { ExperimentView } from '../lab/experiment/conduct.ts';
import { metricOf } from '../stats/metrics.ts';
import type { Activities, Teller } from './activity.ts';
import type { LiveExperiment, LiveExperimentRun } from './api.ts';
import { loadView } from './live-load.ts';
import type { ReadyExperiment } from './ui-world.ts';

const PERCENTILE = 95;

export function startExperiment(activities: Activities, ready: ReadyExperiment): LiveExperiment {
  const { plan } = ready;
  const { name, unit } = metricOf(plan.metric);
  const begun = {
    is: 'experiment',
    title: `The experiment ${plan.name}`,
    ...(plan.question === undefined ? {} : { question: plan.question }),
    metric: name,
    unit,
    step: 'beginning',
    done: 0,
    total: plan.blocks * plan.variants.length,
    runs: [],
  } as const;
  return activities.begin<LiveExperiment>(begun, async (teller) => {
    for (const note of ready.notes) teller.note(note);
    const record = await ready.go(experimentView(teller, plan.metric), teller.signal);
    const { ending, result } = record;
    const state = ending?.kind === 'failed' ? 'failed' : 'done';
    return {
      state,
      step: ending !== undefined && 'cause' in ending ? ending.cause : 'done',
      experiment: record.id,
      ...(result === undefined ? {} : { answer: result.is }),
    };
  });
}

function experimentView(teller: Teller<LiveExperiment>, metric: string): ExperimentView {
  const { of } = metricOf(metric);
  let loads = 0;
  const add = (run: LiveExperimentRun) => teller.change({ runs: [...teller.live.runs, run] });
  return {
    onStep: (step) => teller.change({ step }),
    onAdvance: (activity, done, total) => teller.change({ progress: { of: activity, done, total } }),
    onNote: (line) => teller.note(line),
    onBegin: ({ id }, { done, total, leftS }) =>
      teller.change({ experiment: id, done, total, ...(leftS === undefined ? {} : { leftS }) }),
    openRun: (run, plan) => {
      loads++;
      const { timeS, warmupS, percentiles } = plan;
      const percentile = percentiles.find((asked) => asked > 0) ?? PERCENTILE;
      teller.change({ current: run, step: `run ${formatCount(run.number)}: ${run.variant}` });
      return {
        ...loadView(teller, { timeS, warmupS, percentile }, loads),
        [Symbol.dispose]: () => teller.change({ load: undefined }),
      };
    },
    onRun: ({ number, block, variant }, record, { done, total, leftS }) => {
      const value = of(record);
      add({ number, block, variant, run: record.id, ...(value === undefined ? {} : { value }) });
      teller.change({ done, total, ...(leftS === undefined ? {} : { leftS }) });
    },
    onInvalid: ({ number, block, variant }, because) => add({ number, block, variant, invalidBecause: because }),
    onLook: (blocks, { is }, ends) => {
      const what = ends ? `clear. ${is}` : 'not clear yet; it goes on.';
      teller.note(`Look after ${formatCount(blocks)} blocks: ${what}`);
    },
  };
}
