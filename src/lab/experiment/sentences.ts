/** What came of a comparison, in words: the difference, how sure it is, and from how much. */
import { unreachable } from '../../base/assert.ts';
import type { Comparison, VariantSummary } from '../../model/experiment.ts';
import { formatChange, formatShare, formatSpan } from '../../stats/verdict-words.ts';

/** The least first. */
const DURABILITY_CLASSES: readonly string[] = ['D0', 'D1', 'D2', 'D3', 'D4'];

/** What a sentence is made of. */
export type ComparedVariant = Omit<Comparison, 'is'> & {
  /** Of how many runs, where they are not in pairs. */
  readonly unpaired?: { readonly baseline: number; readonly variant: number };
  readonly marginShare: number;
  /** What p had to be below. */
  readonly alpha: number;
  /** Why this verdict. */
  readonly because: string;
};

export function comparisonSentence(it: ComparedVariant): string {
  switch (it.verdict) {
    case 'FASTER':
    case 'SLOWER':
      return `${differenceOf(it)} (${certaintyOf(it)})${smallness(it)}.`;
    case 'SAME':
      return `${it.variant} and ${it.baseline} are the same in ${it.metric}, within ${formatShare(it.marginShare)} (${measuredOf(it)}).`;
    case 'UNDECIDED':
      return `${undecidedOf(it)}: ${formatChange(it.effect)} measured in ${extentOf(it)}. ${it.because}`;
    default:
      return unreachable(it.verdict);
  }
}

/** Without the figures that a table has: `B is 6.1 % faster than A`. */
export function differenceOf(it: ComparedVariant): string {
  const size = percent(Math.abs(it.effect));
  if (isRate(it)) return `${it.variant} is ${size} ${it.effect > 0 ? 'faster' : 'slower'} than ${it.baseline}`;
  const direction = it.effect > 0 ? 'higher' : 'lower';
  return `${it.metric} of ${it.variant} is ${size} ${direction} than that of ${it.baseline}`;
}

/** In short, for a list behind the first. */
export function shortSentence(it: ComparedVariant): string {
  switch (it.verdict) {
    case 'FASTER':
    case 'SLOWER':
      return isRate(it)
        ? `${it.variant} ${percent(Math.abs(it.effect))} ${it.effect > 0 ? 'faster' : 'slower'}`
        : `${it.variant} ${percent(Math.abs(it.effect))} ${it.effect > 0 ? 'higher' : 'lower'}`;
    case 'SAME':
      return `${it.variant} the same within ${formatShare(it.marginShare)}`;
    case 'UNDECIDED':
      return `${it.variant} undecided (${formatChange(it.effect)} measured)`;
    default:
      return unreachable(it.verdict);
  }
}

/** `durability falls from D4 to D3`; undefined where it stays as it is. */
export function durabilityChange(
  baseline: VariantSummary['durability'],
  variant: VariantSummary['durability'],
): string | undefined {
  if (baseline.is === variant.is) return undefined;
  if (baseline.is === 'unknown' || variant.is === 'unknown') {
    return `its durability is ${variant.is}, that of the baseline ${baseline.is}`;
  }
  const rises = DURABILITY_CLASSES.indexOf(variant.is) > DURABILITY_CLASSES.indexOf(baseline.is);
  return `durability ${rises ? 'rises' : 'falls'} from ${baseline.is} to ${variant.is}`;
}

/** Of a size, without its sign. */
export function percent(size: number): string {
  return formatChange(Math.abs(size)).slice(1);
}

function isRate({ metric, unit, better }: ComparedVariant): boolean {
  return unit === '1/s' && better === 'higher' && /^(?:transactions|statements)\/s/.test(metric);
}

/** As large as the difference is told, whichever way: `4.8 to 7.3 %`. */
function certaintyOf(it: ComparedVariant): string {
  const { low, high } = it.effect < 0 ? { low: -it.interval.high, high: -it.interval.low } : it.interval;
  return `95 % interval ${percent(low).replace(' %', '')} to ${percent(high)}, ${extentOf(it)}`;
}

function measuredOf({ effect, interval, ...it }: ComparedVariant): string {
  return `${formatChange(effect)} measured, 95 % interval ${formatSpan(interval)}, ${extentOf({ effect, interval, ...it })}`;
}

function extentOf({ pairs, unpaired }: ComparedVariant): string {
  if (unpaired !== undefined) return `${unpaired.variant} and ${unpaired.baseline} runs`;
  return pairs.length === 1 ? '1 pair' : `${pairs.length} pairs`;
}

function smallness({ isMeaningful, marginShare, verdict }: ComparedVariant): string {
  if (isMeaningful || verdict !== 'FASTER') return '';
  return `, which may be less than the ${formatShare(marginShare)} that matter`;
}

function undecidedOf(it: ComparedVariant): string {
  return isRate(it)
    ? `It is undecided whether ${it.variant} is faster than ${it.baseline}`
    : `It is undecided whether ${it.metric} differs between ${it.variant} and ${it.baseline}`;
}
