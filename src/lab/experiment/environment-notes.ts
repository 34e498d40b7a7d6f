/** In what runs differ beside what was turned: whoever compares them must know it. Each note is a sentence. */
import type { Change } from '../../model/experiment.ts';
import { environmentDiff, type FactsDiff, isWithoutDifference, tellsApart } from '../../stats/environment-diff.ts';
import type { PlacedRun, VariantRuns } from './placed-run.ts';

/** The first few tell where to look; `environment diff` has all. */
const NAMED_MAX = 5;
/** Not by the server's settings alone, so that they are asked about first. */
const GROUPS = ['server', 'host', 'client'] as const;
const OF_GROUP = { server: 'the server', host: "the server's host", client: 'the client' } as const;

/** Between the variants, and between the runs of each. */
export function environmentNotes(variants: readonly VariantRuns[], baselineName: string): string[] {
  const baseline = variants.find(({ name }) => name === baselineName);
  return [
    ...variants.flatMap((variant) => changesWithin(variant)),
    ...variants.flatMap((variant) =>
      baseline === undefined || variant === baseline ? [] : differencesBetween(baseline, variant),
    ),
  ];
}

function differencesBetween(baseline: VariantRuns, variant: VariantRuns): string[] {
  const [one, other] = [baseline.runs[0], variant.runs[0]];
  if (one === undefined || other === undefined) return [];
  const changes = [baseline.change, variant.change];
  const isTurned = turnedBy(changes);
  const beside = changes.some((change) => Object.keys(change).length > 0) ? 'Beside what is turned, ' : '';
  const found = differencesOf(one, other, isTurned);
  return found.map(
    ({ group, names }) =>
      `${capitalised(`${beside}${OF_GROUP[group]}`)} of ${variant.name} differs from that of ${baseline.name}: ${list(names)}. ` +
      `All of it: sqldyno environment diff ${one.record.id} ${other.record.id}`,
  );
}

/** Told of the first run that differs. */
function changesWithin({ name, runs: [first, ...others] }: VariantRuns): string[] {
  if (first === undefined) return [];
  for (const other of others) {
    const found = differencesOf(first, other, () => false);
    if (found.length === 0) continue;
    const names = found.flatMap((each) => each.names);
    return [`While it went on, the environment of ${name} changed, by block ${other.block}: ${list(names)}.`];
  }
  return [];
}

interface GroupDifference {
  readonly group: (typeof GROUPS)[number];
  readonly names: readonly string[];
}

function differencesOf(one: PlacedRun, other: PlacedRun, isTurned: IsTurned): GroupDifference[] {
  const diff = environmentDiff(one.record, other.record);
  return GROUPS.flatMap((group) => {
    const facts = diff[group];
    if (facts === undefined || isWithoutDifference(facts)) return [];
    const names = namesOf(facts).filter((name) => !isTurned(group, name));
    return names.length === 0 ? [] : [{ group, names }];
  });
}

function namesOf({ differing, onlyInOne, onlyInOther }: FactsDiff): string[] {
  return [...differing, ...onlyInOne, ...onlyInOther].map(({ name }) => name).filter((name) => !tellsApart(name));
}

type IsTurned = (group: GroupDifference['group'], name: string) => boolean;

function turnedBy(changes: readonly Change[]): IsTurned {
  const settings = new Set(
    changes
      .flatMap(({ settings = {}, global = {}, persist = {} }) => [settings, global, persist])
      .flatMap((each) => Object.keys(each))
      .map((name) => `variable.${name.replaceAll('-', '_').replace(/^(?:loose|skip)_/, '')}`),
  );
  const has = (what: keyof Change) => changes.some((change) => change[what] !== undefined);
  return (group, name) => {
    if (group === 'client') return false;
    if (has('target')) return true;
    if (group === 'server') return settings.has(name) || has('server');
    return has('dataDirectory') && /^(?:datadir|disk)\./.test(name);
  };
}

function list(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
