/** From variants, factors or a matrix, as written, to the variants of a plan. */
import { nearest } from '../../../base/did-you-mean.ts';
import type { Change, ExperimentDesign, Variant } from '../../../model/experiment.ts';
import { readLoad, readOptions } from './option-values.ts';
import type { WrittenChange, WrittenExperiment } from './schema.ts';
import type { Path } from './tree.ts';

/** What is wrong, by the path at which it is written. */
export interface PathProblem {
  readonly path: Path;
  readonly is: string;
  readonly remedy?: string;
}

export interface ReadVariants {
  readonly variants: readonly Variant[];
  readonly baseline: string;
  readonly design: ExperimentDesign;
  readonly problems: readonly PathProblem[];
}

/** Each is run in each block: with more, one block takes hours. */
export const VARIANTS_MAX = 64;
/** Of a variant or a level: it stands in tables, tags and commands. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;
const NAME_REMEDY = 'Letters, digits, dots, dashes and underscores may be in a name; say more with `is`.';

/**
 * The names in a mapping of the file, in the order in which they are written. An object does not keep it: JavaScript
 * puts names that are whole numbers first, and the first is the baseline.
 */
export type NamesAt = (path: Path) => readonly string[];

/** By its name, and its levels by theirs, as written. */
interface Factor {
  readonly name: string;
  readonly levels: readonly (readonly [level: string, change: WrittenChange])[];
}

/** `namesAt`: absent where there is no file, and the order of an object must do. */
export function readVariants(written: WrittenExperiment, namesAt: NamesAt = () => []): ReadVariants {
  const given = (['variants', 'factors', 'matrix'] as const).filter((key) => written[key] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) return { ...NONE, problems: [howMany(given)] };
  if (kind === 'variants') return byName(written, namesAt);
  const factors = inOrder(written[kind] ?? {}, namesAt([kind])).map(
    ([name, levels]): Factor => ({ name, levels: inOrder(levels, namesAt([kind, name])) }),
  );
  const wrong = [...factorProblems(kind, factors), ...misplaced(kind, written)];
  if (wrong.length > 0) return { ...NONE, problems: wrong };
  const chosen = kind === 'matrix' ? 'blocks' : (written.design ?? 'factorial');
  const combinations = chosen === 'one-at-a-time' ? oneAtATime(factors) : everyCombination(factors);
  if (combinations.length > VARIANTS_MAX) return { ...NONE, problems: [tooMany(kind, combinations.length)] };
  const read = combinations.map((levels) => combined(kind, levels));
  const asList = factors.map(({ name, levels }) => ({ name, levels: levels.map(([level]) => level) }));
  return {
    variants: read.map(({ variant }) => variant),
    baseline: read[0]?.variant.name ?? '',
    design: chosen === 'blocks' ? { is: 'blocks' } : { is: chosen, factors: asList },
    problems: unique(read.flatMap(({ problems }) => problems)),
  };
}

function inOrder<T>(byName: Readonly<Record<string, T>>, names: readonly string[]): (readonly [string, T])[] {
  const placeOf = new Map(names.map((name, place) => [name, place]));
  return Object.entries(byName).sort(([one], [other]) => (placeOf.get(one) ?? 0) - (placeOf.get(other) ?? 0));
}

const NONE = { variants: [], baseline: '', design: { is: 'blocks' } } as const;

function howMany(given: readonly string[]): PathProblem {
  if (given.length > 1) {
    const is = `${given.join(' and ')} both say what the variants are.`;
    return { path: [given[1] ?? ''], is, remedy: 'Keep one of them; factors and a matrix make variants themselves.' };
  }
  return {
    path: [],
    is: 'There are no variants.',
    remedy: 'Add them: variants: {small: {settings: {…}}, large: {…}}; or --set=variants.NAME.KEY=VALUE.',
  };
}

function byName(written: WrittenExperiment, namesAt: NamesAt): ReadVariants {
  const changes = inOrder(written.variants ?? {}, namesAt(['variants']));
  const names = changes.map(([name]) => name);
  const problems: PathProblem[] = misplaced('variants', written);
  const variants = changes.map(([name, change]): Variant => {
    const read = readChange(change, ['variants', name]);
    problems.push(...nameProblems(name, ['variants', name]), ...read.problems);
    return { name, ...(change.is === undefined ? {} : { is: change.is }), ...read.change };
  });
  if (names.length === 0) problems.push(howMany([]));
  if (names.length > VARIANTS_MAX) problems.push(tooMany('variants', names.length));
  const { baseline = names[0] ?? '' } = written;
  if (names.length > 0 && !names.includes(baseline)) {
    const meant = nearest(baseline, names);
    const remedy = meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${meant}?`;
    problems.push({ path: ['baseline'], is: `The baseline '${baseline}' is no variant.`, remedy });
  }
  return { variants, baseline, design: { is: 'blocks' }, problems };
}

/** Keys that mean nothing beside this way to say variants. */
function misplaced(kind: 'variants' | 'factors' | 'matrix', written: WrittenExperiment): PathProblem[] {
  const problems: PathProblem[] = [];
  if (kind !== 'variants' && written.baseline !== undefined) {
    const is = `The baseline of ${kind === 'factors' ? 'factors' : 'a matrix'} has the first level of each.`;
    problems.push({ path: ['baseline'], is, remedy: 'Leave it out, and write the levels in the order you want.' });
  }
  if (kind !== 'factors' && written.design !== undefined) {
    const is = `A design is for factors, and here are ${kind}.`;
    problems.push({ path: ['design'], is, remedy: 'Leave it out, or write factors.' });
  }
  return problems;
}

function factorProblems(kind: 'factors' | 'matrix', factors: readonly Factor[]): PathProblem[] {
  const problems = factors.flatMap(({ name, levels }): PathProblem[] => {
    const path = [kind, name];
    const own = nameProblems(name, path);
    if (levels.length < 2) {
      const is = `${kind === 'factors' ? 'The factor ' : ''}'${name}' needs two levels or more.`;
      own.push({ path, is, remedy: 'The first is the baseline.' });
    }
    return [...own, ...levels.flatMap(([level]) => nameProblems(level, [...path, level]))];
  });
  return factors.length > 0 ? problems : [...problems, { path: [kind], is: `${kind} names none.` }];
}

function nameProblems(name: string, path: Path): PathProblem[] {
  return NAME.test(name) ? [] : [{ path, is: `'${name}' cannot be a name.`, remedy: NAME_REMEDY }];
}

function tooMany(kind: string, count: number): PathProblem {
  const is = `${count} variants are more than ${VARIANTS_MAX}: each runs in each block.`;
  const remedy = kind === 'factors' ? 'Take fewer levels, or design: one-at-a-time.' : 'Take fewer.';
  return { path: [kind], is, remedy };
}

/** Of each factor, in their order, the level that was chosen. */
type Chosen = readonly { readonly factor: string; readonly level: string; readonly written: WrittenChange }[];

function chosenOf({ name, levels }: Factor): Chosen {
  return levels.map(([level, written]) => ({ factor: name, level, written }));
}

/** The last factor changes fastest; the first is all first levels. */
function everyCombination(factors: readonly Factor[]): Chosen[] {
  let combinations: Chosen[] = [[]];
  for (const factor of factors) {
    // Beyond the limit nobody looks at them, and their number grows without one.
    if (combinations.length > VARIANTS_MAX) return combinations;
    combinations = combinations.flatMap((chosen) => chosenOf(factor).map((one) => [...chosen, one]));
  }
  return combinations;
}

function oneAtATime(factors: readonly Factor[]): Chosen[] {
  const first = factors.flatMap((factor) => chosenOf(factor).slice(0, 1));
  const changed = factors.flatMap((factor, at) =>
    chosenOf(factor)
      .slice(1)
      .map((one) => first.with(at, one)),
  );
  return [first, ...changed];
}

/** `pool=large,flush=1`: shows what is on in every table, and what differs from the one above. */
function combined(
  kind: 'factors' | 'matrix',
  chosen: Chosen,
): { readonly variant: Variant; readonly problems: readonly PathProblem[] } {
  const problems: PathProblem[] = [];
  let change: Change = {};
  for (const { factor, level, written } of chosen) {
    const path = [kind, factor, level];
    const read = readChange(written, path);
    problems.push(...read.problems, ...clashes(kind, change, { now: read.change, path }));
    change = together(change, read.change);
  }
  const name = chosen.map(({ factor, level }) => `${factor}=${level}`).join(',');
  const is = chosen.map(({ factor, level, written }) => written.is ?? `${factor} ${level}`).join(', ');
  const levels = Object.fromEntries(chosen.map(({ factor, level }) => [factor, level]));
  return { variant: { name, is, levels, ...change }, problems };
}

const BY_NAME = ['settings', 'global', 'persist', 'workload', 'load'] as const;
const SINGLE = ['server', 'dataDirectory', 'target', 'connect', 'engine'] as const;

/** Two factors that say one thing differently would leave it open which of them was measured. */
function clashes(
  kind: 'factors' | 'matrix',
  before: Change,
  { now, path }: { readonly now: Change; readonly path: Path },
): PathProblem[] {
  const single = SINGLE.filter((key) => before[key] !== undefined && now[key] !== undefined);
  const named = BY_NAME.flatMap((key) => Object.keys(now[key] ?? {}).filter((name) => name in (before[key] ?? {})));
  const [both, one] = kind === 'factors' ? ['Two factors', 'factor'] : ['Two entries of matrix', 'entry'];
  return [...single, ...named].map((what) => ({
    path,
    is: `${both} set ${what}.`,
    remedy: `Let one ${one} set it, or make these levels of one.`,
  }));
}

function together(before: Change, now: Change): Change {
  const named = BY_NAME.flatMap((key) =>
    before[key] === undefined && now[key] === undefined ? [] : [[key, { ...before[key], ...now[key] }]],
  );
  // What was entered first is left last.
  const commands = {
    ...lines('enter', [before.enter, now.enter]),
    ...lines('leave', [now.leave, before.leave]),
  };
  return { ...before, ...now, ...Object.fromEntries(named), ...commands };
}

function lines(key: 'enter' | 'leave', texts: readonly (string | undefined)[]): Change {
  const given = texts.filter((text) => text !== undefined);
  return given.length === 0 ? {} : { [key]: given.join('\n') };
}

function readChange(
  written: WrittenChange,
  path: Path,
): { readonly change: Change; readonly problems: readonly PathProblem[] } {
  const { is: _, workload, load, ...rest } = written;
  const read = readLoad(load ?? {});
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Change;
  return {
    change: {
      ...given,
      ...(workload === undefined || Object.keys(workload).length === 0 ? {} : { workload: readOptions(workload) }),
      ...(load === undefined ? {} : { load: read.values }),
    },
    problems: read.problems.map(({ option, problem }) => ({ path: [...path, 'load', option], ...problem })),
  };
}

function unique(problems: readonly PathProblem[]): PathProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}
