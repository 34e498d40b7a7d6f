/** sysbench's options as a job for fio: https://fio.readthedocs.io/en/latest/fio_doc.html */
import { unreachable } from '../../base/assert.ts';
import { type FileioMode, type FileioValues, fileSetOf, isWriting } from './options.ts';

export interface FioLoad {
  readonly threads: number;
  readonly seed: number;
  /** 0: no limit. */
  readonly timeS: number;
  readonly events: number;
}

/** fio must stop some time; this is thirty years. */
const ENDLESS_S = 1_000_000_000;

/** With a limit of events, fio must not begin again when it has done them all: then it is not based on time. */
function timeLines({ timeS, events }: FioLoad): string[] {
  const runtime = `runtime=${Number.isInteger(timeS) ? timeS || ENDLESS_S : `${Math.round(timeS * 1_000)}ms`}`;
  return events === 0 ? ['time_based=1', runtime] : [runtime];
}

/** One section for each thread, so that events are dealt out to the last one. */
export function fioJob(values: FileioValues, load: FioLoad): string {
  const mode = values.file_test_mode === 'none' ? 'rndrd' : values.file_test_mode;
  const set = fileSetOf(values);
  const settings = [
    `directory=${escaped(set.directory)}`,
    `filename_format=${set.prefix}.$filenum`,
    `nrfiles=${set.files}`,
    `filesize=${set.fileBytes}`,
    `size=${set.fileBytes * set.files}`,
    // The files were prepared: fio must neither make any nor leave any.
    'allow_file_create=0',
    `bs=${set.blockBytes}`,
    ...engineLines(values),
    ...modeLines(mode, values),
    ...syncLines(mode, values),
    `randseed=${load.seed}`,
    // Blocks may come more than once, as in sysbench; fio would otherwise visit each one once.
    'norandommap=1',
    'thread=1',
    ...timeLines(load),
    'lat_percentiles=1',
    'clat_percentiles=0',
  ];
  const sections = Array.from({ length: load.threads }, (_, thread) => sectionLines(thread, load, set.blockBytes));
  return `${['[global]', ...settings, ...sections.flat()].join('\n')}\n`;
}

/** In fio's file names a colon parts two of them. */
function escaped(directory: string): string {
  return directory.replaceAll(':', '\\:');
}

function engineLines({ file_io_mode, file_async_backlog, file_extra_flags }: FileioValues): string[] {
  const flags = file_extra_flags.map((flag) => (flag === 'direct' ? 'direct=1' : `sync=${flag}`));
  switch (file_io_mode) {
    case 'sync':
      return ['ioengine=psync', ...flags];
    case 'async':
      return ['ioengine=libaio', `iodepth=${file_async_backlog}`, ...flags];
    case 'mmap':
      return ['ioengine=mmap', ...flags];
    default:
      return unreachable(file_io_mode);
  }
}

function modeLines(mode: FileioMode, { file_rw_ratio }: FileioValues): string[] {
  switch (mode) {
    case 'seqwr':
    case 'seqrewr':
      return ['rw=write', 'overwrite=1', 'file_service_type=sequential'];
    case 'seqrd':
      return ['rw=read', 'file_service_type=sequential'];
    case 'rndrd':
      return ['rw=randread', 'file_service_type=random'];
    case 'rndwr':
      return ['rw=randwrite', 'file_service_type=random'];
    case 'rndrw': {
      const readShare = file_rw_ratio / (1 + file_rw_ratio);
      return ['rw=randrw', `rwmixread=${Math.round(readShare * 100)}`, 'file_service_type=random'];
    }
    default:
      return unreachable(mode);
  }
}

function syncLines(mode: FileioMode, values: FileioValues): string[] {
  if (!isWriting(mode)) return [];
  const every = values.file_fsync_all ? 1 : values.file_fsync_freq;
  return [
    ...(every === 0 ? [] : [`${values.file_fsync_mode}=${every}`]),
    ...(values.file_fsync_end ? ['end_fsync=1'] : []),
  ];
}

function sectionLines(thread: number, { threads, events }: FioLoad, blockBytes: number): string[] {
  const share = Math.floor(events / threads) + (thread < events % threads ? 1 : 0);
  // A thread without an event would run without a limit.
  if (events > 0 && share === 0) return [];
  return [`[thread-${thread}]`, ...(events === 0 ? [] : [`io_size=${share * blockBytes}`])];
}
