/** Every figure that scipy or statsmodels gives too, against theirs: test/fixtures/make-statistics.py. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Interval95 } from '../model/experiment.ts';
import { type FactorialDesign, factorialEffects } from './factorial.ts';
import { benjaminiHochberg, holm } from './multiple.ts';
import { comparePaired, compareUnpaired } from './paired.ts';
import { fitScalability, type ScalabilityFit, type ScalabilityPoint, scalabilityAt } from './scalability.ts';
import { signedRankBelow } from './signed-rank.ts';
import { normalQuantile, studentTAbove, studentTQuantile, studentTTwoSided } from './student-t.ts';

interface PairedCase {
  readonly name: string;
  readonly baseline: number[];
  readonly variant: number[];
  readonly effect: number;
  readonly interval: Interval95;
  readonly interval90: Interval95;
  readonly pT: number;
  readonly sureHigher: number;
  readonly pSignFlip: number;
  readonly rankSum: number;
  readonly pSignedRank: number;
  readonly hodgesLehmann: { readonly effect: number; readonly interval?: Interval95 };
  readonly pairsNeeded: number;
}

interface Curve {
  readonly lambda: number;
  readonly sigma: number;
  readonly kappa: number;
}

interface Fixtures {
  readonly scipy: string;
  readonly studentT: {
    readonly quantiles: readonly { readonly probability: number; readonly freedom: number; readonly t: number }[];
    readonly tails: readonly { readonly t: number; readonly freedom: number; readonly above: number }[];
    readonly normal: readonly { readonly probability: number; readonly z: number }[];
  };
  readonly paired: readonly PairedCase[];
  readonly unpaired: readonly Pick<PairedCase, 'baseline' | 'variant' | 'effect' | 'interval' | 'pT'>[];
  readonly multiple: readonly {
    readonly ps: number[];
    readonly holm: number[];
    readonly benjaminiHochberg: number[];
  }[];
  readonly scalability: readonly {
    readonly name: string;
    readonly points: readonly ScalabilityPoint[];
    readonly held: Curve;
    readonly squares: number;
    readonly low: Curve;
    readonly high: Curve;
  }[];
  readonly factorial: FactorialDesign & {
    readonly effects: readonly {
      readonly of: string;
      readonly to: string;
      readonly effect: number;
      readonly interval: Interval95;
      readonly p: number;
      readonly pHolm: number;
    }[];
  };
}

const FIXTURES = JSON.parse(
  readFileSync(new URL('../../test/fixtures/statistics.json', import.meta.url), 'utf8'),
) as Fixtures;

/** Relative: for figures from a millionth to millions alike. */
const PRECISION = 1e-10;

function expectClose(actual: number, expected: number, precision = PRECISION): void {
  expect(Math.abs(actual - expected), `${actual} for ${expected}`).toBeLessThanOrEqual(
    precision * Math.max(Math.abs(expected), 1e-300),
  );
}

function expectSpan(actual: Interval95, expected: Interval95, precision = PRECISION): void {
  // exp(x) - 1 of an end near 0 is exact to the digits of x, not to its own.
  expect(Math.abs(actual.low - expected.low)).toBeLessThanOrEqual(precision * (Math.abs(expected.low) + 1e-3));
  expect(Math.abs(actual.high - expected.high)).toBeLessThanOrEqual(precision * (Math.abs(expected.high) + 1e-3));
}

test(`Student's t: quantiles as scipy ${FIXTURES.scipy} has them`, () => {
  for (const { probability, freedom, t } of FIXTURES.studentT.quantiles) {
    expectClose(studentTQuantile(probability, freedom), t);
  }
});

test("Student's t: both tails as scipy has them", () => {
  for (const { t, freedom, above } of FIXTURES.studentT.tails) {
    expectClose(studentTAbove(t, freedom), above);
    if (t >= 0) expectClose(studentTTwoSided(-t, freedom), 2 * above);
  }
});

test('normal quantiles as scipy has them', () => {
  for (const { probability, z } of FIXTURES.studentT.normal) expectClose(normalQuantile(probability), z);
});

test.each(FIXTURES.paired)('paired, $name: ttest_rel, permutation_test, wilcoxon, and the interval', (known) => {
  const { baseline, variant } = known;
  const found = comparePaired({ baseline, variant, better: 'higher', marginShare: 0.02 });
  expectClose(found.effect, known.effect);
  expectSpan(found.interval, known.interval);
  expectSpan(found.interval90, known.interval90);
  expectClose(found.pT, known.pT);
  expectClose(found.sure, known.sureHigher, 1e-9);
  expectClose(found.pSignFlip, known.pSignFlip);
  expectClose(Math.min(1, 2 * signedRankBelow(known.rankSum, baseline.length)), known.pSignedRank);
  expectClose(found.hodgesLehmann.effect, known.hodgesLehmann.effect);
  expect(found.hodgesLehmann.interval === undefined).toBe(known.hodgesLehmann.interval === undefined);
  if (known.hodgesLehmann.interval !== undefined) {
    expectSpan(found.hodgesLehmann.interval!, known.hodgesLehmann.interval);
  }
  if (found.verdict === 'UNDECIDED') expect(found.pairsNeeded).toBe(known.pairsNeeded);
});

test('the fixtures hold comparisons whose pairs needed are looked at', () => {
  const undecided = FIXTURES.paired.filter(
    ({ baseline, variant }) =>
      comparePaired({ baseline, variant, better: 'higher', marginShare: 0.02 }).verdict === 'UNDECIDED',
  );
  expect(undecided.map(({ pairsNeeded }) => pairsNeeded)).toContain(254);
});

test('unpaired: Welch as ttest_ind has it', () => {
  for (const { baseline, variant, effect, interval, pT } of FIXTURES.unpaired) {
    const found = compareUnpaired({ baseline, variant, better: 'higher', marginShare: 0.02 });
    expectClose(found.effect, effect);
    expectSpan(found.interval, interval);
    expectClose(found.pT, pT);
  }
});

test('Holm and Benjamini-Hochberg as statsmodels has them', () => {
  for (const { ps, ...known } of FIXTURES.multiple) {
    for (const [at, p] of holm(ps).entries()) expectClose(p, known.holm[at]!);
    for (const [at, p] of benjaminiHochberg(ps).entries()) expectClose(p, known.benjaminiHochberg[at]!);
  }
});

test.each(FIXTURES.scalability)('scalability, $name: curve_fit with bounds, and its covariance', (known) => {
  const fit = fitScalability(known.points) as ScalabilityFit;
  expect(fit.is).toBe('fitted');
  const squares = known.points.reduce((sum, { n, x }) => sum + Math.log(x / scalabilityAt(fit, n)!) ** 2, 0);
  // curve_fit with bounds stops a little short of the edge; ours may be better by that, never worse.
  expect(squares).toBeLessThanOrEqual(known.squares * (1 + 1e-12));
  expect(squares).toBeGreaterThan(known.squares * (1 - 1e-6));
  expectClose(fit.lambda.value, known.held.lambda, 1e-6);
  expect(Math.abs(fit.sigma.value - known.held.sigma)).toBeLessThan(1e-6);
  expect(Math.abs(fit.kappa.value - known.held.kappa)).toBeLessThan(1e-8);
  for (const name of ['lambda', 'sigma', 'kappa'] as const) {
    // By differences in curve_fit, by derivatives here.
    const precision = 1e-4 * (known.high[name] - known.low[name]);
    expect(Math.abs(fit[name].interval.low - Math.max(0, known.low[name]))).toBeLessThan(precision);
    expect(Math.abs(fit[name].interval.high - Math.max(0, known.high[name]))).toBeLessThan(precision);
  }
});

test('factorial: least squares over all blocks, and t over blocks', () => {
  const { effects, blocks, incomplete } = factorialEffects(FIXTURES.factorial);
  expect({ blocks, incomplete }).toEqual({ blocks: 7, incomplete: [] });
  expect(effects.map(({ of, to }) => `${of} ${to}`)).toEqual(
    FIXTURES.factorial.effects.map(({ of, to }) => `${of} ${to}`),
  );
  for (const [at, known] of FIXTURES.factorial.effects.entries()) {
    const found = effects[at]!;
    expect(Math.abs(found.effect - known.effect)).toBeLessThan(1e-11);
    expectSpan(found.interval, known.interval, 1e-9);
    expectClose(found.p, known.p, 1e-8);
    expectClose(found.pHolm, known.pHolm, 1e-8);
  }
});
