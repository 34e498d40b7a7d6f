/** The files of one run's directory: `run.json`, `intervals.ndjson`, and `series.json` where it was watched. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UserError } from '../base/errors.ts';
import { type Interval, RUN_FORMAT, type RunRecord } from '../model/run.ts';
import { syncDirectory, writeDurably } from './durable.ts';
import type { RunHead } from './run-summary.ts';

export const RECORD_FILE = 'run.json';
const INTERVALS_FILE = 'intervals.ndjson';
/** Of runs that were watched: what probes saw, which a listing need not read. */
const SERIES_FILE = 'series.json';

/** Into an empty directory. */
export async function writeRun(directory: string, record: RunRecord): Promise<void> {
  const { intervals, series, ...head } = record;
  await writeDurably(join(directory, RECORD_FILE), headText(head));
  await writeDurably(join(directory, INTERVALS_FILE), intervals.map((line) => `${JSON.stringify(line)}\n`).join(''));
  if (series !== undefined) await writeDurably(join(directory, SERIES_FILE), `${JSON.stringify(series)}\n`);
  await syncDirectory(directory);
}

export function headText(head: RunHead): string {
  return `${JSON.stringify(head, null, 1)}\n`;
}

export async function readRun(directory: string): Promise<RunRecord> {
  try {
    const record = await readHead(directory);
    const intervals = await readIntervals(join(directory, INTERVALS_FILE));
    const series = await readSeries(join(directory, SERIES_FILE));
    return { ...record, intervals, ...(series === undefined ? {} : { series }) };
  } catch (error) {
    throw new UserError(`The run in ${directory} cannot be read: ${(error as Error).message}.`, {
      hint: 'Its files have been cut off or changed; there may be another copy of the directory.',
      cause: error,
    });
  }
}

export async function readHead(directory: string): Promise<RunHead> {
  const record = JSON.parse(await readText(join(directory, RECORD_FILE))) as RunRecord | null;
  if (record?.format === RUN_FORMAT) return record;
  throw new Error(`its format is ${JSON.stringify(record?.format)}, and this version reads ${RUN_FORMAT}`);
}

async function readIntervals(path: string): Promise<Interval[]> {
  const lines = (await readText(path)).split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Interval;
    } catch {
      throw new Error(`line ${index + 1} of ${INTERVALS_FILE} is broken`);
    }
  });
}

/** Undefined where the run was not watched. */
async function readSeries(path: string): Promise<RunRecord['series']> {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(await readText(path)) as RunRecord['series'];
  } catch {
    throw new Error(`${SERIES_FILE} is broken`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`it has no ${basename(path)}`);
    throw error;
  }
}
