/** What the run did besides committing: work thrown away, errors, and how even its throughput was. */
import { formatCount, formatFixed, formatPercent, formatRate } from '../../base/units.ts';
import { tells } from '../../model/imported.ts';
import type { Interval, RunRecord } from '../../model/run.ts';
import { driftOfHalves } from '../../stats/steady.ts';
import { type Column, hangingLines, tableLines, valueLines } from '../layout.ts';
import { sparkline } from '../sparkline.ts';
import { toldText, UNKNOWN } from '../told.ts';

const SPARKLINE_LENGTH = 60;
/** A last interval cut shorter than this share of the usual length says little about a rate. */
const LENGTH_SHARE_MIN = 0.5;

export function wastedWorkLines(run: RunRecord): string[] {
  return ['Beside the committed work:', ...wastedWorkFacts(run).flatMap(([label, text]) => valueLines(label, text))];
}

export function wastedWorkFacts(run: RunRecord): (readonly [label: string, text: string])[] {
  const { totals, load } = run;
  const { statements } = totals;
  const count = (of: 'retries' | 'rollbacks' | 'reconnects' | 'dropped' | 'unfinished') =>
    toldText(run, `totals.${of}`, () => formatCount(totals[of]));
  const committed = statements.read + statements.write + statements.other;
  const sent = committed + statements.wasted;
  const share = sent > 0 ? ` (${formatPercent(statements.wasted / sent)})` : '';
  const rolledBack = Object.values(totals.transactions.rolledBack ?? {}).reduce((sum, each) => sum + each, 0);
  const onPurpose = ['rolled back', `${formatCount(rolledBack)} on purpose, as the workload asks for`] as const;
  const dropping = ['dropped', `${count('dropped')} (due while the queue was full)`] as const;
  const wasted = () => `${formatCount(statements.wasted)} of ${formatCount(sent)} sent${share}`;
  const withoutEffect = () => `${formatCount(statements.writesWithoutEffect)} of ${formatCount(statements.write)}`;
  return [
    ['wasted statements', toldText(run, 'totals.statements.wasted', wasted)],
    ['retries', `${count('retries')}, rollbacks ${count('rollbacks')}, reconnects ${count('reconnects')}`],
    ...(rolledBack === 0 ? [] : [onPurpose]),
    ...(load.mode === 'closed' ? [] : [dropping]),
    ['unfinished', `${count('unfinished')} (begun or due, and not done at the end)`],
    [
      'writes without effect',
      toldText(run, 'totals.statements.writesWithoutEffect', () => `${withoutEffect()} changed no row`),
    ],
  ];
}

const ERROR_COLUMNS: readonly Column[] = [
  { heading: 'code', align: 'right' },
  { heading: 'SQLSTATE', align: 'left' },
  { heading: 'symbol', align: 'left' },
  { heading: 'count', align: 'right' },
  { heading: 'what was done', align: 'left' },
];

export function errorLines(run: RunRecord): string[] {
  const { errors } = run.totals;
  if (!tells(run, 'totals.errors')) return [`Errors: ${UNKNOWN}`];
  if (errors.length === 0) return ['Errors: none'];
  if (run.imported !== undefined) {
    const count = errors.reduce((sum, each) => sum + each.count, 0);
    return [`Errors: ${formatCount(count)}; which, and what was done about them, is ${UNKNOWN}`];
  }
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
