/** Sizes as sysbench writes them: `16384`, `16K`, `2G`; the letters are powers of 1,024. */

const FACTORS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** Undefined where the text is no size. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+)([KMGT]?)(?:i?B)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const bytes = Number(match[1]) * (FACTORS[(match[2] ?? '').toUpperCase()] ?? 1);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** For a size whose text was found right before. */
export function sizeOf(text: string): number {
  return parseSize(text) ?? 0;
}
