/** What pairs of runs say of a verdict. No statistics: all pairs on one side decide, else nothing is decided. Pure. */
import { assert, unreachable } from '../base/assert.ts';
import type { ProbeComparison, ProbeOutcome } from '../model/probe-result.ts';
import type { RunRecord } from '../model/run.ts';
import { summaryOf } from '../stats/repeats.ts';
import type { Expectation } from './knob.ts';

export interface RecordPair {
  readonly a: RunRecord;
  readonly b: RunRecord;
}

/** Undefined where a run could not see what is to be compared. */
export function compare(
  { measure, floor = 0, ...expectation }: Expectation,
  pairs: readonly RecordPair[],
): ProbeComparison | undefined {
  const ratios: number[] = [];
  let pairsWithout = 0;
  for (const { a, b } of pairs) {
    const [before, after] = [measure(a), measure(b)];
    if (before === undefined || after === undefined) return undefined;
    if (before <= floor) pairsWithout++;
    ratios.push(before <= floor ? 1 : after / before);
  }
  return { ...expectation, ratios, median: medianOf(ratios), pairsWithout };
}

export function medianOf(ratios: readonly number[]): number {
  return summaryOf(ratios).median;
}

/** A verdict foretells all of its expectations: one that fails in every pair acquits it. */
export function decide(comparisons: readonly ProbeComparison[]): ProbeOutcome {
  assert(comparisons.length > 0 && comparisons.every(({ ratios }) => ratios.length > 0), 'something was compared');
  const came = comparisons.map((comparison) => comparison.ratios.filter((ratio) => comes(ratio, comparison)).length);
  if (comparisons.every(({ ratios }, at) => came[at] === ratios.length)) return 'convicted';
  return came.includes(0) ? 'acquitted' : 'undecided';
}

function comes(ratio: number, { side, bound }: ProbeComparison): boolean {
  return side === 'at least' ? ratio >= bound : ratio <= bound;
}

/** The result in a sentence. */
export function sentenceOf(verdict: string, comparisons: readonly ProbeComparison[]): string {
  const pairs = comparisons[0]?.ratios.length ?? 0;
  const outcome = decide(comparisons);
  const failed = comparisons.filter((comparison) => !comparison.ratios.some((ratio) => comes(ratio, comparison)));
  const meant = outcome === 'acquitted' ? failed : comparisons;
  const start = `where ${verdict} is the cause, ${meant.map(({ is }) => is).join(', and ')};`;
  switch (outcome) {
    case 'convicted':
      return `Convicted: ${start} so it came in ${pairs === 2 ? 'both pairs' : `all ${pairs} pairs`}.`;
    case 'acquitted':
      return `Acquitted: ${start} so it came in ${pairs === 2 ? 'neither pair' : `none of ${pairs} pairs`}.`;
    case 'undecided':
      return `Undecided: ${start} so it came in some of ${pairs} pairs. More pairs or longer runs may tell: --pairs, --time.`;
    default:
      return unreachable(outcome);
  }
}
