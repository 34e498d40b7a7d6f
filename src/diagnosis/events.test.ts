/** What shows on a timeline, and what must not be made of it. */
import { expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import type { Series } from '../model/observed.ts';
import type { Interval } from '../model/run.ts';
import { type EventEvidence, eventsOf } from './events.ts';

/** A second each, from the first of the measured part on. */
function intervals(changes: readonly Partial<Interval>[]): Interval[] {
  const [usual] = closedRun().intervals;
  return changes.map((change, at) => ({
    ...usual!,
    startS: at,
    endS: at + 1,
    isWarmup: false,
    transactions: 100,
    errors: 0,
    reconnects: 0,
    ...change,
  }));
}

function series(name: string, points: readonly (number | null)[]): Series {
  return { atS: points.map((_, at) => at + 1), values: { [name]: { unit: '1', points } }, measured: {} };
}

function found(changes: Partial<EventEvidence>): string[] {
  const evidence = { intervals: intervals([{}, {}, {}]), series: {}, makesTables: false, reconnectsOnPurpose: false };
  return eventsOf({ ...evidence, ...changes }).map(({ atS, id }) => `${id} at ${atS}`);
}

const LOST = intervals([{}, { reconnects: 3 }, {}]);
const DDL = { server_work: series('ddl_per_s', [0, 0.5, 0]) };

test.each<{ because: string; changes: Partial<EventEvidence>; events: string[] }>([
  { because: 'all is as usual', changes: {}, events: [] },
  {
    because: 'nothing was committed for a while: told once',
    changes: { intervals: intervals([{}, {}, { transactions: 0 }, { transactions: 0 }, {}]) },
    events: ['stall at 2'],
  },
  {
    because: 'hardly anything ever is',
    changes: { intervals: intervals([{ transactions: 1 }, { transactions: 0 }, { transactions: 2 }]) },
    events: [],
  },
  {
    because: 'errors came in a burst',
    changes: { intervals: intervals([{ errors: 1 }, { errors: 60 }, { errors: 2 }]) },
    events: ['error-burst at 1'],
  },
  {
    because: 'there are as many errors all the time',
    changes: { intervals: intervals([{ errors: 50 }, { errors: 60 }, { errors: 55 }]) },
    events: [],
  },
  { because: 'connections were lost', changes: { intervals: LOST }, events: ['reconnects at 1'] },
  {
    because: 'sessions were told to connect anew',
    changes: { intervals: LOST, reconnectsOnPurpose: true },
    events: [],
  },
  { because: 'somebody made a table', changes: { series: DDL }, events: ['ddl at 2'] },
  { because: 'the workload makes tables', changes: { series: DDL, makesTables: true }, events: [] },
  {
    because: 'a checkpoint gave back a part of the log, and the rate fell',
    changes: {
      intervals: intervals([{}, {}, { transactions: 40 }, {}]),
      series: { redo_log: series('checkpoint_age_ratio', [0.5, 0.9, 0.6, 0.65]) },
    },
    events: ['checkpoint-stall at 3'],
  },
  {
    because: 'a checkpoint did, and the rate stayed',
    changes: { series: { redo_log: series('checkpoint_age_ratio', [0.5, 0.9, null]) } },
    events: [],
  },
])('$because: $events', ({ changes, events }) => {
  expect(found(changes)).toEqual(events);
});
