/**
 * A chart of lines. Its plot is stretched to any width, its labels are not: so one drawing fits a phone and a wide
 * screen, without a script. What the script needs for reading values stands in `data-` attributes.
 */
import { line } from 'd3-shape';
import type { Axis, Tick } from './axis.ts';
import { type Child, element, given } from './element.ts';

export interface ChartLine {
  readonly name: string;
  readonly xs: readonly number[];
  /** In the unit of the axis. Null: a gap. */
  readonly ys: readonly (number | null)[];
}

export interface Shading {
  readonly from: number;
  readonly to: number;
}

export interface Mark {
  readonly at: number;
  readonly label: string;
  readonly is: string;
}

export interface Chart {
  readonly title: string;
  /** Of what is read upwards, as it stands in the caption: `ms, logarithmic`. */
  readonly unit: string;
  /** Behind a value that is read: `ms`. */
  readonly unitShort: string;
  /** time: zoomed and read together with all others of the page. */
  readonly kind: 'time' | 'percentile';
  readonly x: Axis;
  readonly y: Axis;
  readonly heightPx: number;
  readonly lines: readonly ChartLine[];
  readonly shadings?: readonly Shading[];
  readonly marks?: readonly Mark[];
  /** Below it. */
  readonly note?: Child;
}

/** Of the plot, whatever its width on the screen. */
const WIDTH = 1_000;
const X_LABELS_PX = 20;
/** So that a line at an edge is drawn whole. */
const EDGE_PX = 2;
/** What a line's number may be: there are so many colours. */
export const LINES_MAX = 8;

export function chartFigure(chart: Chart): Child {
  const { title, unit, kind, x, note } = chart;
  const shared = chart.lines[0]?.xs ?? [];
  return element(
    'figure',
    {
      class: 'chart',
      'data-kind': kind,
      'data-from': round(x.from, 3),
      'data-to': round(x.to, 3),
      'data-unit': chart.unitShort,
      'data-x': numbers(shared, 3),
    },
    element(
      'figcaption',
      {},
      element('span', { class: 'title' }, title),
      unit === '' ? null : element('span', { class: 'unit' }, unit),
      chart.lines.length > 1 ? legend(chart.lines) : null,
    ),
    element('div', { class: 'frame' }, yAxis(chart), plot(chart, shared)),
    note === undefined ? null : element('p', { class: 'quiet' }, note),
  );
}

function legend(lines: readonly ChartLine[]): Child {
  return element('ul', { class: 'legend' }, ...lines.map(({ name }, at) => element('li', {}, swatch(at), given(name))));
}

function swatch(at: number): Child {
  const stroke = element('line', { class: `line line-${at + 1}`, x1: 1, x2: 21, y1: 4, y2: 4 });
  return element('svg', { width: 22, height: 8, 'aria-hidden': 'true' }, stroke);
}

function upwards(at: number, heightPx: number): number {
  return round(heightPx - EDGE_PX - at * (heightPx - 2 * EDGE_PX), 1);
}

function yAxis({ y, heightPx }: Pick<Chart, 'y' | 'heightPx'>): Child {
  return element(
    'svg',
    { class: 'y-labels', width: '100%', height: heightPx, 'aria-hidden': 'true' },
    ...y.ticks.map(({ at, label }) =>
      element('text', { x: '100%', dx: -8, y: upwards(at, heightPx), dy: '0.35em', 'text-anchor': 'end' }, label),
    ),
  );
}

function plot(chart: Chart, shared: readonly number[]): Child {
  const { x, heightPx, lines, marks = [] } = chart;
  return element(
    'svg',
    {
      class: 'plot',
      width: '100%',
      height: heightPx + X_LABELS_PX,
      role: 'img',
      'aria-label': description(chart),
    },
    element(
      'svg',
      {
        class: 'area',
        width: '100%',
        height: heightPx,
        viewBox: `0 0 ${WIDTH} ${heightPx}`,
        preserveAspectRatio: 'none',
      },
      ...background(chart),
      ...lines.map((each, at) => linePath(each, at, chart, shared)),
    ),
    xLabels(x, heightPx),
    ...(heightPx < NUMBERED_PX_MIN ? [] : numbersOfMarks(marks, x)),
  );
}

/** One that is not of lines: what is drawn within it, from left to right in per cent, upwards in pixels. */
export interface Drawing {
  readonly title: Child;
  readonly unit: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly heightPx: number;
  /** What it shows, for those who do not see it. */
  readonly says: string;
  readonly note?: Child;
  draw(upwards: (value: number) => number): readonly Child[];
  /** Curves, which are stretched with the plot. */
  readonly curves?: readonly ChartLine[];
}

export function drawingFigure({ title, unit, x, y, heightPx, says, note, draw, curves = [] }: Drawing): Child {
  const content = draw((value) => upwards(y.at(value) ?? 0, heightPx));
  return element(
    'figure',
    {},
    element('figcaption', {}, element('span', { class: 'title' }, title), element('span', { class: 'unit' }, unit)),
    element(
      'div',
      { class: 'frame' },
      yAxis({ y, heightPx }),
      element(
        'svg',
        { class: 'plot', width: '100%', height: heightPx + X_LABELS_PX, role: 'img', 'aria-label': says },
        element(
          'svg',
          {
            class: 'area',
            width: '100%',
            height: heightPx,
            viewBox: `0 0 ${WIDTH} ${heightPx}`,
            preserveAspectRatio: 'none',
          },
          ...gridLines(y, heightPx),
          ...curves.map((curve, at) =>
            element('path', { class: `line line-${at + 2}`, d: pathOf(curve, { x, y, heightPx }) }),
          ),
        ),
        ...content,
        xLabels(x, heightPx),
      ),
    ),
    note === undefined ? null : element('p', { class: 'quiet' }, note),
  );
}

function xLabels({ ticks }: Axis, heightPx: number): Child {
  return element('g', { class: 'x-labels' }, ...ticks.map((tick) => xLabel(tick, heightPx)));
}

function background({ x, y, heightPx, shadings = [], marks = [] }: Chart): Child[] {
  const across = (value: number) => round((x.at(value) ?? 0) * WIDTH, 1);
  return [
    ...shadings.map(({ from, to }) =>
      element('rect', {
        class: 'shade',
        x: across(from),
        width: round(across(to) - across(from), 1),
        y: 0,
        height: heightPx,
      }),
    ),
    ...gridLines(y, heightPx),
    ...marks.map(({ at, is }) =>
      element(
        'line',
        { class: 'event', x1: across(at), x2: across(at), y1: 0, y2: heightPx },
        element('title', {}, is),
      ),
    ),
  ];
}

function gridLines({ ticks }: Axis, heightPx: number): Child[] {
  return ticks.map(({ at }) => {
    const height = upwards(at, heightPx);
    return element('line', { class: at === 0 ? 'grid baseline' : 'grid', x1: 0, x2: WIDTH, y1: height, y2: height });
  });
}

function pathOf(each: ChartLine, { x, y, heightPx }: Pick<Chart, 'x' | 'y' | 'heightPx'>): string {
  const points = each.xs.map((value, index): [number, number | null] => {
    const height = each.ys[index] ?? null;
    const share = height === null ? null : y.at(height);
    return [(x.at(value) ?? 0) * WIDTH, share === null ? null : upwards(share, heightPx)];
  });
  const draw = line<[number, number | null]>()
    .defined(([, height]) => height !== null)
    .y(([, height]) => height ?? 0)
    .digits(1);
  return draw(points) ?? '';
}

function linePath(each: ChartLine, at: number, chart: Chart, shared: readonly number[]): Child {
  return element('path', {
    class: `line line-${at + 1}`,
    d: pathOf(each, chart),
    'data-name': each.name,
    'data-x': each.xs === shared || sameNumbers(each.xs, shared) ? undefined : numbers(each.xs, 3),
    'data-y': each.ys.map((value) => (value === null ? '' : Number(value.toPrecision(5)))).join(','),
  });
}

function xLabel({ at, label, isFine }: Tick, heightPx: number): Child {
  const attributes = { x: percent(at), y: heightPx + 15, 'text-anchor': 'middle' };
  return element('text', isFine ? { ...attributes, class: 'fine' } : attributes, label);
}

/** So close to the one before that they would cover each other: the list below the chart has them all. */
const MARKS_APART = 0.04;
/** In a lower chart a number would lie upon the lines. */
const NUMBERED_PX_MIN = 150;

function numbersOfMarks(marks: readonly Mark[], x: Axis): Child[] {
  let last = Number.NEGATIVE_INFINITY;
  return marks.flatMap(({ at, label }) => {
    const place = x.at(at) ?? 0;
    if (place - last < MARKS_APART) return [];
    last = place;
    return [
      element('text', { class: 'event-number', 'data-at': round(at, 3), x: percent(place), dx: 4, y: 11 }, label),
    ];
  });
}

export function percent(share: number): string {
  return `${round(share * 100, 2)}%`;
}

function description({ title, unit, unitShort, lines }: Chart): string {
  const texts = lines.map(({ name, ys }) => {
    const [low, high] = rangeOf(ys);
    return low === undefined
      ? `${name}: nothing`
      : `${name}: ${plain(low)} to ${plain(high ?? low)} ${unitShort}`.trimEnd();
  });
  return `${title}${unit === '' ? '' : ` (${unit})`}. ${texts.join('; ')}`;
}

export function rangeOf(values: readonly (number | null)[]): [number, number] | [undefined, undefined] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [undefined, undefined] : [low, high];
}

function plain(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function numbers(values: readonly number[], decimals: number): string {
  return values.map((value) => round(value, decimals)).join(',');
}

function sameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

function round(value: number, decimals: number): number {
  // Adding zero makes -0 a plain 0.
  return Number(value.toFixed(decimals)) + 0;
}
