/** What happened when: the load of a run over its own clock, with its phases and events. */
import { formatCount, formatDuration, formatFixed } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import { recordPercentilesUs } from '../../stats/latency-percentiles.ts';
import { type Axis, linearAxis, logAxis, shownUnit, timeAxis } from './axis.ts';
import { type Chart, type ChartLine, chartFigure, type Mark, type Shading } from './chart.ts';
import { type Child, element } from './element.ts';
import { resample } from './resample.ts';
import { htmlTable } from './table.ts';

/** Twice as many points as this: more than a screen has columns for, and an hour by seconds stays small. */
const STEPS_MAX = 300;
const MAIN_HEIGHT_PX = 190;
const OTHER_HEIGHT_PX = 96;

/** What all charts of a run share. */
export interface RunClock {
  readonly x: Axis;
  readonly shadings: readonly Shading[];
  readonly marks: readonly Mark[];
}

export function runClock({ phases = [], intervals, events = [], series = {}, totals }: RunRecord): RunClock {
  // Preparing may have taken an hour, before anything that is drawn here.
  const drawn = phases.filter(({ name }) => name !== 'prepare');
  const begins = [...drawn.map(({ startS }) => startS), ...intervals.map(({ startS }) => startS)];
  const ends = [...drawn.map(({ endS }) => endS), ...intervals.map(({ endS }) => endS)];
  const samples = Object.values(series).flatMap(({ atS }) => atS.slice(-1));
  const from = begins.length === 0 ? 0 : minOf(begins);
  const to = Math.max(from + 1, totals.elapsedS, ...(ends.length === 0 ? samples : [maxOf(ends)]));
  return {
    x: timeAxis(from, to),
    shadings: drawn.filter(({ name }) => name !== 'measure').map(({ startS, endS }) => ({ from: startS, to: endS })),
    marks: events.map(({ atS, is }, at) => ({ at: atS, label: String(at + 1), is })),
  };
}

function minOf(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(value, low), Number.POSITIVE_INFINITY);
}

function maxOf(values: readonly number[]): number {
  return values.reduce((high, value) => Math.max(value, high), Number.NEGATIVE_INFINITY);
}

export interface NamedValues {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface TimeChart {
  readonly title: string;
  /** As in docs/probes.md. */
  readonly unit: string;
  readonly atS: readonly number[];
  readonly lines: readonly NamedValues[];
  readonly isLog?: boolean;
  readonly isMain?: boolean;
  /** Before the unit, in the caption. */
  readonly says?: string;
  readonly note?: string;
}

export function timeChart(chart: TimeChart, { x, shadings, marks }: RunClock): Child {
  const { title, unit, atS, lines, isLog = false, isMain = false, says = '', note } = chart;
  const resampled = resample({ atS, lines: lines.map(({ values }) => values) }, STEPS_MAX);
  const highest = maxOf(lines.flatMap(({ values }) => values.map((value) => Math.abs(value ?? 0))));
  const { factor, unit: shown } = shownUnit(unit, highest);
  const drawn = lines.map(
    ({ name }, at): ChartLine => ({
      name,
      xs: resampled.atS,
      ys: resampled.lines[at]!.map((value) => (value === null ? null : value * factor)),
    }),
  );
  const values = drawn.flatMap(({ ys }) => ys.filter((value) => value !== null));
  const settings: Chart = {
    title,
    unit: [`${says} ${shown}`.trim(), isLog ? 'logarithmic' : ''].filter((text) => text !== '').join(', '),
    unitShort: shown === 'per second' ? '/s' : shown,
    kind: 'time',
    x,
    y: isLog ? logAxis(values) : linearAxis(values),
    heightPx: isMain ? MAIN_HEIGHT_PX : OTHER_HEIGHT_PX,
    lines: drawn,
    shadings,
    marks,
    ...(note === undefined ? {} : { note }),
  };
  return chartFigure(settings);
}

/** Throughput, latency, and what else happened to the load. */
export function loadCharts(run: RunRecord, clock: RunClock): Child[] {
  const intervals = run.intervals.filter(({ startS, endS }) => endS > startS);
  if (intervals.length < 2) return [element('p', {}, 'Too few intervals were measured to draw them over time.')];
  const atS = intervals.map(({ endS }) => endS);
  const perS = (of: (interval: RunRecord['intervals'][number]) => number) =>
    intervals.map((interval) => of(interval) / (interval.endS - interval.startS));
  const percentiles = intervals.map(({ latency }) =>
    latency.count === 0 ? undefined : recordPercentilesUs(latency, [50, 95, 99, 100]),
  );
  const latencyLine = (name: string, at: number) => ({
    name,
    values: percentiles.map((values) => (values === undefined ? null : values[at]! / 1_000)),
  });
  const trouble = [
    { name: 'errors', values: perS(({ errors }) => errors) },
    { name: 'retries', values: perS(({ retries }) => retries) },
    { name: 'dropped', values: perS(({ dropped = 0 }) => dropped) },
  ].filter(({ values }) => values.some((value) => value > 0));
  const waiting = [
    { name: 'waiting', values: intervals.map(({ queueLength = null }) => queueLength) },
    { name: 'under way', values: intervals.map(({ concurrency = null }) => concurrency) },
  ].filter(({ values }) => values.some((value) => value !== null));
  const chart = (settings: Omit<TimeChart, 'atS'>) => timeChart({ ...settings, atS }, clock);
  return [
    chart({
      title: 'Throughput',
      unit: '1/s',
      lines: [{ name: 'transactions', values: perS(({ transactions }) => transactions) }],
      says: 'transactions',
      isMain: true,
    }),
    eventTable(run),
    percentiles.every((values) => values === undefined)
      ? null
      : chart({
          title: 'Latency of transactions',
          unit: 'ms',
          lines: [latencyLine('median', 0), latencyLine('p95', 1), latencyLine('p99', 2), latencyLine('longest', 3)],
          isLog: true,
          isMain: true,
        }),
    trouble.length === 0 ? null : chart({ title: 'What went wrong', unit: '1/s', lines: trouble }),
    waiting.length === 0 ? null : chart({ title: 'Transactions due', unit: 'count', lines: waiting }),
    element('p', { class: 'quiet' }, readingNote(run)),
    element('p', { class: 'quiet hint', hidden: true }, HINT),
  ];
}

const HINT =
  'Point at a chart to read values at that moment in all of them; draw over a stretch to look at it closely; choose a name to put its ' +
  'line away.';

/** What the shades and the steps of the drawing mean. */
function readingNote({ phases = [], intervals, events = [] }: RunRecord): string {
  const shaded = phases.filter(({ name }) => name !== 'measure' && name !== 'prepare').map(({ name }) => name);
  const measured = intervals.filter(({ startS, endS }) => endS > startS);
  const step = Math.ceil(measured.length / STEPS_MAX);
  const lengthS = (measured.at(-1)!.endS - measured[0]!.startS) / measured.length;
  return [
    'Seconds count from the beginning of the measured part.',
    shaded.length === 0 ? '' : `Shaded: ${shaded.join(', ')}.`,
    events.length === 0 ? '' : 'Dashed lines with numbers: events.',
    measured.length <= 2 * STEPS_MAX
      ? ''
      : `${formatCount(measured.length)} intervals are drawn in steps of ${formatDuration(step * lengthS)}, each with its ` +
        'lowest and its highest value, so that no peak is lost.',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function eventTable({ events = [] }: RunRecord): Child {
  const rows = events.map(({ atS, is }, at) => ({ cells: [String(at + 1), `${formatFixed(atS, 1)} s`, is] }));
  return htmlTable([{ heading: 'event' }, { heading: 'at', is: 'number' }, { heading: 'what happened' }], rows);
}
