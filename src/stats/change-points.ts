/**
 * Did it become faster or slower at some time? Change points over the runs of one experiment, oldest first, for nightly
 * use. By ranks, so that one wild run is one rank and no more.
 */
import { createRandom, deriveSeed, type Random } from '../base/random.ts';
import { hasLogarithm, medianOf } from './sample.ts';
import { formatChange, formatShare } from './verdict-words.ts';

/** Fewer runs have too few orders: with 12 even a perfect step has a p of 0.002. 14 is the least that can show one. */
export const RUNS_MIN = 12;
/** Hunter's and MongoDB's figure: with hundreds of looks a year, 0.05 would cry wolf every fortnight. */
const P_MAX = 0.001;
const PERMUTATIONS = 9_999;
/** So many shuffled orders as extreme as the real one, and p is not below P_MAX whatever the rest say. */
const EXTREME_MAX = P_MAX * (PERMUTATIONS + 1);
const RANDOM_SEED = 20_250_602;

export interface ChangePoint {
  /** Index of the first run after the change, in what was given. */
  readonly index: number;
  /** Medians of the runs on each side, up to the next change. */
  readonly before: number;
  readonly after: number;
  /** after / before - 1 */
  readonly change: number;
  /** Of the permutation test; the least possible is 0.0001. */
  readonly p: number;
}

export interface History {
  /** `too-few`: below 12 runs nothing is looked for. */
  readonly is: 'looked' | 'too-few';
  readonly points: readonly ChangePoint[];
  /** Indexes of runs without a figure above zero, which were passed over. */
  readonly unusable: readonly number[];
  /** In one sentence. */
  readonly because: string;
}

interface Split {
  readonly at: number;
  readonly p: number;
}

/**
 * With ranks r_1 … r_n of a stretch and S_k = sum over i <= k of (r_i - (n + 1) / 2), the change is where
 * |S_k| / sqrt(k (n - k) / n) is largest; p is the share of 9,999 shuffled orders (and this one) that reach as much.
 * Where p < 0.001 the stretch is split and both parts are looked at in the same way, down to 12 runs. Then the weakest
 * point is dropped, again and again, while the medians on its sides differ by less than `smallestShare`, the noise
 * floor.
 * Source: A. N. Pettitt, "A non-parametric approach to the change-point problem", Applied Statistics 28, 1979;
 * bisection: L. J. Vostrikova, 1981; dropping the weak: M. Fleming and others, "Hunter: Using Change Point Detection to
 * Hunt for Performance Regressions", ICPE 2023.
 */
export function changePointsOf(values: readonly number[], smallestShare: number): History {
  const usable = values.flatMap((value, index) => (hasLogarithm(value) ? [index] : []));
  const unusable = values.flatMap((value, index) => (hasLogarithm(value) ? [] : [index]));
  if (usable.length < RUNS_MIN) {
    const because = `${usable.length} runs: at least ${RUNS_MIN} are needed to look for a change.`;
    return { is: 'too-few', points: [], unusable, because };
  }
  const figures = usable.map((index) => values[index]!);
  const strong = withoutWeak(figures, splitsOf(figures), smallestShare);
  const points = strong.map(({ at, p }, number) => {
    const sides = sidesOf(figures, strong, number);
    return { index: usable[at]!, ...sides, p };
  });
  const because =
    points.length === 0
      ? `${usable.length} runs, and no change of ${formatShare(smallestShare)} or more with p < ${P_MAX}.`
      : `${usable.length} runs; ${points.map(({ index, change }) => `${formatChange(change)} from run ${index + 1} on`).join(', ')}.`;
  return { is: 'looked', points, unusable, because };
}

/** In order. */
function splitsOf(figures: readonly number[], offset = 0): Split[] {
  if (figures.length < RUNS_MIN) return [];
  const found = strongest(rankedFrom(figures));
  const p = permutationP(figures, { reached: found.height, offset });
  if (p === undefined) return [];
  const before = splitsOf(figures.slice(0, found.at), offset);
  const after = splitsOf(figures.slice(found.at), offset + found.at);
  return [...before, { at: offset + found.at, p }, ...after];
}

/** Ranks less their mean, so that they add up to 0; equal figures share theirs. */
function rankedFrom(figures: readonly number[]): Float64Array {
  const order = figures.map((_, at) => at).sort((one, other) => figures[one]! - figures[other]!);
  const ranks = new Float64Array(figures.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && figures[order[to + 1]!] === figures[order[from]!]) to++;
    const shared = (from + to) / 2 - (figures.length - 1) / 2;
    for (let at = from; at <= to; at++) ranks[order[at]!] = shared;
    from = to + 1;
  }
  return ranks;
}

/** Weighted by sqrt(k (n - k) / n), a change near an end is seen as well as one in the middle. */
function strongest(ranks: Float64Array): { readonly at: number; readonly height: number } {
  let sum = 0;
  let at = 1;
  let height = 0;
  for (let k = 1; k < ranks.length; k++) {
    sum += ranks[k - 1]!;
    const here = Math.abs(sum) / Math.sqrt((k * (ranks.length - k)) / ranks.length);
    if (here > height) [at, height] = [k, here];
  }
  return { at, height };
}

/** Undefined as soon as it is clear that p is not below P_MAX. */
function permutationP(figures: readonly number[], known: { reached: number; offset: number }): number | undefined {
  const random = createRandom(deriveSeed(RANDOM_SEED, known.offset, figures.length));
  const ranks = rankedFrom(figures);
  // Sums of halves are exact, the roots are not: what differs in the last digits is equal.
  const limit = known.reached * (1 - 1e-12);
  let extreme = 1;
  for (let permutation = 0; permutation < PERMUTATIONS; permutation++) {
    shuffle(ranks, random);
    if (strongest(ranks).height < limit) continue;
    extreme++;
    if (extreme >= EXTREME_MAX) return undefined;
  }
  return extreme / (PERMUTATIONS + 1);
}

/** Fisher and Yates. */
function shuffle(values: Float64Array, random: Random): void {
  for (let last = values.length - 1; last > 0; last--) {
    const chosen = random.integer(0, last);
    const kept = values[last]!;
    values[last] = values[chosen]!;
    values[chosen] = kept;
  }
}

function withoutWeak(figures: readonly number[], splits: readonly Split[], smallestShare: number): readonly Split[] {
  let kept = splits;
  for (;;) {
    const sizes = kept.map((_, number) => Math.abs(Math.log1p(sidesOf(figures, kept, number).change)));
    const weakest = sizes.indexOf(Math.min(...sizes));
    if (weakest === -1 || sizes[weakest]! >= Math.log1p(smallestShare)) return kept;
    kept = kept.filter((_, number) => number !== weakest);
  }
}

function sidesOf(figures: readonly number[], splits: readonly Split[], number: number) {
  const { at } = splits[number]!;
  const before = medianOf(figures.slice(splits[number - 1]?.at ?? 0, at));
  const after = medianOf(figures.slice(at, splits[number + 1]?.at));
  return { before, after, change: after / before - 1 };
}
