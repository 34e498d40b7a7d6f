import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CompareInput, comparePaired, compareUnpaired, pairsNeeded } from './paired.ts';

/** Pairs with these log ratios around a drifting baseline, which must fall out. */
function inputOf(logRatios: readonly number[], rest: Partial<CompareInput> = {}): CompareInput {
  const baseline = logRatios.map((_, at) => 1_000 + 10 * at);
  const variant = baseline.map((value, at) => value * Math.exp(logRatios[at]!));
  return { baseline, variant, better: 'higher', marginShare: 0.02, ...rest };
}

test.each([
  { ratios: [0.06, 0.07, 0.05, 0.08, 0.06, 0.07], is: 'FASTER', isMeaningful: true, because: 'six of six, far out' },
  { ratios: [0.01, 0.012, 0.009, 0.011, 0.013, 0.01], is: 'FASTER', isMeaningful: false, because: 'sure, but small' },
  { ratios: [-0.06, -0.07, -0.05, -0.08, -0.06, -0.07], is: 'SLOWER', isMeaningful: true, because: 'the mirror of it' },
  { ratios: [0.001, -0.002, 0.002, -0.001, 0.001, -0.001], is: 'SAME', isMeaningful: false, because: 'all near 0' },
  { ratios: [0.05, -0.04, 0.06, -0.05, 0.03, -0.01], is: 'UNDECIDED', isMeaningful: false, because: 'they scatter' },
  { ratios: [0, 0, 0, 0, 0, 0], is: 'SAME', isMeaningful: false, because: 'no difference and no scatter' },
  { ratios: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1], is: 'FASTER', isMeaningful: true, because: 'equal ratios do not scatter' },
  { ratios: [0.1, 0.1, 0.1, 0.1, 0.1], is: 'UNDECIDED', isMeaningful: false, because: 'five pairs are too few' },
])('$is: $because', ({ ratios, is, isMeaningful }) => {
  const found = comparePaired(inputOf(ratios));
  expect(found.verdict).toBe(is);
  expect(found.isMeaningful).toBe(isMeaningful);
});

test('where lower is better, the words turn and the figures do not', () => {
  const ratios = [-0.06, -0.07, -0.05, -0.08, -0.06, -0.07];
  const latency = comparePaired(inputOf(ratios, { better: 'lower' }));
  const rate = comparePaired(inputOf(ratios));
  expect(latency.verdict).toBe('FASTER');
  expect(latency.sure).toBeGreaterThan(0.999);
  expect(rate.sure).toBeLessThan(0.001);
  expect(latency.effect).toBe(rate.effect);
  expect(latency.effect).toBeCloseTo(Math.expm1(-0.065), 10);
  expect(latency.interval).toEqual(rate.interval);
});

test('with five pairs all alike the reason is the sign-flip test, and it says so', () => {
  const found = comparePaired(inputOf([0.1, 0.11, 0.09, 0.1, 0.12]));
  expect(found.pT).toBeLessThan(0.001);
  expect(found.pSignFlip).toBe(0.0625);
  expect(found.because).toContain('at least 6 are needed');
  expect(found.because).toContain('0.0625');
});

test('tests that disagree leave it undecided, and both are shown', () => {
  // One pair the wrong way, but hardly: t is below 0.05, and sign-flip is above it.
  const found = comparePaired(inputOf([0.05, 0.05, 0.05, 0.05, 0.05, -0.015]));
  expect(found.pT).toBeLessThan(0.05);
  expect(found.pSignFlip).toBe(0.0625);
  expect(found.verdict).toBe('UNDECIDED');
  expect(found.because).toContain('The two tests disagree');
  expect(found.because).toContain('0.063');
});

test('a wild pair is kept and flagged, and hardly moves the Hodges-Lehmann estimate', () => {
  const found = comparePaired(inputOf([0.05, 0.06, 0.04, 0.05, -0.9, 0.06, 0.05, 0.05]));
  expect(found.outliers).toEqual([4]);
  expect(found.pairs).toBe(8);
  expect(found.effect).toBeLessThan(-0.05);
  expect(found.hodgesLehmann.effect).toBeGreaterThan(0.03);
  expect(found.hodgesLehmann.interval?.high).toBeGreaterThan(found.hodgesLehmann.effect);
});

test.each([
  { value: 0, because: 'nothing was done' },
  { value: -3, because: 'no rate is negative' },
  { value: Number.NaN, because: 'it was never measured' },
  { value: Number.POSITIVE_INFINITY, because: 'something was divided by zero' },
])('a figure of $value leaves it undecided, says which pair, and spoils no other figure: $because', ({ value }) => {
  const input = inputOf([0.1, 0.1, 0.11, 0.1, 0.09, 0.1, 0.12, 0.1]);
  const variant = [...input.variant];
  variant[2] = value;
  const found = comparePaired({ ...input, variant });
  expect(found.verdict).toBe('UNDECIDED');
  expect(found.because).toContain('Pair 3 of 8');
  expect(found.unusable).toEqual([2]);
  expect(found.pairs).toBe(7);
  expectFinite(found);
});

test('nothing at all, one pair, and figures at the ends of what numbers can be: finite, and undecided', () => {
  const extremes: CompareInput[] = [
    { baseline: [], variant: [], better: 'higher', marginShare: 0.02 },
    { baseline: [5], variant: [6], better: 'higher', marginShare: 0.02 },
    { baseline: [0], variant: [0], better: 'higher', marginShare: 0.02 },
    { baseline: [1, 1e-300, 1e300], variant: [1e300, 1, 1e-300], better: 'lower', marginShare: 0 },
  ];
  for (const input of extremes) {
    const paired = comparePaired(input);
    expect(paired.verdict).toBe('UNDECIDED');
    expectFinite(paired);
    const unpaired = compareUnpaired(input);
    expect(unpaired.verdict).toBe('UNDECIDED');
    expectFinite(unpaired);
    expect(JSON.stringify(unpaired)).not.toContain('null');
  }
  expect(comparePaired(extremes[0]!).because).toBe('There is no pair of runs.');
});

test('pairs needed above 30 are told as they are, with advice', () => {
  const found = comparePaired(inputOf([0.2, -0.2, 0.15, -0.18, 0.02, -0.05]));
  expect(found.pairsNeeded).toBeGreaterThan(30);
  expect(found.because).toContain(`about ${found.pairsNeeded} pairs`);
  expect(found.because).toContain('more than the 30');
});

test.each([
  { deviation: 0.001, marginShare: 0.02, pairs: 6, because: 'never below six' },
  { deviation: 0.03, marginShare: 0.02, pairs: 21, because: 'by hand: (2.086 + 0.860) x 0.03 / sqrt(21) = 0.0193' },
  { deviation: 0.03, marginShare: 0, pairs: undefined, because: 'no number shows a difference of nothing' },
  { deviation: 100, marginShare: 0.0001, pairs: undefined, because: 'a number with ten digits is no advice' },
])('to see $marginShare at $deviation takes $pairs pairs: $because', ({ deviation, marginShare, pairs }) => {
  expect(pairsNeeded(deviation, marginShare)).toBe(pairs);
});

test('a look before the end asks for more: p below 0.001, and all pairs one way where there are six', () => {
  const clear = comparePaired(inputOf([0.2, 0.21, 0.19, 0.2, 0.22, 0.2], { alphaOfLook: 0.001 }));
  expect(clear.verdict).toBe('FASTER');
  expect(clear.because).toContain('99.9 % interval');
  const notYet = inputOf([0.06, 0.02, 0.05, 0.03, 0.06, 0.07]);
  expect(comparePaired(notYet).verdict).toBe('FASTER');
  expect(comparePaired({ ...notYet, alphaOfLook: 0.001 }).verdict).toBe('UNDECIDED');
  // SAME is harder early, too: the interval that must lie inside the margin is that of 99.8 %.
  const nearly = inputOf([0.01, -0.01, 0.008, -0.009, 0.012, -0.011]);
  expect(comparePaired(nearly).verdict).toBe('SAME');
  expect(comparePaired({ ...nearly, alphaOfLook: 0.001 }).verdict).toBe('UNDECIDED');
});

test.each([
  { baseline: [100, 101, 99, 100], variant: [110, 111, 109, 112], is: 'FASTER', because: 'four against four will do' },
  { baseline: [100, 101, 99], variant: [110, 111, 109, 112], is: 'UNDECIDED', because: 'three are too few' },
  { baseline: [100, 101, 99, 100], variant: [90, 91, 89, 88, 90], is: 'SLOWER', because: 'unequal numbers will do' },
  { baseline: [100, 101, 99, 100], variant: [100, 100, 101, 99], is: 'SAME', because: 'hardly any scatter' },
  { baseline: [100, 120, 90, 100], variant: [105, 90, 120, 99], is: 'UNDECIDED', because: 'much scatter' },
  { baseline: [100, 0, 99, 100, 101], variant: [110, 111, 109, 112], is: 'UNDECIDED', because: 'a run did nothing' },
])('runs that are no pairs, $is: $because', ({ baseline, variant, is }) => {
  const found = compareUnpaired({ baseline, variant, better: 'higher', marginShare: 0.02 });
  expect(found.verdict).toBe(is);
  expectFinite(found);
});

const rates = fc.double({ min: 50, max: 5_000, noNaN: true });
const pairsOfRates = fc.array(fc.tuple(rates, fc.double({ min: 0.7, max: 1.4, noNaN: true })), {
  minLength: 1,
  maxLength: 18,
});
const MIRROR = { FASTER: 'SLOWER', SLOWER: 'FASTER', SAME: 'SAME', UNDECIDED: 'UNDECIDED' } as const;

test('law: who changes the sides mirrors the verdict and the interval', () => {
  fc.assert(
    fc.property(pairsOfRates, fc.constantFrom('higher' as const, 'lower' as const), (drawn, better) => {
      const input = { ...split(drawn), better, marginShare: 0.02 };
      const there = comparePaired(input);
      const back = comparePaired({ ...input, baseline: input.variant, variant: input.baseline });
      expect(back.verdict).toBe(MIRROR[there.verdict]);
      expect(back.isMeaningful).toBe(there.isMeaningful);
      expect(back.pSignFlip).toBe(there.pSignFlip);
      expect(back.sure).toBeCloseTo(1 - there.sure, 10);
      if (drawn.length > 1) {
        expect(Math.log1p(back.interval.low)).toBeCloseTo(-Math.log1p(there.interval.high), 9);
      }
      expect(compareUnpaired({ ...input, baseline: input.variant, variant: input.baseline }).verdict).toBe(
        MIRROR[compareUnpaired(input).verdict],
      );
    }),
    { numRuns: 60 },
  );
});

test('law: neither the unit nor the order of the pairs matters', () => {
  fc.assert(
    fc.property(pairsOfRates, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), fc.nat(), (drawn, factor, turn) => {
      const input = { ...split(drawn), better: 'higher' as const, marginShare: 0.02 };
      const first = comparePaired(input);
      const scaled = split(drawn.map(([rate, ratio]) => [rate * factor, ratio]));
      expectAlike(comparePaired({ ...input, ...scaled }), first);
      const from = turn % drawn.length;
      const turned = split([...drawn.slice(from), ...drawn.slice(0, from)].reverse());
      expectAlike(comparePaired({ ...input, ...turned }), first);
    }),
    { numRuns: 60 },
  );
});

test('law: no figure is ever no number', () => {
  const anything = fc.oneof(fc.double(), fc.double({ min: 0.9, max: 1.1, noNaN: true }), fc.constant(0));
  fc.assert(
    fc.property(fc.array(fc.tuple(anything, anything), { maxLength: 16 }), (drawn) => {
      const baseline = drawn.map(([one]) => one);
      const variant = drawn.map(([, other]) => other);
      expectFinite(comparePaired({ baseline, variant, better: 'lower', marginShare: 0.02 }));
      expectFinite(compareUnpaired({ baseline, variant, better: 'lower', marginShare: 0.02 }));
    }),
  );
});

function split(drawn: readonly (readonly [number, number])[]) {
  return { baseline: drawn.map(([rate]) => rate), variant: drawn.map(([rate, ratio]) => rate * ratio) };
}

function expectAlike(found: ReturnType<typeof comparePaired>, known: ReturnType<typeof comparePaired>): void {
  expect(found.verdict).toBe(known.verdict);
  expect(found.effect).toBeCloseTo(known.effect, 10);
  expect(found.pT).toBeCloseTo(known.pT, 8);
  expect(found.pSignFlip).toBe(known.pSignFlip);
  expect(found.hodgesLehmann.effect).toBeCloseTo(known.hodgesLehmann.effect, 10);
  expect(found.outliers.length).toBe(known.outliers.length);
}

/** All numbers, however deep. */
function expectFinite(value: unknown): void {
  if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) expectFinite(inner);
}
