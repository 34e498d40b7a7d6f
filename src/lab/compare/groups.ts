/** Stored runs under the names by which they are compared: as they were asked for, or by tag, host or variant. */
import { UserError } from '../../base/errors.ts';
import type { Change } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import { hostNameOf, machineKeyOf } from '../../store/run-keys.ts';
import { counts } from '../experiment/placed-run.ts';

export interface RunGroup {
  readonly name: string;
  readonly runs: readonly RunRecord[];
  /** What was turned on purpose, where that is known: it is no reason to refuse. */
  readonly change: Change;
  readonly pricePerMonth?: number;
  /** Of the data that its runs began with, where that is known of all. */
  readonly fingerprints?: readonly string[];
}

export type Grouping = 'tag' | 'host' | 'variant';

/** In the order of their first runs. Runs that belong nowhere are left out. */
export function groupRuns(runs: readonly RunRecord[], by: Grouping): RunGroup[] {
  const inOrder = [...new Map(runs.map((run) => [run.id, run])).values()].sort(byStart);
  const keysOf = { tag: tagsOf(inOrder), host: hostsOf, variant: variantOf }[by];
  const groups = new Map<string, RunRecord[]>();
  for (const run of inOrder) {
    for (const key of keysOf(run)) groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  if (by === 'host') return named(groups);
  return [...groups].map(([name, members]) => ({ name, runs: members, change: {} }));
}

/** Those that came to their end and prove something; with how many others there were. */
export function withoutInvalid(group: RunGroup): { readonly group: RunGroup; readonly left: number } {
  const runs = group.runs.filter((record) => counts({ record }));
  return { group: { ...group, runs }, left: group.runs.length - runs.length };
}

/** Figures of one run on both sides would make the two look alike. */
export function ensureComparable(groups: readonly RunGroup[], hint: string): void {
  if (groups.length < 2) {
    const found = groups.map(({ name }) => name).join('');
    throw new UserError(`There is nothing to compare${found === '' ? '' : ` ${found} with`}.`, { hint });
  }
  const owner = new Map<string, string>();
  for (const { name, runs } of groups) {
    for (const { id } of runs) {
      const other = owner.get(id);
      if (other !== undefined) {
        throw new UserError(`The run ${id} is both in ${other} and in ${name}.`, {
          hint: 'Name runs or tags that have none in common.',
        });
      }
      owner.set(id, name);
    }
  }
}

export function byStart(one: RunRecord, other: RunRecord): number {
  const [first, second] = [`${one.startedAt} ${one.id}`, `${other.startedAt} ${other.id}`];
  return first < second ? -1 : Number(first > second);
}

/** A tag that all of them have tells none apart. */
function tagsOf(runs: readonly RunRecord[]): (run: RunRecord) => readonly string[] {
  const isCommon = (tag: string) => runs.every(({ tags }) => tags.includes(tag));
  return ({ tags }) => tags.filter((tag) => !isCommon(tag));
}

function hostsOf(run: RunRecord): readonly string[] {
  return [machineKeyOf(run)];
}

function variantOf({ experiment }: RunRecord): readonly string[] {
  return experiment === undefined ? [] : [experiment.variant];
}

/** By the host's name; two machines of one name, by what tells them apart. All of the host is what was turned. */
function named(byKey: ReadonlyMap<string, readonly RunRecord[]>): RunGroup[] {
  const groups = [...byKey].map(([key, runs]) => ({ key, runs, name: hostName(runs[0]!) ?? key }));
  return groups.map(({ key, runs, name }) => {
    const isOnly = groups.filter((group) => group.name === name).length === 1;
    return { name: isOnly ? name : key, runs, change: { target: 'another host' } };
  });
}

/** With its hypervisor, which tells a guest from another on one machine. */
function hostName(run: RunRecord): string | undefined {
  const name = hostNameOf(run);
  const hypervisor = run.environment?.host['virtualization.hypervisor'];
  if (name === undefined || hypervisor === undefined || hypervisor === 'none') return name;
  return `${name} (${hypervisor})`;
}
