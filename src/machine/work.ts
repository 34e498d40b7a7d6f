/** What the threads did, as it stands in the record. */
import type { HostTestRecord, HostTestWork } from '../model/host-test.ts';
import type { Ending } from '../model/run.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import type { CrewResult } from './crew.ts';
import type { HostTestPlan } from './plan.ts';

/** What one test gives, before it is a record. */
export interface TestParts extends Pick<HostTestRecord, 'ending' | 'work' | 'commits' | 'comparison' | 'findings'> {
  readonly cpuS: number;
}

export function workOf({ test, values }: HostTestPlan, { elapsedS, book, shared }: CrewResult): HostTestWork {
  const { latency, perThread, intervals, counts } = book;
  return {
    elapsedS,
    events: latency.count,
    eventsPerS: elapsedS > 0 ? latency.count / elapsedS : 0,
    perThread,
    latency: toLatencyRecord(latency),
    intervals,
    measured: test.measured(values as never, { elapsedS, events: latency.count, counts, shared }),
  };
}

/** Of what was cut off, some events are half done. */
export function hasEndedWell({ kind }: Ending): boolean {
  return kind === 'time' || kind === 'events';
}
