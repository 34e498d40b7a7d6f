import { expect, test } from 'vitest';
import { closedRun } from '../../../test/fixtures/sample-runs.ts';
import { defaultsOf } from '../../base/options.ts';
import type { RunRecord } from '../../model/run.ts';
import { SLAP_OPTIONS, type SlapOptions } from './options.ts';
import { ownTerms, summarize } from './results.ts';

interface Round {
  readonly options?: Partial<SlapOptions>;
  readonly clients: number;
  readonly elapsedS: number;
  readonly setupS?: number;
  /** Committed, over all clients. */
  readonly queries: number;
}

function runOf({ options, clients, elapsedS, setupS, queries }: Round): RunRecord {
  const run = closedRun();
  const reads = Math.floor(queries / 2);
  const byName = {
    insert: { kind: 'write', committed: queries - reads, wasted: 3 },
    select: { kind: 'read', committed: reads, wasted: 0 },
    commit: { kind: 'other', committed: 99, wasted: 0 },
  } as const;
  return {
    ...run,
    workload: { name: 'slap', options: { ...defaultsOf(SLAP_OPTIONS), ...options } },
    load: { ...run.load, threads: clients },
    totals: {
      ...run.totals,
      elapsedS,
      ...(setupS === undefined ? {} : { setupS }),
      statements: { ...run.totals.statements, byName },
    },
  };
}

const INNODB = { engine: ['innodb'] };
const MEMORY = { engine: ['memory:max_rows=9'] };

test('one round: a COMMIT and what was in vain are no queries', () => {
  const run = runOf({ clients: 8, elapsedS: 1.25, setupS: 0.05, queries: 96, options: INNODB });
  expect(ownTerms(run)).toEqual([
    'In the terms of mysqlslap:',
    '    engine                        innodb',
    '    load type                     mixed',
    '    seconds to run all queries    1.250',
    '      with connecting, as it does 1.300',
    '    clients running queries       8',
    '    average queries per client    12',
  ]);
});

test("the user's own queries are called so, and no engine is guessed", () => {
  const run = runOf({ clients: 2, elapsedS: 1, queries: 5, options: { query: 'SELECT 1' } });
  expect(ownTerms(run)).toEqual([
    'In the terms of mysqlslap:',
    '    load type                     query',
    '    seconds to run all queries    1.000',
    '      with connecting, as it does 1.000',
    '    clients running queries       2',
    '    average queries per client    2.5',
  ]);
});

test('iterations are put together, engines and numbers of clients are not', () => {
  const summary = summarize([
    runOf({ options: INNODB, clients: 1, elapsedS: 1, setupS: 0.5, queries: 100 }),
    runOf({ options: INNODB, clients: 1, elapsedS: 3, setupS: 0.1, queries: 100 }),
    runOf({ options: INNODB, clients: 8, elapsedS: 4, setupS: 0, queries: 96 }),
    runOf({ options: MEMORY, clients: 8, elapsedS: 5, setupS: 0, queries: 96 }),
  ]);
  expect(summary.rows).toEqual([
    ['innodb', '1', '100', '2', '2.000 (2.300)', '1.000 (1.500)', '3.000 (3.100)'],
    ['innodb', '8', '12', '1', '4.000 (4.000)', '4.000 (4.000)', '4.000 (4.000)'],
    ['memory', '8', '12', '1', '5.000 (5.000)', '5.000 (5.000)', '5.000 (5.000)'],
  ]);
  expect(summary.columns.map(({ heading }) => heading)[0]).toBe('engine');
  expect(summary.csv).toEqual([
    'innodb,mixed,2.300,1.500,3.100,1,100',
    'innodb,mixed,4.000,4.000,4.000,8,12',
    'memory,mixed,5.000,5.000,5.000,8,12',
  ]);
  expect(summary.notes).toEqual([]);
});

test('without an engine there is no column of it, and short rounds are said to be', () => {
  const summary = summarize([runOf({ clients: 1, elapsedS: 0.01, queries: 11 })]);
  expect(summary.columns.map(({ heading }) => heading)[0]).toBe('clients');
  expect(summary.csv).toEqual([',mixed,0.010,0.010,0.010,1,11']);
  expect(summary.notes.join()).toMatch(/less than a second/);
});

test('nothing finished, nothing said', () => {
  expect(summarize([])).toMatchObject({ rows: [], csv: [] });
});
