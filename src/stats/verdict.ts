/** From an estimate of a log ratio to an interval, a probability and one of four words. */
import type { ComparisonVerdict, Interval95 } from '../model/experiment.ts';
import { studentTAbove, studentTQuantile, studentTTwoSided } from './student-t.ts';
import { formatP, formatShare, formatSpan } from './verdict-words.ts';

/** A result without any information lies between -100 % and this: finite, so that it survives JSON. */
export const UNBOUNDED = Number.MAX_VALUE;
export const ALPHA = 0.05;

/** Of ln(variant / baseline). */
export interface Estimate {
  readonly mean: number;
  /** 0: all differences were equal. Infinite: one difference alone, which tells nothing of its scatter. */
  readonly standardError: number;
  readonly freedom: number;
}

/** What comparisons have in common, whether of pairs or not. All of the metric itself, but for verdict and `sure`. */
export interface Compared {
  /** variant / baseline - 1, whatever is better: +0.065 is 6.5 % more. */
  readonly effect: number;
  /** 95 % */
  readonly interval: Interval95;
  /** 90 %: two one-sided tests against the margin. */
  readonly interval90: Interval95;
  /** Two-sided, of Student's t. */
  readonly pT: number;
  /** That the variant is better. */
  readonly sure: number;
  readonly verdict: ComparisonVerdict;
  /** FASTER or SLOWER, and the whole interval lies beyond the margin. */
  readonly isMeaningful: boolean;
  /** What p had to be below for FASTER and SLOWER: 0.05, less at a look before the end. */
  readonly alpha: number;
  /** Why this verdict, in one or two sentences. */
  readonly because: string;
}

/**
 * exp(m -+ t((1 + confidence) / 2, freedom) x se) - 1. Source: W. S. Gosset ("Student"), "The probable error of a
 * mean", Biometrika 6, 1908, on logarithms.
 */
export function intervalOf(estimate: Estimate, confidence: number): Interval95 {
  const { mean, standardError, freedom } = estimate;
  if (standardError === 0) return { low: Math.expm1(mean), high: finite(Math.expm1(mean)) };
  if (standardError === Number.POSITIVE_INFINITY) return { low: -1, high: UNBOUNDED };
  const reach = studentTQuantile((1 + confidence) / 2, freedom) * standardError;
  return { low: finite(Math.expm1(mean - reach)), high: finite(Math.expm1(mean + reach)) };
}

/** 2 P(T > |m| / se). Source: as `intervalOf`. */
export function pOf({ mean, standardError, freedom }: Estimate): number {
  if (standardError === 0) return mean === 0 ? 1 : 0;
  return studentTTwoSided(mean / standardError, freedom);
}

/**
 * P(T < m / se), m turned so that up is better: the probability that the variant is better, to whoever held all
 * differences for equally likely before. Source: docs/experiments.md; as `intervalOf`.
 */
export function sureOf({ mean, standardError, freedom }: Estimate, better: 'higher' | 'lower'): number {
  const gain = better === 'higher' ? mean : -mean;
  if (standardError === 0) return gain === 0 ? 0.5 : gain > 0 ? 1 : 0;
  return studentTAbove(-gain / standardError, freedom);
}

export interface Question {
  readonly better: 'higher' | 'lower';
  readonly marginShare: number;
  readonly alpha: number;
  /** Of the second test, where there is one: must come to the same answer as Student's t. */
  readonly signFlip?: { readonly p: number; readonly pMin: number };
}

/**
 * FASTER or SLOWER where p < alpha, in other words where the interval of 1 - alpha leaves out 0; SAME where that of
 * 1 - 2 alpha lies inside ln(1 + margin) on both sides; UNDECIDED else, and where the two tests disagree.
 * Source: docs/experiments.md; SAME: D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power
 * approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.
 */
export function decide(estimate: Estimate, question: Question): Pick<Compared, 'verdict' | 'isMeaningful' | 'because'> {
  const { better, marginShare, alpha, signFlip } = question;
  const margin = Math.log1p(marginShare);
  const p = pOf(estimate);
  const isClear = p < alpha;
  if (signFlip !== undefined && contradicts(signFlip, { isClear, alpha })) {
    const because = `The two tests disagree (t: ${formatP(p)}, sign-flip: ${formatP(signFlip.p)}).`;
    return { verdict: 'UNDECIDED', isMeaningful: false, because };
  }
  const narrow = intervalOf(estimate, 1 - alpha);
  if (isClear) {
    const isMore = estimate.mean > 0;
    const nearest = Math.min(Math.abs(Math.log1p(narrow.low)), Math.abs(Math.log1p(narrow.high)));
    const isMeaningful = nearest > margin;
    const agreeing =
      signFlip === undefined ? `t: ${formatP(p)}` : `t: ${formatP(p)}, sign-flip: ${formatP(signFlip.p)}`;
    const side = isMore ? 'above' : 'below';
    const beyond = isMeaningful
      ? `all of it beyond the margin of ${formatShare(marginShare)}`
      : `though perhaps by less than the margin of ${formatShare(marginShare)}`;
    const because = `The ${formatShare(1 - alpha)} interval, ${formatSpan(narrow)}, lies ${side} 0 (${agreeing}), ${beyond}.`;
    return { verdict: isMore === (better === 'higher') ? 'FASTER' : 'SLOWER', isMeaningful, because };
  }
  const wide = intervalOf(estimate, 1 - 2 * alpha);
  if (Math.log1p(wide.low) > -margin && Math.log1p(wide.high) < margin) {
    const because = `The ${formatShare(1 - 2 * alpha)} interval, ${formatSpan(wide)}, lies inside the margin of ${formatShare(marginShare)}.`;
    return { verdict: 'SAME', isMeaningful: false, because };
  }
  const because = `The ${formatShare(1 - alpha)} interval, ${formatSpan(narrow)}, holds 0, and reaches beyond the margin of ${formatShare(marginShare)}.`;
  return { verdict: 'UNDECIDED', isMeaningful: false, because };
}

/**
 * With few pairs no pattern of signs is rare enough for an early look; then it is enough that all point the same way.
 */
function contradicts(signFlip: { p: number; pMin: number }, t: { isClear: boolean; alpha: number }): boolean {
  if (t.isClear) return signFlip.p >= t.alpha && signFlip.p > signFlip.pMin;
  return signFlip.p < t.alpha;
}

function finite(share: number): number {
  return Math.min(share, UNBOUNDED);
}
