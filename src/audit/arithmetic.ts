/** Reckoning with numbers that are known only as far as their digits go. */
import { formatFixed } from '../base/units.ts';
import type { Cell } from '../foreign-output/facts.ts';

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** All values that would have been written like this. */
export function rangeOf({ value, step }: Cell): Range {
  // Half a step is exactly where rounding turns; doubles need a hair more.
  const half = (step / 2) * 1.000_001;
  return { low: value - half, high: value + half };
}

export function exactly(value: number): Range {
  return { low: value, high: value };
}

export function times(one: Range, other: Range): Range {
  return { low: one.low * other.low, high: one.high * other.high };
}

/** Of positive ranges; endless where the divisor may be zero. */
export function over(dividend: Range, divisor: Range): Range {
  return {
    low: dividend.low / divisor.high,
    high: divisor.low <= 0 ? Number.POSITIVE_INFINITY : dividend.high / divisor.low,
  };
}

export function widened({ low, high }: Range, by: { readonly share?: number; readonly amount?: number }): Range {
  const { share = 0, amount = 0 } = by;
  return { low: low - Math.abs(low) * share - amount, high: high + Math.abs(high) * share + amount };
}

export function overlap(one: Range, other: Range): boolean {
  return one.low <= other.high && other.low <= one.high;
}

export function middle({ low, high }: Range): number {
  return Number.isFinite(high) ? (low + high) / 2 : low;
}

/** `3600.92`: for seconds and ratios that are to be compared with each other. */
export function figure(value: number, decimals = 2): string {
  return Number.isFinite(value) ? value.toFixed(decimals) : 'endless';
}

/** With commas, whole. */
export function count(value: number): string {
  return formatFixed(value, 0);
}

/** A change as people say it: `+5.7 %`. */
export function change(from: number, to: number): string {
  const share = (to / from - 1) * 100;
  return `${share < 0 ? '' : '+'}${share.toFixed(1)} %`;
}

/** Digits that carry information: neither leading zeros nor the zeros that end a round number. */
export function significantDigits(written: string): number {
  const digits = written.replaceAll(',', '').replace(/^[-+]/, '');
  const plain = digits.includes('.') ? digits.replace('.', '') : digits.replace(/0+$/, '');
  return plain.replace(/^0+/, '').length;
}
