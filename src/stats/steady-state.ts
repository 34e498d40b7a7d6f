/**
 * Was it steady, and from when on? The rates of a run, in batches of some seconds: a beginning that differs is cut off
 * (MSER: White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997), and
 * what is left is looked at for drift, steps, cliffs and stalls. All arithmetic is on logarithms, so shares are shares.
 */
import { createRandom } from '../base/random.ts';

export type Unsteady = 'never-settled' | 'drift' | 'step' | 'cliff' | 'stalls' | 'halves-differ';

export interface SteadyState {
  /** Fewer batches than BATCHES_MIN: nothing can be said. */
  readonly is: 'steady' | 'unsteady' | 'too-short';
  /** What was found in the part that was kept, the gravest first. */
  readonly signs: readonly Unsteady[];
  /** Batches at the beginning that differ from the rest, and are cut off. */
  readonly cut: number;
  /** What was cut off, against the rest: 'faster' means that something ran out (credits, a cache, the redo log). */
  readonly beginning: 'like the rest' | 'slower' | 'faster';
  /** Change over the part that was kept: -0.1 is ten per cent slower at its end than at its beginning. */
  readonly drift: number;
  /** Of the step found: relative change. */
  readonly step?: number;
  readonly stalls: number;
}

/** Fewer do not tell a slow drift from the scatter of neighbouring batches. */
export const BATCHES_MIN = 24;
/** Standard deviations that random arrivals hardly ever make. */
const CHANCE_DEVIATIONS = 3.5;
/** The median of many normal values scatters by so much more than their mean. */
const MEDIAN_TO_MEAN = Math.sqrt(Math.PI / 2);
/** A drift beyond it counts, however it came about. */
const DRIFT_MAX = 0.06;
/** A smaller one counts where chance does not explain it. */
const DRIFT_NOTABLE = 0.03;
const DRIFT_P_MAX = 0.05;
const STEP_MIN = 0.03;
const STEP_P_MAX = 0.01;
/** Batches that are permuted together, so that what neighbours share is kept. */
const STEP_BLOCK = 3;
const STEP_PERMUTATIONS = 999;
/** Below the median by four robust standard deviations, and by this at least, is a stall. */
const STALL_DEVIATIONS = 4;
const STALL_MIN = 0.15;
/** Standard deviation of a normal distribution by its median absolute deviation. */
const MAD_TO_SD = 1.4826;
const CLIFF_BATCHES_MIN = 2;
const FASTER_MIN = 0.1;
/** A batch in which nothing was done has no logarithm: it counts as one in a thousand of the usual. */
const NOTHING = 1e-3;

/** What is known of the scatter that batches have by chance alone. */
export interface Chance {
  /** Where events arrive at random: that many in a batch, which scatter by the root of it (Poisson). */
  readonly eventsPerBatch?: number;
}

/** `rates` are the means of equally long batches, in their order: transactions per second, for one. */
export function steadyState(rates: readonly number[], { eventsPerBatch }: Chance = {}): SteadyState {
  const nothing: SteadyState = { is: 'too-short', signs: [], cut: 0, beginning: 'like the rest', drift: 0, stalls: 0 };
  const usual = mean(rates);
  if (rates.length < BATCHES_MIN || !(usual > 0)) return nothing;
  const logs = rates.map((rate) => Math.log(Math.max(rate, usual * NOTHING)));
  const scatter = eventsPerBatch === undefined ? 0 : 1 / Math.sqrt(Math.max(1, eventsPerBatch));
  const cut = truncation(logs, scatter);
  if (cut === undefined) return { ...nothing, is: 'unsteady', signs: ['never-settled'], drift: driftOf(logs) };
  const kept = logs.slice(cut);
  const drift = driftOf(kept);
  const { cliff, stalls } = gaps(kept, scatter);
  const step = stepOf(kept);
  const signs: Unsteady[] = [];
  if (cliff) signs.push('cliff');
  if (step !== undefined) signs.push('step');
  if (isDrifting(kept, drift, scatter)) signs.push('drift');
  if (halvesDiffer(kept, scatter)) signs.push('halves-differ');
  if (stalls > 0) signs.push('stalls');
  return {
    is: signs.length === 0 ? 'steady' : 'unsteady',
    signs,
    cut,
    beginning: beginningOf(logs.slice(0, cut), kept),
    drift: Math.expm1(drift),
    ...(step === undefined ? {} : { step: Math.expm1(step) }),
    stalls,
  };
}

/** How many batches to cut off so that the mean of the rest is surest; undefined where half of all is not enough. */
function truncation(logs: readonly number[], scatter: number): number | undefined {
  const half = Math.floor(logs.length / 2);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let cut = 0; cut <= half; cut++) {
    const rest = logs.slice(cut);
    const spread = variance(rest) / rest.length;
    if (spread < least) {
      least = spread;
      best = cut;
    }
  }
  if (best < half) return best;
  // Where the batches scatter as random arrivals do, there is nothing to cut off.
  return isByChance(logs, scatter) ? 0 : undefined;
}

/** By the index of dispersion: that many independent values of this scatter hardly ever have more. */
function isByChance(logs: readonly number[], scatter: number): boolean {
  return variance(logs) <= scatter ** 2 * (1 + CHANCE_DEVIATIONS * Math.sqrt(2 / logs.length));
}

/** Theil-Sen: the median slope of all pairs, over the whole length. */
function driftOf(logs: readonly number[]): number {
  const slopes: number[] = [];
  for (let from = 0; from < logs.length; from++) {
    for (let to = from + 1; to < logs.length; to++) slopes.push((logs[to]! - logs[from]!) / (to - from));
  }
  return median(slopes) * logs.length;
}

function isDrifting(logs: readonly number[], drift: number, scatter: number): boolean {
  // Of a line through values that scatter so: by how much its ends differ.
  if (Math.abs(drift) <= CHANCE_DEVIATIONS * scatter * Math.sqrt(12 / logs.length)) return false;
  if (Math.abs(drift) > DRIFT_MAX) return true;
  return Math.abs(drift) > DRIFT_NOTABLE && mannKendallP(logs, drift) < DRIFT_P_MAX;
}

/** Mann-Kendall's test for a trend, its variance inflated by what neighbouring batches share. */
function mannKendallP(logs: readonly number[], drift: number): number {
  const { length } = logs;
  let score = 0;
  for (let from = 0; from < length; from++) {
    for (let to = from + 1; to < length; to++) score += Math.sign(logs[to]! - logs[from]!);
  }
  const detrended = logs.map((log, at) => log - (drift * at) / length);
  const inflation = length / effectiveLength(detrended);
  const deviation = Math.sqrt(((length * (length - 1) * (2 * length + 5)) / 18) * inflation);
  const z = (score - Math.sign(score)) / deviation;
  return 2 * (1 - normalBelow(Math.abs(z)));
}

/** Of independent values that would tell the mean as well: autocorrelations are summed until the first that is none. */
function effectiveLength(values: readonly number[]): number {
  const centre = mean(values);
  const total = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  if (total === 0) return values.length;
  let shared = 0;
  for (let lag = 1; lag < values.length; lag++) {
    let product = 0;
    for (let at = lag; at < values.length; at++) product += (values[at]! - centre) * (values[at - lag]! - centre);
    if (product <= 0) break;
    shared += product / total;
  }
  return values.length / (1 + 2 * shared);
}

/** Batches far below the median: at the end of all they are a cliff, elsewhere stalls. */
function gaps(logs: readonly number[], scatter: number): { readonly cliff: boolean; readonly stalls: number } {
  const centre = median(logs);
  const spread = median(logs.map((log) => Math.abs(log - centre)));
  const lowestOfAll = centre - Math.max(STALL_DEVIATIONS * MAD_TO_SD * spread, STALL_MIN);
  const lowest = Math.min(lowestOfAll, centre + Math.log(Math.max(NOTHING, 1 - STALL_DEVIATIONS * scatter)));
  const isLow = logs.map((log) => log < lowest);
  const last = isLow.lastIndexOf(false);
  const trailing = logs.length - 1 - last;
  const cliff = trailing >= CLIFF_BATCHES_MIN;
  const low = isLow.filter(Boolean).length;
  return { cliff, stalls: cliff ? low - trailing : low };
}

/** The largest step by cumulative sums, where shuffled blocks hardly ever show one as large; its logarithm. */
function stepOf(logs: readonly number[]): number | undefined {
  const found = largestSum(logs);
  const shift = mean(logs.slice(found.at)) - mean(logs.slice(0, found.at));
  if (!(Math.abs(shift) > STEP_MIN)) return undefined;
  const random = createRandom(1);
  const blocks = Array.from({ length: Math.ceil(logs.length / STEP_BLOCK) }, (_, block) =>
    logs.slice(block * STEP_BLOCK, (block + 1) * STEP_BLOCK),
  );
  let asLarge = 0;
  for (let permutation = 0; permutation < STEP_PERMUTATIONS; permutation++) {
    for (let last = blocks.length - 1; last > 0; last--) {
      const other = random.integer(0, last);
      [blocks[last], blocks[other]] = [blocks[other]!, blocks[last]!];
    }
    if (largestSum(blocks.flat()).size >= found.size) asLarge++;
  }
  return (asLarge + 1) / (STEP_PERMUTATIONS + 1) < STEP_P_MAX ? shift : undefined;
}

function largestSum(values: readonly number[]): { readonly size: number; readonly at: number } {
  const centre = mean(values);
  let sum = 0;
  let size = 0;
  let at = 1;
  for (let index = 0; index < values.length - 1; index++) {
    sum += values[index]! - centre;
    if (Math.abs(sum) > size) {
      size = Math.abs(sum);
      at = index + 1;
    }
  }
  return { size, at };
}

function halvesDiffer(logs: readonly number[], scatter: number): boolean {
  const half = Math.floor(logs.length / 2);
  const byChance = CHANCE_DEVIATIONS * MEDIAN_TO_MEAN * scatter * Math.sqrt(2 / half);
  return Math.abs(median(logs.slice(0, half)) - median(logs.slice(-half))) > Math.max(DRIFT_MAX, byChance);
}

function beginningOf(cut: readonly number[], kept: readonly number[]): SteadyState['beginning'] {
  if (cut.length === 0) return 'like the rest';
  const difference = mean(cut) - mean(kept);
  if (difference > FASTER_MIN) return 'faster';
  return difference < 0 ? 'slower' : 'like the rest';
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Standard normal distribution: Abramowitz and Stegun, 26.2.17; absolute error below 7.5e-8. */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - density * polynomial : density * polynomial;
}
