/**
 * What the method promises, tried on made-up experiments of which the truth is known. Bounds are the promise and three
 * standard errors of so many trials; seeds are fixed, so that a failure is a change of the method and no bad luck.
 */
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../base/random.ts';
import { comparePaired, compareUnpaired, type PairedComparison } from './paired.ts';
import { alphaAt, isClearAt, LOOKS } from './sequential.ts';
import { normalQuantile } from './student-t.ts';

/** Of single runs, as found between good runs: a pair's log ratio scatters by 4.2 %. */
const RUN_DEVIATION = 0.03;
const TRIALS = 2_000;
/** Four seconds all together on an idle machine; one that is busy with other things must not make them fail. */
const PATIENCE_MS = 180_000;

interface Plan {
  readonly pairs: number;
  /** True variant / baseline - 1. */
  readonly effect: number;
  readonly deviation?: number;
  /** Of the machine, from run to run. */
  readonly drift?: number;
  readonly noise?: (random: Random) => number;
}

function normal(random: Random): number {
  return normalQuantile(random.next() || 0.5);
}

/** Student's t of three degrees, at the normal's scale: wild runs now and then. */
function heavy(random: Random): number {
  const spread = [normal(random), normal(random), normal(random)].reduce((sum, value) => sum + value * value, 0) / 3;
  return normal(random) / Math.sqrt(spread);
}

/** Half of the blocks AB, half BA, in random order. */
function balancedOrder(pairs: number, random: Random): boolean[] {
  const order = Array.from({ length: pairs }, (_, at) => at % 2 === 0);
  for (let last = pairs - 1; last > 0; last--) {
    const chosen = random.integer(0, last);
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
  return order;
}

function experiment({ pairs, effect, deviation = RUN_DEVIATION, drift = 0, noise = normal }: Plan, random: Random) {
  const variantFirst = balancedOrder(pairs, random);
  const run = (place: number, factor: number) => 1_000 * factor * Math.exp(drift * place + deviation * noise(random));
  const baseline = variantFirst.map((isSecond, block) => run(2 * block + (isSecond ? 1 : 0), 1));
  const variant = variantFirst.map((isFirst, block) => run(2 * block + (isFirst ? 0 : 1), 1 + effect));
  return { baseline, variant, better: 'higher', marginShare: 0.02 } as const;
}

function simulate(plan: Plan, seed: number, trials = TRIALS): PairedComparison[] {
  const random = createRandom(seed);
  return Array.from({ length: trials }, () => comparePaired(experiment(plan, random)));
}

function shareOf<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  return values.filter(holds).length / values.length;
}

/** Three standard errors of a share seen in so many trials. */
function slack(share: number, trials = TRIALS): number {
  return 3 * Math.sqrt((share * (1 - share)) / trials);
}

const isClaim = ({ verdict }: Pick<PairedComparison, 'verdict'>) => verdict === 'FASTER' || verdict === 'SLOWER';

describe('the promises of the method', { timeout: PATIENCE_MS }, () => {
  test.each([6, 8, 10])('%i pairs: the interval of 0.95 holds the truth in 0.95 of experiments', (pairs) => {
    const effect = 0.04;
    const found = simulate({ pairs, effect }, pairs);
    const covered = shareOf(found, ({ interval }) => interval.low <= effect && effect <= interval.high);
    expect(Math.abs(covered - 0.95)).toBeLessThan(slack(0.95));
    // The signed-rank interval holds it in 95 % or more: its steps are coarse.
    const byRank = shareOf(
      found,
      ({ hodgesLehmann: { interval } }) => interval!.low <= effect && effect <= interval!.high,
    );
    expect(byRank).toBeGreaterThan(0.95 - slack(0.95));
  });

  test.each([
    { pairs: 6, noise: normal, is: 'normal' },
    { pairs: 8, noise: normal, is: 'normal' },
    { pairs: 10, noise: normal, is: 'normal' },
    { pairs: 8, noise: heavy, is: 'heavy-tailed' },
  ])('$pairs pairs of equal things, $is scatter: FASTER or SLOWER in 5 % at most', ({ pairs, noise }) => {
    const found = simulate({ pairs, effect: 0, noise }, 100 + pairs);
    expect(shareOf(found, isClaim)).toBeLessThan(0.05 + slack(0.05));
  });

  test('the interval of the margin: things that differ by all of it are called SAME in 5 % at most', () => {
    const found = simulate({ pairs: 10, effect: 0.02, deviation: 0.01 }, 21);
    expect(shareOf(found, ({ verdict }) => verdict === 'SAME')).toBeLessThan(0.05 + slack(0.05));
    const equal = simulate({ pairs: 10, effect: 0, deviation: 0.01 }, 22, 500);
    expect(shareOf(equal, ({ verdict }) => verdict === 'SAME')).toBeGreaterThan(0.8);
  });

  test('a machine that drifts 0.5 % a run raises no false alarm in balanced pairs, and many in A A A B B B', () => {
    const plan = { pairs: 6, effect: 0, deviation: 0.01, drift: 0.005 };
    expect(shareOf(simulate(plan, 31), isClaim)).toBeLessThan(0.05 + slack(0.05));
    const random = createRandom(32);
    const oneAfterTheOther = Array.from({ length: 500 }, () => {
      const runs = Array.from({ length: 12 }, (_, place) => 1_000 * Math.exp(0.005 * place + 0.01 * normal(random)));
      const [baseline, variant] = [runs.slice(0, 6), runs.slice(6)];
      return compareUnpaired({ baseline, variant, better: 'higher', marginShare: 0.02 });
    });
    expect(shareOf(oneAfterTheOther, isClaim)).toBeGreaterThan(0.5);
  });

  test('10 % slower is found in nine of ten experiments of 8 pairs, and in more', () => {
    const found = simulate({ pairs: 8, effect: -0.1 }, 41);
    expect(shareOf(found, ({ verdict }) => verdict === 'SLOWER')).toBeGreaterThan(0.9);
    expect(shareOf(found, ({ verdict }) => verdict === 'FASTER' || verdict === 'SAME')).toBeLessThan(0.001);
  });

  test('3 % is undecided or right: the wrong way round in fewer than 2 of 1,000', () => {
    const found = [...simulate({ pairs: 8, effect: -0.03 }, 51), ...simulate({ pairs: 6, effect: -0.03 }, 52)];
    expect(shareOf(found, ({ verdict }) => verdict === 'FASTER')).toBeLessThan(0.002);
    expect(shareOf(found, ({ verdict }) => verdict === 'SLOWER')).toBeGreaterThan(0.1);
  });

  test('pairs needed: so many find a difference as large as the margin in four of five', () => {
    const random = createRandom(61);
    const deviation = 0.02 / Math.SQRT2;
    // (2.228 + 0.879) x 0.02 / sqrt(11) is the first below ln 1.02.
    const found = Array.from({ length: 1_000 }, () =>
      comparePaired(experiment({ pairs: 11, effect: 0.02, deviation }, random)),
    );
    const power = shareOf(found, ({ verdict }) => verdict === 'FASTER');
    expect(Math.abs(power - 0.8)).toBeLessThan(slack(0.8, 1_000) + 0.02);
  });

  test('looks at 6, 10, 16 and the end at 24: equal things are called different in 5 % at most', () => {
    const trials = 1_000;
    const random = createRandom(71);
    let claims = 0;
    let peeked = 0;
    for (let trial = 0; trial < trials; trial++) {
      const { baseline, variant, ...rest } = experiment({ pairs: 24, effect: 0 }, random);
      const upTo = (look: number) =>
        comparePaired({ ...rest, baseline: baseline.slice(0, look), variant: variant.slice(0, look) });
      const looks = LOOKS.map((look) => ({ look, found: upTo(look) }));
      if (looks.some(({ look, found }) => (alphaAt(look, 24) === 0.05 ? isClaim(found) : isClearAt(look, found))))
        claims++;
      if (looks.some(({ found }) => isClaim(found))) peeked++;
    }
    expect(claims / trials).toBeLessThan(0.05 + slack(0.05, trials));
    // Whoever takes 0.05 at every look is wrong oftener: the trial can tell.
    expect(peeked / trials).toBeGreaterThan(0.08);
  });
});
