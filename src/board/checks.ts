/**
 * Whether a record holds together, before a board shows it: what somebody has sent may have been edited, or come from a
 * broken clock. Each check is arithmetic on figures that one run gives twice. Pure.
 */
import { formatCount, formatSignificant } from '../base/units.ts';
import type { LatencyRecord, RunRecord } from '../model/run.ts';
import { bucketOf, TRACKABLE_US_MAX } from '../stats/bucket-layout.ts';
import { decodeHdr } from '../stats/hdr-encoding.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';

/** Rates are quotients of numbers that stand in the record in full. */
const RATE_SHARE = 0.001;
/** Threads begin and end within the measured part, not with it; clocks of workers differ by less than this. */
const LITTLE_SHARE = 0.02;
/** What was under way at the end of an interval is counted with the next. */
const INTERVALS_SHARE = 0.01;
/** Time between the first clock and the last may be longer than what was measured, and not shorter. */
const CLOCK_S = 2;
const US_PER_S = 1_000_000;
const MS_PER_S = 1_000;

/** Why it is not shown, each in a sentence; empty where nothing contradicts itself. */
export function contradictionsIn(run: RunRecord): string[] {
  return [...ownVerdict(run), ...(run.imported === undefined ? figuresOf(run) : toldFigures(run))];
}

/** What the run says of itself. */
function ownVerdict({ ending, findings, crossCheck }: RunRecord): string[] {
  const invalid = findings.filter(({ severity }) => severity === 'invalid').map(({ is }) => `It is invalid: ${is}`);
  return [
    ...('cause' in ending ? [`It did not end as planned: ${ending.cause}`] : []),
    ...invalid,
    ...(crossCheck.is === 'done' && !crossCheck.ok ? ["Its counts are not those of the server's counters."] : []),
  ];
}

function figuresOf(run: RunRecord): string[] {
  return [
    ...crossCheckRows(run),
    ...transactionCounts(run),
    ...statementCounts(run),
    ...rates(run),
    ...latencies(run),
    ...littlesLaw(run),
    ...intervals(run),
    ...clock(run),
  ];
}

function crossCheckRows({ crossCheck }: RunRecord): string[] {
  if (crossCheck.is !== 'done' || !crossCheck.ok || crossCheck.note !== undefined) return [];
  const differing = crossCheck.rows.filter(({ client, server }) => client !== server);
  return differing.map(
    ({ counter, client, server }) =>
      `The cross-check is said to agree, and ${counter} is ${formatCount(client)} sent, ${formatCount(server)} counted.`,
  );
}

function transactionCounts({ totals, latency }: RunRecord): string[] {
  const { committed, byName } = totals.transactions;
  const sum = sumOf(Object.values(byName));
  const timed = latency.transactions['all']?.service.count ?? 0;
  return [
    ...(sum === committed
      ? []
      : [`Transactions by name add up to ${formatCount(sum)}, not ${formatCount(committed)}.`]),
    ...(timed === committed
      ? []
      : [`${formatCount(timed)} transactions have a latency, not ${formatCount(committed)}.`]),
  ];
}

function statementCounts({ totals: { statements } }: RunRecord): string[] {
  const all = Object.values(statements.byName);
  const kinds = (['read', 'write', 'other'] as const).flatMap((kind) => {
    const sum = sumOf(all.filter((each) => each.kind === kind).map(({ committed }) => committed));
    return sum === statements[kind]
      ? []
      : [`Statements of the kind ${kind} add up to ${formatCount(sum)}, not ${formatCount(statements[kind])}.`];
  });
  const wasted = sumOf(all.map((each) => each.wasted));
  // ROLLBACKs of the engine are wasted too, and have no name.
  const isWhole = wasted <= statements.wasted;
  return [
    ...kinds,
    ...(isWhole ? [] : [`Wasted statements by name are ${formatCount(wasted)}, more than all of them.`]),
  ];
}

function rates({ totals, rates: { transactionsPerS, statementsPerS } }: RunRecord): string[] {
  const { elapsedS, transactions, statements } = totals;
  const queries = statements.read + statements.write + statements.other;
  return [
    ...rate('transactions', transactions.committed, { elapsedS, stated: transactionsPerS }),
    ...rate('statements', queries, { elapsedS, stated: statementsPerS }),
  ];
}

function rate(name: string, count: number, { elapsedS, stated }: { elapsedS: number; stated: number }): string[] {
  const perS = elapsedS > 0 ? count / elapsedS : 0;
  if (isNear(stated, perS, RATE_SHARE)) return [];
  return [
    `${formatCount(count)} ${name} in ${formatSignificant(elapsedS)} s are ${formatSignificant(perS)}/s, not ${formatSignificant(stated)}/s.`,
  ];
}

function latencies({ latency }: RunRecord): string[] {
  const transactions = Object.entries(latency.transactions).flatMap(([name, parts]) =>
    Object.entries(parts).map(([part, record]) => ({ name: `${name} (${part})`, record })),
  );
  const statements = Object.entries(latency.statements).map(([name, record]) => ({ name, record }));
  return [...transactions, ...statements].flatMap(({ name, record }) => latencyOf(name, record));
}

/** Count, sum, mean, least and most, against each other and against the histogram. */
function latencyOf(name: string, record: LatencyRecord): string[] {
  const { count, minUs, meanUs, maxUs, sumUs } = record;
  if (count === 0) return [];
  const of = `The latency of ${name}`;
  if (!isNear(meanUs * count, sumUs, RATE_SHARE)) return [`${of}: its mean times its count is not its sum.`];
  if (minUs > meanUs * (1 + RATE_SHARE) || meanUs > maxUs * (1 + RATE_SHARE)) {
    return [`${of}: its mean does not lie between its least and its most.`];
  }
  try {
    fromLatencyRecord(record);
    const { buckets } = decodeHdr(record.histogram);
    const [first, last] = [buckets[0], buckets[buckets.length - 1]];
    const isWithin = first === bucketOf(Math.floor(minUs)) && last === bucketOf(Math.min(maxUs, TRACKABLE_US_MAX));
    return isWithin ? [] : [`${of}: its histogram does not begin and end with its least and its most.`];
  } catch (error) {
    return [`${of}: ${(error as Error).message}`];
  }
}

/** No more can be under way than there are threads to do it. */
function littlesLaw({ totals, latency, load }: RunRecord): string[] {
  const service = latency.transactions['all']?.service;
  if (service === undefined || service.count === 0 || totals.elapsedS <= 0) return [];
  const underWay = service.sumUs / US_PER_S / totals.elapsedS;
  // A transaction that began in the warm-up may end within the measured part, one of each thread.
  const begunBefore = (load.threads * service.maxUs) / US_PER_S / totals.elapsedS;
  const most = load.threads * (1 + LITTLE_SHARE) + begunBefore;
  if (underWay <= most) return [];
  return [
    `By Little's law ${formatSignificant(underWay)} transactions were under way on average, with ${formatCount(load.threads)} threads.`,
  ];
}

function intervals({ intervals: all, totals, load }: RunRecord): string[] {
  const measured = all.filter(({ isWarmup }) => !isWarmup);
  if (measured.length === 0) return [];
  const { committed } = totals.transactions;
  const sum = sumOf(measured.map(({ transactions }) => transactions));
  const slack = committed * INTERVALS_SHARE + load.threads;
  if (sum <= committed + slack) return [];
  return [`The intervals hold ${formatCount(sum)} transactions, and the run ${formatCount(committed)}.`];
}

function clock({ startedAt, endedAt, totals }: RunRecord): string[] {
  const wallS = (Date.parse(endedAt) - Date.parse(startedAt)) / MS_PER_S;
  if (wallS + CLOCK_S >= totals.elapsedS) return [];
  return [
    `It measured ${formatSignificant(totals.elapsedS)} s, and lasted ${formatSignificant(wallS)} s from its beginning to its end.`,
  ];
}

/** Of what another tool told, only what it told can be held against itself; its own lines are audited beside. */
function toldFigures({ imported, rates: told, load }: RunRecord): string[] {
  const { latencyAvgMs } = imported?.figures ?? {};
  const isKnown = latencyAvgMs !== undefined && load.threads > 0 && load.mode === 'closed';
  if (!isKnown) return [];
  const underWay = (told.transactionsPerS * latencyAvgMs) / MS_PER_S;
  if (underWay <= load.threads * (1 + LITTLE_SHARE)) return [];
  return [
    `By Little's law ${formatSignificant(underWay)} transactions were under way on average, with ${formatCount(load.threads)} threads.`,
  ];
}

function isNear(one: number, other: number, share: number): boolean {
  return Math.abs(one - other) <= Math.max(Math.abs(one), Math.abs(other)) * share + Number.EPSILON;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
