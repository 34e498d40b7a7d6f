/** What a sweep shows, for people: the answer, a table, a chart that fits 80 columns, and the curve or the knee. */
import { formatPercent, formatRate, formatSignificant } from '../base/units.ts';
import type { SweepCurve, SweepKnee, SweepResult, SweepValue } from '../model/sweep.ts';
import { type Column, hangingLines, LINE_LENGTH, tableLines, valueLines } from './layout.ts';

const NONE = '-';
/** Names of values beyond this are cut in the chart; the table has them whole. */
const LABEL_LENGTH_MAX = 16;
const RATE_LENGTH = 11;
const LOWEST = '█';
const MEDIAN = '▓';
const HIGHEST = '░';
const ON_CURVE = '◆';

export function sweepLines(result: SweepResult): string[] {
  const { curve, knee, notes, values } = result;
  const costs = costLines(result);
  return [
    ...hangingLines('', result.is),
    '',
    ...tableLines(COLUMNS(result.over), values.map(rowOf)),
    '',
    ...chartLines(values),
    ...(curve?.is === 'fitted' ? ['', ...curveLines(curve)] : []),
    ...(costs.length === 0 ? [] : ['', ...costs]),
    ...(knee === undefined ? [] : ['', ...kneeLines(knee)]),
    ...(notes.length === 0 ? [] : ['']),
    ...notes.flatMap((note) => valueLines('note', note)),
    '',
    ...valueLines('runs', runsText(result)),
    // An id is long, and is to be copied whole.
    `  experiment  ${result.id}`,
  ];
}

function runsText({ values, repeats }: SweepResult): string {
  const done = values.reduce((sum, { runs }) => sum + runs.length, 0);
  const planned = values.length * repeats;
  return done === planned ? `${done}, ${repeats} of each value` : `${done} of ${planned}`;
}

const COLUMNS = (over: string): Column[] => [
  { heading: over.length > LABEL_LENGTH_MAX ? 'value' : over, align: 'right' },
  { heading: 'rate/s', align: 'point' },
  { heading: 'lowest', align: 'point' },
  { heading: 'highest', align: 'point' },
  { heading: 'p95 ms', align: 'point' },
  { heading: 'p99 ms', align: 'point' },
  { heading: 'CPU', align: 'point' },
  { heading: 'what sets the pace', align: 'left' },
];

function rowOf({ value, ratePerS, metrics, bottleneck }: SweepValue): string[] {
  const rates = [ratePerS?.median, ratePerS?.min, ratePerS?.max].map(cell);
  const busy = metrics['cpu.busy']?.median;
  return [
    value,
    ...rates,
    cell(metrics['p95(transaction)']?.median),
    cell(metrics['p99(transaction)']?.median),
    busy === undefined ? NONE : `${Math.round(busy * 100)} %`,
    bottleneck ?? NONE,
  ];
}

function cell(value: number | undefined): string {
  return value === undefined ? NONE : formatSignificant(value);
}

/** A bar a value, from 0 to the highest rate: to its lowest run, on to the median, on to the highest. */
function chartLines(values: readonly SweepValue[]): string[] {
  const highest = Math.max(0, ...values.flatMap(({ ratePerS, curvePerS }) => [ratePerS?.max ?? 0, curvePerS ?? 0]));
  if (highest === 0) return [];
  const labels = values.map(({ value }) => value.slice(0, LABEL_LENGTH_MAX));
  const labelLength = Math.max(...labels.map(({ length }) => length));
  const width = LINE_LENGTH - labelLength - RATE_LENGTH - 6;
  const columnOf = (perS: number) => Math.round((perS / highest) * width);
  const bars = values.map(({ ratePerS, curvePerS }, at) => {
    const bar =
      ratePerS === undefined ? '' : barOf(columnOf(ratePerS.min), columnOf(ratePerS.median), columnOf(ratePerS.max));
    const marked = curvePerS === undefined ? bar : withMark(bar, columnOf(curvePerS));
    const rate = ratePerS === undefined ? NONE : formatRate(ratePerS.median);
    return `  ${(labels[at] ?? '').padStart(labelLength)}  ${rate.padStart(RATE_LENGTH)}  ${marked}`.trimEnd();
  });
  const hasCurve = values.some(({ curvePerS }) => curvePerS !== undefined);
  const legend = `${LOWEST} to the lowest run, ${MEDIAN} the median, ${HIGHEST} the highest${hasCurve ? `; ${ON_CURVE} the curve` : ''}`;
  return [...bars, `  ${legend}`];
}

function barOf(min: number, median: number, max: number): string {
  return LOWEST.repeat(min) + MEDIAN.repeat(median - min) + HIGHEST.repeat(max - median);
}

/** In the last column of what it measures. */
function withMark(bar: string, column: number): string {
  const at = Math.max(0, column - 1);
  return bar.padEnd(at).slice(0, at) + ON_CURVE + bar.slice(at + 1);
}

function curveLines({ lambda, sigma, kappa }: Extract<SweepCurve, { is: 'fitted' }>): string[] {
  const span = ({ interval: { low, high } }: typeof lambda, format: (value: number) => string) =>
    `(95 %: ${format(low)} to ${format(high)})`;
  return [
    '  Universal Scalability Law: X(N) = lambda N / (1 + sigma (N-1) + kappa N (N-1))',
    ...valueLines('lambda, of one', `${formatRate(lambda.value)} ${span(lambda, formatRate)}`),
    ...valueLines('sigma, contention', `${small(sigma.value)} ${span(sigma, small)}`),
    ...valueLines('kappa, coherency', `${small(kappa.value)} ${span(kappa, small)}`),
  ];
}

function small(value: number): string {
  return value === 0 ? '0' : value.toPrecision(3);
}

const COSTS = [
  { metric: 'poolMisses/transaction', heading: 'pool misses' },
  { metric: 'buffer_pool.miss_ratio', heading: 'of requests' },
  { metric: 'diskReads/transaction', heading: 'disk reads' },
  { metric: 'diskWrites/transaction', heading: 'disk writes' },
  { metric: 'fsyncs/transaction', heading: 'fsyncs' },
  { metric: 'serverCpuUs/transaction', heading: 'server CPU us' },
] as const;

/** Of settings and data, what a transaction costs tells why. */
function costLines({ of, over, values }: SweepResult): string[] {
  if (of === 'load') return [];
  const known = COSTS.filter(({ metric }) => values.some(({ metrics }) => metrics[metric] !== undefined));
  if (known.length === 0) return [];
  const columns: Column[] = [
    { heading: over.length > LABEL_LENGTH_MAX ? 'value' : over, align: 'right' },
    ...known.map(({ heading }): Column => ({ heading, align: 'point' })),
  ];
  const rows = values.map(({ value, metrics }) => [
    value,
    ...known.map(({ metric }) => {
      const median = metrics[metric]?.median;
      return median !== undefined && metric === 'buffer_pool.miss_ratio' ? formatPercent(median) : cell(median);
    }),
  ]);
  return ['  A transaction costs:', ...tableLines(columns, rows)];
}

function kneeLines({ reference, comparisons, marginShare }: SweepKnee): string[] {
  const others = comparisons.filter(({ value }) => value !== reference);
  if (others.length === 0) return [];
  const columns: Column[] = [
    { heading: 'value', align: 'right' },
    { heading: `beside ${reference}`, align: 'right' },
    { heading: 'at most lost, 95 %', align: 'right' },
    { heading: '', align: 'left' },
  ];
  const rows = others.map(({ value, effect, interval90 }) => {
    const isSure = interval90 !== undefined && interval90.low >= -marginShare;
    return [
      value,
      signed(effect),
      interval90 === undefined ? NONE : formatPercent(Math.max(0, -interval90.low)),
      isSure ? 'as good, and sure' : effect >= -marginShare ? 'as good, not sure' : 'worse',
    ];
  });
  return tableLines(columns, rows);
}

function signed(share: number): string {
  return `${share < 0 ? '' : '+'}${formatPercent(share)}`;
}
