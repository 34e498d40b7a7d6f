/**
 * How far equal things come out apart on one machine and workload. A difference below it is not claimed, whatever a
 * test says: the test knows of the scatter within one experiment only.
 */
import { assert } from '../base/assert.ts';
import { deviationOf, hasLogarithm, meanOf } from './sample.ts';
import { ALPHA, intervalOf } from './verdict.ts';
import { formatShare } from './verdict-words.ts';

/** Two values tell almost nothing of how far others would scatter. */
export const FLOOR_VALUES_MIN = 3;

export interface NoiseFloor {
  /** Coefficient of variation of single runs. */
  readonly cvShare: number;
  /** The smallest difference that may be claimed, of either sign: 0.021. */
  readonly smallestShare: number;
  /** Of runs or pairs that it rests on. */
  readonly from: { readonly is: 'pairs' | 'repeats'; readonly count: number };
  /** In one sentence. */
  readonly is: string;
}

/**
 * Of one configuration under two names: with m, s of the log ratios, smallest = the farther end of
 * exp(|m| + t(0.975, n-1) s / sqrt(n)) - 1, so that a lasting difference between the two places counts as noise, too.
 * CV = sqrt(exp(s^2 / 2) - 1), a single run scattering 1 / sqrt(2) as far as a difference of two.
 * Undefined with fewer than 3 usable pairs. Source: docs/experiments.md; CV of a log-normal: Aitchison and Brown, "The
 * Lognormal Distribution", 1957.
 */
export function noiseFloorOfPairs(one: readonly number[], other: readonly number[]): NoiseFloor | undefined {
  assert(one.length === other.length, 'pairs have two runs each');
  const ratios = one.flatMap((value, at) => {
    const beside = other[at]!;
    return hasLogarithm(value) && hasLogarithm(beside) ? [Math.log(beside) - Math.log(value)] : [];
  });
  if (ratios.length < FLOOR_VALUES_MIN) return undefined;
  const deviation = deviationOf(ratios);
  const standardError = deviation / Math.sqrt(ratios.length);
  return floorOf({
    mean: Math.abs(meanOf(ratios)),
    standardError,
    freedom: ratios.length - 1,
    runDeviation: deviation / Math.SQRT2,
    from: { is: 'pairs', count: ratios.length },
  });
}

/**
 * Of repeats of one configuration, for experiments of so many pairs: smallest = exp(t(0.975, n-1) s sqrt(2 / pairs)) -
 * 1, s the standard deviation of the n logarithms; CV = sqrt(exp(s^2) - 1).
 * Undefined with fewer than 3 usable values. Source: as `noiseFloorOfPairs`.
 */
export function noiseFloorOfRepeats(values: readonly number[], pairs: number): NoiseFloor | undefined {
  assert(pairs >= 1, 'a difference is of one pair at least');
  const logs = values.filter(hasLogarithm).map((value) => Math.log(value));
  if (logs.length < FLOOR_VALUES_MIN) return undefined;
  const deviation = deviationOf(logs);
  return floorOf({
    mean: 0,
    standardError: deviation * Math.sqrt(2 / pairs),
    freedom: logs.length - 1,
    runDeviation: deviation,
    from: { is: 'repeats', count: logs.length },
  });
}

interface Scatter {
  readonly mean: number;
  readonly standardError: number;
  readonly freedom: number;
  /** Of the logarithm of single runs. */
  readonly runDeviation: number;
  readonly from: NoiseFloor['from'];
}

function floorOf({ runDeviation, from, ...estimate }: Scatter): NoiseFloor {
  const smallestShare = intervalOf(estimate, 1 - ALPHA).high;
  const cvShare = Math.sqrt(Math.expm1(runDeviation ** 2));
  const basis = from.is === 'pairs' ? `${from.count} pairs of equal runs` : `${from.count} runs of one configuration`;
  const is = `By ${basis}, single runs scatter by ${formatShare(cvShare)}, and differences below ${formatShare(smallestShare)} are not claimed.`;
  return { cvShare, smallestShare, from, is };
}
