/** A whole card: makes the file, measures all there is to measure, and leaves nothing behind. */
import { UserError } from '../../base/errors.ts';
import type { MachineCard } from '../../model/machine-card.ts';
import type { Stops } from '../crew.ts';
import { findFio } from '../fileio/fio-process.ts';
import { commitMeasurement } from './commit-measurement.ts';
import { type DiskFile, makeDiskFile } from './disk-file.ts';
import { type DiskPlan, diskMeasurements, diskOf } from './disk-measurements.ts';
import type { Measurement } from './measurement.ts';
import { type ProcessorWorld, processorMeasurements } from './processor-measurements.ts';
import { type CardHooks, type CardResult, runCard } from './run-card.ts';
import { makeScratch, type Scratch } from './scratch.ts';

export interface MachinePlan extends ProcessorWorld {
  /** That exists; on the disk that is to be measured. */
  readonly directory: string;
  readonly timeS: number;
  readonly engine: 'auto' | 'fio' | 'sqldyno';
  /** What is measured beside the machine itself: the way to a server. */
  readonly more: readonly Measurement[];
}

export interface MachineHooks extends CardHooks {
  onGettingReady?(): void;
}

export type MachineResult = CardResult & Pick<MachineCard, 'disk'>;

/** A disk's own cache is smaller than this, and a slow card takes no longer than the limit. */
const FILE_BYTES_MAX = 2 ** 30;
const FILE_TIME_S = 8;
const QUICK_FILE_BYTES_MAX = 256 * 2 ** 20;
const QUICK_FILE_TIME_S = 2;

export async function measureMachine(plan: MachinePlan, hooks: MachineHooks, stops: Stops): Promise<MachineResult> {
  const fioVersion = await chooseFio(plan.engine);
  using scratch = makeScratch(plan.directory);
  hooks.onGettingReady?.();
  const found = await fileIn(plan, scratch, stops);
  const disk: DiskPlan | undefined = found.file && { file: found.file, fioVersion, isQuick: plan.isQuick };
  const measurements = [
    ...processorMeasurements(plan),
    commitMeasurement(plan.directory),
    ...(disk === undefined ? [] : diskMeasurements(disk)),
    ...plan.more,
  ];
  const result = await runCard({ measurements, timeS: plan.timeS }, hooks, stops);
  const missing = found.failure === undefined ? [] : [{ what: 'disk', because: found.failure }];
  return {
    ...result,
    missing: [...missing, ...result.missing],
    ...(disk === undefined ? {} : { disk: diskOf(disk) }),
  };
}

async function chooseFio(engine: MachinePlan['engine']): Promise<string | undefined> {
  if (engine === 'sqldyno') return undefined;
  const version = await findFio();
  if (version !== undefined || engine === 'auto') return version;
  throw new UserError('--file-engine=fio needs fio 3 or newer, and none is found in PATH.', {
    hint: 'Install the package fio, or leave the option out.',
  });
}

interface FoundFile {
  readonly file?: DiskFile | undefined;
  readonly failure?: string;
}

async function fileIn({ isQuick }: MachinePlan, scratch: Scratch, { signal }: Stops): Promise<FoundFile> {
  const limits = isQuick
    ? { bytesMax: QUICK_FILE_BYTES_MAX, timeS: QUICK_FILE_TIME_S, signal }
    : { bytesMax: FILE_BYTES_MAX, timeS: FILE_TIME_S, signal };
  try {
    return { file: await makeDiskFile(scratch, limits) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { failure: error.hint === undefined ? error.message : `${error.message} ${error.hint}` };
  }
}
