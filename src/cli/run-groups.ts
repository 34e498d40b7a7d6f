/** What is named on the line of `compare`: runs, tags, experiments with their variants, and several by comma. */
import { UserError } from '../base/errors.ts';
import type { RunGroup } from '../lab/compare/groups.ts';
import type { ExperimentRecord, JournalEntry } from '../model/experiment.ts';
import type { RunRecord } from '../model/run.ts';
import { type ExperimentSummary, openExperiments } from '../store/experiments.ts';
import { openStore, type RunList, type Store } from '../store/store.ts';

export interface NamedGroups {
  readonly groups: readonly RunGroup[];
  /** Where an experiment was named: its own, which a line may still replace. */
  readonly of?: Pick<ExperimentRecord['plan'], 'baseline' | 'metric' | 'secondary' | 'marginShare'>;
}

/** Reads each run once. */
export async function openGroups(
  references: readonly string[],
  storeDirectory: string | undefined,
): Promise<NamedGroups> {
  const store = openStore(storeDirectory);
  const experiments = openExperiments(storeDirectory);
  const [{ runs }, { experiments: known }] = await Promise.all([store.list(), experiments.list()]);
  const finder: Finder = { store, runs, known, load: (id) => experiments.load(id), loaded: new Map() };
  const found = await inTurn(references, (reference) => groupsOf(reference, finder));
  const [only] = found.length === 1 ? found : [];
  return { groups: found.flatMap(({ groups }) => groups), ...(only?.of === undefined ? {} : { of: only.of }) };
}

interface Finder {
  readonly store: Store;
  readonly runs: RunList['runs'];
  readonly known: readonly ExperimentSummary[];
  load(id: string): Promise<{ readonly record: ExperimentRecord; readonly journal: readonly JournalEntry[] }>;
  /** By id. */
  readonly loaded: Map<string, RunRecord>;
}

async function groupsOf(reference: string, finder: Finder): Promise<NamedGroups> {
  const parts = reference.split(',').filter((part) => part !== '');
  if (parts.length > 1) {
    const each = await inTurn(parts, (part) => groupsOf(part, finder));
    const runs = each.flatMap(({ groups }) => groups.flatMap((group) => group.runs));
    return { groups: [{ name: reference, runs, change: {} }] };
  }
  const [, name = reference, variant] = /^([^/]+):([^/:]+)$/.exec(reference) ?? [];
  const experiment = experimentNamed(name, finder);
  if (experiment !== undefined) return variantsOf(experiment, variant, finder);
  const tagged = finder.runs.filter(({ id, tags }) => tags.includes(reference) && id !== reference);
  if (tagged.length > 0 && !finder.runs.some(({ id }) => id === reference)) {
    return {
      groups: [
        {
          name: reference,
          runs: await loadAll(
            tagged.map(({ id }) => id),
            finder,
          ),
          change: {},
        },
      ],
    };
  }
  return { groups: [await oneRun(reference, finder)] };
}

/** By its id, or by its name: then the newest. A run of that name goes before, which ids of runs make unlikely. */
function experimentNamed(name: string, { known, runs }: Finder): ExperimentSummary | undefined {
  if (runs.some(({ id }) => id === name)) return undefined;
  const byName = known.findLast((experiment) => experiment.id === name || experiment.name === name);
  if (byName !== undefined) return byName;
  const byEnd = known.filter(({ id }) => id.endsWith(`-${name}`));
  const isRun = runs.some(({ id }) => id.endsWith(`-${name}`));
  return byEnd.length === 1 && !isRun ? byEnd[0] : undefined;
}

async function variantsOf(
  { id }: ExperimentSummary,
  variant: string | undefined,
  finder: Finder,
): Promise<NamedGroups> {
  const { record, journal } = await finder.load(id);
  const { plan } = record;
  const wanted = plan.variants.filter(({ name }) => variant === undefined || name === variant);
  if (wanted.length === 0) {
    throw new UserError(`The experiment ${id} has no variant '${variant}'.`, {
      hint: `It has: ${plan.variants.map(({ name }) => name).join(', ')}.`,
    });
  }
  const done = new Map(journal.flatMap((entry) => (entry.is === 'done' ? [[entry.run, entry.entered]] : [])));
  const invalid = new Set(journal.flatMap((entry) => (entry.is === 'invalid' ? [entry.run] : [])));
  const groups = await inTurn(wanted, async ({ name, pricePerMonth, is: _is, levels: _levels, ...change }) => {
    const ofVariant = finder.runs.filter(({ experiment }) => experiment?.id === id && experiment.variant === name);
    // One that was saved, and the program killed before it could say so, counts like the others.
    const ids = ofVariant.map((run) => run.id).filter((run) => !invalid.has(run));
    const fingerprints = ids.flatMap((run) => done.get(run)?.data.fingerprint ?? []);
    const isKnown = fingerprints.length === ids.length && plan.start.data !== 'kept';
    return {
      name,
      runs: await loadAll(ids, finder),
      change,
      ...(pricePerMonth === undefined ? {} : { pricePerMonth }),
      ...(isKnown ? { fingerprints } : {}),
    };
  });
  // The baseline stands first, as it does where it is named on the line.
  const isBaseline = ({ name }: RunGroup) => name === plan.baseline;
  return { groups: [...groups.filter(isBaseline), ...groups.filter((group) => !isBaseline(group))], of: plan };
}

async function oneRun(reference: string, finder: Finder): Promise<RunGroup> {
  const record = await finder.store.load(reference);
  const known = finder.loaded.get(record.id) ?? record;
  finder.loaded.set(record.id, known);
  const isOwnName = reference !== 'latest' && !reference.includes('/') && reference !== '.';
  return { name: isOwnName ? reference : record.id, runs: [known], change: {} };
}

/** More at once would only queue. */
const READS_AT_ONCE = 8;

async function loadAll(ids: readonly string[], { store, loaded }: Finder): Promise<RunRecord[]> {
  const waiting = ids.filter((id) => !loaded.has(id));
  const readNext = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) loaded.set(id, await store.load(id));
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readNext));
  return ids.map((id) => loaded.get(id)!);
}

async function inTurn<Item, Result>(items: readonly Item[], each: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await each(item));
  return results;
}
