/** The history of a series for a terminal: how it went, where it changed, and what else changed there. */
import { formatCount, formatFixed } from '../base/units.ts';
import type { HistoryChange, HistorySeries } from '../model/history.ts';
import { medianOf } from '../stats/sample.ts';
import { formatChange, formatShare } from '../stats/verdict-words.ts';
import { hangingLines, LINE_LENGTH, noteLines, tableLines, valueLines } from './layout.ts';
import { metricCell, metricHeading } from './metric-cell.ts';
import { sparkline } from './sparkline.ts';

const INDENT = '  ';
const BARS_MAX = LINE_LENGTH - 2 * INDENT.length;

/** Those that are too short to be looked at are named, where there are others. */
export function historiesText(all: readonly HistorySeries[]): string {
  if (all.length === 1) return historyText(all[0]!);
  const short = all.filter(({ isLookedAt }) => !isLookedAt);
  const lines = short.map((series) => `${INDENT}${titleOf(series)}: ${countOf(series)}`);
  const looked = all.filter(({ isLookedAt }) => isLookedAt).map(historyText);
  return [...looked, ...(short.length === 0 ? [] : [`Too few to look for a change:\n${lines.join('\n')}\n`])].join(
    '\n',
  );
}

function countOf({ points, by }: HistorySeries): string {
  return points.length === 1 ? `1 ${by}` : `${formatCount(points.length)} ${by}s`;
}

function historyText(series: HistorySeries): string {
  const { points, isLookedAt } = series;
  const lines = [
    titleOf(series),
    ...noteLines(series.is),
    ...(points.length > 1 ? ['', ...chartLines(series)] : []),
    ...(isLookedAt && points.length > 0 ? ['', ...stretchLines(series), ...differenceLines(series)] : []),
    ...passedOverLines(series),
  ];
  return `${lines.join('\n')}\n`;
}

function titleOf({ name, workload, threads, host, metric }: HistorySeries): string {
  const count = threads === undefined ? 'unknown number of' : formatCount(threads);
  const load = `${count} ${threads === 1 ? 'thread' : 'threads'}`;
  const what = name === workload ? [load] : [workload, load];
  return [`${name}: ${metric}`, ...what, ...(host === undefined ? [] : [`on ${host}`])].join(', ');
}

/** From the lowest to the highest figure, which stand beside it: from zero, a change of 5 % would not be seen. */
function chartLines({ points, changes, unit }: HistorySeries): string[] {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const bars = sparkline(
    values.map((value) => value - low),
    BARS_MAX,
  );
  const column = (at: number) => (points.length <= BARS_MAX ? at : Math.floor((at * BARS_MAX) / points.length));
  const marks = new Set(changes.map(({ at }) => column(at)));
  const marked = Array.from(bars, (_, at) => (marks.has(at) ? '^' : ' ')).join('');
  return [
    INDENT + bars,
    ...(marks.size > 0 ? [(INDENT + marked).trimEnd()] : []),
    `${INDENT}${dayOf(points[0]!.startedAt)} to ${dayOf(points.at(-1)!.startedAt)}, from ${metricCell(low, unit)} to ${metricCell(high, unit)}`,
  ];
}

/** What lies between two changes is a row. */
function stretchLines({ points, changes, metric, unit, by }: HistorySeries): string[] {
  const begins = [0, ...changes.map(({ at }) => at)];
  const rows = begins.map((begin, number) => {
    const change = changes[number - 1];
    const median = change?.after ?? changes[0]?.before ?? medianOf(points.map(({ value }) => value));
    return [
      momentText(points[begin]!.startedAt),
      formatCount((begins[number + 1] ?? points.length) - begin),
      metricCell(median, unit),
      change === undefined ? '' : formatChange(change.change),
      change === undefined ? '' : change.is,
      change === undefined ? '' : formatFixed(change.p, 4),
      points[begin]!.run.split('-').at(-1) ?? '',
    ];
  });
  const columns = [
    { heading: 'from', align: 'left' },
    { heading: `${by}s`, align: 'right' },
    { heading: metricHeading('median', unit), align: 'point' },
    { heading: 'change', align: 'right' },
    { heading: '', align: 'left' },
    { heading: 'p', align: 'right' },
    { heading: 'run', align: 'left' },
  ] as const;
  return [...tableLines(columns, rows), ...(changes.length === 0 ? [] : ['', ...noteLines(footOf(metric))])];
}

function footOf(metric: string): string {
  return `Medians of ${metric}; p by permutation of ranks, the least possible is 0.0001.`;
}

function differenceLines({ changes, points }: HistorySeries): string[] {
  return changes.flatMap((change) => {
    const heading = `At the change of ${momentText(points[change.at]!.startedAt)}:`;
    return ['', heading, ...differsOf(change).flatMap((line) => hangingLines('  - ', line))];
  });
}

function differsOf({ differs }: HistoryChange): readonly string[] {
  return differs.length === 0 ? ['nothing else that the runs tell of had changed'] : differs;
}

function passedOverLines({ passedOver, smallest, imported }: HistorySeries): string[] {
  const source = {
    'noise floor': 'the noise floor of this machine and workload',
    option: 'as asked for',
    default: 'no noise floor of this machine and workload is kept',
  }[smallest.from];
  return [
    '',
    ...valueLines('smallest change told', `${formatShare(smallest.share)} (${source})`),
    ...(passedOver === 0
      ? []
      : valueLines('passed over', `${formatCount(passedOver)} runs that failed, prove nothing or do not tell it`)),
    ...(imported === undefined ? [] : valueLines('imported', importedText(imported))),
  ];
}

function importedText({ runs, withoutTime }: NonNullable<HistorySeries['imported']>): string {
  const order =
    withoutTime === 0 ? '' : `; when ${formatCount(withoutTime)} of them ran is unknown too: they stand as imported`;
  return `${formatCount(runs)} of the runs: whether on one machine is unknown${order}`;
}

/** As in the ids of runs: UTC. */
function momentText(startedAt: string): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}

function dayOf(startedAt: string): string {
  return startedAt.slice(0, 10);
}
