/**
 * Is B really faster than A? A run is one figure; a pair is a run of each, done side by side; what is compared is the
 * logarithm of their ratio. Runs that are no pairs are compared too, with less to be learnt from them.
 * The method, its words and its limits: docs/experiments.md.
 */
import { assert } from '../base/assert.ts';
import type { Interval95 } from '../model/experiment.ts';
import { deviationOf, hasLogarithm, meanOf, outliersOf, ROUNDING } from './sample.ts';
import { signFlipP, signFlipPMin } from './sign-flip.ts';
import { type HodgesLehmann, hodgesLehmann } from './signed-rank.ts';
import { normalQuantile, studentTQuantile } from './student-t.ts';
import { ALPHA, type Compared, decide, type Estimate, intervalOf, pOf, sureOf, UNBOUNDED } from './verdict.ts';
import { formatShare } from './verdict-words.ts';

/** With five the sign-flip test cannot fall below p = 0.0625, with six below 0.031. */
export const PAIRS_MIN = 6;
/** More are a sign that the runs should become quieter, or the margin wider. */
export const PAIRS_MAX = 30;
/** Three runs against three can be told apart by chance in one of ten cases, four against four in one of 35. */
export const RUNS_MIN = 4;
/** That a difference as large as the margin is found. */
const POWER = 0.8;
/** Where so many would not do, the number says nothing any more. */
const NEEDED_MAX = 1_000_000;

export interface CompareInput {
  /** One figure a run: throughput, or a percentile of that run's own histogram. */
  readonly baseline: readonly number[];
  readonly variant: readonly number[];
  readonly better: 'higher' | 'lower';
  /** A difference smaller than this does not matter: 0.02. */
  readonly marginShare: number;
  /** At a look before the end, what p must be below (`alphaAt` of sequential.ts); else 0.05. */
  readonly alphaOfLook?: number;
}

export interface PairedComparison extends Compared {
  /** How many have a log ratio, which is all that the figures rest on. */
  readonly pairs: number;
  /** ln(variant / baseline), in order, without the unusable. */
  readonly logRatios: readonly number[];
  readonly pSignFlip: number;
  readonly hodgesLehmann: { readonly effect: number; readonly interval?: Interval95 };
  /** Indexes into what was given: kept, but they lie far from the others. */
  readonly outliers: readonly number[];
  /** Indexes of pairs without a ratio: a figure that is not above zero, or no number. */
  readonly unusable: readonly number[];
  /** Where UNDECIDED: to find a difference as large as the margin in four of five experiments. May exceed PAIRS_MAX. */
  readonly pairsNeeded?: number;
}

export interface UnpairedComparison extends Compared {
  /** How many of each have a logarithm. */
  readonly runs: { readonly baseline: number; readonly variant: number };
  readonly outliers: { readonly baseline: readonly number[]; readonly variant: readonly number[] };
  readonly unusable: { readonly baseline: readonly number[]; readonly variant: readonly number[] };
  /** Where UNDECIDED: of each. */
  readonly runsNeeded?: number;
}

/**
 * d_i = ln(variant_i) - ln(baseline_i); m, s its mean and standard deviation; se = s / sqrt(n); effect = exp(m) - 1,
 * interval = exp(m -+ t(0.975, n-1) se) - 1; pT = 2 P(T > |m| / se), pSignFlip the share of sign patterns with as large
 * a mean. Both tests must agree. Fewer than 6 pairs, or one without a ratio: UNDECIDED.
 * Source: docs/experiments.md; R. Jain, "The Art of Computer Systems Performance Analysis", 1991, section 13.4.1.
 */
export function comparePaired(input: CompareInput): PairedComparison {
  const { baseline, variant, better, marginShare, alphaOfLook = ALPHA } = input;
  assert(baseline.length === variant.length, 'each run of the variant has one of the baseline at its side');
  assert(marginShare >= 0, 'a margin is not negative');
  const usable = baseline.flatMap((value, at) => (hasLogarithm(value) && hasLogarithm(variant[at]!) ? [at] : []));
  const unusable = baseline.flatMap((_, at) => (usable.includes(at) ? [] : [at]));
  const logRatios = usable.map((at) => logRatio(baseline[at]!, variant[at]!));
  const pairs = logRatios.length;
  const estimate = estimateOf(logRatios);
  const pSignFlip = signFlipP(logRatios);
  const question = { better, marginShare, alpha: alphaOfLook, signFlip: { p: pSignFlip, pMin: signFlipPMin(pairs) } };
  const hindrance = pairedHindrance(baseline.length, unusable);
  const { verdict, isMeaningful, because } =
    hindrance === undefined ? decide(estimate, question) : undecidedBecause(hindrance);
  const isUndecided = verdict === 'UNDECIDED';
  const needed = isUndecided && pairs > 1 ? pairsNeeded(deviationOf(logRatios), marginShare) : undefined;
  return {
    pairs,
    logRatios,
    ...figuresOf(estimate, better),
    pSignFlip,
    hodgesLehmann: hodgesLehmannOf(logRatios),
    outliers: outliersOf(logRatios).map((at) => usable[at]!),
    unusable,
    verdict,
    isMeaningful,
    alpha: alphaOfLook,
    ...(needed === undefined ? {} : { pairsNeeded: needed }),
    because: needed === undefined ? because : `${because} ${neededWords(needed, { pairs, marginShare, of: 'pairs' })}`,
  };
}

/**
 * Welch's t on logarithms: m = mean(ln variant) - mean(ln baseline), se^2 = s_v^2 / n_v + s_b^2 / n_b, degrees of
 * freedom = se^4 / ((s_v^2 / n_v)^2 / (n_v - 1) + (s_b^2 / n_b)^2 / (n_b - 1)). Fewer than 4 of each: UNDECIDED.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are
 * involved", Biometrika 34, 1947.
 */
export function compareUnpaired(input: CompareInput): UnpairedComparison {
  const { baseline, variant, better, marginShare, alphaOfLook = ALPHA } = input;
  assert(marginShare >= 0, 'a margin is not negative');
  const one = sampleOf(baseline);
  const other = sampleOf(variant);
  const runs = { baseline: one.logs.length, variant: other.logs.length };
  const estimate = welch(one.logs, other.logs);
  const unusable = { baseline: one.unusable, variant: other.unusable };
  const hindrance = unpairedHindrance(runs, one.unusable.length + other.unusable.length);
  const { verdict, isMeaningful, because } =
    hindrance === undefined
      ? decide(estimate, { better, marginShare, alpha: alphaOfLook })
      : undecidedBecause(hindrance);
  const canPlan = verdict === 'UNDECIDED' && runs.baseline > 1 && runs.variant > 1;
  const needed = canPlan ? runsNeeded(deviationOf(one.logs), deviationOf(other.logs), marginShare) : undefined;
  const fewest = Math.min(runs.baseline, runs.variant);
  const words =
    needed === undefined ? '' : ` ${neededWords(needed, { pairs: fewest, marginShare, of: 'runs of each' })}`;
  return {
    runs,
    ...figuresOf(estimate, better),
    outliers: { baseline: one.outliers, variant: other.outliers },
    unusable,
    verdict,
    isMeaningful,
    alpha: alphaOfLook,
    ...(needed === undefined ? {} : { runsNeeded: needed }),
    because: `${because}${words}`,
  };
}

/**
 * The smallest n with (t(0.975, n-1) + t(0.80, n-1)) s / sqrt(n) <= ln(1 + margin), and not below 6.
 * Undefined where no number would do. Source: docs/experiments.md.
 */
export function pairsNeeded(deviation: number, marginShare: number): number | undefined {
  const enough = (pairs: number) => reachOf(pairs - 1) * (deviation / Math.sqrt(pairs)) <= Math.log1p(marginShare);
  return smallest(enough, { from: PAIRS_MIN, deviation, marginShare });
}

function runsNeeded(one: number, other: number, marginShare: number): number | undefined {
  const deviation = Math.hypot(one, other);
  const enough = (runs: number) => reachOf(2 * (runs - 1)) * (deviation / Math.sqrt(runs)) <= Math.log1p(marginShare);
  return smallest(enough, { from: RUNS_MIN, deviation, marginShare });
}

function reachOf(freedom: number): number {
  return studentTQuantile(1 - ALPHA / 2, freedom) + studentTQuantile(POWER, freedom);
}

interface Search {
  readonly from: number;
  readonly deviation: number;
  readonly marginShare: number;
}

/** What the normal distribution would need is never enough for Student's, so the walk starts there. */
function smallest(enough: (count: number) => boolean, { from, deviation, marginShare }: Search): number | undefined {
  if (marginShare === 0) return undefined;
  const reach = normalQuantile(1 - ALPHA / 2) + normalQuantile(POWER);
  const least = Math.max(from, Math.floor(((reach * deviation) / Math.log1p(marginShare)) ** 2));
  if (least > NEEDED_MAX) return undefined;
  let count = least;
  while (!enough(count)) count++;
  return count;
}

function logRatio(baseline: number, variant: number): number {
  const ratio = Math.log(variant) - Math.log(baseline);
  return Math.abs(ratio) < ROUNDING ? 0 : ratio;
}

function estimateOf(logRatios: readonly number[]): Estimate {
  const { length } = logRatios;
  if (length === 0) return { mean: 0, standardError: Number.POSITIVE_INFINITY, freedom: 1 };
  const mean = settled(meanOf(logRatios));
  if (length === 1) return { mean, standardError: Number.POSITIVE_INFINITY, freedom: 1 };
  return { mean, standardError: deviationOf(logRatios) / Math.sqrt(length), freedom: length - 1 };
}

function welch(baseline: readonly number[], variant: readonly number[]): Estimate {
  const hasBoth = baseline.length > 0 && variant.length > 0;
  const mean = hasBoth ? settled(meanOf(variant) - meanOf(baseline)) : 0;
  if (baseline.length < 2 || variant.length < 2) return { mean, standardError: Number.POSITIVE_INFINITY, freedom: 1 };
  const one = deviationOf(baseline) ** 2 / baseline.length;
  const other = deviationOf(variant) ** 2 / variant.length;
  const squared = one + other;
  if (squared === 0) return { mean, standardError: 0, freedom: baseline.length + variant.length - 2 };
  // As shares of their sum, so that no square of a small variance vanishes.
  const freedom = 1 / ((one / squared) ** 2 / (baseline.length - 1) + (other / squared) ** 2 / (variant.length - 1));
  return { mean, standardError: Math.sqrt(squared), freedom };
}

function settled(mean: number): number {
  return Math.abs(mean) < ROUNDING ? 0 : mean;
}

function sampleOf(values: readonly number[]) {
  const usable = values.flatMap((value, at) => (hasLogarithm(value) ? [at] : []));
  const logs = usable.map((at) => Math.log(values[at]!));
  const unusable = values.flatMap((value, at) => (hasLogarithm(value) ? [] : [at]));
  return { logs, unusable, outliers: outliersOf(logs).map((at) => usable[at]!) };
}

function figuresOf(estimate: Estimate, better: 'higher' | 'lower') {
  return {
    effect: Math.min(Math.expm1(estimate.mean), UNBOUNDED),
    interval: intervalOf(estimate, 0.95),
    interval90: intervalOf(estimate, 0.9),
    pT: pOf(estimate),
    sure: sureOf(estimate, better),
  };
}

function hodgesLehmannOf(logRatios: readonly number[]): PairedComparison['hodgesLehmann'] {
  if (logRatios.length === 0) return { effect: 0 };
  const { estimate, interval }: HodgesLehmann = hodgesLehmann(logRatios);
  const effect = Math.min(Math.expm1(estimate), UNBOUNDED);
  if (interval === undefined) return { effect };
  return { effect, interval: { low: Math.expm1(interval.low), high: Math.min(Math.expm1(interval.high), UNBOUNDED) } };
}

function undecidedBecause(because: string) {
  return { verdict: 'UNDECIDED', isMeaningful: false, because } as const;
}

function pairedHindrance(given: number, unusable: readonly number[]): string | undefined {
  if (given === 0) return 'There is no pair of runs.';
  if (unusable.length > 0) {
    const numbers = unusable.map((at) => at + 1).join(', ');
    const which = unusable.length === 1 ? `Pair ${numbers} of ${given} has` : `Pairs ${numbers} of ${given} have`;
    return `${which} no ratio, because a figure is zero, negative or missing; what is shown rests on the others.`;
  }
  if (given >= PAIRS_MIN) return undefined;
  const least = signFlipPMin(given);
  return `${count(given, 'pair')}: at least ${PAIRS_MIN} are needed, because with so few the sign-flip test cannot fall below p = ${least}.`;
}

function unpairedHindrance(runs: UnpairedComparison['runs'], unusable: number): string | undefined {
  if (unusable > 0) {
    return `${count(unusable, 'run')} without a figure above zero: no logarithm, and so no ratio; what is shown rests on the others.`;
  }
  if (runs.baseline >= RUNS_MIN && runs.variant >= RUNS_MIN) return undefined;
  return `${count(runs.baseline, 'run')} against ${runs.variant}: at least ${RUNS_MIN} of each are needed, because fewer come out apart by chance too often.`;
}

function count(number: number, of: string): string {
  return `${number} ${of}${number === 1 ? '' : 's'}`;
}

interface Had {
  readonly pairs: number;
  readonly marginShare: number;
  readonly of: string;
}

function neededWords(needed: number, { pairs, marginShare, of }: Had): string {
  const margin = formatShare(marginShare);
  if (needed <= pairs)
    return `For a difference of ${margin}, ${needed} ${of} are enough: the true one is probably smaller.`;
  const advice =
    needed > PAIRS_MAX
      ? `, more than the ${PAIRS_MAX} that are worth it: quieter runs or a wider margin would help more`
      : '';
  return `To see a difference of ${margin}, about ${needed} ${of} are needed${advice}.`;
}
