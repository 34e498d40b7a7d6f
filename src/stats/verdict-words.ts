/** Shares, spans and probabilities as they stand in the sentences of a verdict. */
import { formatFixed } from '../base/units.ts';

/** Beyond a thousand times as much a figure is no help any more. */
const TELLING_MAX = 1_000;

/** `+6.5 %`, `-0.32 %`: one decimal, two below one per cent. */
export function formatChange(share: number): string {
  if (share > TELLING_MAX) return 'any amount more';
  const percent = share * 100;
  const text = formatFixed(Math.abs(percent), Math.abs(percent) < 0.995 ? 2 : 1);
  return `${percent < 0 ? '-' : '+'}${text} %`;
}

export function formatSpan({ low, high }: { readonly low: number; readonly high: number }): string {
  return `${formatChange(low)} to ${formatChange(high)}`;
}

/** `2 %`, `99.9 %`: as few decimals as it takes, two at most. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

/** `p = 0.031`, `p < 0.001`. */
export function formatP(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${formatFixed(p, 3)}`;
}
