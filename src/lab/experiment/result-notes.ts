/** What must be known to judge the result of an experiment. Each note is a sentence. */

import { formatSignificant } from '../../base/units.ts';
import type { ExperimentPlan, VariantSummary } from '../../model/experiment.ts';
import { environmentNotes } from './environment-notes.ts';
import type { VariantRuns } from './placed-run.ts';
import { type ComparedVariant, percent } from './sentences.ts';
import { COST } from './variant-summary.ts';

export interface Judged {
  readonly variants: readonly VariantRuns[];
  readonly summaries: readonly VariantSummary[];
  readonly compared: readonly ComparedVariant[];
}

/** Those that hold for stored runs too. */
export function generalNotes({ variants, summaries, compared }: Judged, baseline: string): string[] {
  return [
    ...durabilityNotes(summaries, baseline),
    ...outlierNotes(compared),
    ...correctionNotes(compared),
    ...environmentNotes(variants, baseline),
    ...warningNotes(variants),
    ...costNotes(summaries),
  ];
}

export function experimentNotes(plan: ExperimentPlan, judged: Judged, blocks: number): string[] {
  return [
    ...progressNotes(plan, blocks),
    ...dataNotes(plan, judged.variants),
    ...judged.variants.flatMap(adjustedNotes),
    ...judged.variants.flatMap(driftNotes),
    ...generalNotes(judged, plan.baseline),
  ];
}

function progressNotes({ blocks: planned, stop }: ExperimentPlan, blocks: number): string[] {
  if (blocks >= planned) return [];
  const early = stop.is === 'sequential' ? '; a look before the last one asks for p < 0.001' : '';
  return [`${blocks} of ${planned} blocks are complete${early}.`];
}

function durabilityNotes(summaries: readonly VariantSummary[], baselineName: string): string[] {
  const known = summaries.filter(({ runs }) => runs.length > 0);
  const baseline = known.find(({ variant }) => variant === baselineName);
  if (known.every(({ durability }) => durability.is === baseline?.durability.is)) return [];
  return known.map(({ variant, durability }) => `Durability of ${variant}: ${durability.is}. ${durability.because}`);
}

function outlierNotes(compared: readonly ComparedVariant[]): string[] {
  return compared
    .filter(({ isPrimary, outliers }) => isPrimary && outliers.length > 0)
    .map(({ variant, outliers, hodgesLehmann, effect }) => {
      const isOne = outliers.length === 1;
      const blocks = isOne ? `Block ${outliers[0]} lies` : `Blocks ${outliers.join(', ')} lie`;
      return (
        `${blocks} far from the others of ${variant}, and ${isOne ? 'counts' : 'count'} all the same; by an estimate that minds them less ` +
        `(Hodges-Lehmann) it is ${percent(hodgesLehmann.effect)} instead of ${percent(effect)}.`
      );
    });
}

function correctionNotes(compared: readonly ComparedVariant[]): string[] {
  const [primary, secondary] = [true, false].map((isPrimary) =>
    compared.filter((each) => each.isPrimary === isPrimary),
  );
  return [
    ...(primary!.length > 1 ? [`p of the ${primary!.length} variants is corrected for their number (Holm).`] : []),
    ...(secondary!.length > 1
      ? [`p of the ${secondary!.length} other comparisons is corrected for their number.`]
      : []),
  ];
}

/** Of one variant, by the stable name of the finding. */
function warningNotes(variants: readonly VariantRuns[]): string[] {
  return variants.flatMap(({ name, runs }) => {
    const warnings = runs.flatMap(({ record }) => record.findings.filter(({ severity }) => severity === 'warning'));
    const ids = [...new Set(warnings.map(({ id }) => id))];
    return ids.map((id) => {
      const found = warnings.filter((each) => each.id === id);
      return `${found.length} of ${runs.length} runs of ${name} have the warning ${id}: ${found[0]!.is}`;
    });
  });
}

function costNotes(summaries: readonly VariantSummary[]): string[] {
  const priced = summaries.flatMap(({ variant, metrics }) => {
    const cost = metrics[COST];
    return cost === undefined ? [] : [`${formatSignificant(cost.median)} with ${variant}`];
  });
  return priced.length === 0 ? [] : [`1,000 transactions/s cost a month: ${priced.join(', ')}.`];
}

/** Data are the same where nothing that makes them is turned. */
function dataNotes({ start }: ExperimentPlan, variants: readonly VariantRuns[]): string[] {
  if (start.data === 'kept') return ['Each run began with the data that the run before it had left.'];
  const prints = variants.map(({ name, change, runs }) => ({
    name,
    makesOthers: change.workload !== undefined || change.engine !== undefined || change.target !== undefined,
    of: [...new Set(runs.flatMap(({ entered }) => (entered === undefined ? [] : [entered.data.fingerprint])))],
  }));
  const changing = prints.filter(({ of }) => of.length > 1);
  const alike = prints.filter(({ makesOthers, of }) => !makesOthers && of.length === 1);
  const differ = new Set(alike.map(({ of }) => of[0])).size > 1;
  return [
    ...changing.map(({ name }) => `The data of ${name} were not the same in all blocks: their fingerprints differ.`),
    ...(differ ? [`The data were not the same for ${alike.map(({ name }) => name).join(' and ')}.`] : []),
  ];
}

function adjustedNotes({ name, runs }: VariantRuns): string[] {
  const adjusted = runs.flatMap(({ entered }) => entered?.adjusted ?? []);
  const byName = new Map(adjusted.map((each) => [each.name, each]));
  return [...byName.values()].map(
    ({ name: setting, asked, effective }) =>
      `${name} asked for ${setting} = ${asked}; the server made it ${effective}.`,
  );
}

function driftNotes({ name, runs }: VariantRuns): string[] {
  const drift = new Set(runs.flatMap(({ entered }) => entered?.drift ?? []).map((each) => each.replace(/\.$/, '')));
  const when = runs.length === 1 ? 'before its run' : 'between its runs';
  return drift.size === 0 ? [] : [`Of ${name}, variables changed ${when}: ${[...drift].join(', ')}.`];
}
