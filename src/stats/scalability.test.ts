import { expect, test } from 'vitest';
import { createRandom, type Random } from '../base/random.ts';
import { fitScalability, type ScalabilityFit, type ScalabilityPoint, scalabilityAt } from './scalability.ts';
import { normalQuantile } from './student-t.ts';

/** A simulation takes half a second; a machine that is busy with other things must not make it fail. */
const PATIENCE_MS = 60_000;

interface Truth {
  readonly lambda: number;
  readonly sigma: number;
  readonly kappa: number;
}

const LEVELS = [1, 2, 4, 8, 16, 32, 64];
const PEAKED: Truth = { lambda: 1_000, sigma: 0.05, kappa: 0.001 };

function throughput({ lambda, sigma, kappa }: Truth, n: number): number {
  return (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1));
}

function measured(truth: Truth, levels: readonly number[], noise: () => number, repeats = 1): ScalabilityPoint[] {
  return levels.flatMap((n) =>
    Array.from({ length: repeats }, () => ({ n, x: throughput(truth, n) * Math.exp(noise()) })),
  );
}

function scatter(random: Random, deviation: number): () => number {
  return () => deviation * normalQuantile(random.next() || 0.5);
}

function fitted(points: readonly ScalabilityPoint[]): ScalabilityFit {
  const fit = fitScalability(points);
  if (fit.is !== 'fitted') throw new Error(fit.because);
  return fit;
}

test.each([
  { truth: PEAKED, because: 'contention and coherency' },
  { truth: { lambda: 3, sigma: 0, kappa: 1e-4 }, because: 'coherency alone, at the edge' },
  { truth: { lambda: 1e6, sigma: 0.3, kappa: 0 }, because: 'contention alone, at the other edge' },
  { truth: { lambda: 50, sigma: 0, kappa: 0 }, because: 'every client adds the same' },
  { truth: { lambda: 50, sigma: 1.4, kappa: 0.01 }, because: 'worse from the second client on' },
])('without scatter the curve gives back what it was made of: $because', ({ truth }) => {
  const fit = fitted(measured(truth, LEVELS, () => 0));
  expect(fit.lambda.value / truth.lambda).toBeCloseTo(1, 8);
  expect(fit.sigma.value).toBeCloseTo(truth.sigma, 8);
  expect(fit.kappa.value).toBeCloseTo(truth.kappa, 9);
  for (const n of LEVELS) expect(scalabilityAt(fit, n)! / throughput(truth, n)).toBeCloseTo(1, 8);
});

test('the peak, by hand: sqrt((1 - sigma) / kappa)', () => {
  const { peak, statements } = fitted(measured(PEAKED, LEVELS, () => 0));
  expect(peak?.n.value).toBeCloseTo(Math.sqrt(0.95 / 0.001), 5);
  expect(peak?.x.value).toBeCloseTo(throughput(PEAKED, Math.sqrt(0.95 / 0.001)), 5);
  expect(peak?.isBeyondData).toBe(false);
  expect(statements[0]).toContain('peaks near N = 31');
});

test('where the second client already does harm, the peak is at one', () => {
  const { peak } = fitted(measured({ lambda: 50, sigma: 1.4, kappa: 0.01 }, LEVELS, () => 0));
  expect(peak?.n.value).toBe(1);
});

test('a peak beyond the data is told as such; one beyond twice the data is not claimed, nor is the curve drawn there', () => {
  const near = fitted(measured(PEAKED, [1, 2, 4, 8, 16, 24], () => 0));
  expect(near.peak?.isBeyondData).toBe(true);
  expect(near.statements[0]).toContain('beyond the largest N measured, 24');
  const far = fitted(measured(PEAKED, [1, 2, 4, 8], () => 0));
  expect(far.peak).toBeUndefined();
  expect(far.statements[0]).toContain('more than twice the largest N measured, 8');
  expect(scalabilityAt(far, 16)).toBeDefined();
  expect(scalabilityAt(far, 17)).toBeUndefined();
});

test('a cliff is no such curve: it says that it fits poorly, and claims no peak', () => {
  const cliff = [1, 2, 4, 8, 16, 32, 64].map((n) => ({ n, x: n <= 16 ? 1_000 * n : 800 }));
  const fit = fitted(cliff);
  expect(fit.misfit.isPoor).toBe(true);
  expect(fit.peak).toBeUndefined();
  expect(fit.statements.join(' ')).toContain('fits poorly');
});

test('too few different N, or none that did anything: no fit, and the reason', () => {
  const short = fitScalability(measured(PEAKED, [1, 2, 4], () => 0, 5));
  expect(short).toEqual({ is: 'not-fitted', because: expect.stringContaining('at least 4') });
  expect(fitScalability([1, 2, 4, 8].map((n) => ({ n, x: 0 }))).is).toBe('not-fitted');
  expect(fitScalability([]).is).toBe('not-fitted');
});

test('runs without throughput are left out, and counted', () => {
  const { statements } = fitted([...measured(PEAKED, LEVELS, () => 0), { n: 64, x: 0 }, { n: 32, x: Number.NaN }]);
  expect(statements.at(-1)).toContain('2 runs');
});

test('by simulation: the intervals of N* and of X hold the truth in 95 % of sweeps', { timeout: PATIENCE_MS }, () => {
  const random = createRandom(13);
  const trials = 500;
  const truth = Math.sqrt(0.95 / 0.001);
  const peaks = Array.from({ length: trials }, () => fitted(measured(PEAKED, LEVELS, scatter(random, 0.03), 3)).peak!);
  const holds = ({ interval }: ScalabilityFit['lambda'], value: number) =>
    interval.low <= value && value <= interval.high;
  const slack = 3 * Math.sqrt((0.95 * 0.05) / trials);
  const [ofN, ofX] = [
    peaks.filter(({ n }) => holds(n, truth)).length / trials,
    peaks.filter(({ x }) => holds(x, throughput(PEAKED, truth))).length / trials,
  ];
  expect(Math.abs(ofN - 0.95)).toBeLessThan(slack);
  expect(Math.abs(ofX - 0.95)).toBeLessThan(slack);
});

test('by simulation: where there is no coherency, a peak is claimed in 2.5 % of sweeps at most', {
  timeout: PATIENCE_MS,
}, () => {
  const random = createRandom(14);
  const trials = 500;
  const truth: Truth = { lambda: 1_000, sigma: 0.05, kappa: 0 };
  let claims = 0;
  for (let trial = 0; trial < trials; trial++) {
    if (fitted(measured(truth, LEVELS, scatter(random, 0.03), 3)).kappa.interval.low > 0) claims++;
  }
  expect(claims / trials).toBeLessThan(0.025 + 3 * Math.sqrt((0.025 * 0.975) / trials));
});
