/**
 * Variants beside the baseline, in one metric after the other: which runs belong together, the statistics, and what
 * may be claimed of them together. docs/experiments.md, section "Statistics".
 */
import type { ComparedPair, Comparison } from '../../model/experiment.ts';
import { type Metric, metricOf } from '../../stats/metrics.ts';
import { benjaminiHochberg, holm } from '../../stats/multiple.ts';
import { comparePaired, compareUnpaired } from '../../stats/paired.ts';
import type { Compared as Statistics } from '../../stats/verdict.ts';
import { formatP } from '../../stats/verdict-words.ts';
import type { VariantRuns } from './placed-run.ts';
import { type ComparedVariant, comparisonSentence, percent } from './sentences.ts';

export interface ComparisonTerms {
  /** Name of a variant. */
  readonly baseline: string;
  /** The primary one. */
  readonly metric: string;
  readonly secondary: readonly string[];
  readonly marginShare: number;
  /** Without blocks, all runs of one variant against all of the other. */
  readonly isPaired: boolean;
  /** Of the primary metric. */
  readonly noiseFloor?: number;
  /** Before all blocks of a sequential design are done, what p must be below. */
  readonly alphaOfLook?: number;
}

/** Where so many are looked at together, a share of false ones is borne, rather than none at all. */
const FAMILY_MAX = 20;

/** The primary metric's first, each in the order of variants. What no two runs can tell is left out. */
export function compareVariants(variants: readonly VariantRuns[], terms: ComparisonTerms): ComparedVariant[] {
  const primary = comparedIn(metricOf(terms.metric), variants, { terms, isPrimary: true });
  const secondary = metricsOf(terms.secondary)
    .filter(({ name }) => name !== metricOf(terms.metric).name)
    .flatMap((metric) => comparedIn(metric, variants, { terms, isPrimary: false }));
  const claimed = primary.map((compared) => aboveNoise(compared, terms.noiseFloor));
  return [...(primary.length > 1 ? corrected(claimed) : claimed), ...corrected(secondary)];
}

/** Each once, by its full name. */
export function metricsOf(names: readonly string[]): Metric[] {
  return [...new Map(names.map(metricOf).map((metric) => [metric.name, metric])).values()];
}

interface Role {
  readonly terms: ComparisonTerms;
  readonly isPrimary: boolean;
}

function comparedIn(metric: Metric, variants: readonly VariantRuns[], role: Role): ComparedVariant[] {
  const baseline = variants.find(({ name }) => name === role.terms.baseline);
  if (baseline === undefined) return [];
  return variants
    .filter((variant) => variant !== baseline)
    .flatMap((variant) => {
      const compared = comparedWith(metric, baseline, variant, role);
      return compared === undefined ? [] : [compared];
    });
}

function comparedWith(
  metric: Metric,
  baseline: VariantRuns,
  variant: VariantRuns,
  { terms, isPrimary }: Role,
): ComparedVariant | undefined {
  const about = {
    variant: variant.name,
    baseline: baseline.name,
    metric: metric.name,
    unit: metric.unit,
    better: metric.better,
    isPrimary,
    marginShare: terms.marginShare,
  };
  const figures = terms.isPaired
    ? pairedFigures(metric, baseline, variant, terms)
    : unpairedFigures(metric, baseline, variant, terms);
  return figures === undefined ? undefined : { ...about, ...figures };
}

function pairedFigures(metric: Metric, baseline: VariantRuns, variant: VariantRuns, terms: ComparisonTerms) {
  const pairs = pairsOf(metric, baseline, variant);
  if (pairs.every((pair) => pair.baseline === 0 && pair.variant === 0)) return undefined;
  const statistics = comparePaired({
    baseline: pairs.map((pair) => pair.baseline),
    variant: pairs.map((pair) => pair.variant),
    ...questionOf(metric, terms),
  });
  const { pSignFlip, hodgesLehmann, pairsNeeded, outliers, unusable } = statistics;
  return {
    ...figuresOf(statistics),
    pairs: pairs.filter((_, index) => !unusable.includes(index)),
    pSignFlip,
    hodgesLehmann,
    outliers: outliers.map((index) => pairs[index]!.block),
    ...(pairsNeeded === undefined ? {} : { pairsNeeded }),
  };
}

/** What needs pairs stands in for nothing: the sign-flip test is then that of Welch. */
function unpairedFigures(metric: Metric, baseline: VariantRuns, variant: VariantRuns, terms: ComparisonTerms) {
  const [ofBaseline, ofVariant] = [valuesOf(metric, baseline), valuesOf(metric, variant)];
  if (ofBaseline.length === 0 || ofVariant.length === 0) return undefined;
  if ([...ofBaseline, ...ofVariant].every((value) => value === 0)) return undefined;
  const statistics = compareUnpaired({ baseline: ofBaseline, variant: ofVariant, ...questionOf(metric, terms) });
  const { pT, effect, runsNeeded, runs } = statistics;
  return {
    ...figuresOf(statistics),
    pairs: [],
    pSignFlip: pT,
    hodgesLehmann: { effect },
    outliers: [],
    ...(runsNeeded === undefined ? {} : { pairsNeeded: runsNeeded }),
    unpaired: runs,
  };
}

function questionOf({ better }: Metric, { marginShare, alphaOfLook }: ComparisonTerms) {
  return { better, marginShare, ...(alphaOfLook === undefined ? {} : { alphaOfLook }) };
}

function figuresOf({ effect, interval, pT, sure, verdict, isMeaningful, alpha, because }: Statistics) {
  return { effect, interval, pT, sure, verdict, isMeaningful, alpha, because };
}

/** Blocks in which both ran, and both tell the figure. */
function pairsOf(metric: Metric, baseline: VariantRuns, variant: VariantRuns): ComparedPair[] {
  const byBlock = new Map(baseline.runs.map(({ block, record }) => [block, metric.of(record)]));
  return variant.runs.flatMap(({ block, record }) => {
    const [one, other] = [byBlock.get(block), metric.of(record)];
    return one === undefined || other === undefined
      ? []
      : [{ block, baseline: one, variant: other, ratio: other / one }];
  });
}

function valuesOf(metric: Metric, { runs }: VariantRuns): number[] {
  return runs.map(({ record }) => metric.of(record)).filter((value) => value !== undefined);
}

/** Of several looked at together, one of twenty would differ by chance. */
function corrected(family: readonly ComparedVariant[]): ComparedVariant[] {
  const raw = family.map(({ pT }) => pT);
  const adjusted = family.length > FAMILY_MAX ? benjaminiHochberg(raw) : holm(raw);
  return family.map((compared, index) => {
    const pHolm = adjusted[index]!;
    if (pHolm < compared.alpha || !isClaim(compared)) return { ...compared, pHolm };
    const because = `Of ${family.length} comparisons together it is not sure enough (${formatP(pHolm)} after correction).`;
    return { ...notClaimed(compared, because), pHolm };
  });
}

function aboveNoise(compared: ComparedVariant, noiseFloor: number | undefined): ComparedVariant {
  if (noiseFloor === undefined || !isClaim(compared) || Math.abs(compared.effect) >= noiseFloor) return compared;
  return notClaimed(
    compared,
    `It is below the noise floor of ${percent(noiseFloor)}, which runs of one variant show here against themselves (see the notes).`,
  );
}

function isClaim({ verdict }: ComparedVariant): boolean {
  return verdict === 'FASTER' || verdict === 'SLOWER';
}

function notClaimed(compared: ComparedVariant, because: string): ComparedVariant {
  return { ...compared, verdict: 'UNDECIDED', isMeaningful: false, because };
}

export function toComparison(compared: ComparedVariant): Comparison {
  const { unpaired: _unpaired, marginShare: _margin, because: _because, alpha: _alpha, ...comparison } = compared;
  return { ...comparison, is: comparisonSentence(compared) };
}
