/** A sweep as the plan of an experiment, and back: the values are its variants, and the first is the baseline. */
import type { Problem } from '../../base/options-parse.ts';
import type { Change, ExperimentPlan } from '../../model/experiment.ts';
import type { SweepOf } from '../../model/sweep.ts';
import type { WrittenChange } from './file/schema.ts';
import { settle } from './file/settle.ts';

export interface SweepWish {
  readonly workload: string;
  /** As written on a command line. */
  readonly workloadOptions: Readonly<Record<string, string>>;
  readonly loadOptions: Readonly<Record<string, string>>;
  readonly over: string;
  readonly of: SweepOf;
  readonly values: readonly string[];
  readonly repeats: number;
  readonly marginShare: number;
  /** `private`, `private:NAME`, or a URL without its password. */
  readonly target: string;
  readonly seed: number;
}

/** What a transaction costs, beside what is always kept. */
const SECONDARY = ['p99(transaction)'];

export function planOfSweep(wish: SweepWish): { readonly plan: ExperimentPlan; readonly problems: readonly Problem[] } {
  const { workload, workloadOptions, loadOptions, over, of, values } = wish;
  const names = namesOf(values);
  const variants = Object.fromEntries(
    values.map((value, at): [string, WrittenChange] => [
      names[at] ?? '',
      { is: `${over} ${value}`, [of]: { [over]: value } },
    ]),
  );
  const { plan, problems } = settle(
    {
      name: sweepName(workload, over),
      question: `What does ${over} do to ${workload}?`,
      target: wish.target,
      // Last: an option of the workload may be called so, too.
      workload: { ...workloadOptions, name: workload },
      load: { ...loadOptions },
      metric: 'transactions/s',
      secondary: SECONDARY,
      margin: wish.marginShare,
      pairs: wish.repeats,
      stop: 'fixed',
      seed: wish.seed,
      variants,
      baseline: names[0],
    },
    'sweep',
  );
  // A sweep asks for no verdict on each value, so what it would take for one is no news.
  // An object has names that look like numbers before all others, and sorted.
  const inOrder = names.flatMap((name) => plan.variants.find((variant) => variant.name === name) ?? []);
  return {
    plan: { ...plan, variants: inOrder, notes: [] },
    problems: problems.map(({ path: _path, ...problem }) => problem),
  };
}

/** A variant's name stands in tags and commands. */
function namesOf(values: readonly string[]): string[] {
  const names = values.map((value) => value.replaceAll(/[^A-Za-z0-9_.+-]+/g, '_').replace(/^[^A-Za-z0-9_]/, '_'));
  return names.map((name, at) => (names.indexOf(name) === at && name !== '' ? name : `${name}_${at + 1}`));
}

function sweepName(workload: string, over: string): string {
  const stem = workload.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
  return `sweep-${stem}-${over}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

export interface Swept {
  readonly over: string;
  readonly of: SweepOf;
  /** By name of the variant. */
  readonly values: ReadonlyMap<string, string>;
}

const KINDS = ['load', 'workload', 'settings', 'global'] as const;

/** Undefined where the variants are not values of one thing. */
export function sweptBy({ variants }: ExperimentPlan): Swept | undefined {
  const changes = variants.map(({ name, is: _is, levels: _levels, pricePerMonth: _price, ...change }) => ({
    name,
    change: onlyChange(change),
  }));
  const first = changes[0]?.change;
  if (first === undefined) return undefined;
  const values = changes.flatMap(({ name, change }) =>
    change?.of === first.of && change.over === first.over ? [[name, change.value] as const] : [],
  );
  return values.length === variants.length ? { over: first.over, of: first.of, values: new Map(values) } : undefined;
}

function onlyChange(change: Change): { of: SweepOf; over: string; value: string } | undefined {
  const [of, ...others] = Object.keys(change);
  const kind = KINDS.find((each) => each === of);
  const entries = Object.entries(kind === undefined ? {} : (change[kind] ?? {}));
  const [entry] = entries;
  if (kind === undefined || entry === undefined || others.length > 0 || entries.length > 1) return undefined;
  return { of: kind, over: entry[0], value: String(entry[1]) };
}

const SUFFIXES: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** `128M` as the server reads it; undefined where it is no number. */
export function numberOf(value: string): number | undefined {
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)([kmgt]?)$/i.exec(value) ?? [];
  return digits === undefined ? undefined : Number(digits) * (SUFFIXES[suffix.toLowerCase()] ?? 1);
}
