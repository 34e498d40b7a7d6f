/**
 * What was measured now, against a baseline, by the statistics of experiments: slower by more than the margin fails.
 */
import { UserError } from '../../base/errors.ts';
import type { Comparison } from '../../model/experiment.ts';
import type { GateComparison } from '../../model/gate.ts';
import { metricOf } from '../../stats/metrics.ts';
import { formatShare } from '../../stats/verdict-words.ts';
import { compareRuns } from '../compare/compare-runs.ts';
import { ensureComparable, type RunGroup, withoutInvalid } from '../compare/groups.ts';

export interface BaselineTerms {
  /** Each may fail; the first is corrected for none of the others. */
  readonly metrics: readonly string[];
  readonly marginShare: number;
  readonly isStrict: boolean;
  /** Also what is not the same work. */
  readonly anyway: boolean;
}

interface Told {
  readonly comparisons: readonly GateComparison[];
  readonly notes: readonly string[];
}

const HINT = 'Name other runs for --baseline: their tag, an experiment, or runs by comma.';

/** Throws a `UserError` where the two did not do the same work, unless that is wanted. */
export function againstBaseline(baseline: RunGroup, now: readonly RunGroup[], terms: BaselineTerms): Told {
  ensureComparable([baseline, ...now], HINT);
  if (new Set([baseline, ...now].map(({ name }) => name)).size < now.length + 1) {
    throw new UserError(`The baseline ${baseline.name} is among what is compared with it.`, { hint: HINT });
  }
  const each = now.map((group) => compared(baseline, group, terms));
  const notes = [...new Set(each.flatMap((told) => told.notes))];
  return { comparisons: each.flatMap(({ comparisons }) => comparisons), notes };
}

function compared(baseline: RunGroup, now: RunGroup, terms: BaselineTerms): Told {
  const sides = [baseline, now];
  const isTold = (metric: string) => sides.every((side) => tells(side, metric));
  const told = terms.metrics.filter(isTold);
  const [metric, ...secondary] = told;
  const { marginShare, anyway } = terms;
  const comparison =
    metric === undefined
      ? undefined
      : compareRuns(sides, { metric, secondary, marginShare, baseline: baseline.name, anyway });
  const comparisons = terms.metrics.map((name): GateComparison => {
    const full = metricOf(name).name;
    const about = {
      metric: full,
      of: now.name,
      baseline: baseline.name,
      runs: withoutInvalid(now).group.runs.length,
      baselineRuns: withoutInvalid(baseline).group.runs.length,
      pairing: comparison?.pairing ?? ('none' as const),
      marginShare,
    };
    if (!told.includes(name)) return { ...about, verdict: 'UNDECIDED', isMet: false, because: notTold(sides, full) };
    const found = comparison?.result.comparisons.find((each) => each.metric === full);
    // What is 0 on both sides has no ratio, and needs none.
    if (found === undefined) return { ...about, verdict: 'SAME', isMet: true, because: `${full} is 0 in all of them.` };
    const { effect, interval, verdict } = found;
    // A JSON file has no word for what is no number.
    const figures = Number.isFinite(effect) ? { effect, interval } : {};
    return { ...about, ...figures, verdict, ...judged(found, terms) };
  });
  return { comparisons, notes: comparison?.result.notes ?? [] };
}

function judged(found: Comparison, { marginShare, isStrict }: BaselineTerms) {
  const { verdict, is } = found;
  if (verdict === 'UNDECIDED') return { isMet: !isStrict, because: is };
  if (verdict !== 'SLOWER') return { isMet: true, because: is };
  const isMet = isWithin(found, marginShare);
  return { isMet, because: isMet ? `${is} All of it lies inside the margin of ${formatShare(marginShare)}.` : is };
}

/** Surely worse, and surely by less than what matters. */
function isWithin({ interval, better }: Comparison, marginShare: number): boolean {
  const margin = Math.log1p(marginShare);
  return better === 'higher' ? Math.log1p(interval.low) > -margin : Math.log1p(interval.high) < margin;
}

function tells(group: RunGroup, metric: string): boolean {
  return withoutInvalid(group).group.runs.some((record) => metricOf(metric).of(record) !== undefined);
}

function notTold(sides: readonly RunGroup[], metric: string): string {
  const silent = sides.filter((side) => !tells(side, metric));
  const names = silent.map(({ name }) => name).join(' and ');
  const isEmpty = silent.every((side) => withoutInvalid(side).group.runs.length === 0);
  return isEmpty ? `No run of ${names} counts.` : `No run of ${names} that counts tells ${metric}.`;
}
