import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../../base/options.ts';
import type { LatencyRecord, RunRecord } from '../../model/run.ts';
import { ATIS_OPTIONS, type AtisOptions } from './options.ts';
import { ownTermsOf } from './own-terms.ts';
import { partsOf } from './parts.ts';

/** Every part took a second, but for those that say otherwise: seconds, and events done. */
function runOf(options: AtisOptions, changes: Readonly<Record<string, [seconds: number, done: number]>> = {}) {
  const parts = partsOf(options).map(({ name, events }) => {
    const [seconds, done] = changes[name] ?? [1, events];
    return { name, seconds, done };
  });
  const latency = (seconds: number) => ({ service: { sumUs: seconds * 1e6 } as LatencyRecord });
  const byName = Object.fromEntries(parts.map(({ name, done }) => [name, done]));
  return {
    load: { threads: 1 },
    latency: {
      transactions: Object.fromEntries(parts.map(({ name, seconds }) => [name, latency(seconds)])),
      statements: {},
    },
    totals: {
      elapsedS: parts.reduce((sum, { seconds }) => sum + seconds, 0.25),
      transactions: { committed: 0, byName },
    },
  };
}

const defaults = defaultsOf(ATIS_OPTIONS);

test('a time for each part with the count of test-ATIS, and the total', () => {
  const run = runOf({ ...defaults, if_query: false }, { insert: [12.3456, 9_768] });
  expect(ownTermsOf(run, { ...defaults, if_query: false }).slice(0, 11)).toEqual([
    'As test-ATIS tells it:',
    '    Time for create_table (28): 1.000 s',
    '    Time for insert (9768): 12.346 s',
    '    Time for select_simple_join (500): 1.000 s',
    '    Time for select_join (100): 1.000 s',
    '    Time for select_key_prefix_join (100): 1.000 s',
    '    Time for select_distinct (800): 1.000 s',
    '    Time for select_group (2800): 1.000 s',
    '    Time for drop_table (28): 1.000 s',
    '    Total time: 19.596 s',
    '      in the parts 19.346 s, in the client between statements 0.250 s',
  ]);
});

test('with the 29th query of its last group it is 2900; with --fast there is one part more', () => {
  const options = { ...defaults, fast: true };
  const lines = ownTermsOf(runOf(options), options).join('\n');
  expect(lines).toContain('Time for insert (9768): 1.000 s');
  expect(lines).toContain('Time for book_keeping (1): 1.000 s');
  expect(lines).toContain('Time for select_group (2900): 1.000 s');
});

test('a part that was cut off says how far it came, and one that was not reached says nothing', () => {
  const lines = ownTermsOf(runOf(defaults, { select_group: [0.5, 25], drop_table: [0, 0] }), defaults);
  expect(lines).toContain('    Time for select_group (725): 0.500 s, of 2900 that were meant');
  expect(lines.join()).not.toContain('drop_table');
});

test('nothing where nothing was done', () => {
  const none = Object.fromEntries(partsOf(defaults).map(({ name }) => [name, [0, 0] as [number, number]]));
  expect(ownTermsOf(runOf(defaults, none), defaults)).toEqual([]);
});

describe('where the time went', () => {
  const options = { ...defaults, skip_delete: true };
  const cost = (part: string, cpuS: number, fsyncs: number) => ({ part, elapsedS: 1, cpuS, clientCpuS: 0.1, fsyncs });
  const linesOf = (parts: NonNullable<RunRecord['serverCost']>['parts']) =>
    ownTermsOf({ ...runOf(options), serverCost: { parts } }, options).slice(-6);

  test('computing, by whom, and waiting', () => {
    const reading = ['select_simple_join', 'select_join', 'select_key_prefix_join', 'select_distinct', 'select_group'];
    const costs = [
      cost('create_table', 0.2, 100),
      cost('insert', 0.3, 9_000),
      ...reading.map((part) => cost(part, 0.85, 0)),
    ];
    expect(linesOf(costs)).toEqual([
      '      changing 2.000 s, 27.6 % of the total',
      "        server CPU 0.50 s, client CPU 0.20 s, waiting 1.30 s, InnoDB's fsyncs 9,100",
      '      reading 5.000 s, 69.0 % of the total',
      "        server CPU 4.25 s, client CPU 0.50 s, waiting 0.25 s, InnoDB's fsyncs 0",
      '      (waiting: neither of the two computes. Changes wait for the disk; reads, all',
      '      of them from memory, for a processor or the network)',
    ]);
  });

  test('a server elsewhere is not seen', () => {
    const { cpuS: _, ...unseen } = cost('insert', 0, 9_000);
    expect(linesOf([unseen])).toEqual([
      '    Where it went:',
      '      changing 2.000 s, 27.6 % of the total',
      "        client CPU 0.10 s, InnoDB's fsyncs 9,000",
      '      reading 5.000 s, 69.0 % of the total',
      '      (the CPU time of the server is not to be seen from here, so that waiting',
      '      cannot be told from computing)',
    ]);
  });

  test('not on several connections, where parts and processes run at the same time', () => {
    const run = { ...runOf({ ...options, skip_create: true }), load: { threads: 8 } };
    expect(ownTermsOf(run, { ...options, skip_create: true }).slice(-2)).toEqual([
      '    Total time: 5.250 s',
      '      the parts are sums over 8 connections at work at the same time',
    ]);
  });
});
