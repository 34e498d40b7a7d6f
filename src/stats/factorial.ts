/**
 * Which of several knobs did it, and do they work on each other? Designs in which every variant runs once in each
 * block. An effect is reckoned within each block, from logarithms; the blocks' figures are then the sample, so that
 * what a block has in common (the hour, the temperature, a fuller disk) falls out.
 */
import { assert } from '../base/assert.ts';
import type { FactorEffect } from '../model/experiment.ts';
import { holm } from './multiple.ts';
import { deviationOf, hasLogarithm, meanOf } from './sample.ts';
import { type Estimate, intervalOf, pOf, UNBOUNDED } from './verdict.ts';
import { formatChange, formatP, formatSpan } from './verdict-words.ts';

export interface Factor {
  readonly name: string;
  /** In order, the base's first. */
  readonly levels: readonly string[];
}

export interface FactorialRun {
  readonly block: number;
  /** By factor, its level; all factors. */
  readonly levels: Readonly<Record<string, string>>;
  /** Of the metric. */
  readonly value: number;
}

export interface FactorialDesign {
  readonly factors: readonly Factor[];
  readonly runs: readonly FactorialRun[];
}

export interface FactorialEffects {
  readonly effects: readonly FactorEffect[];
  /** Blocks in which every needed cell has a figure above zero; the others are left out whole. */
  readonly blocks: number;
  /** Numbers of the blocks left out. */
  readonly incomplete: readonly number[];
}

/** One block: the logarithm of each cell. */
type Cells = ReadonlyMap<string, number>;
type Levels = Readonly<Record<string, string>>;

interface Contrast {
  readonly of: string;
  readonly from: string;
  readonly to: string;
  /** What is added up, with its weight: the contrast within one block. */
  readonly terms: readonly { readonly levels: Levels; readonly weight: number }[];
}

/**
 * Main effects and two-way interactions of a full factorial, any number of levels. Of factor A, level a against its
 * first: the mean of ln y over all cells with A = a, less that over all cells with A = first; as a share, exp() - 1. Of
 * A x B: (ln y_ab - ln y_a0) - (ln y_0b - ln y_00), averaged over the other factors: by how much A's effect is another
 * where B is at b, as a ratio of ratios. Mean, 95 % interval and p by Student's t over the blocks' contrasts; pHolm
 * over all effects returned.
 * Source: G. E. P. Box, J. S. Hunter, W. G. Hunter, "Statistics for Experimenters", 2005, chapter 5 (their interaction
 * is half of this one); blocks as the unit: docs/experiments.md.
 */
export function factorialEffects(design: FactorialDesign): FactorialEffects {
  const { factors } = design;
  const cells = cellsOf(factors);
  const contrasts = [
    ...factors.flatMap((factor) => mainContrasts(factor, cells)),
    ...factors.flatMap((one, at) => factors.slice(at + 1).flatMap((other) => jointContrasts([one, other], cells))),
  ];
  return effectsOf(design, contrasts);
}

/**
 * Each level of each factor against the base, all other factors at their first level: ln y_(A = a, rest first) - ln
 * y_base within each block, then as `factorialEffects`. Needs these cells only, and tells nothing of interactions.
 * Source: as `factorialEffects`; R. Jain, "The Art of Computer Systems Performance Analysis", 1991, section 16.3.
 */
export function oneAtATimeEffects(design: FactorialDesign): FactorialEffects {
  const { factors } = design;
  const base = Object.fromEntries(factors.map(({ name, levels }) => [name, levels[0]!]));
  const contrasts = factors.flatMap(({ name, levels }) =>
    levels.slice(1).map((level) => ({
      of: name,
      from: levels[0]!,
      to: level,
      terms: [
        { levels: { ...base, [name]: level }, weight: 1 },
        { levels: base, weight: -1 },
      ],
    })),
  );
  return effectsOf(design, contrasts);
}

function mainContrasts({ name, levels: [first, ...others] }: Factor, cells: readonly Levels[]): Contrast[] {
  return others.map((level) => ({
    of: name,
    from: first!,
    to: level,
    terms: [...averaged(cells, { [name]: level }, 1), ...averaged(cells, { [name]: first! }, -1)],
  }));
}

function jointContrasts([one, other]: readonly [Factor, Factor], cells: readonly Levels[]): Contrast[] {
  const [first, ...ones] = one.levels;
  const [otherFirst, ...others] = other.levels;
  const at = (a: string, b: string, sign: number) => averaged(cells, { [one.name]: a, [other.name]: b }, sign);
  return ones.flatMap((a) =>
    others.map((b) => ({
      of: `${one.name} x ${other.name}`,
      from: `${first} x ${otherFirst}`,
      to: `${a} x ${b}`,
      terms: [...at(a, b, 1), ...at(a, otherFirst!, -1), ...at(first!, b, -1), ...at(first!, otherFirst!, 1)],
    })),
  );
}

/** All cells that have these levels, their weights together `sign`. */
function averaged(cells: readonly Levels[], wanted: Levels, sign: number): Contrast['terms'] {
  const chosen = cells.filter((levels) => Object.entries(wanted).every(([name, level]) => levels[name] === level));
  return chosen.map((levels) => ({ levels, weight: sign / chosen.length }));
}

function effectsOf({ factors, runs }: FactorialDesign, contrasts: readonly Contrast[]): FactorialEffects {
  const needed = new Set(contrasts.flatMap(({ terms }) => terms.map(({ levels }) => keyOf(factors, levels))));
  const byBlock = blocksOf(factors, runs);
  const numbers = [...byBlock.keys()].sort((one, other) => one - other);
  const isComplete = (block: number) => [...needed].every((key) => byBlock.get(block)?.has(key));
  const complete = numbers.filter(isComplete).map((block) => byBlock.get(block)!);
  const estimates = contrasts.map(({ terms }) =>
    estimateOf(
      complete.map((cells) => sumOf(terms.map((term) => term.weight * cells.get(keyOf(factors, term.levels))!))),
    ),
  );
  const ps = estimates.map(pOf);
  const adjusted = holm(ps);
  const effects = contrasts.map(({ of, from, to }, at) =>
    effectOf({ of, from, to, p: ps[at]!, pHolm: adjusted[at]! }, estimates[at]!),
  );
  return { effects, blocks: complete.length, incomplete: numbers.filter((block) => !isComplete(block)) };
}

function effectOf(about: Pick<FactorEffect, 'of' | 'from' | 'to' | 'p' | 'pHolm'>, estimate: Estimate): FactorEffect {
  const effect = Math.min(Math.expm1(estimate.mean), UNBOUNDED);
  const interval = intervalOf(estimate, 0.95);
  const { of, from, to, pHolm } = about;
  const what = `${of} from ${from} to ${to}`;
  const is = Number.isFinite(estimate.standardError)
    ? `${what}: ${formatChange(effect)} (95 % interval ${formatSpan(interval)}; ${formatP(pHolm)} after Holm).`
    : `${what}: too few complete blocks for an interval.`;
  return { ...about, effect, interval, is };
}

function estimateOf(contrasts: readonly number[]): Estimate {
  const mean = contrasts.length === 0 ? 0 : meanOf(contrasts);
  if (contrasts.length < 2) return { mean, standardError: Number.POSITIVE_INFINITY, freedom: 1 };
  return {
    mean,
    standardError: deviationOf(contrasts) / Math.sqrt(contrasts.length),
    freedom: contrasts.length - 1,
  };
}

/** A cell that ran twice in one block counts by its first figure, as the plan has one. */
function blocksOf(factors: readonly Factor[], runs: readonly FactorialRun[]): Map<number, Cells> {
  const byBlock = new Map<number, Map<string, number>>();
  for (const { block, levels, value } of runs) {
    const cells = byBlock.get(block) ?? new Map<string, number>();
    byBlock.set(block, cells);
    const key = keyOf(factors, levels);
    if (hasLogarithm(value) && !cells.has(key)) cells.set(key, Math.log(value));
  }
  return byBlock;
}

function cellsOf(factors: readonly Factor[]): Levels[] {
  return factors.reduce<Levels[]>(
    (cells, { name, levels }) => cells.flatMap((cell) => levels.map((level) => ({ ...cell, [name]: level }))),
    [{}],
  );
}

function keyOf(factors: readonly Factor[], levels: Levels): string {
  return JSON.stringify(
    factors.map(({ name, levels: known }) => {
      const level = levels[name];
      assert(level !== undefined && known.includes(level), `a run has a level of the factor ${name}`);
      return level;
    }),
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
