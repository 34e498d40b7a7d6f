/**
 * OpenMetrics 1.0 as text (https://prometheus.io/docs/specs/om/open_metrics_spec/): families of metrics with their
 * descriptions, each named once, and `# EOF`.
 */
import { assert } from '../base/assert.ts';
import type { LatencyRecord } from '../model/run.ts';
import { bucketHighestUs } from '../stats/bucket-layout.ts';
import type { Histogram } from '../stats/histogram.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** Behind the family's name: `_bucket`, `_total`. */
  readonly suffix: string;
  readonly labels: Labels;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'info' | 'stateset';
  /** The last part of the name. */
  readonly unit?: 'seconds' | 'bytes';
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Families without a sample are left out. */
export function openMetricsText(families: readonly MetricFamily[]): string {
  const shown = families.filter(({ samples }) => samples.length > 0);
  assert(new Set(shown.map(({ name }) => name)).size === shown.length, 'each family is named once');
  return [...shown.flatMap(familyLines), '# EOF', ''].join('\n');
}

function familyLines({ name, type, unit, help, samples }: MetricFamily): string[] {
  return [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ suffix, labels, value }) => `${name}${suffix}${labelsText(labels)} ${numberText(value)}`),
  ];
}

export function gauge(value: number, labels: Labels = {}): Sample {
  return { suffix: '', labels, value };
}

export function counter(value: number, labels: Labels = {}): Sample {
  return { suffix: '_total', labels, value };
}

/** Facts as labels. */
export function info(labels: Labels): Sample {
  return { suffix: '_info', labels, value: 1 };
}

/** From 10 us to 100 s: 1, 2 and 5 of each power of ten. */
const BOUNDS_US: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 7].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power)),
  10 ** 8,
];

/** What is in a bucket of the histogram that a bound divides is counted above the bound: by a thousandth at most. */
export function latencySamples(histogram: Histogram, labels: Labels): Sample[] {
  const counts = BOUNDS_US.map(() => 0);
  histogram.forEachBucket((bucket, count) => {
    const first = BOUNDS_US.findIndex((bound) => bucketHighestUs(bucket) <= bound);
    if (first !== -1) counts[first]! += count;
  });
  let below = 0;
  const buckets = BOUNDS_US.map((bound, at) => {
    below += counts[at]!;
    return bucketSample(boundText(bound / 1_000_000), below, labels);
  });
  return [
    ...buckets,
    bucketSample('+Inf', histogram.count, labels),
    { suffix: '_count', labels, value: histogram.count },
    { suffix: '_sum', labels, value: histogram.sumUs / 1_000_000 },
  ];
}

export function latencyRecordSamples(record: LatencyRecord | undefined, labels: Labels): Sample[] {
  return record === undefined || record.count === 0 ? [] : latencySamples(fromLatencyRecord(record), labels);
}

function bucketSample(le: string, value: number, labels: Labels): Sample {
  return { suffix: '_bucket', labels: { ...labels, le }, value };
}

/** As the standard writes them: 1.0, 0.0001, 5e-05. */
function boundText(seconds: number): string {
  if (Number.isInteger(seconds)) return `${seconds}.0`;
  return seconds >= 0.0001 ? String(seconds) : seconds.toExponential().replace(/e-(\d)$/, 'e-0$1');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

function labelsText(labels: Labels): string {
  const each = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return each.length === 0 ? '' : `{${each.join(',')}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

/** Other control characters end no line there, and are seen by nobody. */
function escaped(text: string): string {
  return text.replaceAll(/[\\"\n]/g, (character) => ESCAPES[character] ?? character).replaceAll('\r', ' ');
}
