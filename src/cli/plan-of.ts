/** What the engine needs besides the target. */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { LoadPlan } from '../load/plan.ts';
import { planLoad } from '../load/plan-load.ts';
import { valuesForWork } from '../load/plan-work.ts';
import type { WorkloadLine } from './workload-line.ts';

/** Short enough to be read out and typed again. */
const DRAWN_SEED_MAX = 1_000_000_000;

export function planOf(line: WorkloadLine): Omit<LoadPlan, 'targets'> {
  const { name, path, workload } = line.found;
  const work = workload.work?.(line.workload as never);
  const world = { cores: availableParallelism(), drawSeed: () => randomInt(1, DRAWN_SEED_MAX) };
  return {
    ...planLoad(valuesForWork(line.load, line.given, work), world),
    sequence: work?.sequence ?? [],
    workload: { name, options: line.workload, ...(path === undefined ? {} : { path }) },
  };
}
