/** `sqldyno compare`: stored runs, tags and variants side by side, with the statistics of experiments. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { type CompareOptions, compareRuns } from '../../lab/compare/compare-runs.ts';
import { ensureComparable, type Grouping, groupRuns, type RunGroup } from '../../lab/compare/groups.ts';
import type { RunsComparison } from '../../model/comparison.ts';
import { comparisonText } from '../../report/compare-text.ts';
import { metricOf } from '../../stats/metrics.ts';
import { marginOf } from '../margin.ts';
import { type NamedGroups, openGroups } from '../run-groups.ts';
import { jsonText, type Terminal } from '../terminal.ts';

export interface CompareLine {
  readonly references: readonly string[];
  readonly metric?: string;
  /** By comma. */
  readonly secondary?: string;
  /** `2%`, `0.02`. */
  readonly margin?: string;
  readonly by?: Grouping;
  /** Name of a group. */
  readonly baseline?: string;
  readonly anyway: boolean;
}

const METRIC = 'transactions/s';
const SECONDARY = ['p95(transaction)', 'p99(transaction)'];
const MARGIN_SHARE = 0.02;

export async function compareCommand(
  line: CompareLine,
  { terminal, storeDirectory }: { readonly terminal: Terminal; readonly storeDirectory: string | undefined },
): Promise<ExitCode> {
  const comparison = await comparisonOf(line, storeDirectory);
  terminal.json(jsonText(comparison));
  if (!terminal.wantsJson) terminal.say(comparisonText(comparison).trimEnd());
  return ExitCode.done;
}

export async function comparisonOf(line: CompareLine, storeDirectory: string | undefined): Promise<RunsComparison> {
  // A mistyped name must not cost the reading of a hundred runs.
  for (const name of [...(line.metric === undefined ? [] : [line.metric]), ...secondaryOf(line)]) metricOf(name);
  const marginShare = line.margin === undefined ? undefined : marginOf(line.margin);
  const named = await openGroups(line.references, storeDirectory);
  const groups = distinct(line.by === undefined ? named.groups : regrouped(named, line.by));
  ensureComparable(groups, hintFor(line));
  return compareRuns(groups, optionsOf(line, { named, groups, marginShare }));
}

interface Known {
  readonly named: NamedGroups;
  readonly groups: readonly RunGroup[];
  readonly marginShare: number | undefined;
}

/** What the line says, else what the experiment had declared before. */
function optionsOf(line: CompareLine, { named: { of }, groups, marginShare }: Known): CompareOptions {
  const { baseline = line.by === undefined ? of?.baseline : undefined } = line;
  const secondary = line.secondary === undefined ? (of?.secondary ?? SECONDARY) : secondaryOf(line);
  if (baseline !== undefined && !groups.some(({ name }) => name === baseline)) {
    throw new UserError(`--baseline=${baseline} is none of what is compared.`, {
      hint: `There are: ${groups.map(({ name }) => name).join(', ')}.`,
    });
  }
  return {
    metric: line.metric ?? of?.metric ?? METRIC,
    secondary,
    marginShare: marginShare ?? of?.marginShare ?? MARGIN_SHARE,
    ...(baseline === undefined ? {} : { baseline }),
    anyway: line.anyway,
  };
}

function secondaryOf({ secondary = '' }: CompareLine): string[] {
  return secondary
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function regrouped({ groups }: NamedGroups, by: Grouping): RunGroup[] {
  return groupRuns(
    groups.flatMap(({ runs }) => runs),
    by,
  );
}

/** Two experiments may have variants of one name. */
function distinct(groups: readonly RunGroup[]): RunGroup[] {
  return groups.map((group, at) => {
    const before = groups.slice(0, at).filter(({ name }) => name === group.name).length;
    return before === 0 ? group : { ...group, name: `${group.name} (${before + 1})` };
  });
}

function hintFor({ by }: CompareLine): string {
  if (by === undefined) return 'Name two or more runs or tags, or an experiment: sqldyno compare before after';
  return `Of these runs, --by=${by} makes one group: name more runs, or group them by something else.`;
}
