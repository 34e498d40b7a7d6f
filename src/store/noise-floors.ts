/**
 * The noise floor of each machine and workload: what two runs of the same thing differ by. One small file each,
 * `noise-floors/MACHINE/WORKLOAD.json`, replaced when it is measured again.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import type { NoiseFloor } from '../stats/noise-floor.ts';
import { replaceDurably } from './durable.ts';
import { storeDirectory } from './location.ts';

const NOISE_FLOOR_FORMAT = 'sqldyno.noise-floor/1';

export interface KeptNoiseFloor {
  /** As `machineKeyOf` and `workloadKeyOf` say of the runs. */
  readonly machineKey: string;
  readonly workloadKey: string;
  /** ISO 8601, UTC. */
  readonly measuredAt: string;
  /** By metric. */
  readonly floors: Readonly<Record<string, NoiseFloor>>;
  /** What it was reckoned from. */
  readonly runs: readonly string[];
}

export interface NoiseFloors {
  /** On the disk when it resolves. */
  save(floor: KeptNoiseFloor): Promise<void>;
  /** Undefined where none was measured, or the file cannot be read: it is measured again then. */
  find(machineKey: string, workloadKey: string): Promise<KeptNoiseFloor | undefined>;
  /** By machine and workload. */
  list(): Promise<readonly KeptNoiseFloor[]>;
}

const SUFFIX = '.json';

export function openNoiseFloors(store?: string): NoiseFloors {
  const directory = join(storeDirectory(store), 'noise-floors');
  const pathOf = (machineKey: string, workloadKey: string) => join(directory, machineKey, workloadKey + SUFFIX);
  return {
    save: async (floor) => {
      const path = pathOf(floor.machineKey, floor.workloadKey);
      makeFolder(dirname(path));
      await replaceDurably(path, `${JSON.stringify({ format: NOISE_FLOOR_FORMAT, ...floor }, null, 1)}\n`);
    },
    find: (machineKey, workloadKey) => readFloor(pathOf(machineKey, workloadKey)),
    list: () => list(directory),
  };
}

async function list(directory: string): Promise<KeptNoiseFloor[]> {
  const machines = await readdir(directory).catch(() => []);
  const floors: KeptNoiseFloor[] = [];
  for (const machine of machines.sort()) {
    const names = await readdir(join(directory, machine)).catch(() => []);
    const files = names.filter((name) => name.endsWith(SUFFIX) && !name.startsWith('.')).sort();
    const read = await Promise.all(files.map((name) => readFloor(join(directory, machine, name))));
    floors.push(...read.filter((floor) => floor !== undefined));
  }
  return floors;
}

async function readFloor(path: string): Promise<KeptNoiseFloor | undefined> {
  try {
    const { format, ...floor } = JSON.parse(await readFile(path, 'utf8')) as KeptNoiseFloor & { format?: unknown };
    return format === NOISE_FLOOR_FORMAT && isWhole(floor) ? floor : undefined;
  } catch {
    return undefined;
  }
}

function isWhole({ floors, runs }: Partial<KeptNoiseFloor>): boolean {
  const isShare = (share: unknown) => typeof share === 'number' && Number.isFinite(share) && share >= 0;
  const isFloor = (floor: Partial<NoiseFloor> | null) => isShare(floor?.smallestShare) && isShare(floor?.cvShare);
  return Array.isArray(runs) && typeof floors === 'object' && floors !== null && Object.values(floors).every(isFloor);
}
