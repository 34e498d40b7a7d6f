/**
 * Which keys a load touches: sysbench's `--rand-type`, by its formulas and with its parameters' names and defaults.
 * With n = to - from + 1 and U uniform in [0, 1):
 *   uniform   floor(n U)
 *   gaussian  floor of the mean of `spec-iter` uniforms, times n
 *   special   with `spec-res` per cent uniform in the central `spec-pct` per cent, else gaussian, both over n - 1
 *   pareto    floor(n U^(ln h / ln(1 - h)))
 *   zipfian   P(k) proportional to 1 / k^theta for k = 1 … n
 */
import { unreachable } from '../base/assert.ts';
import { createPermutation } from '../base/permutation.ts';
import type { Random } from '../base/random.ts';
import { createZipf, drawZipf, type Zipf } from '../base/zipf.ts';
import type { KeyDistribution } from '../workload/workload.ts';
import type { RandSettings } from './plan.ts';

/** A position in [0, size). */
type DrawPosition = (random: Random, size: number) => number;

export function createKeyDistribution(settings: RandSettings): KeyDistribution {
  const draw = positionsOf(settings);
  if (!settings.scrambled) return { draw: (random, from, to) => from + draw(random, to - from + 1) };
  let permutation = createPermutation(1);
  return {
    draw: (random, from, to) => {
      const size = to - from + 1;
      // A workload draws from one range, nearly always: that of its table's rows.
      if (permutation.size !== size) permutation = createPermutation(size);
      return from + permutation.at(draw(random, size));
    },
  };
}

function positionsOf(settings: RandSettings): DrawPosition {
  switch (settings.type) {
    case 'uniform':
      return (random, size) => random.integer(0, size - 1);
    case 'gaussian':
      return (random, size) => gaussian(random, size, settings.specIter);
    case 'special':
      return special(settings);
    case 'pareto':
      return pareto(settings.paretoH);
    case 'zipfian':
      return zipfian(settings.zipfianExp);
    default:
      return unreachable(settings.type);
  }
}

/** Hot. */
function gaussian(random: Random, size: number, iterations: number): number {
  let sum = 0;
  for (let iteration = 0; iteration < iterations; iteration++) sum += random.next();
  return Math.floor((sum / iterations) * size);
}

function special({ specIter, specPct, specRes }: RandSettings): DrawPosition {
  const gaussianShare = 1 - specRes / 100;
  const bandShare = specPct / 100;
  return (random, size) => {
    const last = size - 1;
    const drawn = random.next();
    if (drawn < gaussianShare) return gaussian(random, last, specIter);
    // sysbench uses the same number again for the place within the band. It is never below the gaussian share here, so
    // with the defaults only the upper three quarters of the band are hot. Kept: loads must be comparable.
    return Math.floor((last - last * bandShare) / 2 + drawn * (last * bandShare + 1));
  };
}

function pareto(h: number): DrawPosition {
  const exponent = Math.log(h) / Math.log(1 - h);
  return (random, size) => Math.floor(size * random.next() ** exponent);
}

function zipfian(theta: number): DrawPosition {
  let zipf: Zipf = createZipf(1, theta);
  return (random, size) => {
    if (zipf.size !== size) zipf = createZipf(size, theta);
    return drawZipf(random, zipf) - 1;
  };
}
