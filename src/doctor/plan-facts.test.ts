/** Of command lines, what the doctor needs to know of the load. */
import { expect, test } from 'vitest';
import { caseOf } from '../../test/support/doctor.ts';
import { defaultsOf } from '../base/options.ts';
import { loadWorkload } from '../workload/find.ts';
import { preflightChecks } from './examine.ts';
import { planFacts } from './plan-facts.ts';

const LOAD = {
  workload: { name: 'oltp_read_write' },
  threads: 4,
  timeS: 60,
  warmupS: 5,
  ratePerS: 0,
  events: 0,
  eventsPerThread: 0,
  rand: { type: 'uniform' },
  errors: { reconnectEveryEvents: 0 },
};

async function factsOf(options: Readonly<Record<string, unknown>> = {}, load: Partial<typeof LOAD> = {}) {
  const { workload } = await loadWorkload('oltp_read_write');
  return planFacts({ ...LOAD, ...load }, workload, { ...defaultsOf(workload.options), ...options });
}

test('the usual mix, and the tables it needs', async () => {
  expect(await factsOf({ tables: 2, table_size: 500 })).toMatchObject({
    mix: { reads: 14, writes: 4, others: 2 },
    mixNotes: [],
    writes: true,
    tables: [
      { name: 'sbtest1', rowsMin: 500 },
      { name: 'sbtest2', rowsMin: 500 },
    ],
  });
});

test('events of each connection add up', async () => {
  expect(await factsOf({}, { eventsPerThread: 25 })).toMatchObject({ events: 100 });
});

test('a paper that asks for no reads, and shows fourteen, is found out', async () => {
  const none = { point_selects: 0, simple_ranges: 0, sum_ranges: 0, order_ranges: 0, distinct_ranges: 0 };
  const facts = await factsOf({ table_size: 10_000_000, ...none }, { threads: 1_024, timeS: 3_600 });
  expect(facts).toMatchObject({ mix: { reads: 0, writes: 4 } });
  const results = await preflightChecks(caseOf().collected, facts);
  expect(results.find(({ number }) => number === 33)).toMatchObject({
    level: 'block',
    is: expect.stringMatching(/^These options ask for no reads, where this workload has 14/),
  });
});
