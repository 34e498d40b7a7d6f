/** What is measured, with what, on which machine; and the files that it takes. */
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import { Histogram } from '../../stats/histogram.ts';
import { toLatencyRecord } from '../../stats/latency-record.ts';
import { fileSystemOf, isInMemory } from '../fileio/disk.ts';
import { commitMeasurement } from './commit-measurement.ts';
import { type DiskFile, makeDiskFile } from './disk-file.ts';
import { diskMeasurements, diskOf } from './disk-measurements.ts';
import type { Measurement } from './measurement.ts';
import { eventsPerS, largeBlockBytes, processorMeasurements } from './processor-measurements.ts';
import { makeScratch } from './scratch.ts';

const scratch = scratchDirectories();
const MIB = 2 ** 20;
const GIB = 2 ** 30;

function idsOf(measurements: readonly Measurement[]): string[] {
  return measurements.flatMap(({ figures }) => figures.map(({ id }) => id));
}

describe('processors and memory', () => {
  test('one thread and all, reads and writes, a smaller and a larger block', () => {
    const ids = idsOf(processorMeasurements({ threads: 8, memoryBytes: 64 * GIB, isQuick: false }));
    expect(ids).toEqual([
      'cpu.one_thread',
      'cpu.all_threads',
      ...['read', 'write'].flatMap((operation) =>
        ['small', 'large'].flatMap((block) =>
          ['one_thread', 'all_threads'].map((threads) => `memory.${operation}.${block}.${threads}`),
        ),
      ),
    ]);
  });

  test('--quick leaves the smaller block out, and no name changes', () => {
    const world = { threads: 8, memoryBytes: 64 * GIB };
    const all = idsOf(processorMeasurements({ ...world, isQuick: false }));
    const quick = idsOf(processorMeasurements({ ...world, isQuick: true }));
    expect(quick).toEqual(all.filter((id) => !id.includes('.small.')));
  });

  test.each([
    { memoryBytes: 64 * GIB, threads: 64, is: 256 * MIB, because: 'there is room for all' },
    { memoryBytes: GIB, threads: 1, is: 256 * MIB, because: 'a quarter of it' },
    { memoryBytes: 600 * MIB, threads: 4, is: 32 * MIB, because: 'blocks are powers of two' },
    { memoryBytes: 64 * MIB, threads: 8, is: 32 * MIB, because: 'less would stay in a cache' },
  ])('$memoryBytes bytes, $threads threads: $because', ({ memoryBytes, threads, is }) => {
    expect(largeBlockBytes(memoryBytes, threads)).toBe(is);
  });

  test('a thread that waits for the others at the end is no slower for it', () => {
    expect(eventsPerS({ perThread: { events: [10, 10], latencyS: [1, 2] } })).toBe(15);
    expect(eventsPerS({ perThread: { events: [0, 10], latencyS: [0, 2] } })).toBe(5);
  });
});

describe('commits', () => {
  const directory = scratch();
  const measurement = commitMeasurement(directory);

  function judged(us: number) {
    const histogram = new Histogram();
    histogram.record(us);
    const latency = toLatencyRecord(histogram);
    const latencies = { 'commits.overwrite': latency, 'commits.append': latency };
    return measurement.judge?.({ elapsedS: 1, cpuS: 1, latencies }) ?? [];
  }

  test('over a file and at its end, in the middle and at worst', () => {
    expect(idsOf([measurement])).toEqual([
      'commits.overwrite_p50',
      'commits.overwrite_p99',
      'commits.append_p50',
      'commits.append_p99',
    ]);
  });

  test('faster than any disk are doubted, and those of memory always', () => {
    const ofMemory = isInMemory(fileSystemOf(directory)) ? ['not-a-disk'] : undefined;
    expect(judged(5).map(({ id }) => id)).toEqual(ofMemory ?? ['flush-ignored']);
    expect(judged(5_000).map(({ id }) => id)).toEqual(ofMemory ?? []);
    expect(measurement.judge?.({ elapsedS: 1, cpuS: 1, latencies: {} })).toEqual([]);
  });
});

const FILE: DiskFile = {
  directory: '/data',
  prefix: 'sqldyno-machine-7',
  fileSystem: 'ext4',
  bytes: GIB,
  isDirect: true,
  fitsMemory: true,
};

describe('the disk', () => {
  test('by queue depth; --quick takes two of the depths', () => {
    const ids = (isQuick: boolean) => idsOf(diskMeasurements({ file: FILE, fioVersion: undefined, isQuick }));
    expect(ids(false)).toEqual(
      ['read', 'write'].flatMap((direction) => [1, 4, 16, 32].map((depth) => `disk.${direction}.depth${depth}`)),
    );
    expect(ids(true)).toEqual(ids(false).filter((id) => /depth(1|16)$/.test(id)));
  });

  test.each([
    { fioVersion: '3.33', file: {}, says: /O_DIRECT.*fit into it.*by fio 3\.33/, doubt: undefined },
    { fioVersion: undefined, file: {}, says: /threads of this program.*fio was not used/, doubt: undefined },
    { fioVersion: undefined, file: { isDirect: false }, says: /through the page cache/, doubt: /this is memory/ },
    {
      fioVersion: undefined,
      file: { isDirect: false, fitsMemory: false },
      says: /through the page cache; writes/,
      doubt: /a part of the file/,
    },
    {
      fioVersion: undefined,
      file: { isDirect: false, fileSystem: 'tmpfs' },
      says: /through the page cache/,
      doubt: /is in memory \(tmpfs\)/,
    },
  ])('says how it was done, and what is wrong with it: $says, $doubt', ({ fioVersion, file, says, doubt }) => {
    const [read] = diskMeasurements({ file: { ...FILE, ...file }, fioVersion, isQuick: true });
    expect(read?.figures[0]?.how).toMatch(says);
    if (doubt === undefined) expect(read?.figures[0]?.doubt).toBeUndefined();
    else expect(read?.figures[0]?.doubt).toMatch(doubt);
  });

  test('the card tells what the file was like, and not its name, which is gone', () => {
    const disk = diskOf({ file: FILE, fioVersion: '3.33', isQuick: false });
    expect(disk).toMatchObject({ directory: '/data', engine: 'fio', engineVersion: '3.33', fileBytes: GIB });
    expect(JSON.stringify(disk)).not.toContain('sqldyno-machine');
  });
});

describe('the file', () => {
  const NEVER = new AbortController().signal;

  test('is as large as was asked for, and no zeros', async () => {
    const directory = scratch();
    const limits = { bytesMax: 17 * MIB, timeS: 60, signal: NEVER };
    const file = await makeDiskFile({ directory, prefix: 'file' }, limits);
    expect(file).toMatchObject({ bytes: 17 * MIB, directory });
    const content = readFileSync(join(directory, 'file.0'));
    expect(content.length).toBe(17 * MIB);
    expect(new Set(content.subarray(16 * MIB)).size).toBe(256);
  });

  test('is shorter where time is over, but not too short to be of use', async () => {
    const directory = scratch();
    const limits = { bytesMax: 64 * MIB, timeS: 0, signal: NEVER };
    expect(await makeDiskFile({ directory, prefix: 'file' }, limits)).toMatchObject({ bytes: 16 * MIB });
  });

  test('needs room', async () => {
    const directory = scratch();
    const limits = { bytesMax: 8 * MIB, timeS: 60, signal: NEVER };
    await expect(makeDiskFile({ directory, prefix: 'file' }, limits)).rejects.toMatchObject({
      name: 'UserError',
      hint: expect.stringContaining('16.0 MiB'),
    });
  });

  test('is none where it was interrupted', async () => {
    const directory = scratch();
    const limits = { bytesMax: 64 * MIB, timeS: 60, signal: AbortSignal.abort() };
    expect(await makeDiskFile({ directory, prefix: 'file' }, limits)).toBeUndefined();
  });
});

describe('the files of a card', () => {
  const OURS = `sqldyno-machine-${process.pid}.0`;

  test('lie in the directory itself, where a server would take a new directory for a database, and go again', () => {
    const directory = scratch();
    {
      using made = makeScratch(directory);
      expect(readdirSync(directory)).toEqual([OURS]);
      expect(`${made.prefix}.0`).toBe(OURS);
      writeFileSync(join(directory, `sqldyno-commit-probe-${process.pid}-append.tmp`), '');
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  test('take with them what a program that was killed has left, and nothing else', () => {
    const directory = scratch();
    const longAgo = new Date(2020, 1);
    const left = ['sqldyno-machine-1.0', 'sqldyno-commit-probe-1-append.tmp'];
    const others = ['ibdata1', 'sqldyno-machine-notes.txt', 'test_file.0'];
    for (const name of [...left, ...others, 'sqldyno-machine-2.0', OURS]) {
      writeFileSync(join(directory, name), '');
      if (!name.includes('-2.') && name !== OURS) utimesSync(join(directory, name), longAgo, longAgo);
    }
    makeScratch(directory)[Symbol.dispose]();
    expect(readdirSync(directory).sort()).toEqual([...others, 'sqldyno-machine-2.0'].sort());
  });

  test('are refused where there is no directory', () => {
    const nowhere = join(scratch(), 'nowhere');
    expect(() => makeScratch(nowhere)).toThrow(/--file-dir/);
    expect(existsSync(nowhere)).toBe(false);
  });
});
