/** What fio is asked to do, and what is made of its answer. The sample is hand-made after the output of fio 3.33. */
import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../../base/options.ts';
import { fioJob } from './fio-job.ts';
import { parseFioOutput } from './fio-output.ts';
import { FILEIO_OPTIONS, type FileioValues } from './options.ts';

const LOAD = { threads: 1, seed: 7, timeS: 10, events: 0 };

function linesOf(changes: Partial<FileioValues>, load: Partial<typeof LOAD> = {}): string[] {
  const values = { ...defaultsOf(FILEIO_OPTIONS), file_test_mode: 'rndrw', ...changes } as FileioValues;
  return fioJob(values, { ...LOAD, ...load })
    .trimEnd()
    .split('\n');
}

describe('the job', () => {
  test('of the defaults has the files, the blocks and the mix of sysbench', () => {
    expect(linesOf({})).toEqual([
      '[global]',
      'directory=.',
      'filename_format=test_file.$filenum',
      'nrfiles=128',
      'filesize=16777216',
      'size=2147483648',
      'allow_file_create=0',
      'bs=16384',
      'ioengine=psync',
      'rw=randrw',
      'rwmixread=60',
      'file_service_type=random',
      'fsync=100',
      'end_fsync=1',
      'randseed=7',
      'norandommap=1',
      'thread=1',
      'time_based=1',
      'runtime=10',
      'lat_percentiles=1',
      'clat_percentiles=0',
      '[thread-0]',
    ]);
  });

  test.each([
    { mode: 'seqwr', lines: ['rw=write', 'overwrite=1', 'file_service_type=sequential'] },
    { mode: 'seqrewr', lines: ['rw=write', 'overwrite=1', 'file_service_type=sequential'] },
    { mode: 'seqrd', lines: ['rw=read', 'file_service_type=sequential'] },
    { mode: 'rndrd', lines: ['rw=randread', 'file_service_type=random'] },
    { mode: 'rndwr', lines: ['rw=randwrite', 'file_service_type=random'] },
  ] as const)('$mode', ({ mode, lines }) => {
    expect(linesOf({ file_test_mode: mode })).toEqual(expect.arrayContaining([...lines]));
  });

  test.each([
    { changes: { file_fsync_mode: 'fdatasync', file_fsync_freq: 7 }, line: 'fdatasync=7' },
    { changes: { file_fsync_all: true }, line: 'fsync=1' },
    { changes: { file_io_mode: 'async', file_async_backlog: 32 }, line: 'iodepth=32' },
    { changes: { file_io_mode: 'async' }, line: 'ioengine=libaio' },
    { changes: { file_io_mode: 'mmap' }, line: 'ioengine=mmap' },
    { changes: { file_extra_flags: ['direct'] }, line: 'direct=1' },
    { changes: { file_extra_flags: ['dsync'] }, line: 'sync=dsync' },
    { changes: { file_rw_ratio: 3 }, line: 'rwmixread=75' },
    { changes: { file_block_size: '4K' }, line: 'bs=4096' },
    { changes: { file_dir: '/data/a:b' }, line: 'directory=/data/a\\:b' },
  ] as const)('$changes becomes $line', ({ changes, line }) => {
    expect(linesOf(changes as Partial<FileioValues>)).toContain(line);
  });

  test.each([
    { changes: { file_fsync_freq: 0 }, without: /^fsync=/, because: 'never' },
    { changes: { file_fsync_end: false }, without: /^end_fsync/, because: 'not at the end' },
    { changes: { file_test_mode: 'rndrd' }, without: /fsync/, because: 'there is nothing to synchronize' },
  ] as const)('$changes: $because', ({ changes, without }) => {
    expect(linesOf(changes as Partial<FileioValues>).filter((line) => without.test(line))).toEqual([]);
  });

  test('events are dealt out to the last one, and a thread without any does not run', () => {
    const lines = linesOf({}, { threads: 3, events: 10, timeS: 5 });
    expect(lines.slice(lines.indexOf('[thread-0]'))).toEqual([
      '[thread-0]',
      `io_size=${4 * 16_384}`,
      '[thread-1]',
      `io_size=${3 * 16_384}`,
      '[thread-2]',
      `io_size=${3 * 16_384}`,
    ]);
    expect(lines).not.toContain('time_based=1');
    expect(lines).toContain('runtime=5');
    expect(linesOf({}, { threads: 4, events: 2 }).filter((line) => line.startsWith('[thread'))).toHaveLength(2);
  });
});

const NOTHING = { io_bytes: 0, total_ios: 0, lat_ns: { min: 0, max: 0, mean: 0, stddev: 0, N: 0 } };

function jobOf(name: string, changes: Readonly<Record<string, unknown>>) {
  return { jobname: name, groupid: 0, error: 0, job_runtime: 1_001, read: NOTHING, write: NOTHING, ...changes };
}

const READS = {
  io_bytes: 5 * 16_384,
  total_ios: 5,
  lat_ns: { min: 1_022, max: 90_400, mean: 20_000, N: 5, bins: { '1020': 2, '1048': 1, '3120': 1, '90624': 1 } },
};
const WRITES = {
  io_bytes: 2 * 16_384,
  total_ios: 2,
  lat_ns: { min: 1_400, max: 5_600, mean: 3_500, N: 2, bins: { '1400': 1, '5600': 1 } },
};
const SYNCS = { total_ios: 1, lat_ns: { min: 924_000, max: 924_000, mean: 924_000, N: 1, bins: { '925696': 1 } } };

function outputOf(...jobs: readonly unknown[]): string {
  return JSON.stringify({ 'fio version': 'fio-3.33', timestamp: 1, jobs, disk_util: [{ name: 'vda' }] }, null, 2);
}

describe('the output', () => {
  const two = [
    jobOf('thread-0', { read: READS, write: WRITES, sync: SYNCS }),
    jobOf('thread-1', { read: READS, sync: { total_ios: 0, lat_ns: NOTHING.lat_ns }, job_runtime: 1_250 }),
  ];

  test('counts of all jobs are added up; the longest decides how long it took', () => {
    expect(parseFioOutput(outputOf(...two))).toMatchObject({
      version: '3.33',
      elapsedS: 1.25,
      reads: 10,
      writes: 2,
      syncs: 1,
      bytesRead: 10 * 16_384,
      bytesWritten: 2 * 16_384,
      perThread: { events: [8, 5] },
    });
  });

  test('latencies of reads, writes and synchronizing are one histogram, with exact ends and sum', () => {
    const { latency, perThread } = parseFioOutput(outputOf(...two));
    expect(latency.count).toBe(13);
    expect(latency.minUs).toBe(1);
    expect(latency.maxUs).toBe(924);
    expect(latency.sumUs).toBeCloseTo(2 * 100 + 7 + 924, 6);
    expect(latency.percentileUs(50)).toBe(1);
    expect(latency.percentileUs(90)).toBe(90);
    expect(perThread.latencyS).toEqual([expect.closeTo(0.001031, 9), expect.closeTo(0.0001, 9)]);
  });

  test('notes before and after the report do not matter', () => {
    const text = `\nfio: terminating on signal 2\n${outputOf(...two)}\nfio: done\n`;
    expect(parseFioOutput(text)).toMatchObject({ reads: 10, syncs: 1 });
  });

  test('an old fio tells of no synchronizing', () => {
    expect(parseFioOutput(outputOf(jobOf('thread-0', { read: READS })))).toMatchObject({ reads: 5, syncs: 0 });
  });

  test.each([
    { text: 'fio: file creation disallowed by allow_file_create=0\n', because: /no report: fio: file creation/ },
    { text: '', because: /it printed nothing/ },
    { text: '{"fio version": "fio-2.1", "jobs": [{}]}', because: /no report/ },
    { text: '{"fio version": ', because: /no report/ },
    {
      text: `fio: io_u error on file test_file.0: No space left on device\n${outputOf(jobOf('thread-1', { error: 28 }))}`,
      because: /failed in thread-1 with error 28: fio: io_u error on file test_file\.0/,
    },
  ])('$text is no result', ({ text, because }) => {
    let thrown: unknown;
    try {
      parseFioOutput(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      message: expect.stringMatching(because),
      hint: expect.stringContaining('--file-engine=sqldyno'),
      exitCode: 3,
    });
  });
});
