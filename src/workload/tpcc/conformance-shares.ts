/** Shares that were drawn, against the shares that were wanted: chance must be told from error. */
import { formatCount, formatFixed } from '../../base/units.ts';
import type { ConformanceLine } from '../../model/run.ts';

/** Two-sided 99 %: of a hundred honest lines one is called wrong. */
const Z = 2.575_829_303_548_901;

/** Wilson's interval for a share of which `count` of `total` were seen; 0 to 1. */
export function shareBounds(count: number, total: number): { readonly low: number; readonly high: number } {
  if (total === 0) return { low: 0, high: 1 };
  const share = count / total;
  const weight = 1 + (Z * Z) / total;
  const center = share + (Z * Z) / (2 * total);
  const reach = Z * Math.sqrt((share * (1 - share)) / total + (Z * Z) / (4 * total * total));
  return { low: Math.max(0, (center - reach) / weight), high: Math.min(1, (center + reach) / weight) };
}

interface Share {
  readonly is: string;
  readonly count: number;
  readonly total: number;
  /** Percent. */
  readonly wanted: number;
  /** Where a deviation, or the size of the database, excludes it: why. */
  readonly excluded?: { readonly conforms: 'deviates' | 'unknown'; readonly note: string } | undefined;
}

/** Conforms where the wanted share lies within the bounds of what was measured. */
export function shareLine({ is, count, total, wanted, excluded }: Share): ConformanceLine {
  const line = { is, wanted: `${wanted} %` };
  if (excluded !== undefined) return { ...line, measured: measuredShare(count, total), ...excluded };
  if (total === 0) return { ...line, measured: 'none drawn', conforms: 'unknown' };
  const { low, high } = shareBounds(count, total);
  const isWithin = low * 100 <= wanted && wanted <= high * 100;
  return {
    ...line,
    measured: `${measuredShare(count, total)}; 99 % bounds ${percent(low)} to ${percent(high)}`,
    conforms: isWithin ? 'yes' : 'no',
  };
}

/** At least so many percent of all; a run that is too short to tell is not called wrong. */
export function minimumLine(share: Omit<Share, 'excluded'> & { readonly hasMargin: boolean }): ConformanceLine {
  const { is, count, total, wanted, hasMargin } = share;
  const line = { is, measured: measuredShare(count, total), wanted: `at least ${wanted} %` };
  if (total > 0 && (count / total) * 100 >= wanted) return { ...line, conforms: 'yes' };
  if (!hasMargin) return { ...line, conforms: 'deviates', note: 'The weights have no margin.' };
  if (shareBounds(count, total).high * 100 < wanted) return { ...line, conforms: 'no' };
  return { ...line, conforms: 'unknown', note: `By chance: ${formatCount(total)} transactions are too few to tell.` };
}

export function measuredShare(count: number, total: number): string {
  return total === 0 ? 'none of none' : `${percent(count / total)} of ${formatCount(total)}`;
}

export function percent(share: number): string {
  return `${formatFixed(share * 100, 2)} %`;
}
