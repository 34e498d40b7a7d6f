/**
 * A short look at how fast a disk says that something is on it: a few small writes, each followed by fdatasync. Not
 * long enough to tell how fast the disk is, but enough to see one that answers before anything can have been written.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { monotonicMs } from '../../base/clock.ts';
import { openProbeFile } from './commit-probe.ts';
import { COMMIT_RECORD_BYTES, createCommitRunner } from './commit-runner.ts';
import { fileSystemOf } from './disk.ts';

export interface FlushLook {
  readonly directory: string;
  readonly fileSystem: string;
  readonly flushes: number;
  readonly recordBytes: number;
  readonly p50Us: number;
  readonly maxUs: number;
}

export interface FlushLimits {
  readonly flushesMax: number;
  /** The thread stands still for as long. */
  readonly timeMaxMs: number;
}

const US_PER_MS = 1000;

/** Throws where the directory does not take the file. */
export function probeFlushes(directory: string, { flushesMax, timeMaxMs }: FlushLimits): FlushLook {
  const fileBytes = flushesMax * COMMIT_RECORD_BYTES;
  const endMs = monotonicMs() + timeMaxMs;
  using file = openProbeFile(directory, fileBytes);
  const runner = createCommitRunner({ file_bytes: fileBytes }, { fileDescriptors: [file.descriptor] });
  const timesUs: number[] = [];
  let startMs = monotonicMs();
  // The first one counts, however slow the disk is.
  do {
    runner.run(1);
    const nowMs = monotonicMs();
    timesUs.push((nowMs - startMs) * US_PER_MS);
    startMs = nowMs;
  } while (timesUs.length < flushesMax && startMs < endMs);
  timesUs.sort((one, other) => one - other);
  return {
    directory,
    fileSystem: fileSystemOf(directory),
    flushes: timesUs.length,
    recordBytes: COMMIT_RECORD_BYTES,
    p50Us: timesUs[Math.floor(timesUs.length / 2)] ?? 0,
    maxUs: timesUs.at(-1) ?? 0,
  };
}

/**
 * The directory itself, where this user may write to it, or the nearest one on the same file system: above it, or of
 * those that belong to everybody. Undefined where there is none, or no such directory.
 */
export function writableBeside(directory: string): string | undefined {
  // What is not there yet will be made in the nearest directory above it.
  const device = withParents(directory)
    .map(deviceOf)
    .find((each) => each !== undefined);
  if (device === undefined) return undefined;
  const candidates = [...withParents(directory), tmpdir(), '/var/tmp', homedir()];
  return candidates.find((each) => deviceOf(each) === device && isWritable(each));
}

function withParents(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...withParents(parent)];
}

function deviceOf(path: string): number | undefined {
  try {
    return statSync(path).dev;
  } catch {
    // It is not there, or lies where this user may not look.
    return undefined;
  }
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return statSync(directory).isDirectory();
  } catch {
    return false;
  }
}
