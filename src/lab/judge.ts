/** What is made of a run once it is over and everything that was watched is known. Pure, but for loading the rules. */
import { diagnose } from '../diagnosis/diagnose.ts';
import { eventsOf } from '../diagnosis/events.ts';
import { gradeOf } from '../diagnosis/grade.ts';
import type { Steadiness } from '../model/judgement.ts';
import type { Interval, RunRecord } from '../model/run.ts';
import { durabilityOf } from '../observe/durability.ts';
import { BATCHES_MIN, steadyState } from '../stats/steady-state.ts';
import type { StorageDoubt } from './examine-run.ts';
import { watchFindings } from './lab-findings.ts';
import type { Observed } from './observation.ts';

/** Neighbouring seconds share too much; of a shorter run the batches are shorter, so that there are enough. */
const BATCH_S = 5;

/** The record with what was observed, and the judgements that rest on it. */
export async function judged(record: RunRecord, observed: Observed, storage: StorageDoubt): Promise<RunRecord> {
  const findings = [...record.findings, ...watchFindings(observed.observation, record.totals.elapsedS)];
  const whole = { ...record, ...observed, findings };
  const isSequence = record.serverCost !== undefined;
  const steadiness = isSequence ? undefined : steadinessOf(record.intervals, record.load.mode !== 'closed');
  const diagnosis = await diagnose(whole);
  return {
    ...whole,
    events: eventsOf({
      intervals: record.intervals,
      series: observed.series,
      makesTables: isSequence,
      reconnectsOnPurpose: record.load.errorPolicy.reconnectEveryEvents > 0,
    }),
    ...(steadiness === undefined ? {} : { steadiness }),
    diagnosis,
    durability: durabilityOf(record.target.variables, storage),
    grade: gradeOf({
      elapsedS: loadedS(record),
      transactions: record.totals.transactions.committed,
      findings,
      crossCheck: record.crossCheck,
      steadiness,
      diagnosis,
      hasHost: observed.observation.host !== undefined,
    }),
  };
}

/** `isByArrivals`: what was due came at random, and so scatters what was done. */
/** Without the time in which what had been begun came to its end. */
function loadedS({ totals: { elapsedS }, load: { timeS } }: RunRecord): number {
  return timeS > 0 ? Math.min(elapsedS, timeS) : elapsedS;
}

export function steadinessOf(intervals: readonly Interval[], isByArrivals: boolean): Steadiness {
  const measured = intervals.filter(({ isWarmup, startS, endS }) => !isWarmup && endS > startS);
  const elapsedS = (measured.at(-1)?.endS ?? 0) - (measured[0]?.startS ?? 0);
  const batchS = elapsedS >= BATCH_S * BATCHES_MIN ? BATCH_S : elapsedS / BATCHES_MIN;
  const { is, signs, cut, beginning, drift } = steadyState(
    batches(measured, batchS),
    isByArrivals ? { eventsPerBatch: eventsPerS(measured) * batchS } : {},
  );
  return { is, signs, cutS: cut * batchS, beginning, drift };
}

function eventsPerS(intervals: readonly Interval[]): number {
  const seconds = intervals.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
  return intervals.reduce((sum, { transactions }) => sum + transactions, 0) / seconds;
}

/** Means of transactions per second over equal lengths; an interval belongs to the batch in which it ends. */
function batches(intervals: readonly Interval[], batchS: number): number[] {
  const zeroS = intervals[0]?.startS ?? 0;
  const sums: { transactions: number; seconds: number }[] = [];
  for (const { startS, endS, transactions } of intervals) {
    // A rounded end must not fall into the batch after.
    const at = Math.max(0, Math.ceil((endS - zeroS) / batchS - 1e-6) - 1);
    const sum = sums[at] ?? { transactions: 0, seconds: 0 };
    sum.transactions += transactions;
    sum.seconds += endS - startS;
    sums[at] = sum;
  }
  const filled = Array.from({ length: sums.length }, (_, at) => sums[at]).filter((sum) => sum !== undefined);
  // The last one may be cut short, and scatters more.
  const whole = filled.filter(({ seconds }, at) => at < filled.length - 1 || seconds > batchS / 2);
  return whole.map(({ transactions, seconds }) => transactions / seconds);
}
