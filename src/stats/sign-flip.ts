/**
 * The sign-flip test: were there no difference, each pair might as well have come out the other way round. It supposes
 * nothing of the shape of the scatter. E. J. G. Pitman, "Significance tests which may be applied to samples from any
 * populations", 1937; R. A. Fisher, "The Design of Experiments", 1935, section 21.
 */
import { createRandom } from '../base/random.ts';
import { ROUNDING } from './sample.ts';

/** Up to here all 2^n patterns are gone through. */
const EXACT_PAIRS_MAX = 14;
/** The p of so many random patterns errs by 0.0015 (one standard error) where it is 0.05. */
const RANDOM_PATTERNS = 20_000;
/** Equal figures give an equal p, today and elsewhere. */
const RANDOM_SEED = 20_250_601;
/** Signs that are looked up together. */
const GROUP = 8;
const GROUP_MASK = 2 ** GROUP - 1;
/** 32 bits are drawn at once. */
const GROUPS_PER_DRAW = 4;

/**
 * Two-sided p: the share of the 2^n patterns of signs with |mean| >= |mean of the values|. For n > 14, of 20,000 random
 * patterns b reach it, and p = (b + 1) / (20,000 + 1), which counts the pattern seen itself.
 * Source: reference of the method in docs/experiments.md; the + 1: Phipson and Smyth, "Permutation p-values should
 * never be zero", Statistical Applications in Genetics and Molecular Biology 9, 2010.
 */
export function signFlipP(values: readonly number[]): number {
  // Only sizes count, and sorted ones make p the same in whatever order and direction the pairs are given.
  const sizes = values.map((value) => Math.abs(value)).sort((one, other) => other - one);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const reached = Math.abs(values.reduce((sum, value) => sum + value, 0)) - ROUNDING * total;
  return sizes.length <= EXACT_PAIRS_MAX ? exactP(sizes, reached) : randomP(sizes, reached);
}

/** The least p that n pairs can have: where all point the same way. */
export function signFlipPMin(pairs: number): number {
  return pairs <= EXACT_PAIRS_MAX ? Math.min(1, 2 ** (1 - pairs)) : 1 / (RANDOM_PATTERNS + 1);
}

/** The last sign is left as it is: the other half of the patterns mirrors this one. */
function exactP(sizes: readonly number[], reached: number): number {
  const tables = tablesOf(sizes);
  const patterns = 2 ** Math.max(0, sizes.length - 1);
  let count = 0;
  for (let pattern = 0; pattern < patterns; pattern++) {
    let sum = 0;
    for (let group = 0; group < tables.length; group++)
      sum += tables[group]![(pattern >> (group * GROUP)) & GROUP_MASK]!;
    if (Math.abs(sum) >= reached) count++;
  }
  return count / patterns;
}

function randomP(sizes: readonly number[], reached: number): number {
  const tables = tablesOf(sizes);
  const random = createRandom(RANDOM_SEED);
  let count = 0;
  for (let pattern = 0; pattern < RANDOM_PATTERNS; pattern++) {
    let sum = 0;
    let bits = 0;
    for (let group = 0; group < tables.length; group++) {
      if (group % GROUPS_PER_DRAW === 0) bits = random.integer(0, 2 ** (GROUP * GROUPS_PER_DRAW) - 1);
      sum += tables[group]![(bits >> ((group % GROUPS_PER_DRAW) * GROUP)) & GROUP_MASK]!;
    }
    if (Math.abs(sum) >= reached) count++;
  }
  return (count + 1) / (RANDOM_PATTERNS + 1);
}

/** Of each eight sizes their sum under each of the 256 patterns of signs: one addition for eight. */
function tablesOf(sizes: readonly number[]): Float64Array[] {
  const tables: Float64Array[] = [];
  for (let from = 0; from < sizes.length; from += GROUP) {
    const group = sizes.slice(from, from + GROUP);
    const sumUnder = (_: unknown, pattern: number) =>
      group.reduce((sum, size, at) => sum + ((pattern >> at) & 1 ? -size : size), 0);
    tables.push(Float64Array.from({ length: 2 ** GROUP }, sumUnder));
  }
  return tables;
}
