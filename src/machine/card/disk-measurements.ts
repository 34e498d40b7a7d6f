/** Random reads and writes of InnoDB's page size by how many are under way: by fio, or by threads of our own. */
import { defaultsOf } from '../../base/options.ts';
import { formatBytes } from '../../base/units.ts';
import type { MachineDisk } from '../../model/machine-card.ts';
import { isInMemory } from '../fileio/disk.ts';
import { FILEIO_OPTIONS, type FileioValues } from '../fileio/options.ts';
import { hostTest } from '../host-tests.ts';
import { runHostTest } from '../run.ts';
import { DISK_BLOCK_BYTES, type DiskFile } from './disk-file.ts';
import type { FigurePlan, Measurement } from './measurement.ts';

export interface DiskPlan {
  readonly file: DiskFile;
  /** Of fio; undefined: threads of this program do it. */
  readonly fioVersion: string | undefined;
  readonly isQuick: boolean;
}

const DEPTHS = [1, 4, 16, 32] as const;
const QUICK_DEPTHS = [1, 16] as const;
const DIRECTIONS = [
  { name: 'read', mode: 'rndrd' },
  { name: 'write', mode: 'rndwr' },
] as const;

export function diskOf({ file, fioVersion }: DiskPlan): MachineDisk {
  const { directory, fileSystem, isDirect, bytes, fitsMemory } = file;
  return {
    directory,
    fileSystem,
    engine: fioVersion === undefined ? 'sqldyno' : 'fio',
    ...(fioVersion === undefined ? {} : { engineVersion: fioVersion }),
    isDirect,
    fileBytes: bytes,
    blockBytes: DISK_BLOCK_BYTES,
    fitsMemory,
  };
}

export function diskMeasurements(plan: DiskPlan): Measurement[] {
  const depths = plan.isQuick ? QUICK_DEPTHS : DEPTHS;
  return DIRECTIONS.flatMap((direction) => depths.map((depth) => diskMeasurement(plan, direction, depth)));
}

function diskMeasurement(plan: DiskPlan, { name, mode }: (typeof DIRECTIONS)[number], depth: number): Measurement {
  const { file } = plan;
  const id = `disk.${name}.depth${depth}`;
  const doubt = doubtOf(file, name);
  const disk = diskOf(plan);
  // Only direct requests are asynchronous: others would be done one after the other.
  const isAsync = disk.engine === 'fio' && file.isDirect;
  const figure: FigurePlan = {
    id,
    group: 'disk',
    label: `${name}, depth ${depth}`,
    unit: 'IOPS',
    better: 'higher',
    how: howOf(disk),
    settings: {
      engine: disk.engine,
      isDirect: file.isDirect,
      depth,
      blockBytes: DISK_BLOCK_BYTES,
      fileBytes: file.bytes,
    },
    ...(doubt === undefined ? {} : { doubt }),
  };
  const values = valuesOf(plan, { mode, depth, isAsync });
  return {
    label: `disk, ${figure.label}`,
    weight: 1,
    figures: [figure],
    measure: async (timeS, stops) => {
      const test = hostTest('fileio');
      const threads = isAsync ? 1 : depth;
      const common = { test, values, threads, timeS, events: 0, intervalS: timeS, percentiles: [], seed: SEED };
      const nobody = { version: '', command: [], host: {} };
      const { ending, work, client } = await runHostTest({ plan: common, hooks: {}, stops }, nobody);
      const isDone = work !== undefined && work.events > 0;
      return {
        ending,
        values: isDone ? { [id]: work.eventsPerS } : {},
        latencies: isDone ? { [id]: work.latency } : {},
        elapsedS: work?.elapsedS ?? 0,
        cpuS: client.cpuS,
      };
    },
  };
}

/** Equal for all cards. */
const SEED = 1;

function doubtOf(
  { isDirect, fitsMemory, directory, fileSystem }: DiskFile,
  direction: 'read' | 'write',
): string | undefined {
  if (isDirect) return undefined;
  if (isInMemory(fileSystem)) return `${directory} is in memory (${fileSystem}): there is no disk in these figures.`;
  if (direction === 'write') return `${directory} takes no direct requests: each write is one that is waited for.`;
  return fitsMemory
    ? `${directory} takes no direct requests, and the file fits into memory: this is memory, not the disk.`
    : `${directory} takes no direct requests: a part of the file is read from memory.`;
}

function howOf({ engine, engineVersion = '', isDirect, fileBytes, fitsMemory }: MachineDisk): string {
  const requests = `Random requests of ${formatBytes(DISK_BLOCK_BYTES)} on a file of ${formatBytes(fileBytes)}`;
  const way = isDirect
    ? `past the page cache (O_DIRECT${fitsMemory ? '; the file would fit into it' : ''})`
    : `through the page cache${fitsMemory ? ', into which the file fits' : ''}; writes with O_DSYNC`;
  const depth =
    engine === 'fio'
      ? `by fio ${engineVersion}, with as many under way as the depth says`
      : 'by as many threads of this program as the depth says, each with one under way; fio was not used';
  return `${requests}, ${way}, ${depth}.`;
}

function valuesOf(
  { file, fioVersion }: DiskPlan,
  { mode, depth, isAsync }: { readonly mode: 'rndrd' | 'rndwr'; readonly depth: number; readonly isAsync: boolean },
): FileioValues {
  const durable = mode === 'rndwr' ? ['dsync'] : [];
  return {
    ...defaultsOf(FILEIO_OPTIONS),
    file_dir: file.directory,
    file_prefix: file.prefix,
    file_num: 1,
    file_total_size: String(file.bytes),
    file_block_size: String(DISK_BLOCK_BYTES),
    file_test_mode: mode,
    file_engine: fioVersion === undefined ? 'sqldyno' : 'fio',
    file_io_mode: isAsync ? 'async' : 'sync',
    file_async_backlog: depth,
    file_extra_flags: file.isDirect ? ['direct'] : durable,
    file_fsync_freq: 0,
    file_fsync_end: false,
    commit_probe_time: 0,
  };
}
