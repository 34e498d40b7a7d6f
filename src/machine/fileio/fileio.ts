/** `fileio` as a test: what is read and written by threads of this program. How fio comes in is `run-fileio.ts`. */
import { totalmem } from 'node:os';
import { formatBytes } from '../../base/units.ts';
import type { Finding } from '../../model/run.ts';
import { defineHostTest } from '../host-test.ts';
import { FILEIO_OPTIONS, type FileioValues, fileioProblems, fileSetOf, isReading, isWriting } from './options.ts';
import { createFileRunner, OWN_IO_SHARED_BYTES } from './own-io.ts';

export const fileio = defineHostTest({
  name: 'fileio',
  summary: 'how long a durable commit waits for the disk, and how fast files are read and written',
  details: [
    'First the commit probe: a small write and fdatasync, again and again, in --file-dir. It needs no prepare, and its ' +
      'median is what limits commits where innodb_flush_log_at_trx_commit=1.',
    'Then, with --file-test-mode, the files that prepare has made are read and written: by fio where it is installed, else ' +
      'by threads of this program, each with one request at a time. cleanup removes the files.',
    'Files that fit into memory are read from there, and not from the disk: make them larger with --file-total-size, or ' +
      'read past it with --file-extra-flags=direct.',
  ],
  options: FILEIO_OPTIONS,
  problems: fileioProblems,
  comparison: () => OWN_COMPARISON,
  threadNeeds: () => ({ sharedBytes: OWN_IO_SHARED_BYTES }),
  createRunner: createFileRunner,
  measured: (values, { counts }) => {
    const set = fileSetOf(values);
    const { reads = 0, writes = 0, syncs = 0, bytesRead = 0, bytesWritten = 0 } = counts;
    return {
      test: 'fileio',
      engine: 'sqldyno',
      mode: values.file_test_mode,
      files: set.files,
      fileBytes: set.fileBytes,
      blockBytes: set.blockBytes,
      reads,
      writes,
      syncs,
      bytesRead,
      bytesWritten,
    };
  },
});

const OWN_COMPARISON =
  "The same requests as in sysbench's sync mode, by threads of this program. Where the disk decides, figures compare; where " +
  'the files are in memory, the way through Node makes each request slower than from C.';

export const FIO_COMPARISON =
  'fio did the work. Where the disk decides, its figures compare with those of sysbench, but for two things: fio synchronizes ' +
  'the file just written, and sysbench all files; and fio forgets what the system had of the files in memory before it begins.';

export function pageCacheFindings(values: FileioValues, memoryBytes: number = totalmem()): Finding[] {
  const { files, fileBytes } = fileSetOf(values);
  const isDirect = values.file_extra_flags.includes('direct');
  if (!isReading(values.file_test_mode) || isDirect || files * fileBytes > memoryBytes) return [];
  return [
    {
      id: 'page-cache',
      severity: 'warning',
      is: 'The files fit into memory: reading them is not reading the disk.',
      because: `They have ${formatBytes(files * fileBytes)}, and the machine has ${formatBytes(memoryBytes)} of memory.`,
      remedy: 'Read past it with --file-extra-flags=direct, or prepare a --file-total-size of twice the memory.',
    },
  ];
}

export function withoutFlushFindings(values: FileioValues): Finding[] {
  const { file_test_mode, file_extra_flags, file_fsync_freq, file_fsync_all } = values;
  const isFlushed = file_fsync_all || file_fsync_freq > 0 || file_extra_flags.length > 0;
  if (!isWriting(file_test_mode) || isFlushed) return [];
  return [
    {
      id: 'not-flushed',
      severity: 'warning',
      is: 'Nothing asked the disk to keep what was written: the writes are writes to memory.',
      because: '--file-fsync-freq=0 leaves it to the system when they go to the disk, which is after the run.',
      remedy: 'Leave --file-fsync-freq out, or use --file-fsync-all or --file-extra-flags=dsync.',
    },
  ];
}
