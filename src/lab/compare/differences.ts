/**
 * Whether stored runs may be compared at all: the same work on the same data, or there is nothing to compare; and what
 * else was not the same, which the reader must know.
 */
import type { RunDifference } from '../../model/comparison.ts';
import type { Change } from '../../model/experiment.ts';
import { tells } from '../../model/imported.ts';
import type { RunRecord } from '../../model/run.ts';
import type { RunGroup } from './groups.ts';

/** What is looked at, by stable name, as text. */
type Facts = Readonly<Record<string, string>>;

/** Where each run draws its own, which is the default, one side is like the other. */
const MAY_BE_DRAWN = new Set(['seed']);
const REFUSED = /^(?:workload(?:\.|$)|data$)/;
/** More values than this are summed up. */
const VALUES_MAX = 4;

export function differencesBetween(groups: readonly RunGroup[]): RunDifference[] {
  const known = groups.filter(({ runs }) => runs.length > 0);
  const valuesByGroup = known.map((group) => ({
    name: group.name,
    isImported: group.runs.every(({ imported }) => imported !== undefined),
    isDataKnown: group.fingerprints !== undefined,
    change: group.change,
    values: valuesOf(group),
  }));
  const names = [...new Set(valuesByGroup.flatMap(({ values }) => [...values.keys()]))];
  const differences = names
    .flatMap((what) => turnedAlike(what, valuesByGroup).flatMap((alike) => differenceIn(what, alike)))
    .sort((one, other) => Number(one.is === 'told') - Number(other.is === 'told'));
  return [...differences, ...known.flatMap(importedIn)];
}

/**
 * What was turned on purpose is not told as if it had happened by itself, so only those are held against each other in
 * which the same was turned: what one variant turns is no excuse for two others.
 */
function turnedAlike(what: string, all: readonly GroupValues[]): readonly (readonly GroupValues[])[] {
  const byChange = new Map<string, GroupValues[]>();
  for (const group of all.filter(({ isDataKnown }) => what !== 'data' || isDataKnown)) {
    const key = JSON.stringify(turnedOf(what, group.change) ?? null);
    byChange.set(key, [...(byChange.get(key) ?? []), group]);
  }
  return [...byChange.values()];
}

/** It is refused for no reason but what it tells. */
function importedIn({ name, runs }: RunGroup): RunDifference[] {
  const imported = runs.flatMap((run) => run.imported ?? []);
  if (imported.length === 0) return [];
  const tools = [...new Set(imported.map(({ tool }) => tool))].join(' and ');
  const which = imported.length === runs.length ? name : `${imported.length} of the ${runs.length} runs of ${name}`;
  const text =
    `${which} ${imported.length > 1 || runs.length > 1 ? 'were' : 'was'} measured by ${tools} and imported: nothing was ` +
    'cross-checked, and whether server, data and client were the same is not known beyond what the command says.';
  return [{ is: 'told', what: 'imported', text }];
}

interface GroupValues {
  readonly name: string;
  /** All of its runs: what they do not tell is no difference, and is told once. */
  readonly isImported: boolean;
  readonly isDataKnown: boolean;
  readonly change: Change;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

function differenceIn(what: string, all: readonly GroupValues[]): RunDifference[] {
  const groups = all.filter(({ values, isImported }) => !isImported || (values.get(what) ?? []).length > 0);
  if (groups.length === 0) return [];
  const of = groups.map(({ name, values }) => ({ name, values: values.get(what) ?? [ABSENT] }));
  const isMixed = of.some(({ values }) => values.length > 1);
  const isAlike = new Set(of.map(({ values }) => values.join('\n'))).size === 1;
  if (MAY_BE_DRAWN.has(what) ? isMixed || isAlike : !isMixed && isAlike) return [];
  const is = REFUSED.test(what) ? 'refused' : 'told';
  const told = of.map(({ name, values }) => `${listed(values)} with ${name}`).join(', ');
  return [{ is, what, text: `${what} is not the same: ${told}.` }];
}

const ABSENT = 'not told';

function listed(values: readonly string[]): string {
  const more = values.length - VALUES_MAX;
  return values.slice(0, VALUES_MAX).join(' and ') + (more > 0 ? ` and ${more} more` : '');
}

/** By name, the different values of its runs, sorted. What an imported run does not tell is no value. */
function valuesOf({ runs, fingerprints }: RunGroup): Map<string, readonly string[]> {
  const all = runs.map((run) => ({ facts: factsOf(run), isImported: run.imported !== undefined }));
  const names = new Set(all.flatMap(({ facts }) => Object.keys(facts)));
  const values = new Map<string, readonly string[]>();
  for (const name of names) {
    const told = all.filter(({ facts, isImported }) => !isImported || facts[name] !== undefined);
    values.set(name, [...new Set(told.map(({ facts }) => facts[name] ?? ABSENT))].sort());
  }
  if (fingerprints !== undefined) values.set('data', [...new Set(fingerprints)].sort());
  return values;
}

function factsOf(record: RunRecord): Facts {
  const { imported } = record;
  if (imported === undefined) return allFactsOf(record);
  const told = Object.entries(allFactsOf(record)).filter(([name]) => tells(record, PATHS[name] ?? name));
  return Object.fromEntries(told);
}

/** Of fields that have another name here. Nobody tells the durability of an imported run, nor its client. */
const PATHS: Readonly<Record<string, string>> = {
  'server.version': 'target',
  durability: 'target',
  'client.node': 'client',
  'client.sqldyno': 'client',
};

function allFactsOf(record: RunRecord): Facts {
  const { workload, load, target, client, seed, sqldyno, durability } = record;
  const { percentiles: _shown, ...settings } = load;
  return {
    workload: workload.name,
    ...flat('workload', workload.options),
    ...flat('load', settings),
    seed: String(seed),
    'server.version': `${target.flavor} ${target.version}`,
    durability: durability?.is ?? 'unknown',
    'client.node': client.node,
    'client.sqldyno': sqldyno.version,
  };
}

/** An option that is not there and one without a value are the same. */
function flat(prefix: string, values: object): Facts {
  const entries = Object.entries(values).flatMap(([name, value]: [string, unknown]): (readonly [string, string])[] => {
    if (value === undefined) return [];
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isNested
      ? Object.entries(flat(`${prefix}.${name}`, value))
      : [[`${prefix}.${name}`, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
  return Object.fromEntries(entries);
}

/** Of a variant's change, what decides about this. Options of the workload have names of their own. */
function turnedOf(what: string, { workload, load, engine, server }: Change): unknown {
  if (what === 'data') return [engine, workload];
  if (what === 'server.version') return server;
  if (what.startsWith('load.') || what === 'seed') return load;
  const option = /^workload\.(.+)$/.exec(what)?.[1];
  if (option === undefined) return undefined;
  return [workload?.[option], /engine/.test(option) ? engine : undefined];
}
