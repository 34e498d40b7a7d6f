/** Values of variables, and what expressions make of them. Whole numbers and others are told apart as in pgbench. */
import type { SqlValue } from '../../wire/types.ts';

export type Value = SqlValue | boolean;

/**
 * What is known of a value before anything runs. integer, double and boolean are never NULL; of 'any', such as a value
 * from a result, each use finds out.
 */
export type ValueType = 'integer' | 'double' | 'boolean' | 'text' | 'any';

/** A value with which something cannot be done, found while a script runs. */
export class ValueFault extends Error {
  constructor(is: string) {
    super(is);
    this.name = 'ValueFault';
  }
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

/** DECIMAL comes as text, BIGINT beyond 2^53 as a bigint. Hot. */
export function toNumber(value: Value): number {
  switch (typeof value) {
    case 'number':
      return value;
    case 'string':
      if (NUMBER.test(value)) return Number(value);
      throw new ValueFault(`${shown(value)} is no number.`);
    case 'bigint':
      throw new ValueFault(`${value} is beyond 2^53, where whole numbers are no longer exact.`);
    default:
      throw new ValueFault(`${shown(value)} is no number.`);
  }
}

/** Hot. */
export function toInteger(value: Value): number {
  const number = toNumber(value);
  if (!Number.isSafeInteger(number)) throw new ValueFault(`${number} is no whole number.`);
  return number;
}

/** As a condition: NULL is not true. Hot. */
export function isTrue(value: Value): boolean {
  if (value === null) return false;
  return typeof value === 'boolean' ? value : toNumber(value) !== 0;
}

export function shown(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value}'`;
  return value instanceof Uint8Array ? 'a binary value' : String(value);
}
