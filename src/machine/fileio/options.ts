/** Options of `fileio`, and the set of files that they describe. */
import { choice, flag, integer, list, number, text, type ValuesOf } from '../../base/options.ts';
import type { Problem } from '../../base/options-parse.ts';
import { parseSize, sizeOf } from '../size.ts';

const FILES_MAX = 100_000;
/** Reading and writing more than this in one call is split by the system. */
const BLOCK_BYTES_MAX = 2 ** 30;
/** Memory pages and the sectors of disks are multiples of it; O_DIRECT takes nothing smaller. */
const SECTOR_BYTES = 512;

export const FILEIO_MODES = ['seqwr', 'seqrewr', 'seqrd', 'rndrd', 'rndwr', 'rndrw'] as const;
export type FileioMode = (typeof FILEIO_MODES)[number];

const EXTRA_FLAGS = ['sync', 'dsync', 'direct'] as const;
export type ExtraFlag = (typeof EXTRA_FLAGS)[number];

export const FILEIO_OPTIONS = {
  file_dir: text({ default: '.', placeholder: 'DIR', help: "where the files are: a server's data directory, for one" }),
  file_num: integer({ default: 128, min: 1, max: FILES_MAX, help: 'files to make and use' }),
  file_total_size: text({ default: '2G', placeholder: 'SIZE', help: 'of all files together' }),
  file_block_size: text({ default: '16384', placeholder: 'SIZE', help: 'bytes of one read or write' }),
  file_test_mode: choice({
    default: 'none',
    choices: ['none', ...FILEIO_MODES],
    help:
      'sequential write, rewrite, read; random read, write, both. Without it, only the commit probe is run, which needs ' +
      'no prepare',
  }),
  file_engine: choice({
    default: 'auto',
    choices: ['auto', 'fio', 'sqldyno'],
    help: 'who reads and writes: fio, where it is installed, or threads of this program',
  }),
  file_io_mode: choice({
    default: 'sync',
    choices: ['sync', 'async', 'mmap'],
    help: 'one request at a time in each thread; many, or through memory: these two need fio',
  }),
  file_async_backlog: integer({ default: 128, min: 1, max: 65_536, help: 'async: requests under way in each thread' }),
  file_extra_flags: list({ default: [], placeholder: EXTRA_FLAGS.join(','), help: 'open the files with these flags' }),
  file_fsync_freq: integer({ default: 100, min: 0, help: 'synchronize after this many requests; 0: never' }),
  file_fsync_all: flag({ default: false, help: 'synchronize after every write' }),
  file_fsync_end: flag({ default: true, help: 'synchronize all files at the end' }),
  file_fsync_mode: choice({ default: 'fsync', choices: ['fsync', 'fdatasync'], help: 'by which call' }),
  file_merged_requests: integer({ default: 0, min: 0, max: 0, help: 'only 0: requests are not merged' }),
  file_rw_ratio: number({ default: 1.5, min: 0, help: 'rndrw: reads for each write' }),
  commit_probe_time: number({
    default: 3,
    min: 0,
    help: 'seconds to measure small writes with fdatasync, half of them over a file, half at its end; 0: not at all',
  }),
} as const;
export type FileioValues = ValuesOf<typeof FILEIO_OPTIONS> & {
  /** No option: what the files of another program part are called. Absent: as sysbench's. */
  readonly file_prefix?: string;
};

export function fileioProblems(values: FileioValues): Problem[] {
  const problems: Problem[] = [];
  const totalBytes = parseSize(values.file_total_size);
  const blockBytes = parseSize(values.file_block_size);
  if (totalBytes === undefined || totalBytes === 0) {
    problems.push({ is: `--file-total-size must be a size such as 512M or 2G, not '${values.file_total_size}'.` });
  }
  if (blockBytes === undefined || blockBytes === 0 || blockBytes > BLOCK_BYTES_MAX) {
    problems.push({ is: `--file-block-size must be a size from 1 byte to 1G, not '${values.file_block_size}'.` });
  }
  if (problems.length === 0 && fileSetOf(values).blocksPerFile === 0) {
    const remedy = 'Ask for fewer files, a larger total, or smaller blocks.';
    problems.push({ is: `With --file-num=${values.file_num} each file is smaller than one block.`, remedy });
  }
  return [...problems, ...flagProblems(values), ...engineProblems(values)];
}

function flagProblems({ file_extra_flags, file_block_size }: FileioValues): Problem[] {
  const unknown = file_extra_flags.filter((each) => !EXTRA_FLAGS.some((known) => known === each));
  const problems = unknown.map((each) => ({
    is: `--file-extra-flags: '${each}' is none of ${EXTRA_FLAGS.join(', ')}.`,
  }));
  const isAligned = sizeOf(file_block_size) % SECTOR_BYTES === 0;
  if (!file_extra_flags.includes('direct') || isAligned) return problems;
  return [...problems, { is: `--file-extra-flags=direct needs a --file-block-size that ${SECTOR_BYTES} divides.` }];
}

function engineProblems({ file_engine, file_io_mode, file_test_mode, commit_probe_time }: FileioValues): Problem[] {
  if (file_test_mode === 'none' && commit_probe_time === 0) {
    const remedy = 'Name a --file-test-mode, or leave --commit-probe-time out.';
    return [{ is: 'Without --file-test-mode and with --commit-probe-time=0 there is nothing to do.', remedy }];
  }
  if (file_engine !== 'sqldyno' || file_io_mode === 'sync') return [];
  const remedy = 'Leave out --file-engine or --file-io-mode.';
  return [{ is: `--file-io-mode=${file_io_mode} needs fio, and --file-engine=sqldyno does without.`, remedy }];
}

/** The files that prepare makes and run uses. */
export interface FileSet {
  readonly directory: string;
  /** Before the dot and the number. */
  readonly prefix: string;
  readonly files: number;
  readonly fileBytes: number;
  readonly blockBytes: number;
  /** What is left at the end of a file, smaller than a block, is not used. */
  readonly blocksPerFile: number;
}

const PREFIX = 'test_file';

export function fileSetOf(values: FileioValues): FileSet {
  const { file_dir, file_num, file_total_size, file_block_size, file_prefix = PREFIX } = values;
  const fileBytes = Math.floor(sizeOf(file_total_size) / file_num);
  const blockBytes = sizeOf(file_block_size);
  return {
    directory: file_dir,
    prefix: file_prefix,
    files: file_num,
    fileBytes,
    blockBytes,
    blocksPerFile: Math.floor(fileBytes / blockBytes),
  };
}

export function isWriting(mode: FileioValues['file_test_mode']): boolean {
  return mode === 'seqwr' || mode === 'seqrewr' || mode === 'rndwr' || mode === 'rndrw';
}

export function isReading(mode: FileioValues['file_test_mode']): boolean {
  return mode === 'seqrd' || mode === 'rndrd' || mode === 'rndrw';
}
