import { describe, expect, test } from 'vitest';
import { closedRun, emptyRun } from '../../test/fixtures/sample-runs.ts';
import type { LatencyRecord, RunTotals } from '../model/run.ts';
import { bucketOf } from '../stats/bucket-layout.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { latencyOfAll } from './percentiles.ts';
import { sysbenchStatistics } from './sysbench-statistics.ts';

function textOf(change: { totals?: Partial<RunTotals>; latency?: LatencyRecord; percentiles?: readonly number[] }) {
  const run = closedRun();
  const { totals, latency = latencyOfAll(run), percentiles = [95] } = change;
  return sysbenchStatistics({ totals: { ...run.totals, ...totals }, latency, percentiles });
}

/** The layout as sysbench 1.0.20 printed it, with these very figures. */
const AS_PRINTED = `\
SQL statistics:
    queries performed:
        read:                            63084
        write:                           17957
        other:                           8986
        total:                           90027
    transactions:                        4480   (1490.31 per sec.)
    queries:                             90027  (29948.28 per sec.)
    ignored errors:                      26     (8.65 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          3.0061s
    total number of events:              4480

Latency (ms):
         min:                                    0.86
         avg:                                    2.68
         max:                                    8.27
         95th percentile:                        4.25
         sum:                                12002.69

Threads fairness:
    events (avg/stddev):           1120.0000/79.50
    execution time (avg/stddev):   3.0007/0.00`;

test('the layout is that of sysbench, to the character', () => {
  const { totals } = closedRun();
  const latency = {
    ...toLatencyRecord(
      Histogram.fromSnapshot({
        count: 4_480,
        minUs: 860,
        maxUs: 8_270,
        sumUs: 12_002_690,
        buckets: Uint16Array.of(bucketOf(860), bucketOf(4_250), bucketOf(8_270)),
        counts: Uint32Array.of(4_000, 479, 1),
      }),
    ),
  };
  const text = textOf({
    latency,
    totals: {
      elapsedS: 3.006082,
      transactions: { committed: 4_480, byName: {} },
      statements: { ...totals.statements, read: 63_084, write: 17_957, other: 8_986 },
      errors: totals.errors.slice(0, 1),
      perSession: { transactions: [1_040, 1_200, 1_041, 1_199], latencyS: [3.0007, 3.0007, 3.0007, 3.0007] },
    },
  });
  expect(text.split('\n')).toEqual(AS_PRINTED.split('\n'));
});

describe('what common scripts do finds its figure', () => {
  const lines = textOf({ percentiles: [95] }).split('\n');
  const grep = (pattern: string): string[] => lines.filter((line) => line.includes(pattern));
  /** As awk '{print $n}' does. */
  const awk = (line: string | undefined, field: number): string | undefined => line?.trim().split(/\s+/)[field - 1];

  test.each([
    { script: "grep 'transactions:' | awk '{print $2}'", found: awk(grep('transactions:')[0], 2), value: '4480' },
    { script: "grep 'transactions:' | awk '{print $3}'", found: awk(grep('transactions:')[0], 3), value: '(1490.50' },
    { script: "grep 'queries:' | awk '{print $2}'", found: awk(grep('queries:')[0], 2), value: '89600' },
    { script: "grep 'read:' | awk '{print $2}'", found: awk(grep('read:')[0], 2), value: '62720' },
    { script: "grep 'total:' | awk '{print $2}'", found: awk(grep('total:')[0], 2), value: '89600' },
    { script: "grep '95th percentile' | awk '{print $3}'", found: awk(grep('95th percentile')[0], 3), value: '5.95' },
    { script: "grep 'avg:' | awk '{print $2}'", found: awk(grep('avg:')[0], 2), value: '2.97' },
    { script: "grep 'total time:' | awk '{print $3}'", found: awk(grep('total time:')[0], 3), value: '3.0057s' },
    {
      script: "grep 'total number of events' | awk '{print $5}'",
      found: awk(grep('total number of events')[0], 5),
      value: '4480',
    },
  ])('$script', ({ found, value }) => {
    expect(found).toBe(value);
  });

  test.each([
    { pattern: /transactions:\s+(\d+)\s+\((\d+\.\d+) per sec\.\)/, groups: ['4480', '1490.50'] },
    { pattern: /queries:\s+(\d+)\s+\((\d+\.\d+) per sec\.\)/, groups: ['89600', '29810.03'] },
    { pattern: /ignored errors:\s+(\d+)\s+\((.*) per sec\.\)/, groups: ['27', '8.98'] },
    { pattern: /events \(avg\/stddev\):\s+(\d+\.\d+)\/(\d+\.\d+)/, groups: ['1120.0000', '74.08'] },
  ])('$pattern', ({ pattern, groups }) => {
    expect(pattern.exec(lines.join('\n'))?.slice(1)).toEqual(groups);
  });

  test('each label occurs once', () => {
    for (const label of ['transactions:', 'queries:', 'total time:', '95th percentile:', 'sum:']) {
      expect(grep(label)).toHaveLength(1);
    }
  });
});

test.each([
  { percentiles: [50, 99.9], labels: ['50th percentile', '99.9th percentile'], because: 'all that were asked for' },
  { percentiles: [0], labels: ['percentile stats'], because: '0 switches them off, as in sysbench' },
  { percentiles: [], labels: ['percentile stats'], because: 'none asked for' },
])('--percentile=$percentiles: $because', ({ percentiles, labels }) => {
  const found = textOf({ percentiles }).match(/\d*\.?\d*(th )?percentile( stats)?/g);
  expect(found).toEqual(labels);
});

test('a run without a transaction has zeros, not NaN', () => {
  const run = emptyRun();
  const text = sysbenchStatistics({ totals: run.totals, latency: latencyOfAll(run), percentiles: [95] });
  expect(text).toContain('transactions:                        0      (0.00 per sec.)');
  expect(text).not.toMatch(/NaN|Infinity/);
});

test('only errors that the run went on after are ignored errors', () => {
  const error = { code: 1, sqlState: '', symbol: '', example: '' };
  const errors = (['retried', 'skipped', 'reconnected', 'fatal', 'validation'] as const).map((policy, at) => {
    return { ...error, policy, count: 10 ** at };
  });
  expect(textOf({ totals: { errors } })).toContain('ignored errors:                      11 ');
});
