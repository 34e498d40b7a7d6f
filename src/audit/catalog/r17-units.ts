/** R17: sizes beside each other count in one unit, powers of 1,000 or powers of 1,024. */
import { formatBytes } from '../../base/units.ts';
import type { Setting } from '../../foreign-output/facts.ts';
import { decimalSizeBytes, sizeBytes } from '../../foreign-output/settings.ts';
import { count } from '../arithmetic.ts';
import { defineRule, fails, passes, THE_TEXT } from '../rule.ts';

/** Rounding to whole megabytes: 134 for 134.2. */
const ROUNDED = 0.007;
const MIB_LOG2 = 20;

export default defineRule({
  id: 'R17',
  title: 'sizes count in one unit: MB and GB, or MiB and GiB',
  check: ({ settings }) => {
    const sizes = settings.filter(({ value }) => /^\d+(?:\.\d+)?\s*[KMGT]i?B?$/i.test(value));
    if (sizes.length < 2) return [];
    const decimal = sizes.filter(
      (setting) => roundBinary(decimalSizeBytes(setting.value)) !== undefined && !isBinary(setting),
    );
    const binary = sizes.filter((setting) => !decimal.includes(setting) && isBinary(setting));
    const sizesText = (all: readonly Setting[]) => all.map(({ value, line }) => `${value} (line ${line})`).join(', ');
    if (decimal.length === 0 || binary.length === 0) {
      return [passes(THE_TEXT, { is: `Sizes are written in one way: ${sizesText(sizes)}.` })];
    }
    const arithmetic = [
      ...decimal.map(({ value, line }) => {
        const bytes = roundBinary(decimalSizeBytes(value)) ?? 0;
        return `${value} (line ${line}) is ${formatBytes(bytes)}, ${count(bytes)} bytes, counted in powers of 1,000`;
      }),
      `${sizesText(binary)} count in powers of 1,024`,
    ];
    return [fails(THE_TEXT, { is: 'Sizes beside each other count in different units.', arithmetic })];
  },
});

/** As the server writes them, or a power of two as it stands. */
function isBinary({ value }: Setting): boolean {
  const bytes = sizeBytes(value);
  return /[KMGT](?:iB)?$/i.test(value) || (bytes !== undefined && roundBinary(bytes, 1e-9) !== undefined);
}

/** The one or three times a power of two that a number of bytes is near. */
function roundBinary(bytes: number | undefined, within = ROUNDED): number | undefined {
  if (bytes === undefined || bytes <= 0) return undefined;
  const candidates = [1, 3].map((factor) => {
    const power = Math.round(Math.log2(bytes / factor));
    return power < MIB_LOG2 ? 0 : factor * 2 ** power;
  });
  return candidates.find((candidate) => Math.abs(bytes / candidate - 1) <= within);
}
