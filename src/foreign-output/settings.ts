/** Settings of a server that stand in a text as lines of an option file: `innodb-buffer-pool-size=9G`. */
import type { Setting } from './facts.ts';

const ASSIGNMENT = /^\s*(?:SET (?:GLOBAL|PERSIST) )?([a-z]+(?:[-_][a-z0-9]+)+)\s*=\s*([\w.:/-]+);?\s*$/i;

export function readSettingLines(lines: readonly string[]): Setting[] {
  return lines.flatMap((text, at) => {
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    if (name === undefined || value === undefined) return [];
    return [{ name: name.toLowerCase().replaceAll('-', '_'), value, line: at + 1 }];
  });
}

const SIZE = /^(\d+(?:\.\d+)?)\s*([KMGT])?(i)?B?$/i;
const POWERS: Readonly<Record<string, number>> = { K: 1, M: 2, G: 3, T: 4 };

/** Bytes of a size as the server reads it: `193G` counts in powers of 1,024. Undefined for what is no size. */
export function sizeBytes(value: string): number | undefined {
  const [, amount, unit = ''] = SIZE.exec(value.trim()) ?? [];
  if (amount === undefined) return undefined;
  return Number(amount) * 1_024 ** (POWERS[unit.toUpperCase()] ?? 0);
}

/** Bytes of the same size where its unit counts in powers of 1,000. */
export function decimalSizeBytes(value: string): number | undefined {
  const [, amount, unit = '', binary] = SIZE.exec(value.trim()) ?? [];
  if (amount === undefined || binary !== undefined) return undefined;
  return Number(amount) * 1_000 ** (POWERS[unit.toUpperCase()] ?? 0);
}
