/** What came of an experiment: reckoned from its plan and the records of its runs alone, whole or as far as they go. */
import type { ExperimentPlan, ExperimentResult, FactorEffect } from '../../model/experiment.ts';
import { type FactorialDesign, factorialEffects, oneAtATimeEffects } from '../../stats/factorial.ts';
import { metricOf } from '../../stats/metrics.ts';
import { INTERIM_ALPHA } from '../../stats/sequential.ts';
import { type ComparisonTerms, compareVariants, toComparison } from './comparisons.ts';
import { headline } from './headline.ts';
import { type PlacedRun, runsByVariant, type VariantRuns } from './placed-run.ts';
import { experimentNotes } from './result-notes.ts';
import { summaryOfVariant } from './variant-summary.ts';

export interface Known {
  /** Of this machine and workload, from runs of one variant against itself; a share. */
  readonly noiseFloor?: number;
  /** What became of the noise floor, and where it comes from: sentences. */
  readonly noiseNotes?: readonly string[];
}

export function analyse(plan: ExperimentPlan, runs: readonly PlacedRun[], known: Known = {}): ExperimentResult {
  const { noiseNotes = [], ...floor } = known;
  const variants = runsByVariant(plan.variants, runs);
  const blocks = wholeBlocks(variants);
  const terms = termsOf(plan, blocks, floor);
  const compared = compareVariants(variants, terms);
  const summaries = variants.map((variant) => summaryOfVariant(variant, [plan.metric, ...plan.secondary]));
  const effects = effectsOf(plan, variants);
  const judged = { variants, summaries, compared };
  return {
    is: headline(judged, terms),
    blocks,
    variants: summaries,
    comparisons: compared.map(toComparison),
    ...(effects.length === 0 ? {} : { effects }),
    ...floor,
    notes: [...experimentNotes(plan, judged, blocks), ...noiseNotes],
  };
}

/** Whoever looks at a sequential design before its end must ask for more. */
function termsOf(plan: ExperimentPlan, blocks: number, floor: Pick<Known, 'noiseFloor'>): ComparisonTerms {
  const { baseline, metric, secondary, marginShare, stop } = plan;
  const isLook = stop.is === 'sequential' && blocks < plan.blocks;
  const look = isLook ? { alphaOfLook: INTERIM_ALPHA } : {};
  return { baseline, metric, secondary, marginShare, isPaired: true, ...look, ...floor };
}

/** In which every variant has a run that counts. */
function wholeBlocks(variants: readonly VariantRuns[]): number {
  const blocks = new Set(variants.flatMap(({ runs }) => runs.map(({ block }) => block)));
  return [...blocks].filter((block) => variants.every(({ runs }) => runs.some((run) => run.block === block))).length;
}

/** None before there is a block to reckon them from. */
function effectsOf(
  { design, metric, variants: planned }: ExperimentPlan,
  variants: readonly VariantRuns[],
): readonly FactorEffect[] {
  if (design.is === 'blocks') return [];
  const { of } = metricOf(metric);
  const runs = variants.flatMap(({ name, runs }) => {
    const levels = planned.find((variant) => variant.name === name)?.levels;
    if (levels === undefined) return [];
    return runs.flatMap(({ block, record }) => {
      const value = of(record);
      return value === undefined ? [] : [{ block, levels, value }];
    });
  });
  const given: FactorialDesign = { factors: design.factors, runs };
  const { effects, blocks } = design.is === 'factorial' ? factorialEffects(given) : oneAtATimeEffects(given);
  return blocks === 0 ? [] : effects;
}
