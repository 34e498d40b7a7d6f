/**
 * The labels of sysbench's report, also as they are retyped into tables, and what each stands for. Indentation does not
 * count: it is lost where a page is copied.
 */
import type { Cell, Percentile, Quantity } from './facts.ts';
import { cellOf, numberAtStart } from './numbers.ts';

export type Section = 'queries' | 'general' | 'latency' | 'fairness' | 'volume';

const SECTIONS: readonly [RegExp, Section][] = [
  [/^(?:sql statistics|oltp test statistics|queries|queries performed)$/, 'queries'],
  [/^(?:general statistics|test execution summary|throughput|cpu speed)$/, 'general'],
  [/^(?:latency ?\(ms\)|latency|per-request statistics|response time(?: ?\(ms\))?)$/, 'latency'],
  [/^threads? fairness$/, 'fairness'],
  [/^(?:ebs|volume|storage) statistics$/, 'volume'],
];

/** The section that a line without a value opens. */
export function sectionOf(label: string): Section | undefined {
  const plain = normal(label);
  return SECTIONS.find(([pattern]) => pattern.test(plain))?.[1];
}

/** Begins a report: what comes before belongs to another one. */
export function beginsReport(label: string): boolean {
  return /^(?:sql statistics|oltp test statistics)$/.test(normal(label));
}

type Reading =
  | { readonly is: 'amount'; readonly quantity: Quantity; readonly scale?: number }
  /** `5864 (585.27 per sec.)` */
  | { readonly is: 'with rate'; readonly quantity: Quantity; readonly rate: Quantity }
  /** `366.5000/11.86` */
  | { readonly is: 'with stddev'; readonly quantity: Quantity; readonly stddev: Quantity }
  | { readonly is: 'percentile'; readonly percentile: number };

const amount = (quantity: Quantity, scale = 1): Reading => ({ is: 'amount', quantity, scale });

const ANYWHERE: Readonly<Record<string, Reading>> = {
  'read queries': amount('reads'),
  'write queries': amount('writes'),
  'other queries': amount('others'),
  'total queries': amount('queriesOfKinds'),
  transactions: { is: 'with rate', quantity: 'transactions', rate: 'transactionsPerS' },
  queries: { is: 'with rate', quantity: 'queries', rate: 'queriesPerS' },
  'ignored errors': { is: 'with rate', quantity: 'ignoredErrors', rate: 'ignoredErrorsPerS' },
  deadlocks: { is: 'with rate', quantity: 'ignoredErrors', rate: 'ignoredErrorsPerS' },
  reconnects: { is: 'with rate', quantity: 'reconnects', rate: 'reconnectsPerS' },
  'total time': amount('elapsedS'),
  'time elapsed': amount('elapsedS'),
  'total number of events': amount('events'),
  'events/s (eps)': amount('eventsPerS'),
  'events per second': amount('eventsPerS'),
  'total time taken by event execution': amount('latencySumMs', 1_000),
  'events (avg/stddev)': { is: 'with stddev', quantity: 'eventsPerThread', stddev: 'eventsPerThreadStddev' },
  'execution time (avg/stddev)': { is: 'with stddev', quantity: 'timePerThreadS', stddev: 'timePerThreadStddevS' },
  'runtime (avg/stddev)': { is: 'with stddev', quantity: 'timePerThreadS', stddev: 'timePerThreadStddevS' },
  'write latency (ms)': amount('volumeWriteLatencyMs'),
  'volume queue length (count)': amount('volumeQueueLength'),
  'volume queue length': amount('volumeQueueLength'),
};

const BY_SECTION: Readonly<Partial<Record<Section, Readonly<Record<string, Reading>>>>> = {
  queries: {
    read: amount('reads'),
    write: amount('writes'),
    other: amount('others'),
    total: amount('queriesOfKinds'),
  },
  latency: {
    min: amount('latencyMinMs'),
    avg: amount('latencyAvgMs'),
    max: amount('latencyMaxMs'),
    sum: amount('latencySumMs'),
  },
};

const PERCENTILE = /^(?:approx\. *)?(\d{1,3}(?:\.\d+)?)(?:st|nd|rd|th)? percentile$/;

export function readingOf(label: string, section: Section | undefined): Reading | undefined {
  const plain = normal(label);
  const percentile = PERCENTILE.exec(plain)?.[1];
  if (percentile !== undefined) return { is: 'percentile', percentile: Number(percentile) };
  const inSection = section === undefined ? undefined : BY_SECTION[section];
  if (inSection !== undefined && Object.hasOwn(inSection, plain)) return inSection[plain];
  return Object.hasOwn(ANYWHERE, plain) ? ANYWHERE[plain] : undefined;
}

function normal(label: string): string {
  return label
    .trim()
    .replace(/:$/, '')
    .replace(/[*_`]+(?=\w)|(?<=[\w)])[*_`]+$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

export interface Found {
  readonly cells: readonly (readonly [Quantity, Cell])[];
  readonly percentiles: readonly Percentile[];
}

const WITH_RATE = /^\s*\(\s*([\d.,]+)\s*(?:per sec|\/ ?s)/;
const SECOND = /^\s*\/\s*([\d.]+)/;

/** The cells of a value such as `5864 (585.27 per sec.)`; undefined where it does not look like one. */
export function readValue(
  text: string,
  reading: Reading,
  place: { readonly label: string; readonly column?: string; readonly line: number },
): Found | undefined {
  const first = numberAtStart(text);
  if (first === undefined) return undefined;
  if (reading.is === 'percentile') {
    return { cells: [], percentiles: [{ percentile: reading.percentile, cell: cellOf(first, place) }] };
  }
  const cells: [Quantity, Cell][] = [
    [reading.quantity, cellOf(first, place, reading.is === 'amount' ? reading.scale : 1)],
  ];
  if (reading.is === 'with rate') {
    const rate = numberAtStart(WITH_RATE.exec(first.rest)?.[1] ?? '');
    if (rate !== undefined) cells.push([reading.rate, cellOf(rate, { ...place, label: `${place.label}, per second` })]);
  }
  if (reading.is === 'with stddev') {
    const stddev = numberAtStart(SECOND.exec(first.rest)?.[1] ?? '');
    if (stddev !== undefined)
      cells.push([reading.stddev, cellOf(stddev, { ...place, label: `${place.label}, stddev` })]);
  }
  return { cells, percentiles: [] };
}
