/**
 * The knee of a sweep: the smallest value that loses no more than the margin to the one that does best. Values are
 * compared with it block by block, so what drifts from block to block is not in the difference.
 */
import type { SweepComparison, SweepKnee } from '../../model/sweep.ts';
import { comparePaired } from '../../stats/paired.ts';
import { medianOf } from '../../stats/sample.ts';
import type { VariantRuns } from './placed-run.ts';

interface KneeValue {
  readonly value: string;
  readonly variant: VariantRuns;
}

/** `ordered` from the smallest value. Undefined where fewer than two values have runs. */
export function kneeOf(ordered: readonly KneeValue[], marginShare: number): SweepKnee | undefined {
  const measured = ordered.filter(({ variant }) => variant.runs.length > 0);
  const reference = referenceOf(measured, marginShare);
  if (reference === undefined || measured.length < 2) return undefined;
  const below = measured.slice(0, measured.indexOf(reference));
  const compared = below.map((each) => compare(each, reference, marginShare)).filter(({ pairs }) => pairs > 0);
  const comparisons = [...compared, equal(reference)];
  const isAsGood = ({ effect }: SweepComparison) => effect >= -marginShare;
  // What does well by chance, below a value that does not, is no knee.
  const lastWorse = comparisons.findLastIndex((comparison) => !isAsGood(comparison));
  const knee = comparisons[lastWorse + 1] ?? equal(reference);
  const lastUnsure = comparisons.findLastIndex(({ interval90 }) => !(interval90 && interval90.low >= -marginShare));
  const sure = comparisons[lastUnsure + 1];
  return {
    value: knee.value,
    reference: reference.value,
    marginShare,
    ...(sure === undefined || sure.value === reference.value ? {} : { sureFrom: sure.value }),
    isAtEnd: knee.value === measured.at(-1)?.value,
    comparisons,
  };
}

/** The best of many is partly lucky, so the largest value goes before it where it does as well. */
function referenceOf(measured: readonly KneeValue[], marginShare: number): KneeValue | undefined {
  const rateOf = ({ variant }: KneeValue) => medianOf(variant.runs.map(({ record }) => record.rates.transactionsPerS));
  const best = measured.reduce<KneeValue | undefined>(
    (one, other) => (one === undefined || rateOf(other) > rateOf(one) ? other : one),
    undefined,
  );
  const largest = measured.at(-1);
  if (best === undefined || largest === undefined) return undefined;
  return rateOf(largest) >= rateOf(best) * (1 - marginShare) ? largest : best;
}

function compare({ value, variant }: KneeValue, reference: KneeValue, marginShare: number): SweepComparison {
  const pairs = variant.runs.flatMap(({ block, record }) => {
    const other = reference.variant.runs.find((run) => run.block === block);
    return other === undefined ? [] : [{ variant: record.rates, baseline: other.record.rates }];
  });
  const compared = comparePaired({
    baseline: pairs.map(({ baseline }) => baseline.transactionsPerS),
    variant: pairs.map((pair) => pair.variant.transactionsPerS),
    better: 'higher',
    marginShare,
  });
  const interval90 = compared.pairs < 2 ? {} : { interval90: compared.interval90 };
  return { value, pairs: compared.pairs, effect: compared.effect, ...interval90 };
}

function equal({ value, variant }: KneeValue): SweepComparison {
  return { value, pairs: variant.runs.length, effect: 0, interval90: { low: 0, high: 0 } };
}
