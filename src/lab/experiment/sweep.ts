/** What a sweep shows, from its plan and its runs alone, whole or as far as they go: the curve, or the knee. */
import { formatPercent, formatRate } from '../../base/units.ts';
import type { ExperimentRecord } from '../../model/experiment.ts';
import { SWEEP_FORMAT, type SweepCurve, type SweepKnee, type SweepResult, type SweepValue } from '../../model/sweep.ts';
import { medianOf } from '../../stats/sample.ts';
import { fitScalability, scalabilityAt } from '../../stats/scalability.ts';
import { type PlacedRun, runsByVariant, type VariantRuns } from './placed-run.ts';
import { kneeOf } from './sweep-knee.ts';
import { numberOf, type Swept, sweptBy } from './sweep-plan.ts';
import { summaryOfVariant } from './variant-summary.ts';

/** Beside what is kept of every variant. */
const METRICS = ['p50(transaction)', 'cpu.busy', 'buffer_pool.miss_ratio', 'poolMisses/transaction'];
/** They say when transactions are due: what comes of it is at most what was asked for. */
const OFFERED = ['rate', 'terminals'];
/** Less of what was due is not kept up with. */
const KEPT_UP_MIN = 0.98;

/** Undefined where the experiment is no sweep. */
export function analyseSweep(record: ExperimentRecord, runs: readonly PlacedRun[]): SweepResult | undefined {
  const { id, startedAt, ending, plan } = record;
  const swept = sweptBy(plan);
  if (swept === undefined) return undefined;
  const ordered = orderedOf(swept, runsByVariant(plan.variants, runs));
  const curve = swept.over === 'threads' ? curveOf(ordered) : undefined;
  const values = ordered.map((each) => withCurve(sweepValueOf(each), each, curve));
  const isNumeric = ordered.every(({ number }) => number !== undefined);
  const hasKnee = isNumeric && curve === undefined && !OFFERED.includes(swept.over);
  const knee = hasKnee ? kneeOf(ordered, plan.marginShare) : undefined;
  const known = { over: swept.over, values, curve, knee };
  return {
    format: SWEEP_FORMAT,
    id,
    startedAt,
    ...(ending === undefined ? {} : { ending }),
    workload: plan.workload,
    over: swept.over,
    of: swept.of,
    repeats: plan.blocks,
    values,
    ...(curve === undefined ? {} : { curve }),
    ...(knee === undefined ? {} : { knee }),
    is: sentenceOf(known),
    notes: notesOf(record, known),
  };
}

interface OrderedValue {
  readonly value: string;
  readonly number: number | undefined;
  readonly variant: VariantRuns;
}

/** Numbers from the smallest, all else as it was given. */
function orderedOf({ values }: Swept, variants: readonly VariantRuns[]): OrderedValue[] {
  const ordered = variants.map((variant) => {
    const value = values.get(variant.name) ?? variant.name;
    return { value, number: numberOf(value), variant };
  });
  const isNumeric = ordered.every(({ number }) => number !== undefined);
  return isNumeric ? ordered.sort((one, other) => (one.number ?? 0) - (other.number ?? 0)) : ordered;
}

function sweepValueOf({ value, number, variant }: OrderedValue): SweepValue {
  const { metrics, bottleneck, durability } = summaryOfVariant(variant, METRICS);
  const ratesPerS = variant.runs.map(({ record }) => record.rates.transactionsPerS);
  return {
    value,
    ...(number === undefined ? {} : { number }),
    runs: variant.runs.map(({ record }) => record.id),
    ratesPerS,
    ...(ratesPerS.length === 0
      ? {}
      : { ratePerS: { median: medianOf(ratesPerS), min: Math.min(...ratesPerS), max: Math.max(...ratesPerS) } }),
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, { unit, median }]) => [name, { unit, median }])),
    ...(bottleneck === undefined ? {} : { bottleneck }),
    durability: durability.is,
  };
}

/** Every run is a point: how they scatter says how far the curve is known. */
function curveOf(ordered: readonly OrderedValue[]): SweepCurve {
  const points = ordered.flatMap(({ number, variant }) =>
    variant.runs.map(({ record }) => ({ n: number ?? 1, x: record.rates.transactionsPerS })),
  );
  return fitScalability(points);
}

function withCurve(value: SweepValue, { number }: OrderedValue, curve: SweepCurve | undefined): SweepValue {
  if (curve?.is !== 'fitted' || number === undefined) return value;
  const curvePerS = scalabilityAt(curve, number);
  return curvePerS === undefined ? value : { ...value, curvePerS };
}

interface Known {
  readonly over: string;
  readonly values: readonly SweepValue[];
  readonly curve: SweepCurve | undefined;
  readonly knee: SweepKnee | undefined;
}

function sentenceOf(known: Known): string {
  const { over, values, curve, knee } = known;
  const best = bestOf(values);
  if (best?.ratePerS === undefined) return 'Nothing was measured.';
  const most = `Most is done with ${over} = ${best.value}: ${formatRate(best.ratePerS.median)}.`;
  if (OFFERED.includes(over)) return keptUp(known) ?? most;
  if (curve?.is === 'fitted') return `${most} ${curve.statements[0] ?? ''}`.trim();
  return knee === undefined ? most : kneeSentence(over, knee, values);
}

function bestOf(values: readonly SweepValue[]): SweepValue | undefined {
  const measured = values.filter(({ ratePerS }) => ratePerS !== undefined);
  return measured.reduce<SweepValue | undefined>(
    (best, each) => ((each.ratePerS?.median ?? 0) > (best?.ratePerS?.median ?? -1) ? each : best),
    undefined,
  );
}

/** Of a rate that was asked for. */
function keptUp({ over, values }: Known): string | undefined {
  if (over !== 'rate') return undefined;
  const measured = values.filter(({ number, ratePerS }) => number !== undefined && ratePerS !== undefined);
  const isKept = ({ number = 0, ratePerS }: SweepValue) => (ratePerS?.median ?? 0) >= number * KEPT_UP_MIN;
  const lost = measured.find((each) => !isKept(each));
  if (lost === undefined)
    return `The server keeps up with every rate that was tried, up to ${measured.at(-1)?.value}/s.`;
  const before = measured.slice(0, measured.indexOf(lost)).at(-1);
  const until = before === undefined ? 'with none of the rates' : `until ${before.value}/s`;
  return `The server keeps up ${until}; at ${lost.value}/s only ${formatRate(lost.ratePerS?.median ?? 0)} were done.`;
}

function kneeSentence(over: string, knee: SweepKnee, values: readonly SweepValue[]): string {
  const { value, reference, marginShare, sureFrom, isAtEnd, comparisons } = knee;
  const margin = formatPercent(marginShare);
  const rate = formatRate(values.find((each) => each.value === reference)?.ratePerS?.median ?? 0);
  if (isAtEnd) return `The rate still rises at the largest ${over}, ${value} (${rate}): the knee may lie farther up.`;
  const knees = `${over} = ${value} does as well as ${reference} (${rate}), within ${margin}; less does not.`;
  if (comparisons[0]?.value === value) {
    return `Every ${over} from ${value} on does as well as ${reference} (${rate}), within ${margin}: no knee is seen.`;
  }
  if (value === reference) return `${over} = ${value} does best (${rate}); with less, more than ${margin} is lost.`;
  if (sureFrom === value) return `${knees} That much is sure, with 95 %.`;
  const sure = sureFrom === undefined ? 'of none below it' : `from ${sureFrom} on`;
  return `${knees} The runs scatter: with 95 % it is sure ${sure}.`;
}

/** Runs of one value that differ by more are not about the value. */
const SPREAD_MAX = 0.2;

function widestOf(values: readonly SweepValue[]): { readonly value: string; readonly spread: number } | undefined {
  const spreads = values.flatMap(({ value, ratePerS }) =>
    ratePerS === undefined || ratePerS.median === 0
      ? []
      : [{ value, spread: (ratePerS.max - ratePerS.min) / ratePerS.median }],
  );
  return spreads.sort((one, other) => other.spread - one.spread)[0];
}

const CUT_SHORT = 'It ended early: some values have fewer runs than others, or none.';

function notesOf({ plan, ending }: ExperimentRecord, { over, values, curve, knee }: Known): string[] {
  const notes: string[] = [];
  const widest = widestOf(values);
  if (widest !== undefined && widest.spread > SPREAD_MAX) {
    notes.push(
      `Runs of one value differ by up to ${formatPercent(widest.spread)} (${over} = ${widest.value}): a quieter machine, a warm-up or a longer --time would show more.`,
    );
  }
  const isShort = values.some(({ runs }) => runs.length < plan.blocks);
  if (isShort && ending?.kind !== 'done') notes.push(CUT_SHORT);
  if (curve?.is === 'fitted') notes.push(...curve.statements.slice(1));
  if (curve?.is === 'not-fitted') notes.push(`No curve: ${curve.because}`);
  if (knee !== undefined && plan.blocks < 2) {
    notes.push('With one run of each value nothing can be said of how sure it is: raise --repeats.');
  }
  const classes = [...new Set(values.filter(({ runs }) => runs.length > 0).map(({ durability }) => durability))];
  if (classes.length > 1) {
    const list = values.map(({ value, durability }) => `${value} ${durability}`).join(', ');
    notes.push(`The values differ in what a crash loses, so their rates are not of equal worth: ${list}.`);
  }
  return notes;
}
