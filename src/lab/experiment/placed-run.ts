/** A run at its place in an experiment, and the runs of one variant: what is compared. */
import type { Change, Entered, Variant } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';

export interface PlacedRun {
  /** From 1. Runs of one block are compared with each other. */
  readonly block: number;
  readonly variant: string;
  readonly record: RunRecord;
  /** How the server was when it began. */
  readonly entered?: Entered;
}

export interface VariantRuns {
  readonly name: string;
  /** What was turned. */
  readonly change: Change;
  readonly pricePerMonth?: number;
  /** Those that count, by block; one a block. */
  readonly runs: readonly PlacedRun[];
}

/** By variant, in their order. Of several runs in one block the last counts: it was done again. */
export function runsByVariant(variants: readonly Variant[], runs: readonly PlacedRun[]): VariantRuns[] {
  return variants.map(({ name, pricePerMonth, ...change }) => {
    const byBlock = new Map(runs.filter((run) => run.variant === name && counts(run)).map((run) => [run.block, run]));
    const inOrder = [...byBlock.values()].sort((one, other) => one.block - other.block);
    return { name, change, ...(pricePerMonth === undefined ? {} : { pricePerMonth }), runs: inOrder };
  });
}

/** It came to its end, and proves something. */
export function counts({ record }: Pick<PlacedRun, 'record'>): boolean {
  const isWhole = record.ending.kind === 'time' || record.ending.kind === 'events';
  return isWhole && record.findings.every(({ severity }) => severity !== 'invalid');
}
