/** Interleaved pairs and their summary: the machine's speed drifts, so only neighbours are compared, by medians. */

export interface Pair<T> {
  readonly ours: T;
  readonly theirs: T;
}

/** Runs `count` pairs in the order AB, BA, AB, … so that neither side is always the first. */
export async function interleave<T>(
  count: number,
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
): Promise<readonly Pair<T>[]> {
  const pairs: Pair<T>[] = [];
  for (let index = 0; index < count; index++) {
    if (index % 2 === 0) {
      const first = await ours();
      pairs.push({ ours: first, theirs: await theirs() });
    } else {
      const first = await theirs();
      pairs.push({ ours: await ours(), theirs: first });
    }
  }
  return pairs;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export interface Comparison {
  readonly ours: number;
  readonly theirs: number;
  /** Median of the pairs' ratios, ours : theirs. */
  readonly ratio: number;
  readonly ratioMin: number;
  readonly ratioMax: number;
}

export function compare<T>(pairs: readonly Pair<T>[], figure: (window: T) => number): Comparison {
  const ratios = pairs.map(({ ours, theirs }) => figure(ours) / figure(theirs));
  return {
    ours: median(pairs.map(({ ours }) => figure(ours))),
    theirs: median(pairs.map(({ theirs }) => figure(theirs))),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
  };
}

/** One row as Markdown cells: `12.3 / 14.5 = 0.85 (0.80–0.91)`. */
export function cells({ ours, theirs, ratio, ratioMin, ratioMax }: Comparison, digits: number): string {
  const range = `${ratioMin.toFixed(2)}–${ratioMax.toFixed(2)}`;
  return `${ours.toFixed(digits)} / ${theirs.toFixed(digits)} | **${ratio.toFixed(2)}** (${range})`;
}
