/**
 * How long a durable commit waits for the disk: with innodb_flush_log_at_trx_commit=1 a transaction is committed when
 * its record in the redo log is on the disk, and with sync_binlog=1 when the one in the binary log is there too. The
 * redo log is a file of fixed size that is written over, the binary log becomes longer; most file systems make a
 * difference.
 */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitProbe } from '../../model/host-test.ts';
import type { Ending, Finding } from '../../model/run.ts';
import { Histogram } from '../../stats/histogram.ts';
import { fromLatencyRecord, toLatencyRecord } from '../../stats/latency-record.ts';
import { type CrewResult, runCrew, type Stops } from '../crew.ts';
import { hasEndedWell } from '../work.ts';
import { COMMIT_RECORD_BYTES, type CommitValues } from './commit-runner.ts';
import { ensureDirectory, ensureRoom, fileSystemOf, isInMemory } from './disk.ts';

/** Larger than what a disk may keep back, small enough to be made at once. */
const OVERWRITTEN_BYTES = 8 * 2 ** 20;
/** Only a file system in memory is so fast that it comes to this. */
const APPENDED_BYTES_MAX = 64 * 2 ** 20;

export interface CommitProbePlan {
  readonly directory: string;
  readonly timeS: number;
}

export interface CommitProbeResult {
  readonly probe: CommitProbe;
  readonly ending: Ending;
  readonly cpuS: number;
}

export async function probeCommits({ directory, timeS }: CommitProbePlan, stops: Stops): Promise<CommitProbeResult> {
  ensureDirectory(directory, 'write');
  ensureRoom(directory, OVERWRITTEN_BYTES + APPENDED_BYTES_MAX, 'The commit probe may');
  const halfS = timeS / 2;
  const overwrite = await measure({ directory, fileBytes: OVERWRITTEN_BYTES, timeS: halfS, recordsMax: 0 }, stops);
  const recordsMax = APPENDED_BYTES_MAX / COMMIT_RECORD_BYTES;
  const append = hasEndedWell(overwrite.ending)
    ? await measure({ directory, fileBytes: 0, timeS: halfS, recordsMax }, stops)
    : undefined;
  const probe = {
    directory,
    fileSystem: fileSystemOf(directory),
    recordBytes: COMMIT_RECORD_BYTES,
    overwrite: toLatencyRecord(overwrite.book.latency),
    append: toLatencyRecord(append?.book.latency ?? new Histogram()),
  };
  return { probe, ending: (append ?? overwrite).ending, cpuS: overwrite.cpuS + (append?.cpuS ?? 0) };
}

interface Measured extends CommitProbePlan {
  readonly fileBytes: number;
  /** 0: no limit. */
  readonly recordsMax: number;
}

async function measure({ directory, fileBytes, timeS, recordsMax }: Measured, stops: Stops): Promise<CrewResult> {
  using file = openProbeFile(directory, fileBytes);
  const values: CommitValues = { file_bytes: fileBytes };
  const plan = {
    runner: 'commits',
    values: { ...values },
    threads: 1,
    seed: 0,
    timeS,
    events: recordsMax,
    intervalS: timeS,
    needs: {},
    fileDescriptors: [file.descriptor],
  } as const;
  return await runCrew(plan, {}, stops);
}

export interface ProbeFile extends Disposable {
  readonly descriptor: number;
}

/** Removed when it is disposed of, and not at once, while open: some file systems synchronize no such file. */
export function openProbeFile(directory: string, bytes: number): ProbeFile {
  const path = join(directory, `sqldyno-commit-probe-${process.pid}-${bytes === 0 ? 'append' : 'overwrite'}.tmp`);
  // One of this name was left by a program that was killed, and had the number that this one has now.
  rmSync(path, { force: true });
  const descriptor = openSync(path, 'wx+', 0o600);
  const close = () => {
    closeSync(descriptor);
    rmSync(path, { force: true });
  };
  try {
    const block = new Uint8Array(Math.min(bytes, 2 ** 20));
    for (let position = 0; position < bytes; position += block.length) {
      writeSync(descriptor, block, 0, block.length, position);
    }
    fsyncSync(descriptor);
  } catch (error) {
    close();
    throw error;
  }
  return { descriptor, [Symbol.dispose]: close };
}

/** Flash without protected cache needs hundreds, and a disk that turns needs thousands. */
const PLAUSIBLE_US_MIN = 50;

export function commitFindings({ fileSystem, directory, overwrite }: CommitProbe): Finding[] {
  if (overwrite.count === 0) return [];
  if (isInMemory(fileSystem)) {
    return [
      {
        id: 'not-a-disk',
        severity: 'warning',
        is: `${directory} is in memory (${fileSystem}): these are no commits that survive anything.`,
        because: 'Synchronizing a file in memory does nothing, and a restart of the machine forgets the file.',
        remedy: "Name the server's data directory, or another one on its disk: --file-dir=DIR",
      },
    ];
  }
  const medianUs = fromLatencyRecord(overwrite).percentileUs(50);
  if (medianUs >= PLAUSIBLE_US_MIN) return [];
  return [
    {
      id: 'flush-ignored',
      severity: 'warning',
      is: `Half of the writes were durable within ${medianUs} us, which hardly any disk can do.`,
      because:
        'A virtual disk that keeps flushes in the memory of its host (cache=unsafe), a controller or disk that does not wait, ' +
        'or a file system mounted without barriers answers like this; so does the very best flash.',
      remedy: 'Find out which it is before you trust commits on this machine: after a loss of power they may be gone.',
    },
  ];
}
