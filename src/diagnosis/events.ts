/** What happened during a run and shows on its timeline. Pure: found in the intervals and the series. */
import type { RunEvent, Series } from '../model/observed.ts';
import type { Interval } from '../model/run.ts';

export interface EventEvidence {
  readonly intervals: readonly Interval[];
  readonly series: Readonly<Record<string, Series>>;
  /** The workload itself makes and drops tables. */
  readonly makesTables: boolean;
  /** Sessions connect anew after so many events, as they were told to. */
  readonly reconnectsOnPurpose: boolean;
}

/** Fewer transactions per interval than this come and go by chance. */
const USUAL_MIN = 10;
/** More errors in an interval than this, and than so many times the usual. */
const ERRORS_MIN = 10;
const ERRORS_FACTOR = 5;
/** Of the log, that a checkpoint gave back within one sample; and what the rate lost meanwhile. */
const AGE_DROP_MIN = 0.15;
const RATE_LOSS_MIN = 0.3;
/** One line for what goes on over neighbouring intervals. */
const SAME_WITHIN_S = 2.5;

export function eventsOf(evidence: EventEvidence): RunEvent[] {
  const measured = evidence.intervals.filter(({ isWarmup, startS, endS }) => !isWarmup && endS > startS);
  const all = [
    ...stalls(measured),
    ...errorBursts(measured),
    ...(evidence.reconnectsOnPurpose ? [] : reconnects(measured)),
    ...checkpointStalls(measured, evidence.series['redo_log']),
    ...(evidence.makesTables ? [] : ddl(evidence.series['server_work'])),
  ];
  return merged(all.sort((one, other) => one.atS - other.atS));
}

function stalls(intervals: readonly Interval[]): RunEvent[] {
  if (medianOf(intervals.map(({ transactions }) => transactions)) < USUAL_MIN) return [];
  return intervals
    .filter(({ transactions }) => transactions === 0)
    .map(({ startS }) => ({ atS: startS, id: 'stall', is: 'Nothing was committed.' }));
}

function errorBursts(intervals: readonly Interval[]): RunEvent[] {
  const usual = medianOf(intervals.map(({ errors }) => errors));
  return intervals
    .filter(({ errors }) => errors >= ERRORS_MIN && errors > usual * ERRORS_FACTOR)
    .map(({ startS, errors }) => ({ atS: startS, id: 'error-burst', is: `${errors} errors in one interval.` }));
}

function reconnects(intervals: readonly Interval[]): RunEvent[] {
  return intervals
    .filter((interval) => interval.reconnects > 0)
    .map((interval) => ({
      atS: interval.startS,
      id: 'reconnects',
      is: `${interval.reconnects} connections were lost.`,
    }));
}

function checkpointStalls(intervals: readonly Interval[], redo: Series | undefined): RunEvent[] {
  const ages = redo?.values['checkpoint_age_ratio']?.points ?? [];
  const usual = medianOf(intervals.map(rateOf));
  const events: RunEvent[] = [];
  for (let at = 1; at < ages.length; at++) {
    const [before, after] = [ages[at - 1], ages[at]];
    const atS = redo?.atS[at] ?? 0;
    if (before == null || after == null || before - after < AGE_DROP_MIN) continue;
    const fromS = redo?.atS[at - 1] ?? 0;
    const during = intervals.filter(({ startS, endS }) => startS < atS && endS > fromS);
    if (!during.some((interval) => rateOf(interval) <= usual * (1 - RATE_LOSS_MIN))) continue;
    const share = `${Math.round((before - after) * 100)} %`;
    events.push({ atS, id: 'checkpoint-stall', is: `A checkpoint wrote back ${share} of the log, and the rate fell.` });
  }
  return events;
}

function ddl(work: Series | undefined): RunEvent[] {
  const points = work?.values['ddl_per_s']?.points ?? [];
  return points.flatMap((point, at) => {
    const atS = work?.atS[at] ?? 0;
    return point !== null && point > 0 && atS > 0
      ? [{ atS, id: 'ddl', is: 'Somebody made, changed or dropped a table.' }]
      : [];
  });
}

/** What goes on is told once, when it began. */
function merged(events: readonly RunEvent[]): RunEvent[] {
  const last = new Map<string, number>();
  return events.filter(({ id, atS }) => {
    const before = last.get(id);
    last.set(id, atS);
    return before === undefined || atS - before > SAME_WITHIN_S;
  });
}

function rateOf({ transactions, startS, endS }: Interval): number {
  return transactions / (endS - startS);
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
