/** Numbers as people and tools write them, with the exactness that their digits have. */
import type { Cell } from './facts.ts';

const NUMBER = /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?/;

export interface WrittenNumber {
  readonly written: string;
  readonly value: number;
  /** Of the last digit; 0 for a whole number. */
  readonly step: number;
  /** What stands behind the number. */
  readonly rest: string;
}

/** The number that a text begins with; undefined where it begins with none. */
export function numberAtStart(text: string): WrittenNumber | undefined {
  const trimmed = text.trim();
  const written = NUMBER.exec(trimmed)?.[0];
  if (written === undefined) return undefined;
  const plain = written.replaceAll(',', '');
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  return { written, value, step: stepOf(plain), rest: trimmed.slice(written.length) };
}

function stepOf(plain: string): number {
  const [mantissa = '', exponent = '0'] = plain.toLowerCase().split('e');
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return decimals === 0 ? 0 : 10 ** (Number(exponent) - decimals);
}

export function decimalsOf(written: string): number {
  return written.split('.')[1]?.length ?? 0;
}

interface Place {
  readonly label: string;
  readonly column?: string;
  readonly line: number;
}

/** A cell whose value is the number times `scale`. */
export function cellOf(number: WrittenNumber, place: Place, scale = 1): Cell {
  return { ...place, written: number.written, value: number.value * scale, step: number.step * scale };
}
