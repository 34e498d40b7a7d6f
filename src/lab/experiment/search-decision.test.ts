/** The search against servers that are reckoned, not run: a threshold, and a queue with all its chance. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../base/random.ts';
import { bracketOf, levelsOf, nextStep, type SearchGuess, type Trial, trialsLeft } from './search-decision.ts';

const GUESS: SearchGuess = {
  repeats: 3,
  precisionShare: 0.05,
  rateMinPerS: 1,
  rateMaxPerS: 100_000,
  firstPerS: 500,
  ceilingPerS: 1_000,
};

type Server = (ratePerS: number) => boolean;

interface Searched {
  readonly ending: string;
  readonly passed: number | undefined;
  readonly failed: number | undefined;
  readonly trials: readonly Trial[];
}

function search(guess: SearchGuess, keeps: Server): Searched {
  const trials: Trial[] = [];
  for (;;) {
    const step = nextStep(guess, trials);
    if (step.is === 'end') {
      const { passed, failed } = bracketOf(levelsOf(guess, trials));
      return { ending: step.ending, passed: passed?.ratePerS, failed: failed?.ratePerS, trials };
    }
    expect(step.ratePerS).toBeGreaterThanOrEqual(guess.rateMinPerS);
    expect(step.ratePerS).toBeLessThanOrEqual(guess.rateMaxPerS);
    trials.push({ ratePerS: step.ratePerS, outcome: keeps(step.ratePerS) ? 'passed' : 'failed' });
  }
}

function trialsAt(ratePerS: number, outcomes: string): Trial[] {
  return [...outcomes].map((letter) => ({ ratePerS, outcome: letter === 'p' ? 'passed' : 'failed' }) as const);
}

describe('one rate', () => {
  test.each([
    { repeats: 3, outcomes: 'p', outcome: 'open', state: 'open' },
    { repeats: 3, outcomes: 'pf', outcome: 'open', state: 'open' },
    { repeats: 3, outcomes: 'pp', outcome: 'passed', state: 'decided' },
    { repeats: 3, outcomes: 'fpf', outcome: 'failed', state: 'decided' },
    { repeats: 3, outcomes: 'ffp', outcome: 'failed', state: 'being confirmed' },
    { repeats: 3, outcomes: 'ffpppp', outcome: 'passed', state: 'settled' },
    { repeats: 3, outcomes: 'ppfpp', outcome: 'passed', state: 'settled' },
    { repeats: 2, outcomes: 'f', outcome: 'failed', state: 'decided' },
    { repeats: 2, outcomes: 'p', outcome: 'open', state: 'open' },
    { repeats: 1, outcomes: 'p', outcome: 'passed', state: 'decided' },
    { repeats: 1, outcomes: 'pff', outcome: 'failed', state: 'settled' },
  ])('of $repeats repeats $outcomes is $outcome, $state', ({ repeats, outcomes, ...expected }) => {
    expect(levelsOf({ repeats }, trialsAt(100, outcomes))).toMatchObject([expected]);
  });
});

describe('the next rate', () => {
  test.each([
    { because: 'nothing is known', trials: [], rate: 500 },
    { because: 'it is not decided', trials: trialsAt(500, 'pf'), rate: 500 },
    { because: 'it passes: towards what the server does flat out', trials: trialsAt(500, 'pp'), rate: 707.1 },
    { because: 'it fails: half', trials: trialsAt(500, 'ff'), rate: 250 },
    { because: 'that fails too: a quarter', trials: [...trialsAt(500, 'ff'), ...trialsAt(250, 'ff')], rate: 62.5 },
    { because: 'between', trials: [...trialsAt(500, 'pp'), ...trialsAt(720, 'ff')], rate: 600 },
    { because: 'it passes what was not expected to', trials: trialsAt(990, 'pp'), rate: 1_040 },
    { because: 'an end is confirmed', trials: [...trialsAt(500, 'pp'), ...trialsAt(520, 'ff')], rate: 500 },
    { because: 'then the other', trials: [...trialsAt(500, 'pppp'), ...trialsAt(520, 'ff')], rate: 520 },
    { because: 'it was wrong', trials: [...trialsAt(500, 'ppffff'), ...trialsAt(520, 'ff')], rate: 125 },
  ])('$because: $rate', ({ trials, rate }) => {
    expect(nextStep(GUESS, trials)).toMatchObject({ is: 'try', ratePerS: rate });
  });

  test('a rate that passes above one that fails does not count', () => {
    const trials = [...trialsAt(400, 'pppp'), ...trialsAt(410, 'ffff'), ...trialsAt(800, 'pp')];
    expect(nextStep(GUESS, trials)).toEqual({ is: 'end', ending: 'found' });
    expect(bracketOf(levelsOf(GUESS, trials))).toMatchObject({ passed: { ratePerS: 400 }, failed: { ratePerS: 410 } });
  });
});

describe('a server that keeps the limit up to a threshold', () => {
  test('is found out between its bounds, whatever was guessed', () => {
    const rate = fc.double({ min: 1, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(rate, rate, rate, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 30 }), (...drawn) => {
        const [threshold, firstPerS, ceilingPerS, repeats, percent] = drawn;
        const precisionShare = percent / 100;
        const guess = { repeats, precisionShare, rateMinPerS: 0.01, rateMaxPerS: 1e8, firstPerS, ceilingPerS };
        const { ending, passed, failed, trials } = search(guess, (ratePerS) => ratePerS <= threshold);
        expect(ending).toBe('found');
        expect(passed).toBeLessThanOrEqual(threshold);
        expect(failed).toBeGreaterThan(threshold);
        expect(failed! / passed!).toBeLessThanOrEqual((1 + precisionShare) * 1.001);
        for (const end of [passed, failed]) {
          expect(trials.filter(({ ratePerS }) => ratePerS === end).length).toBeGreaterThan(repeats);
        }
      }),
    );
  });

  test('takes few runs where the guess was good: 2 a rate, and 2 more at both ends', () => {
    const { trials } = search(GUESS, (ratePerS) => ratePerS <= 770);
    expect(new Set(trials.map(({ ratePerS }) => ratePerS)).size).toBeLessThanOrEqual(6);
    expect(trials.length).toBeLessThanOrEqual(16);
  });

  test.each([
    { because: 'keeps it at the highest rate too', keeps: () => true, ending: 'all passed', passed: 3_000 },
    { because: 'keeps it nowhere', keeps: () => false, ending: 'none passed', failed: 7 },
  ])('$because', ({ keeps, ending, passed, failed }) => {
    const guess = { ...GUESS, rateMinPerS: 7, rateMaxPerS: 3_000 };
    expect(search(guess, keeps)).toMatchObject({ ending, passed, failed });
  });

  test('bounds that no rounding hits are tried as they are', () => {
    const guess = { ...GUESS, rateMinPerS: 123.4567, rateMaxPerS: 76_543.21 };
    expect(search(guess, () => true).passed).toBe(76_543.21);
    expect(search(guess, () => false).failed).toBe(123.4567);
  });

  test('as many runs are foretold as it takes, or nearly', () => {
    const { trials } = search(GUESS, (ratePerS) => ratePerS <= 770);
    for (const [done] of trials.entries()) {
      const left = trialsLeft(GUESS, trials.slice(0, done));
      expect(Math.abs(left - (trials.length - done))).toBeLessThanOrEqual(4);
    }
    expect(trialsLeft(GUESS, trials)).toBe(0);
  });
});

test('runs at random end it nevertheless', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    const { ending } = search(GUESS, () => random.next() < 0.5);
    expect(ending).toMatch(/^(?:found|none passed|unsettled)$/);
  }
});

const CAPACITY_PER_S = 1_000;
const LIMIT_S = 0.02;
const RUN_S = 10;
/** Of a queue with random arrivals and exponential service, responses are exponential: p99 = ln 100 / (mu - lambda). */
const TRUE_RATE_PER_S = CAPACITY_PER_S - Math.log(100) / LIMIT_S;

function exponential(random: Random, perS: number): number {
  return -Math.log(1 - random.next()) / perS;
}

/** A run of ten seconds: does its p99 stay below the limit? */
function queueKeepsLimit(ratePerS: number, random: Random): boolean {
  const responses: number[] = [];
  let freeAtS = 0;
  for (let dueS = exponential(random, ratePerS); dueS < RUN_S; dueS += exponential(random, ratePerS)) {
    freeAtS = Math.max(freeAtS, dueS) + exponential(random, CAPACITY_PER_S);
    responses.push(freeAtS - dueS);
  }
  const beyond = responses.filter((response) => response >= LIMIT_S).length;
  return beyond <= responses.length * 0.01;
}

const SEARCHES = 40;

describe.each([
  { name: 'a queue with its own chance', stallShare: 0, within: 0.06, atLeast: 0.95 },
  { name: 'the same, and one run in ten spoilt by something else', stallShare: 0.1, within: 0.06, atLeast: 0.9 },
])('$name', ({ stallShare, within, atLeast }) => {
  test(`is found within ${within * 100} % in ${atLeast * 100} % of the searches and more`, () => {
    const random = createRandom(20_261_130);
    const searches = Array.from({ length: SEARCHES }, () =>
      search(GUESS, (ratePerS) => random.next() >= stallShare && queueKeepsLimit(ratePerS, random)),
    );
    expect(searches.every(({ ending }) => ending === 'found')).toBe(true);
    const errors = searches.map(({ passed, failed }) => Math.sqrt(passed! * failed!) / TRUE_RATE_PER_S - 1);
    const right = errors.filter((error) => Math.abs(error) <= within).length;
    expect(right / SEARCHES, errors.map((error) => error.toFixed(3)).join(' ')).toBeGreaterThanOrEqual(atLeast);
    expect(Math.max(...searches.map(({ trials }) => trials.length))).toBeLessThanOrEqual(60);
  });
});
