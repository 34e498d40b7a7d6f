/** A sweep: what each value reached, and the curve of the Universal Scalability Law or the knee. */
import { formatPercent, formatRate, formatSignificant } from '../../base/units.ts';
import type { SweepCurve, SweepKnee, SweepResult, SweepValue } from '../../model/sweep.ts';
import { type ScalabilityFit, scalabilityAt } from '../../stats/scalability.ts';
import { formatChange } from '../../stats/verdict-words.ts';
import { type Axis, linearAxis, numberLabel } from './axis.ts';
import { type ChartLine, drawingFigure, percent } from './chart.ts';
import { type Child, element } from './element.ts';
import { bullets, factList, htmlTable } from './table.ts';

const HEIGHT_PX = 260;
const RADIUS_PX = 4.5;
const CURVE_POINTS = 120;
const NONE = '-';

export function sweepContent(result: SweepResult): Child[] {
  const { curve, knee, notes } = result;
  return [
    plot(result),
    valueTable(result),
    ...(curve?.is === 'fitted' ? curveFacts(curve) : []),
    curve?.is === 'not-fitted' ? element('p', {}, `No curve: ${curve.because}`) : null,
    ...(knee === undefined ? [] : kneeTable(knee)),
    bullets(notes),
  ];
}

function plot({ over, values, curve }: SweepResult): Child {
  const measured = values.filter(({ ratePerS }) => ratePerS !== undefined);
  if (measured.length === 0) return null;
  const fitted = curve?.is === 'fitted' ? curve : undefined;
  const x = valueAxis(values);
  const line = fitted === undefined ? undefined : curveLine(fitted, values);
  const y = linearAxis([
    ...measured.flatMap(({ ratesPerS }) => ratesPerS),
    ...(line?.ys ?? []).map((each) => each ?? 0),
  ]);
  return drawingFigure({
    title: 'Throughput',
    unit: `transactions per second, over ${over}`,
    x,
    y,
    heightPx: HEIGHT_PX,
    says: measured.map(({ value, ratePerS }) => `${value}: ${formatRate(ratePerS!.median)}`).join(', '),
    note: `Each dot is a run, the long stroke the median.${fitted === undefined ? '' : ' The line is the fitted curve.'}`,
    ...(line === undefined ? {} : { curves: [line] }),
    draw: (upwards) => measured.flatMap((value) => drawnValue(value, positionOf(value, values, x), upwards)),
  });
}

const STROKE_PX = 11;

function drawnValue({ ratesPerS, ratePerS }: SweepValue, at: number, upwards: (value: number) => number): Child[] {
  const { median = 0, min = 0, max = 0 } = ratePerS ?? {};
  const x = percent(at);
  return [
    element('line', { class: 'range', x1: x, x2: x, y1: upwards(max), y2: upwards(min) }),
    element(
      'svg',
      { x, y: upwards(median), width: 1, height: 1, class: 'mark' },
      element('line', { class: 'interval', x1: -STROKE_PX, x2: STROKE_PX, y1: 0, y2: 0 }),
    ),
    ...ratesPerS.map((rate) => element('circle', { class: 'point', cx: x, cy: upwards(rate), r: RADIUS_PX })),
  ];
}

/** Doubling takes the same room everywhere, as thread counts are chosen; else one value beside the other. */
function isDoubling(values: readonly SweepValue[]): boolean {
  return values.length > 1 && values.every(({ number = 0 }) => number > 0);
}

function positionOf(value: SweepValue, values: readonly SweepValue[], x: Axis): number {
  return x.at(isDoubling(values) ? value.number! : values.indexOf(value)) ?? 0;
}

const SIDE_SHARE = 0.04;
/** Labels closer than this would touch; every second one is left out on a phone. */
const LABELS_APART = 0.055;

function valueAxis(values: readonly SweepValue[]): Axis {
  const places = isDoubling(values) ? values.map(({ number = 1 }) => Math.log2(number)) : values.map((_, at) => at);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const share = (place: number) =>
    SIDE_SHARE + (high > low ? (place - low) / (high - low) : 0.5) * (1 - 2 * SIDE_SHARE);
  const at = (value: number) => share(isDoubling(values) ? Math.log2(value) : value);
  let last = Number.NEGATIVE_INFINITY;
  const ticks = values.flatMap(({ value }, index) => {
    const place = share(places[index]!);
    if (place - last < LABELS_APART) return [];
    last = place;
    return [{ at: place, label: value, isFine: values.length > 5 && index % 2 === 1 }];
  });
  return { from: low, to: high, at, ticks };
}

function curveLine(fitted: Extract<SweepCurve, { is: 'fitted' }>, values: readonly SweepValue[]): ChartLine {
  const numbers = values.map(({ number = 1 }) => number);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const fit: ScalabilityFit = { ...fitted };
  const xs = Array.from({ length: CURVE_POINTS + 1 }, (_, at) => low * (high / low) ** (at / CURVE_POINTS));
  return { name: 'curve', xs, ys: xs.map((n) => scalabilityAt(fit, n) ?? null) };
}

function valueTable({ over, values }: SweepResult): Child {
  const columns = [
    { heading: over },
    ...['median/s', 'lowest', 'highest', 'p95 ms', 'p99 ms', 'CPU'].map(
      (heading) => ({ heading, is: 'number' }) as const,
    ),
    { heading: 'pace set by', is: 'word' },
    { heading: 'durability', is: 'word' },
  ] as const;
  const cell = (value: number | undefined) => (value === undefined ? NONE : formatSignificant(value));
  const rows = values.map(({ value, ratePerS, metrics, bottleneck, durability }) => {
    const busy = metrics['cpu.busy']?.median;
    return {
      cells: [
        value,
        cell(ratePerS?.median),
        cell(ratePerS?.min),
        cell(ratePerS?.max),
        cell(metrics['p95(transaction)']?.median),
        cell(metrics['p99(transaction)']?.median),
        busy === undefined ? NONE : formatPercent(busy),
        bottleneck ?? NONE,
        durability,
      ],
    };
  });
  return htmlTable(columns, rows);
}

function curveFacts({ lambda, sigma, kappa, peak, trustedTo }: Extract<SweepCurve, { is: 'fitted' }>): Child[] {
  const span = ({ value, interval: { low, high } }: typeof lambda, format: (value: number) => string) =>
    `${format(value)} (95 %: ${format(low)} to ${format(high)})`;
  const small = (value: number) => (value === 0 ? '0' : value.toPrecision(3));
  return [
    element('h3', {}, 'Universal Scalability Law'),
    element('p', {}, 'X(N) = λN / (1 + σ(N − 1) + κN(N − 1))'),
    factList([
      ['λ, throughput of one', span(lambda, formatRate)],
      ['σ, contention', span(sigma, small)],
      ['κ, coherency', span(kappa, small)],
      ...(peak === undefined
        ? []
        : [
            [
              'peak',
              `${span(peak.x, formatRate)} at N = ${span(peak.n, (value) => numberLabel(Math.round(value)))}`,
            ] as const,
          ]),
      ['trusted to', `N = ${numberLabel(trustedTo)}`],
    ]),
  ];
}

function kneeTable({ reference, comparisons, marginShare }: SweepKnee): Child[] {
  const others = comparisons.filter(({ value }) => value !== reference);
  const columns = [
    { heading: 'value' },
    { heading: `beside ${reference}`, is: 'number' },
    { heading: 'at most lost, with 95 %', is: 'number' },
    { heading: '' },
  ] as const;
  const rows = others.map(({ value, effect, interval90 }) => {
    const isSure = interval90 !== undefined && interval90.low >= -marginShare;
    return {
      cells: [
        value,
        formatChange(effect),
        interval90 === undefined ? NONE : formatPercent(Math.max(0, -interval90.low)),
        isSure ? 'as good, and sure' : effect >= -marginShare ? 'as good, not sure' : 'worse',
      ],
    };
  });
  return rows.length === 0 ? [] : [element('h3', {}, 'The knee'), htmlTable(columns, rows)];
}
