/** Whether a run at a rate passes: the limit is kept, all that was due was done, and the client was not late itself. */
import { formatPercent, formatRate, formatSignificant } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import type { SearchLimit, SearchTrial, TrialFailure } from '../../model/search.ts';
import { metricOf } from '../../stats/metrics.ts';
import { limitS } from './search-limit.ts';

/** The last few transactions of a run are always under way; more is a backlog. */
const UNFINISHED_SHARE_MAX = 0.01;
/** Where the limit is long beside the run, those that keep it may be more; not without end. */
const UNFINISHED_BY_LIMIT_SHARE_MAX = 0.05;
/** The client's own doing, and rounding. */
const ACHIEVED_SHARE_MIN = 0.98;
/** Of the number of random arrivals: beyond it lies one run in a thousand. */
const ARRIVALS_DEVIATIONS = 3;
/** As much as a run itself is warned of; and no more than this of what is to be kept below a limit. */
const LAG_P99_MS_MAX = 5;
const LAG_SHARE_OF_LIMIT_MAX = 0.1;

interface Judged {
  readonly cause?: TrialFailure;
  readonly is: string;
}

export function trialOf(record: RunRecord, ratePerS: number, limit: SearchLimit): SearchTrial {
  const { totals, client } = record;
  const value = metricOf(limit.metric).of(record);
  const achievedPerS = totals.elapsedS > 0 ? doneIn(record) / totals.elapsedS : 0;
  const { cause, is } = judge({ record, ratePerS, limit, value, achievedPerS });
  return {
    run: record.id,
    ratePerS,
    outcome: cause === undefined ? 'passed' : 'failed',
    ...(cause === undefined ? {} : { cause }),
    is,
    ...(value === undefined ? {} : { value }),
    achievedPerS,
    dropped: totals.dropped,
    unfinished: totals.unfinished,
    ...(client.scheduleLagP99Ms === undefined ? {} : { scheduleLagP99Ms: client.scheduleLagP99Ms }),
  };
}

interface TrialCase {
  readonly record: RunRecord;
  readonly ratePerS: number;
  readonly limit: SearchLimit;
  readonly value: number | undefined;
  readonly achievedPerS: number;
}

function judge(it: TrialCase): Judged {
  const invalid = it.record.findings.find(({ severity }) => severity === 'invalid');
  if (invalid !== undefined) return { cause: 'invalid', is: invalid.is };
  const backlog = backlogOf(it);
  if (backlog !== undefined) return { cause: 'backlog', is: backlog };
  const { value, limit } = it;
  if (value === undefined) return { cause: 'invalid', is: `The run does not tell ${limit.metric}.` };
  const measured = `${limit.metric} was ${formatSignificant(value)} ${limit.unit}`.trim();
  const isKept = value < limit.below;
  const late = lateness(it);
  if (!isKept && late !== undefined) return { cause: 'client', is: `${measured}, and ${late}` };
  if (!isKept) return { cause: 'limit', is: `${measured}.` };
  return late === undefined ? { is: `${measured}.` } : { cause: 'client', is: `${measured}, but ${late}` };
}

/** Committed, and undone on purpose. */
function doneIn({ totals: { transactions } }: RunRecord): number {
  return Object.values(transactions.rolledBack ?? {}).reduce((sum, count) => sum + count, transactions.committed);
}

function backlogOf({ record, ratePerS, limit, achievedPerS }: TrialCase): string | undefined {
  const { dropped, unfinished, elapsedS } = record.totals;
  if (dropped > 0) return `${dropped} transactions found the queue full.`;
  const due = doneIn(record) + unfinished;
  const byLimit = Math.min(ratePerS * (limitS(limit) ?? 0), due * UNFINISHED_BY_LIMIT_SHARE_MAX);
  if (unfinished > Math.max(due * UNFINISHED_SHARE_MAX, byLimit)) {
    return `${unfinished} transactions, ${formatPercent(unfinished / due)}, were due and not done at the end.`;
  }
  const byChance = record.load.arrivals === 'even' ? 0 : ARRIVALS_DEVIATIONS * Math.sqrt(ratePerS / elapsedS);
  if (achievedPerS >= ratePerS * ACHIEVED_SHARE_MIN - byChance) return undefined;
  return `Only ${formatRate(achievedPerS)} were done.`;
}

function lateness({ record: { client }, limit }: TrialCase): string | undefined {
  const lagMs = client.scheduleLagP99Ms ?? 0;
  const seconds = limitS(limit);
  const allowedMs = Math.max(LAG_P99_MS_MAX, seconds === undefined ? 0 : seconds * 1_000 * LAG_SHARE_OF_LIMIT_MAX);
  if (lagMs <= allowedMs) return undefined;
  return `the client began one transaction in a hundred ${formatSignificant(lagMs)} ms late.`;
}
