/** Stored runs side by side, with the statistics of experiments, and with what makes them more or less comparable. */
import { UserError } from '../../base/errors.ts';
import { COMPARISON_FORMAT, type RunDifference, type RunsComparison } from '../../model/comparison.ts';
import { metricNamesOf, metricOf } from '../../stats/metrics.ts';
import { type ComparisonTerms, compareVariants, toComparison } from '../experiment/comparisons.ts';
import { headline } from '../experiment/headline.ts';
import type { VariantRuns } from '../experiment/placed-run.ts';
import { generalNotes } from '../experiment/result-notes.ts';
import { summaryOfVariant } from '../experiment/variant-summary.ts';
import { differencesBetween } from './differences.ts';
import { type RunGroup, withoutInvalid } from './groups.ts';
import { pair } from './pairing.ts';

export interface CompareOptions {
  readonly metric: string;
  readonly secondary: readonly string[];
  readonly marginShare: number;
  /** Name of a group; absent: the first. */
  readonly baseline?: string;
  /** Also what is not the same work. */
  readonly anyway: boolean;
}

/** Throws a `UserError` where the groups did not do the same work on the same data, unless that is wanted. */
export function compareRuns(given: readonly RunGroup[], options: CompareOptions): RunsComparison {
  const checked = given.map(withoutInvalid);
  const groups = checked.map(({ group }) => group);
  const differences = differencesBetween(groups);
  refuse(differences, options);
  ensureTold(groups, options.metric);
  const { pairing, runs, notes } = pair(groups);
  const variants = groups.map(({ name, change, pricePerMonth }): VariantRuns => {
    const price = pricePerMonth === undefined ? {} : { pricePerMonth };
    const own = runs.filter(({ variant }) => variant === name);
    return { name, change, ...price, runs: own.sort((one, other) => one.block - other.block) };
  });
  const baseline = options.baseline ?? groups[0]?.name ?? '';
  const { metric, secondary, marginShare } = options;
  const terms: ComparisonTerms = { baseline, metric, secondary, marginShare, isPaired: pairing !== 'none' };
  const compared = compareVariants(variants, terms);
  const summaries = variants.map((variant) => summaryOfVariant(variant, [metric, ...secondary]));
  const judged = { variants, summaries, compared };
  return {
    format: COMPARISON_FORMAT,
    metric,
    marginShare,
    baseline,
    pairing,
    differences,
    result: {
      is: headline(judged, terms),
      blocks: pairing === 'none' ? 0 : new Set(runs.map(({ block }) => block)).size,
      variants: summaries,
      comparisons: compared.map(toComparison),
      notes: [
        ...notes,
        ...dataNote(groups),
        ...checked.flatMap(({ group: { name }, left }) => leftOutNote(name, left)),
        ...differences.filter(({ what }) => what !== 'durability').map(({ text }) => text),
        ...generalNotes(judged, baseline),
      ],
    },
  };
}

function refuse(differences: readonly RunDifference[], { anyway }: CompareOptions): void {
  const refused = differences.filter(({ is }) => is === 'refused');
  if (refused.length === 0 || anyway) return;
  throw new UserError(`These runs did not do the same work, so their figures cannot be compared. ${texts(refused)}`, {
    hint: 'Compare runs of one workload with the same options; or add --anyway, and mind what the figures mean then.',
  });
}

function texts(differences: readonly RunDifference[]): string {
  const capital = ({ text }: RunDifference) => text.charAt(0).toUpperCase() + text.slice(1);
  return differences.map(capital).join(' ');
}

/** A name that no run knows is mistyped, or these runs were not watched. */
function ensureTold(groups: readonly RunGroup[], metric: string): void {
  const { name, of } = metricOf(metric);
  const records = groups.flatMap(({ runs }) => runs);
  const [first] = records;
  if (first === undefined || records.some((record) => of(record) !== undefined)) return;
  const latencies = metricNamesOf(first).filter((each) => each.startsWith('p99('));
  throw new UserError(`None of these runs tells ${name}.`, {
    hint: `They tell, beside what every run does: ${latencies.join(', ')}. All of it: sqldyno runs show ${first.id} --format=json`,
  });
}

function leftOutNote(name: string, left: number): string[] {
  if (left === 0) return [];
  return [
    `${left === 1 ? '1 run' : `${left} runs`} of ${name} did not end as planned or prove nothing, and do not count.`,
  ];
}

function dataNote(groups: readonly RunGroup[]): string[] {
  const isKnown = groups.every(({ fingerprints }) => fingerprints !== undefined);
  return isKnown ? [] : ['Of the data, the options by which they were made are known, and not what was in the tables.'];
}
