/**
 * An experiment file, from its text to the plan. All that is wrong is told at once, each with file, line and column.
 * This module loads the readers of YAML and of schemas: import it where a file is to be read, and not before.
 */
import { UserError } from '../../../base/errors.ts';
import type { ExperimentPlan } from '../../../model/experiment.ts';
import { readForm } from './read-form.ts';
import { readYaml } from './read-yaml.ts';
import { settle } from './settle.ts';
import { SpellOut } from './spell-out.ts';
import {
  entryOf,
  isWritten,
  mapTexts,
  merge,
  namesAt,
  type Path,
  type Place,
  type PlacedProblem,
  placeOf,
  setAt,
  type Tree,
  textTree,
  withoutEntry,
} from './tree.ts';
import type { PathProblem } from './variants.ts';

/** As the file is written, without what one of its sizes says otherwise. */
const FULL = 'full';

export interface ReadFileOptions {
  /** Of the file, for messages and for the name of an experiment that gives none. */
  readonly path: string;
  /** `pairs=12`, `load.time=30`, `variants.large.settings.innodb_buffer_pool_size=2G`, or a parameter of the file. */
  readonly overrides?: readonly string[];
  /** One of the file's `sizes`; `full` is the file without any of them. */
  readonly size?: string;
  /** Which experiment, of a file that holds several. */
  readonly only?: string;
}

export interface ReadExperiment {
  readonly plan: ExperimentPlan;
  /** Where it is written: `['workload', 'tables']`, `['variants', NAME, 'load', 'threads']`. */
  at(path: Path): Place;
}

/** The one experiment of a file. Throws a `UserError` that tells all that is wrong. */
export function readExperimentFile(text: string, options: ReadFileOptions): ReadExperiment {
  const all = readExperiments(text, options);
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  throw new UserError(`${options.path} holds ${all.length} experiments: ${namesOf(all)}.`, {
    hint: 'Say which one with --only=NAME.',
  });
}

/** All experiments of a file, which stand in it one below the other, with `---` between. */
export function readExperiments(text: string, options: ReadFileOptions): readonly ReadExperiment[] {
  const { experiments, problems } = draftExperiments(text, options);
  if (problems.length > 0) throw refusal(problems);
  return experiments;
}

export interface DraftExperiments {
  /** Where there are problems, with what is wrong left out: good for looking for more of them, and for nothing else. */
  readonly experiments: readonly (ReadExperiment & {
    /** False where the file does not say it in a form that can be read. */
    readonly isWorkloadKnown: boolean;
  })[];
  /** In the order of the file. */
  readonly problems: readonly PlacedProblem[];
}

/** For who knows more of what may be wrong, and wants to tell all at once. Throws where nothing can be chosen. */
export function draftExperiments(text: string, options: ReadFileOptions): DraftExperiments {
  const { path, only } = options;
  const yaml = readYaml(text, path);
  if (yaml.problems.length > 0) return { experiments: [], problems: inOrder(yaml.problems) };
  if (yaml.trees.length === 0) {
    throw new UserError(`${path} is empty.`, {
      hint: 'See what a file may say: sqldyno experiment recipe buffer-pool',
    });
  }
  const nameIn = (tree: Tree) => nameOf(tree) ?? fallbackName(path);
  const chosen = yaml.trees.filter((tree) => only === undefined || nameIn(tree) === only);
  if (chosen.length === 0) {
    const names = yaml.trees.map(nameIn);
    throw new UserError(`${path} has no experiment '${only}'.`, { hint: `There are: ${names.join(', ')}.` });
  }
  const read = chosen.map((tree) => readTree(tree, options));
  const problems = inOrder(read.flatMap((each) => each.problems));
  const experiments = read.flatMap(({ experiment }) => (experiment === undefined ? [] : [experiment]));
  if (problems.length === 0) refuseTwins(experiments, path);
  return { experiments, problems };
}

function refuseTwins(experiments: readonly ReadExperiment[], path: string): void {
  const names = experiments.map(({ plan }) => plan.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new UserError(`${path} holds two experiments with the name ${twice}.`, {
    hint: 'Give each a name of its own.',
  });
}

function nameOf(tree: Tree): string | undefined {
  const name = entryOf(tree, 'name')?.value;
  return name?.is === 'text' ? name.text : undefined;
}

interface ReadTree {
  readonly experiment?: DraftExperiments['experiments'][number];
  readonly problems: readonly PlacedProblem[];
}

function readTree(written: Tree, options: ReadFileOptions): ReadTree {
  if (written.is !== 'mapping') {
    const is = 'An experiment is a mapping, with keys such as workload, load and variants.';
    return { problems: [{ place: written.place, is, remedy: 'Write each as KEY: VALUE on a line of its own.' }] };
  }
  const problems: PlacedProblem[] = [];
  const spelling = new SpellOut();
  const sized = withSize(spelling.experiment(written), options.size, problems);
  const spelt = spelling.experiment(withOverrides(sized, options.overrides ?? [], problems));
  const tree = withParameters(spelt, problems);
  const form = readForm(tree);
  problems.push(...spelling.problems, ...form.problems);
  if (form.written === undefined) return { problems: unique(problems) };
  const { plan, problems: others } = settle(form.written, fallbackName(options.path), (path) => namesAt(tree, path));
  problems.push(...others.filter((problem) => !form.isEcho(problem)).map((problem) => placed(problem, tree)));
  const { isWorkloadKnown } = form;
  return {
    experiment: { plan, at: (path) => find(path, tree), isWorkloadKnown: isWorkloadKnown && plan.workload !== '' },
    problems: unique(problems),
  };
}

function withSize(tree: Tree, size: string | undefined, problems: PlacedProblem[]): Tree {
  const sizes = entryOf(tree, 'sizes')?.value;
  if (size === undefined || (size === FULL && entryOf(sizes, FULL) === undefined)) return tree;
  const chosen = entryOf(sizes, size);
  if (chosen !== undefined) return merge(tree, chosen.value);
  const names = [FULL, ...(sizes?.is === 'mapping' ? sizes.entries.keys() : [])];
  const place = { ...NOWHERE, shown: `--size=${size}` };
  problems.push({ place, is: `The file has no size '${size}'.`, remedy: `There are: ${names.join(', ')}.` });
  return tree;
}

const NOWHERE = { line: 0, column: 0 };

function withOverrides(tree: Tree, overrides: readonly string[], problems: PlacedProblem[]): Tree {
  const parameters = entryOf(tree, 'parameters')?.value;
  return overrides.reduce((changed, override) => {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(override) ?? [];
    // Without the value: it may be a URL with a password.
    const place = { ...NOWHERE, shown: `--set=${key}` };
    const path = key.split('.').map((part) => part.trim());
    if (key === '' || path.includes('')) {
      const shown = `--set=${key === '' ? override : key}`;
      const is = key === '' ? 'There is no = with a value behind it.' : 'A part of the path is empty.';
      problems.push({ place: { ...place, shown }, is, remedy: 'Write it like --set=load.time=30.' });
      return changed;
    }
    const text = textTree(value, place);
    const isParameter = entryOf(parameters, key) !== undefined;
    if (isParameter) return setAt(changed, ['parameters', key, 'default'], text);
    return setAt(changed, underscored(path), text);
  }, tree);
}

/** Options and settings may be written with dashes, as in a file. */
function underscored(path: readonly string[]): readonly string[] {
  const at = path.findLastIndex((part) => ['settings', 'global', 'persist', 'workload', 'load'].includes(part));
  return path.map((part, index) => (at !== -1 && index > at ? part.replaceAll('-', '_') : part));
}

/** `${NAME}` in any text. What is no parameter of the file stays: the shell has such words too. */
function withParameters(tree: Tree, problems: PlacedProblem[]): Tree {
  const parameters = entryOf(tree, 'parameters');
  if (parameters?.value.is !== 'mapping' || tree.is !== 'mapping') return tree;
  const values = new Map<string, string>();
  for (const [name, { place, value }] of parameters.value.entries) {
    const given = entryOf(value, 'default')?.value;
    const what = entryOf(value, 'is')?.value;
    if (given?.is === 'text') values.set(name, given.text);
    else {
      const meaning = what?.is === 'text' ? `: ${what.text.replace(/\.$/, '')}` : '';
      problems.push({ place, is: `'${name}' must be given${meaning}.`, remedy: `Add --set=${name}=VALUE.` });
    }
  }
  const rest = withoutEntry(tree, 'parameters');
  const substituted = mapTexts(rest, (text) => text.replace(/\$\{([\w-]+)\}/g, (all, name) => values.get(name) ?? all));
  return merge(tree, substituted);
}

function placed({ path, ...problem }: PathProblem, tree: Tree): PlacedProblem {
  return { place: find(path, tree), ...problem };
}

/** Variants that factors have made are written in the levels of those. */
function find(path: Path, tree: Tree): Place {
  const [kind, , ...rest] = path;
  if (kind === 'variants' && rest.length > 0 && !isWritten(tree, ['variants'])) {
    for (const key of ['factors', 'matrix']) {
      const factors = entryOf(tree, key)?.value;
      for (const { value: levels } of factors?.is === 'mapping' ? factors.entries.values() : []) {
        for (const { value: level } of levels.is === 'mapping' ? levels.entries.values() : []) {
          if (isWritten(level, rest)) return placeOf(level, rest);
        }
      }
    }
  }
  return placeOf(tree, path);
}

/** One cause may be met on several ways, as a size that is looked at and taken. */
function unique(problems: readonly PlacedProblem[]): PlacedProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.place.shown} ${problem.is}`, problem])).values()];
}

function fallbackName(path: string): string {
  const file = path.split(/[/\\]/).at(-1) ?? '';
  const name = file
    .replace(/\.ya?ml$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'experiment' : name;
}

function namesOf(all: readonly ReadExperiment[]): string {
  return all.map(({ plan }) => plan.name).join(', ');
}

function inOrder(problems: readonly PlacedProblem[]): readonly PlacedProblem[] {
  return problems.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

function refusal(problems: readonly PlacedProblem[]): UserError {
  const [first] = problems;
  if (first !== undefined && problems.length === 1) {
    return new UserError(`${first.place.shown}: ${first.is}`, first.remedy === undefined ? {} : { hint: first.remedy });
  }
  const lines = problems.map(
    ({ place, is, remedy }) => `${place.shown}: ${is}${remedy === undefined ? '' : ` ${remedy}`}`,
  );
  return new UserError(lines.join('\n'));
}
