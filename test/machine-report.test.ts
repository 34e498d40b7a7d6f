/** What the tests of the machine print. */
import { describe, expect, test } from 'vitest';
import type { HostTestInterval } from '../src/model/host-test.ts';
import { hostTestIntervalLine, hostTestText } from '../src/report/host-test-text.ts';
import { LINE_LENGTH } from '../src/report/layout.ts';
import { Histogram } from '../src/stats/histogram.ts';
import { toLatencyRecord } from '../src/stats/latency-record.ts';
import { HOST_TEST_SAMPLES } from './fixtures/sample-host-tests.ts';
import { golden } from './support/golden.ts';

describe.each(Object.entries(HOST_TEST_SAMPLES))('%s', (name, sample) => {
  test('equals its golden file', async () => {
    await expect(hostTestText(sample)).toMatchFileSnapshot(golden(`host-test-${name}.txt`));
  });

  test('fits a terminal, and prints no value that is none', () => {
    const text = hostTestText(sample);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(LINE_LENGTH);
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });
});

/** What sysbench 1.0.20 printed, with the figures taken out: `sysbench cpu run --time=1`, and so on. */
const FIELDS_OF_SYSBENCH = {
  cpu: ['CPU speed:', '    events per second:'],
  memory: ['Total operations: ', ' MiB transferred ('],
  fileio: [
    'File operations:\n    reads/s:                      ',
    '    writes/s:                     ',
    '    fsyncs/s:                     ',
    'Throughput:\n    read, MiB/s:                  ',
    '    written, MiB/s:               ',
  ],
  threads: [],
  mutex: [],
} as const;

const GENERAL_FIELDS = [
  'General statistics:\n    total time:                          2.0005s\n    total number of events:              10\n',
  'Latency (ms):\n         min:                                    0.20\n',
  '         95th percentile:                        1.40\n',
  'Threads fairness:\n    events (avg/stddev):           5.0000/1.00\n',
  '    execution time (avg/stddev):   0.0018/0.00\n',
];

test.each(Object.entries(FIELDS_OF_SYSBENCH))('%s has the fields of sysbench in its columns', (name, fields) => {
  const text = hostTestText(HOST_TEST_SAMPLES[name as keyof typeof FIELDS_OF_SYSBENCH]);
  for (const field of [...fields, ...GENERAL_FIELDS]) expect(text).toContain(field);
});

describe('interval lines', () => {
  const histogram = new Histogram();
  for (const us of [200, 210, 530]) histogram.record(us);
  const interval: HostTestInterval = {
    startS: 1,
    endS: 2,
    threads: 2,
    events: 3,
    latency: toLatencyRecord(histogram),
    counts: { bytes: 3 * 2 ** 20, bytesRead: 2 ** 21, bytesWritten: 2 ** 20, syncs: 5 },
  };

  test.each([
    { name: 'cpu', line: '[ 2s ] thds: 2 eps: 3.00 lat (ms,95%): 0.53' },
    { name: 'threads', line: '[ 2s ] thds: 2 eps: 3.00 lat (ms,95%): 0.53' },
    { name: 'mutex', line: '[ 2s ] thds: 2 eps: 3.00 lat (ms,95%): 0.53' },
    { name: 'memory', line: '[ 2s ] 3.00 MiB/sec' },
    {
      name: 'fileio',
      line: '[ 2s ] reads: 2.00 MiB/s writes: 1.00 MiB/s fsyncs: 5.00/s latency (ms,95%): 0.53',
    },
  ] as const)('of $name are those of sysbench', ({ name, line }) => {
    expect(hostTestIntervalLine(name, interval, [95])).toBe(line);
  });
});
