/** How large the data of a workload will be, before there is any: near enough for a plan, and for a pool. */
import type { ResolvedVariant } from './stage.ts';

/** With its index; 1,000,000 rows of sysbench's tables take 236 MiB. Rows of other workloads are of the same order. */
const BYTES_PER_ROW = 247;
/** Of nine tables with their indexes, right after loading. */
const BYTES_PER_WAREHOUSE = 105_000_000;
/** 4.1 MiB for 1,000 users, each of whom brings 25 rows. */
const QUIZ_BYTES_PER_ROW = 172;
/** 9,768 rows in 28 tables. */
const ATIS_BYTES = 4_000_000;

/** Undefined where the workload does not tell, as one of the user's own may not. */
export function dataBytesOf({
  plan,
  workload,
  workloadOptions,
}: Pick<ResolvedVariant, 'plan' | 'workload' | 'workloadOptions'>): number | undefined {
  const { name } = plan.workload;
  if (name === 'atis') return ATIS_BYTES;
  if (name === 'tpcc')
    return number(workloadOptions['scale']) * number(workloadOptions['tables']) * BYTES_PER_WAREHOUSE;
  const { tables } = workload.needs(workloadOptions as never, plan.threads);
  const rows = tables.reduce((sum, { rowsMin }) => sum + rowsMin, 0);
  if (rows === 0) return undefined;
  return rows * (name === 'quiz' ? QUIZ_BYTES_PER_ROW : BYTES_PER_ROW);
}

/** False where nothing that it declares changes a row; only then does nothing that concerns writing matter. */
export function writesData({ plan, workload, workloadOptions }: ResolvedVariant): boolean {
  return workload.needs(workloadOptions as never, plan.threads).writes;
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 1;
}
