/** A figure by its unit, for tables whose heading says what it is. */
import { formatBytes, formatPercent, formatSignificant } from '../base/units.ts';

/** With its unit where that changes with the size; else the heading has it. */
export function metricCell(value: number, unit: string): string {
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'bytes/s') return `${formatBytes(value)}/s`;
  if (unit === 'ratio') return formatPercent(value);
  if (unit === 'count' && Number.isInteger(value)) return value.toLocaleString('en-US');
  return formatSignificant(value);
}

/** The unit of a heading: `ms`, `us`; '' where a cell has it, or the name says it. */
export function unitOfHeading(unit: string): string {
  return ['bytes', 'bytes/s', 'ratio', '1/s', 'count', ''].includes(unit) ? '' : unit;
}

/** `p99(transaction)` and its unit: `p99(transaction) ms`. */
export function metricHeading(name: string, unit: string): string {
  return `${name} ${unitOfHeading(unit)}`.trimEnd();
}
