/** Reading and writing by this program itself: each thread has one request under way, by calls that block it. */
import { fdatasyncSync, fsyncSync, readSync, writeSync } from 'node:fs';
import { ExitCode, UserError } from '../../base/errors.ts';
import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import type { Counts, EventRunner } from '../event-loop.ts';
import type { ThreadPlace } from '../host-test.ts';
import { type FileioMode, type FileioValues, type FileSet, fileSetOf, isWriting } from './options.ts';

/** Of the shared memory: the next block of the sequential modes. */
const POSITION = 0;
export const OWN_IO_SHARED_BYTES = 4;

export function createFileRunner(values: FileioValues, place: ThreadPlace): EventRunner {
  const io = new OwnIo(values, place);
  return {
    eventsTogetherMax: 1,
    run: (events) => {
      for (let event = 0; event < events; event++) io.next();
    },
    counts: () => io.counts(),
  };
}

/** An event is a read, a write, or the synchronizing of one file. */
class OwnIo {
  #reads = 0;
  #writes = 0;
  #syncs = 0;
  readonly #set: FileSet;
  readonly #mode: FileioMode;
  readonly #values: FileioValues;
  readonly #descriptors: readonly number[];
  readonly #position: Uint32Array<SharedArrayBuffer>;
  readonly #random: Random;
  readonly #buffer: Uint8Array;
  readonly #sync: (descriptor: number) => void;
  #sinceSync = 0;
  /** Files that are to be synchronized before the next request. */
  #syncNext = 0;
  #syncEnd = 0;

  constructor(values: FileioValues, { thread, seed, shared, fileDescriptors }: ThreadPlace) {
    this.#set = fileSetOf(values);
    this.#mode = values.file_test_mode === 'none' ? 'rndrd' : values.file_test_mode;
    this.#values = values;
    this.#descriptors = fileDescriptors;
    this.#position = new Uint32Array(shared ?? new SharedArrayBuffer(OWN_IO_SHARED_BYTES));
    this.#random = createRandom(deriveSeed(seed, 'fileio', thread));
    this.#buffer = values.file_extra_flags.includes('direct')
      ? alignedBuffer(this.#set.blockBytes, fileDescriptors[0] ?? -1)
      : new Uint8Array(this.#set.blockBytes);
    for (let at = 0; at < this.#buffer.length; at++) this.#buffer[at] = this.#random.integer(0, 255);
    this.#sync = values.file_fsync_mode === 'fsync' ? fsyncSync : fdatasyncSync;
  }

  counts(): Counts {
    const { blockBytes } = this.#set;
    return {
      reads: this.#reads,
      writes: this.#writes,
      syncs: this.#syncs,
      bytesRead: this.#reads * blockBytes,
      bytesWritten: this.#writes * blockBytes,
    };
  }

  /** Hot. */
  next(): void {
    if (this.#syncNext < this.#syncEnd) this.#syncFile(this.#syncNext++);
    else this.#request();
  }

  #request(): void {
    const { blockBytes, blocksPerFile } = this.#set;
    const block = this.#nextBlock();
    const file = Math.floor(block / blocksPerFile);
    const descriptor = this.#descriptors[file]!;
    const position = (block % blocksPerFile) * blockBytes;
    if (this.#isNextRead()) {
      const done = readSync(descriptor, this.#buffer, 0, blockBytes, position);
      if (done !== blockBytes) throw shortRequest('read', done, blockBytes);
      this.#reads++;
    } else {
      // Storage that keeps equal blocks once must not have it easier than with a database's.
      this.#buffer[this.#writes % blockBytes] = this.#writes;
      const done = writeSync(descriptor, this.#buffer, 0, blockBytes, position);
      if (done !== blockBytes) throw shortRequest('written', done, blockBytes);
      this.#writes++;
      if (this.#values.file_fsync_all) this.#syncLater(file, file + 1);
    }
    this.#afterRequest();
  }

  #nextBlock(): number {
    const blocks = this.#set.blocksPerFile * this.#descriptors.length;
    const isSequential = this.#mode.startsWith('seq');
    // Beyond the last block it begins again; the counter itself wraps only after 4 billion requests.
    return isSequential ? Atomics.add(this.#position, POSITION, 1) % blocks : this.#random.integer(0, blocks - 1);
  }

  #isNextRead(): boolean {
    if (this.#mode === 'rndrw') return this.#reads < this.#writes * this.#values.file_rw_ratio;
    return !isWriting(this.#mode);
  }

  #afterRequest(): void {
    const { file_fsync_freq: frequency, file_fsync_all: isAll } = this.#values;
    if (frequency === 0 || isAll || !isWriting(this.#mode)) return;
    if (++this.#sinceSync < frequency) return;
    this.#sinceSync = 0;
    this.#syncLater(0, this.#descriptors.length);
  }

  #syncLater(from: number, end: number): void {
    this.#syncNext = from;
    this.#syncEnd = end;
  }

  #syncFile(file: number): void {
    this.#sync(this.#descriptors[file]!);
    this.#syncs++;
  }
}

function shortRequest(done: string, bytes: number, wanted: number): UserError {
  return new UserError(`Only ${bytes} of ${wanted} bytes were ${done}.`, {
    hint: 'The disk may be full, or the files were changed meanwhile: look at it, then cleanup and prepare again.',
    exitCode: ExitCode.runFailed,
  });
}

const PAGE_BYTES = 4_096;
/** Memory of ours begins at a multiple of it. */
const ALIGNMENT_STEP_BYTES = 16;

/**
 * O_DIRECT takes memory only where it begins at a multiple of the disk's sector size. Nobody tells where ours begins,
 * so it is tried out; at one place within a page it does.
 */
export function alignedBuffer(bytes: number, descriptor: number): Uint8Array {
  const memory = new ArrayBuffer(bytes + PAGE_BYTES);
  for (let offset = 0; offset < PAGE_BYTES; offset += ALIGNMENT_STEP_BYTES) {
    const buffer = new Uint8Array(memory, offset, bytes);
    try {
      readSync(descriptor, buffer, 0, bytes, 0);
      return buffer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
    }
  }
  throw new UserError('The files take no direct reading.', {
    hint: 'Leave --file-extra-flags=direct out, or try a --file-block-size of 4096 or more.',
    exitCode: ExitCode.runFailed,
  });
}
