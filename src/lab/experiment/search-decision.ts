/**
 * Which rate is tried next, and when the search is over: bisection on a logarithmic scale, over runs that may come out
 * wrong by chance. Pure: all it knows are the trials so far, so that the same trials always lead to the same step.
 */
import type { SearchLevel, SearchSettings } from '../../model/search.ts';

export interface Trial {
  readonly ratePerS: number;
  readonly outcome: 'passed' | 'failed';
}

export interface SearchGuess extends SearchSettings {
  /** Tried first. */
  readonly firstPerS: number;
  /** More than this is not expected to pass. Nothing is concluded from it. */
  readonly ceilingPerS: number;
}

export type SearchStep =
  | { readonly is: 'try'; readonly ratePerS: number; readonly because: 'search' | 'confirm' }
  | { readonly is: 'end'; readonly ending: 'found' | 'all passed' | 'none passed' | 'unsettled' };

/** A search that halves its bracket needs ten to twenty; more come only of runs that contradict each other. */
const TRIALS_MAX = 200;
/** The search is more precise than 1 % nowhere: four digits tell its rates apart, and can be read. */
const RATE_DIGITS = 4;
/** Of a ratio of two rates that were rounded. */
const ROUNDING = 1e-3;

export function nextStep(guess: SearchGuess, trials: readonly Trial[]): SearchStep {
  if (trials.length >= TRIALS_MAX) return { is: 'end', ending: 'unsettled' };
  const levels = levelsOf(guess, trials);
  const unfinished = levels.find(({ state }) => state === 'open' || state === 'being confirmed');
  if (unfinished !== undefined) {
    const because = unfinished.state === 'open' ? 'search' : 'confirm';
    return { is: 'try', ratePerS: unfinished.ratePerS, because };
  }
  const { passed, failed } = bracketOf(levels);
  const isClose = passed !== undefined && failed !== undefined && isWithin(failed, passed, guess.precisionShare);
  const isAtMax = failed === undefined && passed !== undefined && passed.ratePerS >= guess.rateMaxPerS;
  const isAtMin = passed === undefined && failed !== undefined && failed.ratePerS <= guess.rateMinPerS;
  if (!isClose && !isAtMax && !isAtMin) return { is: 'try', ratePerS: newRate(guess, levels), because: 'search' };
  const doubtful = [passed, failed].find((end) => end !== undefined && end.state === 'decided');
  if (doubtful !== undefined) return { is: 'try', ratePerS: doubtful.ratePerS, because: 'confirm' };
  return { is: 'end', ending: isClose ? 'found' : isAtMax ? 'all passed' : 'none passed' };
}

export interface LevelState extends Omit<SearchLevel, 'value'> {
  /**
   * decided: by the majority of `repeats`, with no more runs than that takes. being confirmed: as an end of the bracket
   * it is tried again, until it has one success or failure more than `repeats`. settled: that has come.
   */
  readonly state: 'open' | 'decided' | 'being confirmed' | 'settled';
}

/** By rate, lowest first. */
export function levelsOf({ repeats }: Pick<SearchSettings, 'repeats'>, trials: readonly Trial[]): LevelState[] {
  const rates = [...new Set(trials.map(({ ratePerS }) => ratePerS))].sort((one, other) => one - other);
  return rates.map((ratePerS) => {
    const outcomes = trials.filter((trial) => trial.ratePerS === ratePerS).map(({ outcome }) => outcome);
    return { ratePerS, ...levelOf(outcomes, repeats) };
  });
}

function levelOf(outcomes: readonly Trial['outcome'][], repeats: number): Omit<LevelState, 'ratePerS'> {
  const passesNeeded = Math.floor(repeats / 2) + 1;
  const failuresNeeded = repeats - passesNeeded + 1;
  let [passed, failed, decidedAfter] = [0, 0, 0];
  let outcome: SearchLevel['outcome'] = 'open';
  for (const each of outcomes) {
    if (each === 'passed') passed++;
    else failed++;
    if (outcome !== 'open') continue;
    if (passed >= passesNeeded) outcome = 'passed';
    else if (failed >= failuresNeeded) outcome = 'failed';
    decidedAfter = passed + failed;
  }
  if (Math.max(passed, failed) > repeats) {
    return { outcome: passed > failed ? 'passed' : 'failed', passed, failed, state: 'settled' };
  }
  if (outcome === 'open') return { outcome, passed, failed, state: 'open' };
  return { outcome, passed, failed, state: outcomes.length > decidedAfter ? 'being confirmed' : 'decided' };
}

interface Bracket {
  readonly passed: LevelState | undefined;
  readonly failed: LevelState | undefined;
}

/** A rate that passes above one that fails does not count: the limit must be kept up to the rate that is named. */
export function bracketOf(levels: readonly LevelState[]): Bracket {
  const failed = levels.find(({ outcome }) => outcome === 'failed');
  const passed = levels.findLast(
    ({ outcome, ratePerS }) => outcome === 'passed' && ratePerS < (failed?.ratePerS ?? Number.POSITIVE_INFINITY),
  );
  return { passed, failed };
}

function isWithin(high: LevelState, low: LevelState, share: number): boolean {
  return high.ratePerS / low.ratePerS <= (1 + share) * (1 + ROUNDING);
}

function newRate(guess: SearchGuess, levels: readonly LevelState[]): number {
  const { rateMinPerS: min, rateMaxPerS: max, ceilingPerS, precisionShare } = guess;
  const { passed, failed } = bracketOf(levels);
  const within = (ratePerS: number) => Math.min(max, Math.max(min, rounded(ratePerS)));
  if (passed !== undefined && failed !== undefined) return rounded(Math.sqrt(passed.ratePerS * failed.ratePerS));
  // By 2, by 4, by 8: how far below it is, nobody knows.
  if (failed !== undefined) return within(failed.ratePerS / 2 ** levels.length);
  if (passed === undefined) return within(guess.firstPerS);
  const step = 1 + precisionShare;
  if (passed.ratePerS * step < ceilingPerS) return within(Math.sqrt(passed.ratePerS * ceilingPerS));
  const beyond = levels.filter(({ ratePerS }) => ratePerS * step >= ceilingPerS).length;
  return within(passed.ratePerS * step ** (2 ** (beyond - 1)));
}

function rounded(ratePerS: number): number {
  return Number(ratePerS.toPrecision(RATE_DIGITS));
}

/** How many runs are still to be expected, where none contradicts another. */
export function trialsLeft(guess: SearchGuess, trials: readonly Trial[]): number {
  const levels = levelsOf(guess, trials);
  const { passed, failed } = bracketOf(levels);
  const high = failed?.ratePerS ?? Math.max(guess.ceilingPerS, passed?.ratePerS ?? 0);
  const low = passed?.ratePerS ?? Math.min(guess.firstPerS, high / 2);
  const step = Math.log(1 + guess.precisionShare);
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max(step, Math.log(high / low)) / step)));
  const each = Math.floor(guess.repeats / 2) + 1;
  const confirmations = [passed, failed].map((end) =>
    end?.state === 'settled' ? 0 : guess.repeats + 1 - Math.max(each, end?.passed ?? 0, end?.failed ?? 0),
  );
  return halvings * each + confirmations.reduce((sum, count) => sum + Math.max(0, count), 0);
}
