/** A load while it is applied, as the page is told of it. */
import { monotonicMs } from '../base/clock.ts';
import type { RunView } from '../lab/run.ts';
import type { Interval } from '../model/run.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';
import type { Teller } from './activity.ts';
import type { LiveExperiment, LiveInterval, LiveLoad, LiveRun } from './api.ts';
import type { LoadFacts } from './ui-world.ts';

const US_PER_MS = 1_000;
const MEDIAN = 50;

/** `number`: counts up with each load of an activity. */
export function loadView(
  teller: Teller<LiveRun> | Teller<LiveExperiment>,
  facts: LoadFacts,
  number: number,
): Required<Pick<RunView, 'atOnce' | 'onPhase' | 'onInterval' | 'onCheckpoint' | 'onNote'>> {
  const { percentile } = facts;
  const enter = (phase: string): LiveLoad => ({
    number,
    phase,
    phaseElapsedS: 0,
    phaseTotalS: phase === 'measuring' ? facts.timeS : phase === 'warming up' ? facts.warmupS : 0,
    percentile,
  });
  let load = enter('checking');
  let phaseStartMs = monotonicMs();
  teller.beginLoad(load);
  return {
    atOnce: teller.atOnce,
    onPhase: (phase) => {
      load = enter(phase);
      phaseStartMs = monotonicMs();
      teller.change({ step: phase, load });
    },
    onInterval: (interval) => {
      teller.change({ load: { ...load, phaseElapsedS: (monotonicMs() - phaseStartMs) / 1_000 } });
      teller.interval(liveInterval(interval, percentile));
    },
    // Their figures are in the record.
    onCheckpoint: () => {},
    onNote: (line) => teller.note(line),
  };
}

export function liveInterval(interval: Interval, percentile: number): LiveInterval {
  const { startS, endS, transactions, latency, errors, retries, queueLength } = interval;
  const lengthS = endS - startS;
  const histogram = latency.count === 0 ? undefined : fromLatencyRecord(latency);
  return {
    atS: endS,
    transactionsPerS: lengthS > 0 ? transactions / lengthS : 0,
    ...(histogram === undefined
      ? {}
      : {
          p50Ms: histogram.percentileUs(MEDIAN) / US_PER_MS,
          percentileMs: histogram.percentileUs(percentile) / US_PER_MS,
        }),
    errors,
    retries,
    ...(queueLength === undefined ? {} : { queueLength }),
  };
}
