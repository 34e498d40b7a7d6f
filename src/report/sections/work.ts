/** What the run did besides committing: work thrown away, errors, and how even its throughput was. */
import { formatCount, formatFixed, formatPercent, formatRate } from '../../base/units.ts';
import type { Interval, RunRecord } from '../../model/run.ts';
import { driftOfHalves } from '../../stats/steady.ts';
import { type Column, hangingLines, tableLines, valueLines } from '../layout.ts';
import { sparkline } from '../sparkline.ts';

const SPARKLINE_LENGTH = 60;
/** A last interval cut shorter than this share of the usual length says little about a rate. */
const LENGTH_SHARE_MIN = 0.5;

export function wastedWorkLines({ totals, load }: RunRecord): string[] {
  const { statements, retries, rollbacks, reconnects, dropped, unfinished } = totals;
  const committed = statements.read + statements.write + statements.other;
  const sent = committed + statements.wasted;
  const share = sent > 0 ? ` (${formatPercent(statements.wasted / sent)})` : '';
  const dropping =
    load.mode === 'closed' ? [] : valueLines('dropped', `${formatCount(dropped)} (due while the queue was full)`);
  const rolledBack = Object.values(totals.transactions.rolledBack ?? {}).reduce((sum, count) => sum + count, 0);
  const onPurpose =
    rolledBack === 0
      ? []
      : valueLines('rolled back', `${formatCount(rolledBack)} on purpose, as the workload asks for`);
  const withoutEffect = formatCount(statements.writesWithoutEffect);
  return [
    'Beside the committed work:',
    ...valueLines('wasted statements', `${formatCount(statements.wasted)} of ${formatCount(sent)} sent${share}`),
    ...valueLines(
      'retries',
      `${formatCount(retries)}, rollbacks ${formatCount(rollbacks)}, reconnects ${formatCount(reconnects)}`,
    ),
    ...onPurpose,
    ...dropping,
    ...valueLines('unfinished', `${formatCount(unfinished)} (begun or due, and not done at the end)`),
    ...valueLines('writes without effect', `${withoutEffect} of ${formatCount(statements.write)} changed no row`),
  ];
}

const ERROR_COLUMNS: readonly Column[] = [
  { heading: 'code', align: 'right' },
  { heading: 'SQLSTATE', align: 'left' },
  { heading: 'symbol', align: 'left' },
  { heading: 'count', align: 'right' },
  { heading: 'what was done', align: 'left' },
];

export function errorLines({ totals }: RunRecord): string[] {
  const { errors } = totals;
  if (errors.length === 0) return ['Errors: none'];
  const rows = errors.map(({ code, sqlState, symbol, count, policy }) => {
    return [String(code), sqlState, symbol, formatCount(count), policy];
  });
  const examples = errors.map(({ code, example }) => hangingLines(`    first ${code}: `, example));
  return ['Errors:', ...tableLines(ERROR_COLUMNS, rows), ...examples.flat()];
}

export function throughputLines({ intervals }: RunRecord): string[] {
  const measured = wholeIntervals(intervals);
  const ratesPerS = measured.map(({ startS, endS, transactions }) => transactions / (endS - startS));
  if (ratesPerS.length < 2) return [];
  const sorted = [...ratesPerS].sort((a, b) => a - b);
  const [min, median, max] = [sorted[0]!, medianOf(sorted), sorted.at(-1)!];
  const drift = driftOfHalves(intervals);
  const lengthS = measured[0]!.endS - measured[0]!.startS;
  const change =
    drift === undefined ? [] : valueLines('second half', `${signedPercent(drift.change)} against the first`);
  return [
    `Throughput over time (${formatCount(ratesPerS.length)} intervals of ${formatFixed(lengthS, 1)} s, from 0):`,
    `    ${sparkline(ratesPerS, SPARKLINE_LENGTH)}`,
    ...valueLines('transactions', `min ${formatRate(min)}, median ${formatRate(median)}, max ${formatRate(max)}`),
    ...change,
  ];
}

function wholeIntervals(intervals: readonly Interval[]): Interval[] {
  const measured = intervals.filter(({ isWarmup, startS, endS }) => !isWarmup && endS > startS);
  const lengthsS = measured.map(({ startS, endS }) => endS - startS).sort((a, b) => a - b);
  const usualS = lengthsS.length === 0 ? 0 : medianOf(lengthsS);
  return measured.filter(({ startS, endS }) => endS - startS >= usualS * LENGTH_SHARE_MIN);
}

function medianOf(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function signedPercent(share: number): string {
  return share < 0 ? formatPercent(share) : `+${formatPercent(share)}`;
}
