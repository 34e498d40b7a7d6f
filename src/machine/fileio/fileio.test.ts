/** Files prepared, read, written and removed, in this thread. */
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import { defaultsOf } from '../../base/options.ts';
import { Histogram } from '../../stats/histogram.ts';
import { toLatencyRecord } from '../../stats/latency-record.ts';
import { CONTROL_BYTES, Control } from '../control.ts';
import { runEvents } from '../event-loop.ts';
import type { FromThread } from '../messages.ts';
import { serveThread } from '../thread.ts';
import { commitFindings, openProbeFile } from './commit-probe.ts';
import { COMMIT_RECORD_BYTES, createCommitRunner } from './commit-runner.ts';
import { ensureRoom, fileSystemOf } from './disk.ts';
import { pageCacheFindings, withoutFlushFindings } from './fileio.ts';
import { ensurePrepared, filePath, openFiles, prepareFiles, removeFiles } from './files.ts';
import { FILEIO_OPTIONS, type FileioValues, fileioProblems, fileSetOf, isWriting } from './options.ts';
import { createFileRunner } from './own-io.ts';

const scratch = scratchDirectories();

function valuesIn(directory: string, changes: Partial<FileioValues> = {}): FileioValues {
  const small = { file_num: 3, file_total_size: '96K', file_block_size: '4K' };
  return { ...defaultsOf(FILEIO_OPTIONS), ...small, file_dir: directory, ...changes };
}

const NEVER = new AbortController().signal;

function prepare(values: FileioValues, signal: AbortSignal = NEVER, onProgress: (bytes: number) => void = () => {}) {
  return prepareFiles(fileSetOf(values), { signal, onProgress });
}

describe('prepare and cleanup', () => {
  test('the files have the size that was asked for, and no zeros in them', async () => {
    const values = valuesIn(scratch());
    const progress: number[] = [];
    const prepared = await prepare(values, NEVER, (bytes) => progress.push(bytes));
    expect(prepared).toEqual({ files: 3, kept: 0, writtenBytes: 98_304, isInterrupted: false });
    expect(progress).toEqual([32_768, 65_536, 98_304]);
    expect(readdirSync(values.file_dir).sort()).toEqual(['test_file.0', 'test_file.1', 'test_file.2']);
    const content = readFileSync(filePath(fileSetOf(values), 1));
    expect(content.length).toBe(32_768);
    expect(new Set(content).size).toBe(256);
  });

  test('what is there already is kept, and never written over', async () => {
    const values = valuesIn(scratch());
    await prepare(values);
    const mark = Buffer.alloc(32_768, 'kept');
    writeFileSync(filePath(fileSetOf(values), 0), mark);
    expect(await prepare({ ...values, file_num: 4, file_total_size: '128K' })).toMatchObject({
      files: 4,
      kept: 3,
      writtenBytes: 32_768,
    });
    expect(readFileSync(filePath(fileSetOf(values), 0)).equals(mark)).toBe(true);
  });

  test('a file of another size is refused, and nothing is changed', async () => {
    const values = valuesIn(scratch());
    writeFileSync(filePath(fileSetOf(values), 2), 'a letter to somebody');
    await expect(prepare(values)).rejects.toMatchObject({
      message: expect.stringContaining('exists, with 20 bytes instead of 32,768'),
      hint: expect.stringContaining('cleanup'),
    });
    expect(readdirSync(values.file_dir)).toEqual(['test_file.2']);
  });

  test('interrupted, it leaves whole files only, and goes on from there', async () => {
    const values = valuesIn(scratch(), { file_total_size: '9M' });
    const interrupt = new AbortController();
    const first = await prepare(values, interrupt.signal, (bytes) => {
      if (bytes > 4 * 2 ** 20) interrupt.abort();
    });
    expect(first).toEqual({ files: 3, kept: 0, writtenBytes: 3 * 2 ** 20, isInterrupted: true });
    expect(readdirSync(values.file_dir)).toEqual(['test_file.0']);
    expect(await prepare(values)).toMatchObject({ kept: 1, writtenBytes: 6 * 2 ** 20, isInterrupted: false });
    expect(() => ensurePrepared(fileSetOf(values))).not.toThrow();
  });

  test('cleanup removes all of them, whatever number was prepared, and nothing else', async () => {
    const directory = scratch();
    await prepare(valuesIn(directory, { file_num: 12, file_total_size: '48K' }));
    for (const name of [
      'test_file.7.part',
      'sqldyno-commit-probe-123-append.tmp',
      'test_file',
      'test_file.1.txt',
      'ibdata1',
    ]) {
      writeFileSync(join(directory, name), '1234');
    }
    mkdirSync(join(directory, 'test_file.99'));
    expect(await removeFiles(directory)).toEqual({ files: 14, bytes: 12 * 4_096 + 2 * 4 });
    expect(readdirSync(directory).sort()).toEqual(['ibdata1', 'test_file', 'test_file.1.txt', 'test_file.99']);
    expect(await removeFiles(directory)).toEqual({ files: 0, bytes: 0 });
  });

  test('too little room is found before anything is written', async () => {
    const values = valuesIn(scratch(), { file_total_size: '8000T' });
    await expect(prepare(values)).rejects.toMatchObject({
      message: expect.stringMatching(/^The files need 7.8 PiB, and .* has .* left\.$/),
      exitCode: 3,
    });
    expect(readdirSync(values.file_dir)).toEqual([]);
    expect(() => ensureRoom(values.file_dir, 0, 'It')).not.toThrow();
  });

  test.each([
    { name: 'nowhere', because: /cannot be used \(ENOENT\)/ },
    { name: 'a-file', because: /is no directory/ },
  ])('a --file-dir that is $name is refused', async ({ name, because }) => {
    const directory = scratch();
    writeFileSync(join(directory, 'a-file'), '');
    await expect(prepare(valuesIn(join(directory, name)))).rejects.toThrow(because);
  });

  test('a run without prepare says what to do', async () => {
    const values = valuesIn(scratch());
    expect(() => ensurePrepared(fileSetOf(values))).toThrow(/test_file\.0 does not exist/);
    await prepare(values);
    const larger = { ...values, file_total_size: '1M' };
    expect(() => ensurePrepared(fileSetOf(larger))).toThrow(/has 32,768 bytes, and 349,525 are asked for/);
  });
});

/** Runs that many events on prepared files. */
async function runOn(changes: Partial<FileioValues>, events: number) {
  const values = valuesIn(scratch(), changes);
  await prepare(values);
  using files = openFiles(fileSetOf(values), { flags: [], isWritten: isWriting(values.file_test_mode) });
  const place = { thread: 0, seed: 1, shared: undefined, fileDescriptors: files.descriptors };
  const runner = createFileRunner(values, place);
  const before = fileContents(values);
  runner.run(events);
  return { counts: runner.counts(), before, after: fileContents(values), values, place };
}

function fileContents(values: FileioValues): Buffer[] {
  return Array.from({ length: values.file_num }, (_, file) => readFileSync(filePath(fileSetOf(values), file)));
}

describe('reading and writing by threads of this program', () => {
  test.each([
    { mode: 'seqrd', freq: 100, events: 50, counts: { reads: 50, writes: 0, syncs: 0 } },
    { mode: 'rndrd', freq: 1, events: 50, counts: { reads: 50, writes: 0, syncs: 0 } },
    // Ten writes, then three files.
    { mode: 'seqwr', freq: 10, events: 39, counts: { reads: 0, writes: 30, syncs: 9 } },
    { mode: 'rndwr', freq: 10, events: 38, counts: { reads: 0, writes: 30, syncs: 8 } },
    { mode: 'seqrewr', freq: 0, events: 20, counts: { reads: 0, writes: 20, syncs: 0 } },
    { mode: 'rndrw', freq: 0, events: 25, counts: { reads: 15, writes: 10, syncs: 0 } },
  ] as const)('$mode, synchronized every $freq requests: $events events', async ({ mode, freq, events, counts }) => {
    const done = await runOn({ file_test_mode: mode, file_fsync_freq: freq }, events);
    expect(done.counts).toEqual({
      ...counts,
      bytesRead: counts.reads * 4_096,
      bytesWritten: counts.writes * 4_096,
    });
  });

  test('with --file-fsync-all each write is followed by one', async () => {
    const done = await runOn({ file_test_mode: 'rndwr', file_fsync_all: true, file_fsync_freq: 5 }, 21);
    expect(done.counts).toMatchObject({ writes: 11, syncs: 10 });
  });

  test.each([
    { ratio: 0, reads: 0, writes: 40 },
    { ratio: 1, reads: 20, writes: 20 },
    { ratio: 3, reads: 30, writes: 10 },
  ])('--file-rw-ratio=$ratio gives $reads reads and $writes writes', async ({ ratio, reads, writes }) => {
    const done = await runOn({ file_test_mode: 'rndrw', file_rw_ratio: ratio, file_fsync_freq: 0 }, 40);
    expect(done.counts).toMatchObject({ reads, writes });
  });

  test('sequential writing goes over every block of every file, and begins again', async () => {
    const { before, after } = await runOn({ file_test_mode: 'seqwr', file_fsync_freq: 0 }, 24);
    for (const [file, content] of after.entries()) {
      expect(content.length).toBe(before[file]?.length);
      for (let position = 0; position < content.length; position += 4_096) {
        const isSame = content
          .subarray(position, position + 4_096)
          .equals(before[file]!.subarray(position, position + 4_096));
        expect(isSame, `block at ${position} of file ${file}`).toBe(false);
      }
    }
  });

  test('reading changes nothing', async () => {
    const { before, after } = await runOn({ file_test_mode: 'rndrd' }, 100);
    expect(after.map((content, file) => content.equals(before[file]!))).toEqual([true, true, true]);
  });

  test('a file that became shorter ends the thread, with a remedy', async () => {
    const values = valuesIn(scratch(), { file_test_mode: 'rndrd' });
    await prepare(values);
    using files = openFiles(fileSetOf(values), { flags: [], isWritten: false });
    for (let file = 0; file < 3; file++) writeFileSync(filePath(fileSetOf(values), file), '');
    const messages: FromThread[] = [];
    const control = new SharedArrayBuffer(CONTROL_BYTES);
    new Control(control, 0).go();
    serveThread(
      {
        is: 'runner',
        runner: 'fileio',
        values,
        place: { thread: 0, seed: 1, shared: undefined, fileDescriptors: files.descriptors },
        limits: { timeMs: 60_000, intervalMs: 60_000, eventsMax: 5 },
        eventsMax: 0,
        control,
      },
      (message) => messages.push(message),
    );
    expect(messages).toEqual([
      { is: 'ready' },
      {
        is: 'failed',
        because: 'Only 0 of 4096 bytes were read.',
        remedy: expect.stringContaining('prepare'),
      },
    ]);
  });
});

describe('the commit probe', () => {
  test.each([
    { pattern: 'overwrite', fileBytes: 8_192, sizeAfter: 8_192, because: 'a redo log keeps its size' },
    { pattern: 'append', fileBytes: 0, sizeAfter: 40 * COMMIT_RECORD_BYTES, because: 'a binary log grows' },
  ])('$pattern: $because; the latencies are in order', ({ fileBytes, sizeAfter }) => {
    const directory = scratch();
    {
      using file = openProbeFile(directory, fileBytes);
      const runner = createCommitRunner({ file_bytes: fileBytes }, { fileDescriptors: [file.descriptor] });
      const control = new Control(new SharedArrayBuffer(CONTROL_BYTES), 40);
      let nowMs = 0;
      const limits = { timeMs: 1e9, intervalMs: 1e9, eventsMax: 1e9 };
      const end = runEvents(runner, limits, control, {
        now: () => {
          nowMs += 0.1;
          return nowMs;
        },
        onInterval: () => {},
      });
      expect(end.because).toBe('events');
      const [name = ''] = readdirSync(directory);
      const path = join(directory, name);
      expect(statSync(path).size).toBe(sizeAfter);
      expect(runner.counts()).toEqual({ commits: 40 });
      const histogram = Histogram.fromSnapshot(end.rest.latency);
      const [p50, p95, p99] = [50, 95, 99].map((percentile) => histogram.percentileUs(percentile)) as [
        number,
        number,
        number,
      ];
      expect(histogram.count).toBe(40);
      expect(histogram.minUs).toBeLessThanOrEqual(p50);
      expect(p50).toBeLessThanOrEqual(p95);
      expect(p95).toBeLessThanOrEqual(p99);
      expect(p99).toBeLessThanOrEqual(histogram.maxUs);
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  function probeOf(fileSystem: string, ...us: readonly number[]) {
    const histogram = new Histogram();
    for (const each of us) histogram.record(each);
    const latency = toLatencyRecord(histogram);
    return { directory: '/d', fileSystem, recordBytes: 512, overwrite: latency, append: latency };
  }

  test.each([
    { fileSystem: 'ext4', us: [90, 95, 300], findings: [], because: 'a disk takes that long' },
    { fileSystem: 'xfs', us: [20, 21, 9_000], findings: ['flush-ignored'], because: 'hardly any disk is so fast' },
    { fileSystem: 'tmpfs', us: [2, 2, 3], findings: ['not-a-disk'], because: 'memory is no disk' },
    { fileSystem: 'tmpfs', us: [900, 900], findings: ['not-a-disk'], because: 'however slow it is' },
    { fileSystem: 'ext4', us: [], findings: [], because: 'nothing was measured' },
  ])('on $fileSystem with $us us: $findings, $because', ({ fileSystem, us, findings }) => {
    expect(commitFindings(probeOf(fileSystem, ...us)).map(({ id }) => id)).toEqual(findings);
  });

  test.skipIf(process.platform !== 'linux' || !existsSync('/dev/shm'))('/dev/shm (Linux) is known as memory', () => {
    expect(fileSystemOf('/dev/shm')).toBe('tmpfs');
  });
});

describe('options', () => {
  test.each([
    { changes: { file_total_size: 'much' }, is: /^--file-total-size must be a size/ },
    { changes: { file_block_size: '0' }, is: /^--file-block-size must be a size/ },
    { changes: { file_num: 1_000, file_total_size: '1M' }, is: /each file is smaller than one block/ },
    { changes: { file_extra_flags: ['direct', 'quick'] }, is: /'quick' is none of sync, dsync, direct/ },
    { changes: { file_extra_flags: ['direct'], file_block_size: '1000' }, is: /needs a --file-block-size/ },
    { changes: { file_engine: 'sqldyno', file_io_mode: 'async' }, is: /--file-io-mode=async needs fio/ },
    { changes: { commit_probe_time: 0 }, is: /there is nothing to do/ },
  ] as const)('$changes is refused', ({ changes, is }) => {
    const problems = fileioProblems({ ...defaultsOf(FILEIO_OPTIONS), ...changes } as FileioValues);
    expect(problems.map((problem) => problem.is)).toEqual([expect.stringMatching(is)]);
  });

  test('files have whole blocks only in use', () => {
    const values = valuesIn('.', { file_num: 3, file_total_size: '10M', file_block_size: '16K' });
    expect(fileSetOf(values)).toEqual({
      directory: '.',
      prefix: 'test_file',
      files: 3,
      fileBytes: 3_495_253,
      blockBytes: 16_384,
      blocksPerFile: 213,
    });
  });

  test.each([
    {
      changes: { file_test_mode: 'rndrd' },
      memory: 100_000,
      findings: ['page-cache'],
      because: 'all fits into memory',
    },
    { changes: { file_test_mode: 'rndrd' }, memory: 90_000, findings: [], because: 'it does not' },
    { changes: { file_test_mode: 'rndwr' }, memory: 100_000, findings: [], because: 'nothing is read' },
    {
      changes: { file_test_mode: 'rndrw', file_extra_flags: ['direct'] },
      memory: 100_000,
      findings: [],
      because: 'it is read past the memory',
    },
  ] as const)('$changes with $memory bytes of memory: $findings, $because', ({ changes, memory, findings }) => {
    const values = valuesIn('.', changes as Partial<FileioValues>);
    expect(pageCacheFindings(values, memory).map(({ id }) => id)).toEqual(findings);
  });

  test.each([
    { changes: { file_test_mode: 'rndwr', file_fsync_freq: 0 }, findings: ['not-flushed'] },
    { changes: { file_test_mode: 'rndwr', file_fsync_freq: 100 }, findings: [] },
    { changes: { file_test_mode: 'seqwr', file_fsync_freq: 0, file_fsync_all: true }, findings: [] },
    { changes: { file_test_mode: 'seqwr', file_fsync_freq: 0, file_extra_flags: ['dsync'] }, findings: [] },
    { changes: { file_test_mode: 'rndrd', file_fsync_freq: 0 }, findings: [] },
  ] as const)('$changes: $findings', ({ changes, findings }) => {
    expect(withoutFlushFindings(valuesIn('.', changes as Partial<FileioValues>)).map(({ id }) => id)).toEqual(findings);
  });
});

/** Whether files can be opened past the memory here: not in every container, and not on every file system. */
function hasDirectAccess(): boolean {
  const path = join(scratch(), 'file');
  writeFileSync(path, '');
  try {
    closeSync(openSync(path, constants.O_RDONLY | (constants.O_DIRECT ?? 0)));
    return constants.O_DIRECT !== undefined;
  } catch {
    return false;
  }
}

test.skipIf(!hasDirectAccess())(
  '--file-extra-flags=direct (a file system with O_DIRECT) reads and writes',
  async () => {
    const values = valuesIn(scratch(), { file_test_mode: 'rndrw', file_extra_flags: ['direct'] });
    await prepare(values);
    using files = openFiles(fileSetOf(values), { flags: ['direct'], isWritten: true });
    const place = { thread: 0, seed: 1, shared: undefined, fileDescriptors: files.descriptors };
    const runner = createFileRunner(values, place);
    runner.run(10);
    expect(runner.counts()).toMatchObject({ reads: 6, writes: 4 });
  },
);
