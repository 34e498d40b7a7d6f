/** What of a run is drawn over time: pure. */
import type { Series } from '../model/observed.ts';
import type { Interval, RunRecord } from '../model/run.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';
import type { ChartData, ChartGroup } from './api.ts';

const PERCENTILES = [50, 95, 99] as const;
const US_PER_MS = 1_000;
/** More lines in one chart cannot be told apart. */
const LINES_MAX = 6;

export function loadCharts({ intervals, load }: RunRecord): ChartData[] {
  const whole = intervals.filter(({ startS, endS }) => endS > startS);
  const atS = whole.map(({ endS }) => endS);
  if (atS.length < 2) return [];
  const latencies = whole.map(({ latency }) => (latency.count === 0 ? undefined : fromLatencyRecord(latency)));
  const chart = (title: string, unit: string, lines: ChartData['lines']): ChartData => ({ title, unit, atS, lines });
  const each = (name: string, of: (interval: Interval) => number) => ({ name, points: whole.map(of) });
  const perS = (of: (interval: Interval) => number) => (interval: Interval) =>
    of(interval) / (interval.endS - interval.startS);
  const troubles = [
    each(
      'errors',
      perS(({ errors }) => errors),
    ),
    each(
      'retries',
      perS(({ retries }) => retries),
    ),
  ].filter(({ points }) => points.some((value) => value > 0));
  return [
    chart('Transactions', '1/s', [
      each(
        'transactions',
        perS(({ transactions }) => transactions),
      ),
    ]),
    chart(
      load.mode === 'closed' ? 'Latency' : 'Response time',
      'ms',
      PERCENTILES.map((percentile) => ({
        name: `p${percentile}`,
        points: latencies.map((latency) =>
          latency === undefined ? null : latency.percentileUs(percentile) / US_PER_MS,
        ),
      })),
    ),
    ...(troubles.length === 0 ? [] : [chart('Errors and retries', '1/s', troubles)]),
    ...(load.mode === 'closed' ? [] : [chart('Waiting', '', [each('waiting', ({ queueLength = 0 }) => queueLength)])]),
  ];
}

/** A group for each probe, and in it a chart for each unit: lines of one chart share an axis. */
export function observedCharts({ series = {} }: RunRecord): ChartGroup[] {
  return Object.entries(series).flatMap(([probe, of]) => {
    const seen = Object.entries(of.values).filter(([, { points }]) => points.some((value) => value !== null));
    if (of.atS.length < 2 || seen.length === 0) return [];
    const zero = seen.filter(([, { points }]) => points.every((value) => value === 0 || value === null));
    const drawn = seen.filter((value) => !zero.includes(value));
    return [{ title: inWords(probe), zero: zero.map(([name]) => inWords(name)), charts: chartsOf(of.atS, drawn) }];
  });
}

function chartsOf(atS: Series['atS'], seen: readonly [string, Series['values'][string]][]): ChartData[] {
  const units = [...new Set(seen.map(([, { unit }]) => unit))];
  return units.flatMap((unit) => {
    const lines = seen
      .filter(([, value]) => value.unit === unit)
      .map(([name, { points }]) => ({ name: inWords(name), points }));
    const parts = Array.from({ length: Math.ceil(lines.length / LINES_MAX) }, (_, at) =>
      lines.slice(at * LINES_MAX, (at + 1) * LINES_MAX),
    );
    return parts.map((part) => ({ title: titleOf(part.map(({ name }) => name)), unit, atS, lines: part }));
  });
}

function titleOf(names: readonly string[]): string {
  const [first = '', second] = names;
  if (second === undefined) return first;
  return names.length === 2 ? `${first}, ${second}` : `${first}, ${second} and ${names.length - 2} more`;
}

/** `checkpoint_age_ratio` as a reader says it. */
function inWords(name: string): string {
  return name.replaceAll('_', ' ').replace(/ per s$/, '/s');
}
