/** What the reports of experiments and comparisons have in common: their tables as cells, however they are drawn. */
import { formatDuration } from '../base/units.ts';
import type { Comparison, ExperimentPlan, ExperimentResult, VariantSummary } from '../model/experiment.ts';
import { metricOf } from '../stats/metrics.ts';
import { UNBOUNDED } from '../stats/verdict.ts';
import { formatChange, formatP, formatShare, formatSpan } from '../stats/verdict-words.ts';
import type { Column } from './layout.ts';
import { metricCell, metricHeading } from './metric-cell.ts';

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** What is shown of a result; a comparison of stored runs has no plan. */
export interface Shown {
  readonly result: ExperimentResult;
  readonly metric: string;
  readonly baseline: string;
}

/** The gain, and on the same line what is given up for it. */
export function variantTable({ result, metric, baseline }: Shown): Table {
  const { name, unit } = metricOf(metric);
  const rows = result.variants.map((summary) => {
    const comparison = result.comparisons.find((each) => each.isPrimary && each.variant === summary.variant);
    return [
      summary.variant,
      medianCell(summary, name),
      comparison === undefined ? '' : formatChange(comparison.effect),
      verdictCell(summary, comparison, baseline),
      summary.runs.length === 0 ? '' : summary.durability.is,
      String(summary.runs.length),
      summary.bottleneck ?? '',
    ];
  });
  return {
    columns: [
      left('variant'),
      { heading: metricHeading(name, unit), align: 'point' },
      { heading: 'change', align: 'point' },
      left('verdict'),
      left('durability'),
      { heading: 'runs', align: 'right' },
      left('pace set by'),
    ],
    rows,
  };
}

/** Figures of every variant beside the primary metric: medians over its runs. */
export function costTable({ result, metric }: Shown): Table {
  const primary = metricOf(metric).name;
  const variants = result.variants.filter(({ runs }) => runs.length > 0);
  const names = [...new Set(variants.flatMap(({ metrics }) => Object.keys(metrics)))];
  const shown = names.filter((name) => name !== primary && !(name === 'errorShare' && isAllZero(result, name)));
  const rows = shown.map((name) => {
    const unit = variants.find(({ metrics }) => metrics[name] !== undefined)?.metrics[name]?.unit ?? '';
    return [metricHeading(name, unit), ...variants.map((summary) => medianCell(summary, name))];
  });
  return {
    columns: [left('median of'), ...variants.map(({ variant }): Column => ({ heading: variant, align: 'right' }))],
    rows,
  };
}

/** The primary metric block by block: the pairs that all rests on. */
export function pairTable({ comparisons }: ExperimentResult): Table {
  const primary = comparisons.filter(({ isPrimary, pairs }) => isPrimary && pairs.length > 0);
  const blocks = [...new Set(primary.flatMap(({ pairs }) => pairs.map(({ block }) => block)))].sort((a, b) => a - b);
  const pairOf = (comparison: Comparison, block: number) => comparison.pairs.find((pair) => pair.block === block);
  const [first] = primary;
  if (first === undefined) return { columns: [], rows: [] };
  const rows = blocks.map((block) => {
    const baseline = primary
      .map((comparison) => pairOf(comparison, block)?.baseline)
      .find((value) => value !== undefined);
    return [
      String(block),
      baseline === undefined ? '' : metricCell(baseline, first.unit),
      ...primary.flatMap((comparison) => {
        const pair = pairOf(comparison, block);
        if (pair === undefined) return ['', ''];
        const isFar = comparison.outliers.includes(block);
        return [metricCell(pair.variant, comparison.unit), formatChange(pair.ratio - 1) + (isFar ? ' *' : '')];
      }),
    ];
  });
  const columns: Column[] = [
    { heading: 'block', align: 'right' },
    { heading: first.baseline, align: 'point' },
    ...primary.flatMap(({ variant }): Column[] => [{ heading: variant, align: 'point' }, left('change')]),
  ];
  return { columns, rows };
}

const OF_SPEED = /^(?:(?:transactions|statements)\/s|p\d|min|max|mean|elapsed|part\()/;

/** `FASTER`; of what is no speed, `BETTER`. */
export function verdictWord({ verdict, metric }: Pick<Comparison, 'verdict' | 'metric'>): string {
  if (OF_SPEED.test(metric)) return verdict;
  if (verdict === 'FASTER') return 'BETTER';
  return verdict === 'SLOWER' ? 'WORSE' : verdict;
}

/** `+4.8 % to +7.3 %`, and a dash where one run of each tells nothing. */
export function intervalText({ low, high }: { readonly low: number; readonly high: number }): string {
  return low > -1 && high < UNBOUNDED ? formatSpan({ low, high }) : '-';
}

export function pText({ pT, pHolm }: Pick<Comparison, 'pT' | 'pHolm'>): string {
  return formatP(pHolm ?? pT);
}

/** In the order in which they are told: the primary metric first. */
export function byMetric(comparisons: readonly Comparison[]): Map<string, Comparison[]> {
  const groups = new Map<string, Comparison[]>();
  for (const comparison of comparisons) {
    groups.set(comparison.metric, [...(groups.get(comparison.metric) ?? []), comparison]);
  }
  return groups;
}

/** How the runs were made: each with its value. */
export function planFacts(plan: ExperimentPlan): (readonly [string, string])[] {
  const { workload, workloadOptions, loadOptions, target, start, blocks, stop, metric, marginShare, settings } = plan;
  const options = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values)
      .map(([name, value]) => `--${name.replaceAll('_', '-')}=${String(value)}`)
      .join(' ');
  const set = Object.entries(settings).map(assignment);
  return [
    ['workload', `${workload} ${options(workloadOptions)}`.trimEnd()],
    ['load', options(loadOptions) || 'as it is by default'],
    ['target', target],
    ...(set.length === 0 ? [] : [['settings of all', set.join(', ')] as const]),
    ['each run begins with', `data ${start.data}, cache ${start.cache}`],
    ['blocks', stop.is === 'fixed' ? String(blocks) : `${blocks} at most; a look at 6, 10, 16 and 24`],
    ['decided by', `${metric}, margin ${formatShare(marginShare)}`],
    ...plan.variants.map((variant) => [variantLabel(variant.name, plan), changeText(variant)] as const),
  ];
}

export function elapsedText(startedAt: string, endedAt: string | undefined): string {
  if (endedAt === undefined) return `begun ${startedAt}`;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return `${startedAt} to ${endedAt} (${formatDuration(seconds)})`;
}

function variantLabel(name: string, { baseline }: ExperimentPlan): string {
  return name === baseline ? `${name} (baseline)` : name;
}

/** What is turned, as it stands in the plan. */
function changeText({
  is,
  name: _name,
  levels: _levels,
  pricePerMonth,
  ...change
}: ExperimentPlan['variants'][number]): string {
  const turned = Object.entries(change).map(([what, value]) =>
    typeof value === 'string'
      ? `${what}: ${value}`
      : Object.entries(value as Readonly<Record<string, unknown>>)
          .map(assignment)
          .join(', '),
  );
  const price = pricePerMonth === undefined ? [] : [`${pricePerMonth} a month`];
  const words = is === undefined ? [] : [`${is}:`];
  return [words.join(''), [...turned, ...price].join('; ') || 'nothing turned'].filter((text) => text !== '').join(' ');
}

/** A setting with nothing behind it is a switch. */
function assignment([name, value]: readonly [string, unknown]): string {
  return value === '' ? name : `${name} = ${String(value)}`;
}

function left(heading: string): Column {
  return { heading, align: 'left' };
}

function medianCell({ metrics }: VariantSummary, name: string): string {
  const found = metrics[name];
  return found === undefined ? '' : metricCell(found.median, found.unit);
}

function verdictCell(summary: VariantSummary, comparison: Comparison | undefined, baseline: string): string {
  if (summary.variant === baseline) return 'baseline';
  return comparison === undefined ? 'not compared' : verdictWord(comparison);
}

function isAllZero({ variants }: ExperimentResult, name: string): boolean {
  return variants.every(({ metrics }) => (metrics[name]?.values ?? []).every((value) => value === 0));
}
